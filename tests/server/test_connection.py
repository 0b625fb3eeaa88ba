"""Calls of one client beside each other: none waits for another, each is answered once."""

import threading
from dataclasses import replace

import pytest
from server_process import Attached

from context_graph.server.connection import CALLS_AT_ONCE
from context_graph.tools import find, registry
from tests.requirements import requirement

PATIENCE_S = 30


@pytest.fixture
def attached(attach):
    attached = attach(tools="all")
    attached.begin()
    return attached


def test_the_list_of_tools_overtakes_a_call_that_waits_for_the_memory(attached):
    with attached.host._opening:  # the memory cannot be opened meanwhile
        call = attached.request("tools/call", name="get_health", arguments={})
        assert attached.ask("tools/list")["result"]["tools"]
        assert len(attached.lines) == 2, "of initialize and the list"
    answer = attached.read()
    assert answer["id"] == call and not answer["result"]["isError"]


def test_so_many_calls_run_at_once_and_the_rest_wait_their_turn(attached, monkeypatch):
    inside, go_on = threading.Semaphore(0), threading.Event()

    def waits(memory, args, caller):
        inside.release()
        assert go_on.wait(PATIENCE_S)
        return find("get_system_instructions").function(memory, args, caller)

    waiting = replace(find("get_system_instructions"), name="get_health", function=waits)
    monkeypatch.setitem(registry._TOOLS, "get_health", waiting)
    calls = [attached.request("tools/call", name="get_health") for _ in range(CALLS_AT_ONCE + 3)]
    assert all(inside.acquire(timeout=PATIENCE_S) for _ in range(CALLS_AT_ONCE))
    attached.send(method="notifications/cancelled", params={"requestId": calls[-1]})
    assert attached.ask("ping")["result"] == {} and not inside.acquire(timeout=0)
    go_on.set()
    answered = [attached.read() for _ in calls[:-1]]
    assert sorted(answer["id"] for answer in answered) == calls[:-1], "what was given up before its turn never began"
    assert not any(answer["result"]["isError"] for answer in answered)
    assert attached.ask("ping")["result"] == {}


def test_one_id_given_twice_is_answered_twice(attached):
    for _ in range(2):
        attached.send(id="same", method="tools/call", params={"name": "get_system_instructions"})
    assert [attached.read()["id"] for _ in range(2)] == ["same", "same"]


def test_a_defect_of_the_server_is_answered_and_the_next_call_as_well(attached, monkeypatch, caplog):
    monkeypatch.setattr(attached.host, "call", lambda name, arguments, caller: 1 / 0)
    error = attached.ask("tools/call", name="get_health")["error"]
    assert error["code"] == -32603 and "ZeroDivisionError" in caplog.text
    monkeypatch.undo()
    assert not attached.call("get_health")["isError"]


@requirement("access:one-memory-serves-many-callers")
def test_each_connection_to_one_memory_is_a_caller_of_its_own(attached):
    other = Attached(attached.host)
    try:
        other.begin()
        text = "The code of the garage is written under the flower pot."
        told = {"content": text, "rationale": "mine alone", "scope": "context"}
        node = attached.call("store_memory", **told)["structuredContent"]["node_id"]
        question = {"query": "Where is the code of the garage?"}
        counts = [each.call("search_graph", **question)["structuredContent"]["count"] for each in (attached, other)]
        assert counts == [1, 0]
        assert other.call("get_node_lineage", node_id=node)["isError"]
        assert not attached.call("get_node_lineage", node_id=node)["isError"]
    finally:
        other.leave()
