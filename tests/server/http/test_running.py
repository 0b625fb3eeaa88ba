"""How the server over HTTP starts, and how it ends."""

import asyncio
import contextlib
import itertools
import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx
import pytest
from http_process import DEADLINE_S, ENDLESS, INITIALIZE, enveloped, until
from server_process import environment

from context_graph import Memory
from context_graph.cli import main
from context_graph.ingest.draft import Draft
from context_graph.server.http.gate import MAX_CALLS_OF_CLIENT, Gate
from context_graph.server.http.guard import IDENTITY
from context_graph.server.http.tokens import Tokens
from context_graph.server.http.viewing import Export
from context_graph.server.pipes import MAX_UNDER_WAY
from context_graph.settings import Settings
from tests.requirements import requirement


@requirement("http:ends-whole")
@pytest.mark.parametrize("name", ["SIGTERM", pytest.param("SIGINT", marks=pytest.mark.long)])
def test_a_signal_ends_the_server_with_the_store_whole(serve, http, name):
    server = serve()
    memory = {"content": "The keel is of lead.", "rationale": "for the yard in spring"}
    assert http.post(f"{server.url}/api/v1/remember", json=memory).status_code == 200
    body, headers = enveloped("subscriptions/listen", notifications={"resourceSubscriptions": ["context://user"]})
    with http.stream("POST", server.mcp, json=body, headers=headers) as stream:
        lines = stream.iter_lines()
        assert any("acknowledged" in line for line in lines)
        server.popen.send_signal(getattr(signal, name))
        assert any('"result"' in line for line in lines), "the stream is said to end"
    assert server.popen.wait(DEADLINE_S) == 0
    assert main(["verify", "--home", str(server.home), "--tier", "base"]) == 0
    again = serve()
    assert "lead" in http.post(f"{again.url}/api/v1/recall", json={"query": "keel"}).text


@requirement("http:ends-whole")
def test_what_was_answered_before_a_signal_is_kept_whatever_was_under_way(serve, http, monkeypatch):
    for name in ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START"):
        monkeypatch.delenv(name, raising=False)  # what measures lines would write them amid sixteen threads at work
    server, stored = serve(), queue.SimpleQueue()

    def store(number):
        with httpx.Client(timeout=DEADLINE_S, trust_env=False) as client, contextlib.suppress(httpx.TransportError):
            for turn in itertools.count():
                text = f"Locker {number}-{turn} belongs to crew member {number * 7 + turn}."
                memory = {"content": text, "rationale": "who has which locker on board"}
                answer = client.post(f"{server.url}/api/v1/remember", json=memory)
                if answer.status_code != 200:
                    return
                stored.put(answer.json()["node_id"])

    with ThreadPoolExecutor(16) as pool:
        working = [pool.submit(store, number) for number in range(16)]
        nodes = {stored.get(timeout=DEADLINE_S) for _ in range(24)}
        server.popen.send_signal(signal.SIGTERM)
        assert server.popen.wait(DEADLINE_S) == 0
        assert [one.result() for one in working] == [None] * 16
    while not stored.empty():
        nodes.add(stored.get())
    assert main(["verify", "--home", str(server.home), "--tier", "base"]) == 0
    with Memory(Settings(home=server.home, tier="base")) as memory:
        assert {node.id for node in memory.store.nodes(nodes)} == nodes


def _refused(home, *options):
    program = [sys.executable, "-m", "context_graph.cli", "serve", "--transport", "http", *options]
    return subprocess.run(program, env=environment(home), capture_output=True, text=True, timeout=DEADLINE_S)


@requirement("http:loopback-or-token")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_beyond_loopback_the_server_does_not_start_without_a_token(tmp_path, host):
    refused = _refused(tmp_path / "home", "--host", host, "--port", "0")
    assert refused.returncode == 2 and "context-graph token new" in refused.stderr


