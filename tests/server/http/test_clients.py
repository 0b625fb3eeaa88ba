"""The public client of the protocol's authors with a server over HTTP, in every revision."""

import anyio
import httpx2
import pytest
from http_process import DEADLINE_S
from mcp.client import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import PromptReference

from context_graph.server.protocol import HANDSHAKE_REVISIONS, STATELESS_REVISIONS
from tests.requirements import requirement

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
PULSE = "utl://current_session/pulse"


@requirement("http:every-revision")
@pytest.mark.parametrize("version", [*HANDSHAKE_REVISIONS[1:], *STATELESS_REVISIONS])
def test_the_whole_surface_in_every_revision_as_the_client_reads_it(server, monkeypatch, version):
    newest = version in STATELESS_REVISIONS
    monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", version)
    heard, logged, steps = anyio.Event(), [], []

    async def hear(message):
        if getattr(message, "method", "") == "notifications/resources/updated":
            heard.set()

    async def log(params):
        logged.append(params.level)

    async def step(done, total, message):
        steps.append(done)

    async def talk():
        options = {} if newest else {"message_handler": hear, "logging_callback": log}
        async with Client(server.mcp, mode="auto" if newest else "legacy", **options) as client:
            assert client.protocol_version == version
            if not newest:
                await client.set_logging_level("debug")
                await client.subscribe_resource(PULSE)
            stored = await client.call_tool(
                "store_memory", {"content": f"Anna is a sailor of {version}.", "rationale": "what she lives on"}
            )
            assert not stored.is_error and (stored.structured_content is not None) == (version >= "2025-06-18")
            assert (await client.list_tools()).tools[0].name == "inject_context"
            for one in (await client.list_resources()).resources:
                assert (await client.read_resource(one.uri)).contents[0].text
            assert len((await client.list_prompts()).prompts) == 9
            found = await client.complete(PromptReference(name="memory_map"), {"name": "topic", "value": "sai"})
            assert found.completion.values == ["sailor"]
            measured = await client.call_tool(
                "test_recall_accuracy", {"needle_count": 5, "haystack_size": 100}, progress_callback=step
            )
            assert not measured.is_error and steps == sorted(steps) and steps
            with anyio.fail_after(DEADLINE_S):
                if newest:
                    async with client.listen(resource_subscriptions=[PULSE]) as stream:
                        await client.call_tool("search_graph", {"query": "Anna"})
                        assert (await anext(stream)).uri == PULSE
                else:
                    await heard.wait()
                    await client.unsubscribe_resource(PULSE)
                    assert "debug" in logged

    anyio.run(talk)


@requirement("http:legacy-sse")
def test_a_client_of_the_first_revision_speaks_over_sse_where_that_is_asked_for(serve, http, monkeypatch):
    server = serve(transport="sse")
    assert "deprecated" in server.popen.stderr.readline()
    monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", "2024-11-05")

    async def talk():
        async with Client(sse_client(f"{server.url}/sse"), mode="legacy") as client:
            assert client.protocol_version == "2024-11-05"
            text = "Anna plays the clarinet."
            await client.call_tool("store_memory", {"content": text, "rationale": "the hobby of a friend"})
            found = await client.call_tool("search_graph", {"query": "clarinet"})
            assert text in found.content[1].text

    anyio.run(talk)
    strange = http.post(f"{server.url}/messages/?session_id={'0' * 32}", json={"jsonrpc": "2.0", "method": "ping"})
    assert strange.status_code == 404
    assert http.post(f"{server.url}/messages/", json={}).status_code == 400


def test_sse_is_not_served_where_it_was_not_asked_for(server, http):
    assert http.get(f"{server.url}/sse").status_code == 404


@requirement("http:many-clients")
@pytest.mark.parametrize(
    ("mode", "clients"),
    [("legacy", 12), *(pytest.param(mode, 50, marks=pytest.mark.long) for mode in ("auto", "legacy"))],
)
def test_fifty_clients_store_and_search_at_once_and_nothing_is_lost(serve, http, mode, clients):
    server = serve()

    async def one(number, lost):
        async with (
            httpx2.AsyncClient(timeout=DEADLINE_S, trust_env=False) as connection,
            Client(streamable_http_client(server.mcp, http_client=connection), mode=mode) as client,
        ):
            text = f"Locker {number} belongs to crew member {number * 7}."
            stored = await client.call_tool(
                "store_memory", {"content": text, "rationale": "who has which locker on board"}
            )
            found = await client.call_tool("search_graph", {"query": text, "top_k": 5})
            if stored.is_error or found.is_error or text not in found.content[1].text:
                lost.append((number, stored, found))

    async def crowd():
        lost = []
        async with anyio.create_task_group() as group:
            for number in range(clients):
                group.start_soon(one, number, lost)
        return lost

    assert anyio.run(crowd) == []
    metrics = http.get(f"{server.url}/api/v1/metrics").text
    assert f"context_graph_memories {clients}\n" in metrics
    assert f'tool="search_graph",outcome="ok"}} {clients}\n' in metrics
    if mode == "legacy":
        assert "context_graph_sessions 0\n" in metrics, "each client ended its own"
