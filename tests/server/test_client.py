"""The public client over memory streams, in both eras."""

import json

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from context_graph.server.app import build
from context_graph.server.host import Host
from context_graph.settings import Settings
from context_graph.tools import built

MODES = ("legacy", "auto")


@pytest.fixture
def host(tmp_path):
    host = Host(Settings(home=tmp_path / "home", tier="base", tools="all"))
    yield host
    if host._warming is not None:
        host._warming.join()
    host.close()


@pytest.mark.parametrize("mode", MODES)
def test_a_client_finds_and_calls_every_tool(host, mode):
    async def talk():
        async with Client(build(host), mode=mode) as client:
            listed = await client.list_tools()
            assert [tool.name for tool in listed.tools] == built()
            stored = await client.call_tool(
                "store_memory", {"content": "Anna plays the clarinet.", "rationale": "the hobby of a friend"}
            )
            node_id = stored.structured_content["node_id"]
            for name, arguments in (
                ("search_graph", {"query": "clarinet"}),
                ("inject_context", {"query": "What does Anna play?"}),
                ("get_node_lineage", {"node_id": node_id}),
                ("hydrate_citation", {"citation_tags": [f"node_{node_id[:8]}"]}),
                ("get_memetic_status", {}),
                ("get_graph_manifest", {}),
                ("get_system_instructions", {}),
                ("get_recent_context", {}),
                ("get_neighborhood", {"focal_node_id": node_id}),
                ("get_health", {}),
                ("search_tombstones", {"query": "oboe"}),
                ("use_tool", {"name": "get_health"}),
                ("forget_concept", {"node_id": node_id, "reason": "obsolete"}),
            ):
                result = await client.call_tool(name, arguments)
                assert not result.is_error, result.content
                assert json.loads(result.content[1].text) == result.structured_content
            wrong = await client.call_tool("get_node_lineage", {"node_id": node_id})
            assert wrong.is_error and "restore_from_hash" in wrong.content[1].text
            with pytest.raises(MCPError) as error:
                await client.call_tool("no_such_tool", {})
            assert error.value.code == -32602

    anyio.run(talk)


def test_the_loop_answers_while_a_call_runs(host):
    """The list of tools overtakes a call that waits for the memory."""

    async def talk():
        async with Client(build(host), mode="legacy") as client, anyio.create_task_group() as group:
            answered = anyio.Event()

            async def call():
                assert not (await client.call_tool("get_health", {})).is_error
                answered.set()

            with host._opening:  # the memory cannot be opened meanwhile
                group.start_soon(call)
                await anyio.wait_all_tasks_blocked()
                assert (await client.list_tools()).tools
                assert not answered.is_set()
            with anyio.fail_after(30):
                await answered.wait()

    anyio.run(talk)
