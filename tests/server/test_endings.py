"""However a server ends, it ends by itself, with rc 0 and the store intact."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from server_process import environment

from context_graph.store import Store
from tests.requirements import requirement

SLOW = """
import threading
from dataclasses import replace
from context_graph.server import serve
from context_graph.server.pipes import Pipes
from context_graph.settings import load_settings
from context_graph.tools import registry

Pipes.GRACE_S = 0.5

def stuck(memory, args, caller):
    memory.store.effects.add(memory.author(memory.caller), state={"pulse": {"interactions": 7}})
    print("inside", flush=True)
    threading.Event().wait()

registry._TOOLS["get_health"] = replace(registry.find("get_health"), function=stuck)
serve(load_settings()[0])
"""


def sound(home):
    with Store.open(home, clock=lambda: 0, new_id=lambda: "x") as store:
        assert store.verify().ok
        return store.counts()["memories"], [session.state["pulse"]["interactions"] for session in store.sessions()]


def remembering(server):
    server.begin()
    server.ask("tools/list")
    assert not server.call("store_memory", content="Anna plays the clarinet.", rationale="a hobby of a friend")[
        "isError"
    ]
    assert not server.call("search_graph", query="clarinet")["isError"]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "end of input"])
def test_it_leaves_when_told_and_writes_what_was_queued(start, tmp_path, name):
    server = start()
    remembering(server)
    if name == "end of input":
        assert server.leave() == 0
    else:
        server.popen.send_signal(getattr(signal, name))
        assert server.wait() == 0
    assert sound(tmp_path / "home") == (1, [2])  # one store, one search


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "end of input"])
def test_it_leaves_during_a_call(start, tmp_path, name):
    server = start(program=("-c", SLOW))
    server.begin()
    server.send(id=99, method="tools/call", params={"name": "get_health", "arguments": {}})
    assert server.popen.stderr.readline().strip() == b"inside"
    if name == "end of input":
        assert server.leave() == 0
    else:
        server.popen.send_signal(getattr(signal, name))
        assert server.wait() == 0
    assert sound(tmp_path / "home") == (0, [7])


TWICE = """
import atexit, sys, threading, time
from context_graph.server.lifecycle import Lifecycle

closing = threading.Event()

def close():
    closing.set()
    time.sleep(0.3)
    print("closed", flush=True)

atexit.register(print, "the interpreter ends", flush=True)
life = Lifecycle(close)
threading.Thread(target=life.leave, daemon=True).start()
closing.wait()
life.leave(1)
"""


def test_a_main_thread_that_ends_meanwhile_waits_for_the_one_that_closes():
    run = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "closed\n", "")


DEAF = """
import signal
from context_graph.server import lifecycle, serve
from context_graph.settings import load_settings

guard = lifecycle.Lifecycle.guard

def guarded(self):
    guard(self)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})

