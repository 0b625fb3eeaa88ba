"""A stuck call is reported once, with the stacks of all threads."""

import logging
import threading
from dataclasses import replace

import pytest

from context_graph.agents import runner
from context_graph.server.host import Host
from context_graph.server.watchdog import STUCK_S
from context_graph.settings import Settings
from context_graph.store.sqlite.connection import BUSY_MS, MAX_BUSY_MS
from context_graph.tools import find, registry
from tests.requirements import requirement

PATIENCE_S = 30


@pytest.fixture
def reports():
    """What the watchdog logs, and an event that is set with it."""
    heard, came = [], threading.Event()

    class Hearing(logging.Handler):
        def emit(self, record):
            heard.append(record.getMessage())
            came.set()

    logger, handler = logging.getLogger("context_graph.server.watchdog"), Hearing()
    logger.addHandler(handler)
    yield heard, came
    logger.removeHandler(handler)


@requirement("server:stuck-calls-are-reported")
def test_a_stuck_call_is_reported_once_with_the_stacks_of_all_threads(tmp_path, monkeypatch, reports):
    heard, came = reports
    go_on = threading.Event()

    def waits_for_ever(memory, args, caller):
        assert go_on.wait(PATIENCE_S)
        return find("get_system_instructions").function(memory, args, caller)

    stuck = replace(find("get_system_instructions"), name="get_health", function=waits_for_ever)
    monkeypatch.setitem(registry._TOOLS, "get_health", stuck)
    host = Host(Settings(home=tmp_path / "home", tier="base"), stuck_s=0.5)
    host.memory()
    calls = [threading.Thread(target=host.call, args=("get_health", {}), name=f"caller {i}") for i in range(2)]
    calls[0].start()
    assert came.wait(PATIENCE_S)
    came.clear()
    calls[1].start()  # the first is stuck still, and is not told again
    assert came.wait(PATIENCE_S)
    go_on.set()
    for call in calls:
        call.join()
    assert len(heard) == 2
    assert all(text.startswith("get_health has not answered for 0.5 s") for text in heard)
    assert "Thread caller 0:" in heard[0] and "in waits_for_ever" in heard[0] and "Thread MainThread:" in heard[0]
    assert "Thread caller 1:" not in heard[0] and "Thread caller 1:" in heard[1]
    host.close()


def test_a_call_that_waits_for_its_client_is_not_stuck_until_it_goes_on(tmp_path, monkeypatch, reports):
    heard, came = reports
    waits, go_on, never = threading.Event(), threading.Event(), threading.Event()

    def asks(memory, args, caller):
        with host.waiting_for_client():
            waits.set()
            assert go_on.wait(PATIENCE_S)
        assert never.wait(PATIENCE_S)
        return find("get_system_instructions").function(memory, args, caller)

    def stuck(memory, args, caller):
        assert never.wait(PATIENCE_S)
        return find("get_system_instructions").function(memory, args, caller)

    for name, function in (("get_health", asks), ("utl_status", stuck)):
        tool = replace(find("get_system_instructions"), name=name, function=function)
        monkeypatch.setitem(registry._TOOLS, name, tool)
    host = Host(Settings(home=tmp_path / "home", tier="base"), stuck_s=0.5)
    host.memory()
    calls = [threading.Thread(target=host.call, args=(name, {})) for name in ("get_health", "utl_status")]
    calls[0].start()
    assert waits.wait(PATIENCE_S)
    (waiting,) = host._watchdog._calls
    due = waiting.due
    calls[1].start()
    assert came.wait(PATIENCE_S)
    assert [text.split()[0] for text in heard] == ["utl_status"], "it began later, and is told before"
    came.clear()
    go_on.set()
    assert came.wait(PATIENCE_S)
    assert [text.split()[0] for text in heard] == ["utl_status", "get_health"]
    assert waiting.due > due + 0.4, "the time that it waited does not count: the other one was stuck that long"
    never.set()
    for call in calls:
        call.join()
    host.close()


def test_calls_that_answer_are_not_reported(tmp_path, reports):
    host = Host(Settings(home=tmp_path / "home", tier="base"), stuck_s=3_600)
    assert not host.call("get_system_instructions", {}).is_error
    assert not host._watchdog._calls and reports[0] == []
    host.close()


def test_a_wait_that_is_allowed_is_not_taken_for_a_defect():
    """For an agent, and before it for a store that other processes write, and a writer that other threads keep."""
    assert STUCK_S >= runner.MAX_WAIT_S + (MAX_BUSY_MS + BUSY_MS) / 1_000
