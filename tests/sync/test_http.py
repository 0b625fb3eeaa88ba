"""Homes over HTTP: real servers, tokens, and who may be spoken to."""

import json
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import httpx
import pytest
from http_process import HttpServer
from lines import Line
from server_process import environment

from context_graph.errors import PeerUnreachable, SyncRefused
from context_graph.store import keys, make_folder
from context_graph.sync.limits import PATH
from context_graph.sync.peers import Peer
from context_graph.sync.remote import Remote, allowed_address
from tests.requirements import requirement

CELLO = "Anna plays the cello in the Riga orchestra."
KEY = "ab" * 32


@pytest.fixture
def servers(tmp_path):
    """Starts a server on a home of its own."""
    started = []

    def begin(name, *options):
        make_folder(tmp_path / name)
        started.append(HttpServer(tmp_path / name, *options))
        return started[-1]

    yield begin
    for process in started:
        process.end()


def acquaint(command, server, home, *, token=None, url=None):
    here, there = keys.public_key(server.home), keys.public_key(make(home))
    command(server.home, "peer", "add", "laptop", "--key", there)
    options = ["--token", token] if token else []
    command(home, "peer", "add", "desktop", url or server.url, "--key", here, *options)


def make(home):
    make_folder(home)
    return home


@requirement("sync:own-token")
def test_two_homes_meet_over_http_with_a_token_of_their_own(servers, command, tmp_path):
    server, laptop = servers("desktop"), tmp_path / "laptop"
    token = server.token("laptop", "sync")["Authorization"].removeprefix("Bearer ")
    acquaint(command, server, laptop, token=token)
    command(server.home, "remember", CELLO)
    command(laptop, "remember", "Omar mended the boiler of the opera.")
    (done,) = command(laptop, "sync")
    assert done["equal"] and done["error"] is None
    for home in (server.home, laptop):
        assert CELLO in str(command(home, "ask", "Which instrument does Anna play?"))
        assert "Omar" in str(command(home, "ask", "Who mended the boiler?"))
    with httpx.Client(trust_env=False, headers={"Authorization": f"Bearer {token}"}) as http:
        for path in ("/api/v1/health", "/mcp", "/api/v1/export", "/api/v1/memories"):
            assert http.get(f"{server.url}{path}").status_code == 403, "the token opens one path alone"
        assert http.get(f"{server.url}{PATH}").status_code == 405
        for header, status in ((server.token("w", "write"), 403), ({"Authorization": ""}, 401)):
            answer = http.post(f"{server.url}{PATH}", headers=header, json={})
            assert answer.status_code == status
        assert http.post(f"{server.url}{PATH}", json={}).status_code == 400
        assert http.post(f"{server.url}{PATH}", content=b"{}").status_code == 415
        assert http.post(f"{server.url}{PATH}", json=["x" * 9_000_000]).status_code == 413
        assert http.get(f"{server.url}/").status_code == 200, "the page needs no token"


def test_a_stranger_is_told_what_to_do(servers, command, tmp_path):
    server, laptop = servers("desktop"), tmp_path / "laptop"
    command(make(laptop), "peer", "add", "desktop", server.url, "--key", keys.public_key(server.home))
    told = command(laptop, "sync", code=1)[0]["error"]
    assert "refuses (403)" in told and "no peer's here" in told


def test_nobody_there_is_told_in_words(command, tmp_path):
    laptop = make(tmp_path / "laptop")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    command(laptop, "peer", "add", "desktop", f"http://127.0.0.1:{port}", "--key", KEY)
    (done,) = command(laptop, "sync", code=1)
    assert "does not answer" in done["error"] and "context-graph serve" in done["error"]
    status = command(laptop, "call", "kg_sync_status", "{}")["data"]
    assert status["peersByStatus"]["error"][0]["lastError"] == done["error"]


# Where nothing is sent


@pytest.mark.parametrize(
    ("url", "hosts", "told"),
    [
        ("http://127.0.0.1:1", (), ""),
        ("http://localhost:1", (), ""),
        ("http://[::1]:1", (), ""),
        ("http://169.254.169.254/latest", (), "not on this machine"),
        ("http://10.0.0.7:8765", (), "not on this machine"),
        ("http://[::ffff:10.0.0.7]:8765", (), "not on this machine"),
        ("http://[::ffff:169.254.169.254]", (), "not on this machine"),
        ("http://0.0.0.0:8765", (), "not on this machine"),
        ("http://93.184.215.14", (), "not on this machine"),
        ("http://10.0.0.7:8765", ("10.0.0.7",), ""),
        ("http://10.0.0.7:8765", ("10.0.0.8",), "not on this machine"),
    ],
)
@requirement("sync:addresses")
def test_only_this_machine_and_named_hosts_are_spoken_to(url, hosts, told):
    if told:
        with pytest.raises(SyncRefused, match=told) as refused:
            allowed_address(urlsplit(url), hosts)
        assert "sync_hosts" in refused.value.hint
    else:
        allowed_address(urlsplit(url), hosts)


