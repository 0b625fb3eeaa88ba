"""The public client of the protocol's authors with a server process, in both eras."""

import json
import sys

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from server_process import environment

from context_graph.tools import built

MODES = ("legacy", "auto")


@pytest.mark.parametrize("mode", MODES)
def test_a_client_finds_and_calls_every_tool(tmp_path, mode):
    variables = environment(tmp_path / "home", tools="all")
    server = StdioServerParameters(command=sys.executable, args=["-m", "context_graph.server"], env=variables)

    async def talk():
        async with Client(server, mode=mode) as client:
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
