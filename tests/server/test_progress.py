"""A client that asks is told how far a call is, and a call that is cancelled stops."""

import threading
from dataclasses import replace
from itertools import pairwise

import pytest
from server_process import Attached

from context_graph import Draft
from context_graph.errors import Cancelled
from context_graph.memory import Memory
from context_graph.progress import stage
from context_graph.server.host import Host
from context_graph.server.progress import EVERY_S, Progress
from context_graph.settings import Settings
from context_graph.tools import find, registry
from tests.requirements import requirement

PATIENCE_S = 60


@pytest.fixture
def home(tmp_path):
    with Memory(Settings(home=tmp_path / "home", tier="base")) as memory:
        for i in range(12):
            text = f"Pump {i * 7919} in hall {i} moves {i * 31} litres of brine to basin {i * 77}."
            memory.remember(Draft(text, f"what pump {i * 7919} is for"))
    return tmp_path / "home"


@pytest.fixture
def host(home):
    host = Host(Settings(home=home, tier="base", tools="all"))
    yield host
    host.close()


@pytest.fixture
def attached(host):
    attached = Attached(host)
    attached.begin()
    yield attached
    attached.leave()


def told(seen):
    """Checks what was told of one call."""
    assert seen, "the first stage is always told"
    done = [progress for progress, _, _ in seen]
    assert done == sorted(set(done)), "it rises"
    assert all(total is None or progress < total for progress, total, _ in seen)
    assert all(message for _, _, message in seen)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("test_recall_accuracy", {"test_type": "full_suite", "needle_count": 5}),
        ("debug_compare_retrieval", {"query": "pump"}),
        ("search_graph", {"query": "Which pump moves brine?"}),
        ("inject_context", {"query": "Which pump moves brine?"}),
    ],
)
@requirement("server:progress")
def test_a_client_that_asks_is_told_how_far_a_call_is(attached, name, arguments):
    seen = []
    params = {"name": name, "arguments": arguments, "_meta": {"progressToken": 7}}
    attached.send(id="asked", method="tools/call", params=params)
    while (message := attached.read()).get("id") != "asked":
        assert message["method"] == "notifications/progress" and message["params"]["progressToken"] == 7
        seen.append((message["params"]["progress"], message["params"].get("total"), message["params"]["message"]))
    assert not message["result"]["isError"]
    told(seen)


@requirement("server:progress")
def test_it_is_told_over_stdio_before_the_answer(start, home):
    server = start()
    server.begin()
    params = {"name": "test_recall_accuracy", "arguments": {}, "_meta": {"progressToken": "mine"}}
    server.send(id="asked", method="tools/call", params=params)
    seen = []
    while (message := server.read()).get("id") != "asked":
        assert message["method"] == "notifications/progress" and message["params"]["progressToken"] == "mine"
        seen.append((message["params"]["progress"], message["params"].get("total"), message["params"]["message"]))
    assert not message["result"]["isError"]
    told(seen)
    server.send(id="not asked", method="tools/call", params={"name": "test_recall_accuracy", "arguments": {}})
    assert server.read()["id"] == "not asked", "who names no token hears nothing"
    assert server.leave() == 0


def test_at_most_a_few_are_told_in_a_second():
    moments, seen = iter(step / 10 for step in range(100)), []

    progress = Progress(lambda done, total, message: seen.append(done), clock=lambda: next(moments))
    progress.during(lambda: [stage("step") for _ in range(100)])
    assert 2 < len(seen) <= 10 / EVERY_S and seen == sorted(seen)
    assert min(b - a for a, b in pairwise(seen)) >= EVERY_S / 0.1


@requirement("server:cancelled-calls-stop")
def test_a_call_that_is_cancelled_stops_at_its_next_stage(attached, monkeypatch):
    began, stopped = threading.Event(), threading.Event()

    def endless(memory, args, caller):
        began.set()
        try:
            while not stopped.wait(0.001):
                stage("again")
        except Cancelled:
            stopped.set()
            raise

    monkeypatch.setitem(registry._TOOLS, "get_health", replace(find("get_health"), function=endless))
    try:
        attached.send(id="endless", method="tools/call", params={"name": "get_health"})
        assert began.wait(PATIENCE_S)
        attached.send(method="notifications/cancelled", params={"requestId": "another"})
        assert attached.ask("ping")["result"] == {} and not stopped.is_set()
        attached.send(method="notifications/cancelled", params={"requestId": "endless"})
        assert stopped.wait(PATIENCE_S)
        assert attached.ask("ping")["result"] == {} and b"endless" not in b"".join(attached.lines)
    finally:
        stopped.set()


@pytest.mark.parametrize("name", ["test_recall_accuracy", "debug_compare_retrieval", "search_graph", "inject_context"])
def test_every_long_tool_looks_whether_somebody_waits(host, name):
    from context_graph.progress import followed

    arguments = {} if name == "test_recall_accuracy" else {"query": "Which pump moves brine?"}
    left = iter([False, False])
    with followed(lambda *_: None, lambda: next(left, True)):
        outcome = host.call(name, arguments)
    assert outcome.structured["error"]["code"] == "CANCELLED"
    assert not host.call(name, arguments).is_error, "a call given up leaves nothing half done"


ENDLESS = """
import sys
from dataclasses import replace
from pathlib import Path
from context_graph.errors import Cancelled
from context_graph.progress import stage
from context_graph.server import serve
from context_graph.settings import load_settings
from context_graph.tools import registry

def endless(memory, args, caller):
    try:
        while True:
            stage("again")
    except Cancelled:
        (memory.settings.home / "stopped").touch()
        raise

registry._TOOLS["get_health"] = replace(registry.find("get_health"), function=endless)
serve(load_settings()[0])
"""


@requirement("server:cancelled-calls-stop")
def test_a_call_that_is_cancelled_over_stdio_stops_and_is_not_answered(start, home):
    server = start(program=("-c", ENDLESS))
    server.begin()
    server.send(  # an id that no ping below comes to
        id=99_999, method="tools/call", params={"name": "get_health", "arguments": {}, "_meta": {"progressToken": 1}}
    )
    assert server.read()["method"] == "notifications/progress"
    server.send(method="notifications/cancelled", params={"requestId": 99_999})
    for _ in range(10_000):
        server.ask("ping")
        if (home / "stopped").exists():
            break
    assert (home / "stopped").exists()
    assert server.leave() == 0
    assert not any(b'"id":99999' in line for line in server.lines)
