"""Who may do what: a token decides it, and no argument widens it."""

import asyncio
import json
import stat
import uuid

import anyio
import httpx2
import pytest
from http_process import DEADLINE_S, INITIALIZE, enveloped
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from context_graph.cli import main
from context_graph.errors import InvalidInput, NotFound, StoreError
from context_graph.server.http.outlets import Outlet
from context_graph.server.http.tokens import FILE, Tokens
from tests.requirements import requirement


@pytest.fixture(scope="module")
def tokens(server):
    """Headers of three identities; from here on the server wants one of them."""
    return {
        "reader": server.token("reader", "read"),
        "anna": server.token("anna", "write", user="anna", agent="claude"),
        "ben": server.token("ben", "write", user="ben"),
        "anna2": server.token("anna2", "write", user="anna"),
        "admin": server.token("admin", "admin"),
    }


def call(http, server, token, name, /, **arguments):
    body, headers = enveloped("tools/call", name=name, arguments=arguments)
    answer = http.post(server.mcp, json=body, headers={**headers, **token})
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


SECRET = {"content": "The locker code of Anna is under the blue bowl.", "rationale": "she asks for it now and then"}


@requirement("http:tokens-are-needed")
@pytest.mark.parametrize("path", ["/mcp", "/api/v1/health", "/api/v1/metrics", "/nowhere"])
def test_without_a_token_nothing_is_answered(server, http, tokens, path):
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic eA=="}):
        answer = http.get(server.url + path, headers=headers)
        assert answer.status_code == 401 and "Bearer" in answer.headers["WWW-Authenticate"]


@requirement("http:scopes")
def test_a_tool_that_writes_needs_the_scope(server, http, tokens):
    refused = call(http, server, tokens["reader"], "store_memory", **SECRET)
    inner = call(http, server, tokens["reader"], "use_tool", name="store_memory", arguments=SECRET)
    for result in (refused, inner):
        assert result["isError"] and result["structuredContent"]["error"]["code"] == "FORBIDDEN"
        assert "--scope write" in result["structuredContent"]["error"]["hint"]
    found = call(http, server, tokens["reader"], "search_graph", query="locker")
    assert not found["isError"], found
    assert not call(http, server, tokens["reader"], "use_tool", name="get_health", arguments={})["isError"]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_public_client_works_with_a_token_and_not_without(server, tokens, mode):
    async def stored(headers):
        async with (
            httpx2.AsyncClient(timeout=DEADLINE_S, trust_env=False, headers=headers) as connection,
            Client(streamable_http_client(server.mcp, http_client=connection), mode=mode) as client,
        ):
            return await client.call_tool("store_memory", {"content": f"Tea is in tin {mode}.", "rationale": "for tea"})

    result = anyio.run(stored, tokens["ben"])
    assert result.is_error and "rationale" in result.content[1].text, "too short: the tool was reached"
    with pytest.raises(BaseExceptionGroup):
        anyio.run(stored, {})


@requirement("http:sessions-have-owners")
def test_nobody_sees_the_private_memories_of_another_session(server, http, tokens):
    session = str(uuid.uuid4())
    stored = call(http, server, tokens["anna"], "store_memory", **SECRET, scope="session", session_id=session)
    assert not stored["isError"], stored
    for token in ("ben", "reader", "admin"):
        refused = call(http, server, tokens[token], "search_graph", query="locker code", session_id=session)
        assert refused["isError"] and "belongs to somebody else" in refused["content"][1]["text"]
        upper = session.upper().replace("-", "")
        inner = {"query": "locker code", "session_id": upper}
        assert call(http, server, tokens[token], "use_tool", name="search_graph", arguments=inner)["isError"]
        assert "blue bowl" not in json.dumps(call(http, server, tokens[token], "search_graph", query="locker code"))
    mine = call(http, server, tokens["anna"], "search_graph", query="locker code", session_id=session)
    assert "blue bowl" in json.dumps(mine)
    agent = {"agent_id": "anna2"}
    also = call(http, server, tokens["anna2"], "search_graph", query="locker code", session_id=session, **agent)
    assert "blue bowl" in json.dumps(also), "another token of the same user"


def test_a_session_that_was_begun_without_http_is_the_local_users(server, http, tokens):
    session = str(uuid.uuid4())
    arguments = {**SECRET, "scope": "session", "session_id": session}
    text = json.dumps(arguments)
    assert main(["call", "store_memory", text, "--home", str(server.home), "--tier", "base"]) == 0
    refused = call(http, server, tokens["ben"], "search_graph", query="locker code", session_id=session)
    assert refused["isError"] and refused["structuredContent"]["error"]["code"] == "FORBIDDEN"