lifecycle.Lifecycle.guard = guarded
serve(load_settings()[0])
"""


def test_it_leaves_when_its_main_thread_does_not_hear_of_the_signal(start, tmp_path):
    """As when the signal comes just before the event loop falls asleep: one SIGTERM of forty was slept through."""
    server = start(program=("-c", DEAF))
    remembering(server)
    server.popen.send_signal(signal.SIGTERM)
    assert server.wait() == 0
    assert sound(tmp_path / "home") == (1, [2])


@pytest.mark.parametrize("name", ["SIGTERM", "end of input"])
def test_it_leaves_before_anyone_spoke(start, name):
    server = start()
    if name == "end of input":
        assert server.leave() == 0
    else:
        server.ask("ping")  # so that it is up
        server.popen.send_signal(signal.SIGTERM)
        assert server.wait() == 0


def test_requests_sent_before_the_end_of_input_are_answered(start):
    server = start()
    server.begin()
    server.call("get_health")  # open, so that the next answer is quick
    server.send(id=50, method="tools/call", params={"name": "get_system_instructions", "arguments": {}})
    server.popen.stdin.close()
    assert server.read()["id"] == 50
    assert server.read() is None
    assert server.wait() == 0


def piped(home, calls, program=("-m", "context_graph.server")):
    """What a server answers to requests that lie ready in a pipe whose writer has gone."""
    lines = [
        {"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"method": "notifications/initialized"},
        *({"id": 2 + number, "method": "tools/call", "params": call} for number, call in enumerate(calls)),
    ]  # fmt: skip
    text = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
    run = subprocess.run(
        [sys.executable, *program], input=text, env=environment(home), capture_output=True, text=True, timeout=120
    )
    return run, {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}


def test_what_is_piped_in_at_once_is_answered(tmp_path):
    calls = [
        {"name": "store_memory", "arguments": {"content": f"Lamp {number} burns.", "rationale": "a log of the lamps"}}
        for number in range(300)  # more than may be under way
    ]
    run, answers = piped(tmp_path / "home", calls)
    assert run.returncode == 0 and "closed" not in run.stderr
    assert sorted(answers) == list(range(1, 302))
    assert not any(answers[id]["result"]["isError"] for id in range(2, 302))
    assert sound(tmp_path / "home")[0] == 300


def test_what_never_ends_is_answered_with_an_error_when_the_server_leaves(tmp_path):
    run, answers = piped(tmp_path / "home", [{"name": "get_health", "arguments": {}}] * 6, ("-c", SLOW))
    assert run.returncode == 0
    assert {id: answers[id]["error"]["message"][:16] for id in answers if id > 1} == {
        id: "the server ended" for id in range(2, 8)
    }


PARENT = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-m", "context_graph.server"], stdin=int(sys.argv[1]),
                         stdout=int(sys.argv[2]), stderr=subprocess.DEVNULL)
os.close(int(sys.argv[1])); os.close(int(sys.argv[2]))
print(child.pid, flush=True)
sys.stdin.read()
"""


def test_it_follows_its_parent(tmp_path):
    """The test holds the server's stdin open, so only the death of the parent can end it."""
    from_test, to_server = os.pipe()
    from_server, to_test = os.pipe()
    environment = os.environ | {"CONTEXT_GRAPH_HOME": str(tmp_path / "home"), "CONTEXT_GRAPH_TIER": "base"}
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(from_test), str(to_test)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, pass_fds=(from_test, to_test),
    )  # fmt: skip
    os.close(from_test)
    os.close(to_test)
    try:
        assert int(parent.stdout.readline()) > 0
        os.write(to_server, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        assert b'"id":1' in os.read(from_server, 4_096)  # it is up
        parent.kill()
        parent.wait()
        assert os.read(from_server, 4_096) == b""  # its stdout closes when it has left
    finally:
        parent.kill()
        parent.wait()
        for stream in (parent.stdin, parent.stdout):
            stream.close()
        os.close(to_server)
        os.close(from_server)


def test_two_servers_share_one_home(start):
    one, other = start(), start()
    remembering(one)
    other.begin()
    assert other.call("search_graph", query="clarinet")["structuredContent"]["count"] == 1
    other.call("store_memory", content="Ben plays the oboe.", rationale="a hobby of another friend")
    assert (
        one.call("search_graph", query="oboe", top_k=1)["structuredContent"]["results"][0]["name"]
        == "Ben plays the oboe."
    )
    assert one.leave() == other.leave() == 0


def wakes(pid):
    """How often the threads of a process have gone to sleep so far."""
    status = [path.read_text("utf-8") for path in Path(f"/proc/{pid}/task").glob("*/status")]
    return sum(int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.M)[1]) for text in status)


@requirement("server:rests")
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfd_open: Linux 5.3")
def test_a_server_without_work_does_not_wake(start):
    server = start()
    server.begin()
    server.call("search_graph", query="Anna")
    never = threading.Event()
    for _ in range(60):  # what the call left to do is done in a while
        before = wakes(server.popen.pid)
        never.wait(1)
        if wakes(server.popen.pid) == before:
            return
    pytest.fail("a thread wakes every second")
