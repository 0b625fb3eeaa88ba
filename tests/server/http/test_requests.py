"""Requests that are wrong, or hostile: each is refused with the status that the transport asks for."""

import contextlib
import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from http_process import ENDLESS, INITIALIZE, enveloped, exchanged, until

from tests.requirements import requirement

BOTH = {"Accept": "application/json, text/event-stream"}
PING = {"jsonrpc": "2.0", "id": 2, "method": "ping"}


@pytest.fixture
def session(server, http):
    """The headers of a session."""
    begun = http.post(server.mcp, json=INITIALIZE, headers=BOTH)
    assert begun.status_code == 200
    return {**BOTH, "Mcp-Session-Id": begun.headers["Mcp-Session-Id"]}


@requirement("http:host-and-origin")
@pytest.mark.parametrize("path", ["/mcp", "/api/v1/health", "/api/v1/openapi.json", "/nowhere"])
@pytest.mark.parametrize(
    "wrong",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example:80"},
        {"Host": "evil.example@127.0.0.1"},
        {"Host": "127.0.0.1:port"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": ""},
    ],
    ids=str,
)
def test_a_request_for_another_name_or_from_a_foreign_page_is_refused(server, http, path, wrong):
    assert http.get(server.url + path, headers=wrong).status_code == 403


@pytest.mark.parametrize("right", [{"Host": "localhost"}, {"Host": "[::1]:8765"}, {"Origin": "http://localhost:6274"}])
def test_a_page_and_a_name_of_this_machine_are_let_through(server, http, right):
    assert http.get(f"{server.url}/api/v1/openapi.json", headers=right).status_code == 200


def test_a_name_that_was_allowed_is_let_through(serve, http):
    server = serve("--allow-host", "memory.example")
    for headers in ({"Host": "memory.example"}, {"Origin": "https://memory.example"}):
        assert http.get(f"{server.url}/api/v1/openapi.json", headers=headers).status_code == 200
    assert http.get(f"{server.url}/api/v1/openapi.json", headers={"Host": "other.example"}).status_code == 403