@requirement("http:no-argument-widens")
def test_nobody_writes_as_another_agent(server, http, tokens):
    refused = call(http, server, tokens["ben"], "store_memory", **SECRET, agent_id="claude")
    assert refused["isError"] and "'ben'" in refused["content"][1]["text"]
    stored = call(
        http, server, tokens["anna"], "store_memory", content="Ropes hang in the shed.", rationale="where ropes are"
    )
    node = stored["structuredContent"]["node_id"]
    shown = http.get(f"{server.url}/api/v1/nodes/{node}", headers=tokens["ben"]).json()
    assert shown["expansions"][0]["agent_id"] == "claude"


def test_a_session_of_the_transport_belongs_to_its_token(server, http, tokens):
    begun = http.post(server.mcp, json=INITIALIZE, headers=tokens["anna"])
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    session = {"Mcp-Session-Id": begun.headers["Mcp-Session-Id"]}
    assert http.post(server.mcp, json=ping, headers={**session, **tokens["anna"]}).status_code == 200
    assert http.post(server.mcp, json=ping, headers={**session, **tokens["ben"]}).status_code == 404
    assert http.delete(server.mcp, headers={**session, **tokens["ben"]}).status_code == 404


def test_the_log_of_the_server_is_told_to_admins_alone(server, http, tokens):
    for name, told in (("anna", True), ("admin", False)):
        begun = http.post(server.mcp, json=INITIALIZE, headers=tokens[name])
        headers = {**tokens[name], "Mcp-Session-Id": begun.headers["Mcp-Session-Id"]}
        level = {"jsonrpc": "2.0", "id": 2, "method": "logging/setLevel", "params": {"level": "error"}}
        assert http.post(server.mcp, json=level, headers=headers).json()["result"] == {}
        http.post(server.mcp, json={"jsonrpc": "2.0", "id": 3, "method": "resources/subscribe",
                                    "params": {"uri": "utl://current_session/pulse"}}, headers=headers)  # fmt: skip
        call = {"name": "search_graph", "arguments": {"query": "ropes"}}
        http.post(server.mcp, json={"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": call}, headers=headers)
        with http.stream("GET", server.mcp, headers={**headers, "Accept": "text/event-stream"}) as stream:
            first = next(line for line in stream.iter_lines() if line.startswith("data:"))
        assert ("scope admin alone" in first) == told, first


@requirement("http:revoked-at-once")
def test_a_token_that_is_revoked_opens_nothing_from_then_on(server, http, tokens):
    header = server.token("guest", "read")
    assert http.get(f"{server.url}/api/v1/health", headers=header).status_code == 200
    begun = http.post(server.mcp, json=INITIALIZE, headers=header)
    session = {**header, "Mcp-Session-Id": begun.headers["Mcp-Session-Id"]}
    assert Tokens(server.home).revoke("guest") == 5
    assert http.get(f"{server.url}/api/v1/health", headers=header).status_code == 401
    assert http.post(server.mcp, json={}, headers=session).status_code == 401


@requirement("http:revoked-at-once")
def test_a_stream_whose_token_was_revoked_tells_nothing_more():
    sent, held = [], [True]

    async def receive():
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message["body"])

    async def story():
        outlet = Outlet()
        streaming = asyncio.create_task(outlet.stream(receive, send, allowed=lambda: held[0]))
        outlet.put({"nodes": ["before"]})
        while not sent:
            await asyncio.sleep(0)
        await asyncio.sleep(0)  # the stream waits for the next message
        held[0] = False
        outlet.put({"nodes": ["after"]})
        await streaming

    asyncio.run(story())
    assert b"before" in b"".join(sent) and b"after" not in b"".join(sent)


def test_nothing_is_deleted_for_good_over_http_whatever_a_setting_allows(server, http, tokens):
    stored = call(http, server, tokens["admin"], "store_memory", content="A whim.", rationale="to be removed again")
    node = stored["structuredContent"]["node_id"]
    arguments = {"node_id": node, "reason": "user_requested", "soft_delete": False}
    refused = call(http, server, tokens["admin"], "forget_concept", **arguments)
    assert refused["structuredContent"]["error"]["code"] == "PERMANENT_DELETE_REFUSED"


@requirement("http:tokens-are-hashed")
def test_a_token_is_kept_as_a_hash_that_its_owner_alone_may_read(tmp_path):
    tokens = Tokens(tmp_path / "home")
    assert not tokens.required
    token = tokens.new("laptop", "write", user="anna")
    path = tmp_path / "home" / FILE
    assert token not in path.read_text("utf-8") and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert tokens.identity(token).name == "laptop" and tokens.identity(token[:-1]) is None
    for name, scope in (("laptop", "read"), ("a b", "read"), ("x", "root")):
        with pytest.raises(InvalidInput):
            tokens.new(name, scope)
    with pytest.raises(NotFound, match="laptop"):
        tokens.revoke("desktop")
    assert tokens.revoke("laptop") == 0 and tokens.required, "the last one revoked does not open the door"
    path.chmod(0o644)
    with pytest.raises(StoreError, match="chmod 600"):
        tokens.identity(token)
