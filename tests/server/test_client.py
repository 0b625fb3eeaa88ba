"""The public client of the protocol's authors with a server process, in both eras."""

import json
import sys

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference
from server_process import environment

from context_graph.server.protocol import HANDSHAKE_REVISIONS, STATELESS_REVISIONS
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
            wrong = await client.call_tool("boost_importance", {"node_id": node_id})
            assert wrong.is_error and "restore_from_hash" in wrong.content[1].text
            with pytest.raises(MCPError) as error:
                await client.call_tool("no_such_tool", {})
            assert error.value.code == -32602

    anyio.run(talk)


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
@pytest.mark.parametrize(
    "version", [*(pytest.param(one, marks=pytest.mark.long) for one in HANDSHAKE_REVISIONS), *STATELESS_REVISIONS]
)
def test_the_whole_surface_in_every_revision_as_the_client_reads_it(tmp_path, monkeypatch, version):
    """The client checks each message against the schema of the revision that was agreed upon."""
    newest = version in STATELESS_REVISIONS
    monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", version)
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "context_graph.server"], env=environment(tmp_path / "home")
    )
    pulse, heard, logged = "utl://current_session/pulse", anyio.Event(), []

    async def hear(message):
        if getattr(message, "method", "") == "notifications/resources/updated":
            heard.set()

    async def log(params):
        logged.append(params.level)

    async def talk():
        options = {} if newest else {"message_handler": hear, "logging_callback": log}
        async with Client(server, mode="auto" if newest else "legacy", **options) as client:
            assert client.protocol_version == version
            abilities = client.server_capabilities
            assert abilities.resources.subscribe and abilities.prompts and abilities.tools
            assert (abilities.completions is not None) == (version != "2024-11-05")
            assert (abilities.logging is not None) == (not newest)
            if not newest:
                await client.set_logging_level("debug")
                await client.subscribe_resource(pulse)
            stored = await client.call_tool(
                "store_memory", {"content": "Anna is a sailor.", "rationale": "what she lives on"}
            )
            assert not stored.is_error and (stored.structured_content is not None) == (version >= "2025-06-18")
            for one in (await client.list_resources()).resources:
                assert (await client.read_resource(one.uri)).contents[0].text
            assert len((await client.list_resource_templates()).resource_templates) == 5
            for one in (await client.list_prompts()).prompts:
                if not any(argument.required for argument in one.arguments or ()):
                    assert (await client.get_prompt(one.name)).messages
            found = await client.complete(PromptReference(name="memory_map"), {"name": "topic", "value": "sai"})
            assert found.completion.values == ["sailor"]
            with anyio.fail_after(60):
                if newest:
                    async with client.listen(resource_subscriptions=[pulse]) as stream:
                        await client.call_tool("search_graph", {"query": "Anna"})
                        assert (await anext(stream)).uri == pulse
                else:
                    await heard.wait()
                    await client.unsubscribe_resource(pulse)
                    assert "debug" in logged

    anyio.run(talk)