@requirement("http:statuses")
@pytest.mark.parametrize(
    ("method", "headers", "body", "status"),
    [
        ("POST", BOTH, b"{", 400),
        ("POST", BOTH, b"", 400),
        ("POST", BOTH, b"\xff", 400),
        ("POST", BOTH, b"[]", 400),
        ("POST", BOTH, b"[" * 100_000, 400),
        ("POST", BOTH, json.dumps([PING]).encode(), 400),
        ("POST", BOTH, b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', 400),
        ("POST", BOTH, json.dumps(PING).encode(), 400),
        ("POST", {**BOTH, "Mcp-Session-Id": "0" * 32}, json.dumps(PING).encode(), 404),
        ("POST", {"Accept": "text/html"}, json.dumps(INITIALIZE).encode(), 406),
        ("POST", {**BOTH, "Content-Type": "text/plain"}, json.dumps(INITIALIZE).encode(), 415),
        ("PUT", BOTH, b"{}", 405),
        ("OPTIONS", BOTH, b"", 405),
        ("GET", {"Accept": "text/event-stream"}, b"", 400),
        ("GET", {"Accept": "application/json"}, b"", 406),
        ("GET", {"Accept": "text/event-stream", "Mcp-Session-Id": "nonsense"}, b"", 404),
        ("GET", {**BOTH, "MCP-Protocol-Version": "2026-07-28"}, b"", 405),
        ("DELETE", {"Mcp-Session-Id": "nonsense"}, b"", 404),
        ("DELETE", {}, b"", 400),
    ],
    ids=str,
)
def test_a_wrong_request_has_the_status_that_says_what_is_wrong(server, http, method, headers, body, status):
    headers = {"Content-Type": "application/json", **headers}
    answer = http.request(method, server.mcp, headers=headers, content=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["message"]
    assert "Traceback" not in answer.text


def test_a_body_without_a_length_is_cut_off_where_it_is_too_long(server, http):
    def endless():
        for _ in range(64):
            yield b" " * 1_000_000

    headers = {**BOTH, "Content-Type": "application/json"}
    assert http.post(server.mcp, headers=headers, content=endless()).status_code == 413


def test_a_session_begins_is_spoken_in_and_ends(server, http, session):
    assert http.post(server.mcp, json=PING, headers=session).json()["result"] == {}
    told = http.post(server.mcp, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session)
    assert (told.status_code, told.content) == (202, b"")
    strange = {**session, "MCP-Protocol-Version": "1999-01-01"}
    assert http.post(server.mcp, json=PING, headers=strange).status_code == 400
    assert http.delete(server.mcp, headers=session).status_code == 204
    assert http.post(server.mcp, json=PING, headers=session).status_code == 404
    assert http.delete(server.mcp, headers=session).status_code == 404


def test_a_handshake_that_fails_leaves_no_session(server, http):
    wrong = {**INITIALIZE, "params": {}}
    answer = http.post(server.mcp, json=wrong, headers=BOTH)
    assert answer.json()["error"]["code"] == -32602
    begun = {**BOTH, "Mcp-Session-Id": answer.headers["Mcp-Session-Id"]} if "Mcp-Session-Id" in answer.headers else BOTH
    assert http.post(server.mcp, json=PING, headers=begun).status_code in (400, 404)


@requirement("http:headers-repeat-the-body")
def test_headers_of_the_newest_revision_must_equal_the_body(server, http):
    body, headers = enveloped("tools/call", name="get_system_instructions", arguments={})
    right = http.post(server.mcp, json=body, headers=headers)
    assert right.status_code == 200 and right.json()["result"]["resultType"] == "complete"
    for name, value in (("Mcp-Method", "tools/list"), ("Mcp-Name", "other"), ("MCP-Protocol-Version", "2025-11-25")):
        wrong = http.post(server.mcp, json=body, headers={**headers, name: value})
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (400, -32020), name
        missing = {key: text for key, text in headers.items() if key != name}
        assert http.post(server.mcp, json=body, headers=missing).json()["error"]["code"] == -32020, name
    encoded = {**headers, "Mcp-Name": "=?base64?Z2V0X3N5c3RlbV9pbnN0cnVjdGlvbnM=?="}
    assert http.post(server.mcp, json=body, headers=encoded).status_code == 200


@pytest.mark.parametrize(
    ("method", "revision", "status", "code"),
    [
        ("no/such", "2026-07-28", 404, -32601),
        ("initialize", "2026-07-28", 404, -32601),
        ("tools/call", "2026-07-28", 400, -32602),
        ("server/discover", "2027-01-01", 400, -32022),
    ],
)
def test_an_error_of_the_newest_revision_has_a_status(server, http, method, revision, status, code):
    body, headers = enveloped(method)
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = revision
    answer = http.post(server.mcp, json=body, headers={**headers, "MCP-Protocol-Version": revision})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_two_requests_of_one_id_in_a_session_are_not_mixed_up(serve, http):
    """The second one is refused while the first is under way; who leaves the first does not cancel it."""
    server = serve(program=("-c", ENDLESS))
    session = {"Mcp-Session-Id": http.post(server.mcp, json=INITIALIZE).headers["Mcp-Session-Id"]}
    params = {"name": "get_recent_context", "arguments": {}, "_meta": {"progressToken": "p"}}
    endless = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    with http.stream("POST", server.mcp, json=endless, headers=session) as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        lines = stream.iter_lines()  # whose end would close the response
        assert any('"progressToken": "p"' in line for line in lines)
        again = http.post(server.mcp, json={**PING, "id": 7}, headers=session)
        assert again.status_code == 400 and "under way" in again.text
    assert http.post(server.mcp, json=PING, headers=session).json()["result"] == {}
    assert not (server.home / "stopped").exists()
    again = http.post(server.mcp, json={**PING, "id": 7}, headers=session)
    assert again.status_code == 400, "the answer of the first would be taken for that of the second"
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    assert http.post(server.mcp, json=cancel, headers=session).status_code == 202
    until((server.home / "stopped").exists)
    assert http.post(server.mcp, json={**PING, "id": 7}, headers=session).json()["result"] == {}


@pytest.mark.parametrize("accepted", ["application/json", "application/json, text/event-stream"])
def test_the_response_of_a_request_that_is_cancelled_ends_without_an_answer(serve, http, accepted):
    server = serve(program=("-c", ENDLESS))
    session = {"Mcp-Session-Id": http.post(server.mcp, json=INITIALIZE).headers["Mcp-Session-Id"]}
    params = {"name": "get_recent_context", "arguments": {}}
    endless = {"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": params}
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "x"}}
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(http.post, server.mcp, json=endless, headers={**session, "Accept": accepted})
        until(lambda: "requests_under_way 1\n" in http.get(f"{server.url}/api/v1/metrics").text)
        assert http.post(server.mcp, json=cancel, headers=session).status_code == 202
        answer = waiting.result()
    assert answer.content == b"" and answer.status_code in (200, 204)