def test_beyond_loopback_everybody_needs_a_token(serve, http, tmp_path):
    token = Tokens(tmp_path / "home").new("phone", "read")
    server = serve("--host", "0.0.0.0", "--allow-host", "boat.example")
    url = server.url.replace("0.0.0.0", "127.0.0.1")
    named = {"Host": "boat.example"}
    assert http.get(f"{url}/api/v1/health", headers=named).status_code == 401
    let_in = {**named, "Authorization": f"Bearer {token}"}
    assert http.get(f"{url}/api/v1/health", headers=let_in).status_code == 200
    (tmp_path / "home" / "tokens.json").unlink()
    assert http.get(f"{url}/api/v1/health", headers=named).status_code == 401


def test_a_port_that_is_taken_is_told_in_one_line(serve, tmp_path):
    port = serve().url.rpartition(":")[2]
    refused = _refused(tmp_path / "other", "--port", port)
    assert refused.returncode == 2 and "--port" in refused.stderr and len(refused.stderr.splitlines()) == 1


@requirement("http:back-pressure")
def test_too_many_requests_are_refused_and_told_when_to_come_again():
    gate = Gate()
    for _ in range(MAX_CALLS_OF_CLIENT):
        assert gate.enter("anna", 10) == 0
    assert gate.enter("anna", 10) == 429
    others = MAX_UNDER_WAY - MAX_CALLS_OF_CLIENT
    assert [gate.enter(f"client {number}", 10) for number in range(others)] == [0] * others
    assert gate.enter("ben", 10) == 503
    gate.leave("anna", 10)
    assert gate.enter("ben", 1_000_000_000) == 503, "bodies are bounded together"
    assert gate.enter("ben", 10) == 0 and gate.refused == 3


def test_a_session_that_asks_too_much_at_once_is_told_so_and_served_again(serve, http):
    server = serve(program=("-c", ENDLESS))
    session = http.post(server.mcp, json=INITIALIZE).headers["Mcp-Session-Id"]
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "get_recent_context", "arguments": {}}}
    for number in range(MAX_CALLS_OF_CLIENT):  # who leaves has not cancelled
        body = json.dumps({**call, "id": number + 10})
        with contextlib.suppress(httpx.ReadTimeout):
            http.post(server.mcp, content=body, headers=headers_of(session), timeout=httpx.Timeout(10, read=0.01))
    until(lambda: f"requests_under_way {MAX_CALLS_OF_CLIENT}\n" in http.get(f"{server.url}/api/v1/metrics").text)
    refused = http.post(server.mcp, json={**call, "id": 1}, headers=headers_of(session))
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
    assert http.get(f"{server.url}/api/v1/health").status_code == 200, "another client is served"
    assert http.delete(server.mcp, headers=headers_of(session)).status_code == 204
    until(lambda: "requests_under_way 0\n" in http.get(f"{server.url}/api/v1/metrics").text)


def headers_of(session):
    return {"Mcp-Session-Id": session, "Content-Type": "application/json"}


def test_to_serve_over_pipes_loads_nothing_of_http():
    code = "import json, sys, context_graph.server, context_graph.cli.ops.serve; print(json.dumps(list(sys.modules)))"
    modules = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
    assert not [name for name in modules if name.startswith("context_graph.server.http")]
    assert not {"starlette", "uvicorn", "h11", "asyncio"} & set(modules)


def test_the_end_waits_for_streams_to_be_closed():
    gate = Gate()
    assert gate.open_stream()
    closing = threading.Timer(0.1, gate.close_stream)
    closing.start()
    gate.wait_idle(5)
    assert gate.streams == 0, "whoever waits goes on when the last stream has ended"
    gate.wait_idle(0)


@requirement("http:ends-whole")
def test_an_export_has_no_name_on_the_disk_as_it_is_sent(memory, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    service = SimpleNamespace(gate=Gate(), host=SimpleNamespace(memory=lambda: memory))
    memory.remember(Draft("The keel is of lead.", "for the yard in spring"))
    sent = []

    async def send(message):
        assert not list(tmp_path.glob("context-graph-*")), "a server that is killed now would leave it"
        sent.append(message.get("body", b""))

    asyncio.run(Export(service)({"method": "GET", "headers": [], IDENTITY: None}, None, send))
    assert b"The keel is of lead." in b"".join(sent)