@pytest.mark.parametrize("address", ["169.254.169.254", "fe80::1", "224.0.0.1", "0.0.0.0"])
def test_a_named_host_that_leads_where_no_peer_can_be_is_refused(monkeypatch, address):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: [(2, 1, 6, "", (address, 80))])
    with pytest.raises(SyncRefused, match="where no peer can be"):
        allowed_address(urlsplit("http://desktop.example"), ("desktop.example",))


def test_a_name_is_resolved_once(monkeypatch):
    answers = iter([[(2, 1, 6, "", ("127.0.0.1", 9))]])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: next(answers))
    remote = Remote(Peer("desktop", KEY, "http://desktop.example:9"), ())
    monkeypatch.undo()
    with pytest.raises(PeerUnreachable):
        remote.ask(b"{}")  # at 127.0.0.1, whatever the name leads to by now


@contextmanager
def pretending(answer):
    """A server that answers as it likes."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            answer(self)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with Remote(Peer("desktop", KEY, f"http://127.0.0.1:{server.server_port}"), ()) as remote:
            yield remote
    finally:
        server.shutdown()
        server.server_close()


def respond(status=200, body=b"{}", **headers):
    def answer(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        for start in range(0, len(body), 65_536):
            try:
                handler.wfile.write(body[start : start + 65_536])
            except OSError:
                return

    return answer


@requirement("sync:addresses")
def test_no_redirection_is_followed():
    elsewhere = respond(302, Location="http://169.254.169.254/")
    with pretending(elsewhere) as remote, pytest.raises(SyncRefused, match="redirections are not followed"):
        remote.ask(b"{}")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (respond(body=b"x" * 9_000_000), "sends more than"),
        (respond(body=b"x", Content_Encoding="gzip"), "compressed"),
        (respond(500, body=b"\xff"), "nothing that could be read"),
        (respond(409, body=json.dumps({"error": {"message": "a\nb " * 500}}).encode()), "a b a b"),
    ],
)
def test_an_answer_that_is_none_is_told_in_one_line(answer, told):
    with pretending(answer) as remote, pytest.raises(SyncRefused, match=told) as refused:
        remote.ask(b"{}")
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 700


# Three processes over bad lines


@pytest.mark.long
@requirement("sync:killed")
def test_three_homes_over_lines_that_break_and_processes_that_are_killed_converge(servers, command, tmp_path):
    names = ("ada", "ben", "cleo")
    homes = {name: servers(name) for name in names}
    lines = {
        name: Line(urlsplit(server.url).port, seed=seed, breaks=0.4, delay_s=0.02)
        for seed, (name, server) in enumerate(homes.items())
    }
    for name in names:
        for other in {*names} - {name}:
            key = keys.public_key(homes[other].home)
            command(homes[name].home, "peer", "add", other, lines[other].url, "--key", key)
    killed = 0
    for turn in range(6):
        name = names[turn % 3]
        home = homes[name].home
        for number in range(2):
            command(home, "remember", f"Boiler {turn}{number} of {name} was mended because Omar asked, in week {turn}.")
        if turn % 3 == 2:
            newest = command(home, "list", "-n", "1")["memories"][0]["node_id"]
            command(home, "forget", newest, *(["--permanently", "--yes"] if turn == 5 else []))
        child = subprocess.Popen(
            [sys.executable, "-m", "context_graph.cli", "sync"], env=environment(home),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        if turn % 2:
            answers = iter(range(1_000))
            for line in lines.values():
                line.on_answer = lambda child=child, answers=answers: child.kill() if next(answers) == 2 else None
        killed += child.wait(120) == -9
    assert killed, "no process was killed: the test shows nothing"
    for line in lines.values():
        line.breaks, line.on_answer = 0.0, lambda: None
    for _ in range(3):
        for name in names:
            command(homes[name].home, "sync")
    states = set()
    for name in names:
        data = command(homes[name].home, "call", "kg_sync_status", '{"detailed": true}')["data"]
        states.add(data["local"]["stateHash"])
        assert command(homes[name].home, "verify")["ok"]
    assert len(states) == 1
    for line in lines.values():
        line.end()