@requirement("http:leaving-cancels")
@pytest.mark.parametrize("token", [{}, {"progressToken": "mine"}], ids=["silent", "with progress"])
def test_who_leaves_a_response_of_the_newest_revision_cancels_its_call(serve, http, token):
    server = serve(program=("-c", ENDLESS))
    body, headers = enveloped("tools/call", name="get_recent_context", arguments={})
    body["params"]["_meta"].update(token)
    with (
        contextlib.suppress(httpx.ReadTimeout),
        http.stream("POST", server.mcp, json=body, headers=headers, timeout=5 if token else 1) as stream,
    ):
        assert any('"progressToken": "mine"' in line for line in stream.iter_lines())
    until((server.home / "stopped").exists)


def test_who_ends_a_session_cancels_its_calls(serve, http):
    server = serve(program=("-c", ENDLESS))
    session = {"Mcp-Session-Id": http.post(server.mcp, json=INITIALIZE).headers["Mcp-Session-Id"]}
    params = {"name": "get_recent_context", "arguments": {}, "_meta": {"progressToken": "p"}}
    endless = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    with http.stream("POST", server.mcp, json=endless, headers=session) as stream:
        lines = stream.iter_lines()
        assert any('"progressToken": "p"' in line for line in lines)
        assert http.delete(server.mcp, headers=session).status_code == 204
        assert not [line for line in lines if "result" in line], "the stream ends without an answer"
    until((server.home / "stopped").exists)


@pytest.mark.parametrize(
    ("lengths", "status"),
    [(["100000000"], 413), (["-1"], 400), (["1x"], 400), (["0", "5"], 400)],
    ids=str,
)
def test_a_length_is_believed_before_the_body_is_read(server, lengths, status):
    said = "".join(f"Content-Length: {length}\r\n" for length in lengths)
    head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{said}\r\n"
    assert exchanged(server.url, head.encode()).startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize("name", ["Host", "Origin", "Authorization", "Mcp-Session-Id", "MCP-Protocol-Version"])
def test_a_header_that_comes_twice_is_refused(server, name):
    """Else a proxy and this server may each believe another one."""
    value = "localhost" if name == "Host" else "http://localhost" if name == "Origin" else "2025-11-25"
    first = "" if name == "Host" else "Host: localhost\r\n"
    head = f"POST /mcp HTTP/1.1\r\n{first}{name}: {value}\r\n{name}: {value}\r\nContent-Length: 0\r\n\r\n"
    assert exchanged(server.url, head.encode()).startswith(b"HTTP/1.1 400 ")


def test_what_is_no_http_is_refused_and_the_server_stays(server, http):
    for data in (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"GET\r\n\r\n", b"POST /mcp HTTP/1.1\r\nHost: " + b"x" * 100_000):
        assert b"200 OK" not in exchanged(server.url, data)
    assert http.get(f"{server.url}/api/v1/health").status_code == 200
