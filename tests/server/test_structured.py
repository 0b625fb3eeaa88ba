"""How values go out: once to a client that says what it reads, with schemas where a few tools were chosen."""

import json
import sys
from pathlib import Path

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp.client import Client
from mcp.client.extension import ClientExtension
from mcp.client.stdio import StdioServerParameters
from server_process import environment

from context_graph.presentation.pulse import RESTING
from context_graph.server.dispatch import Outcome
from context_graph.server.protocol import HANDSHAKE_REVISIONS, STATELESS_REVISIONS, STRUCTURED_ONLY
from context_graph.server.wire import LINE_BYTES, result_of
from context_graph.tools import built
from tests.requirements import requirement

REVISIONS = (*HANDSHAKE_REVISIONS, *STATELESS_REVISIONS)
KNOW_STRUCTURE = tuple(version for version in REVISIONS if version >= "2025-06-18")
STORE = {"content": "Anna is a sailor.", "rationale": "what she lives on"}
A_FEW = "store_memory,search_graph,get_health,get_neighborhood,hydrate_citation,use_tool"


def begin(server, version, abilities):
    """As `begin`, of a client with some abilities."""
    server.begin(version)
    if version in STATELESS_REVISIONS:
        server.meta["io.modelcontextprotocol/clientCapabilities"] = abilities
    else:
        client = {"name": "test", "version": "1"}
        server.ask("initialize", protocolVersion=version, capabilities=abilities, clientInfo=client)


@requirement("server:values-once")
@pytest.mark.parametrize("version", REVISIONS)
def test_an_older_revision_gets_text_alone_and_a_newer_one_both(attach, version):
    server = attach()
    server.begin(version)
    for result in (server.call("store_memory", **STORE), server.call("search_graph")):
        assert ("structuredContent" in result) == (version in KNOW_STRUCTURE)
        assert result["content"][0]["text"].startswith("Pulse: ") and result["_meta"]["context-graph/pulse"]
    assert json.loads(server.call("search_graph", query="Anna")["content"][1]["text"])["results"] is not None


@requirement("server:values-once")
@pytest.mark.parametrize("kind", ["experimental", "extensions"])
@pytest.mark.parametrize("version", KNOW_STRUCTURE)
def test_who_says_that_it_reads_structure_gets_no_copy_as_text(attach, version, kind):
    server = attach()
    begin(server, version, {kind: {STRUCTURED_ONLY: {}}})
    stored = server.call("store_memory", **STORE)
    assert len(stored["content"]) == 1 and stored["content"][0]["text"].startswith("Pulse: ")
    assert stored["structuredContent"]["node_id"]
    empty = server.call("inject_context", query="What is the capital of Mongolia?")
    assert [part["text"][:7] for part in empty["content"]] == ["Pulse: ", "Nothing"], "notes stand in no structure"
    wrong = server.call("search_graph")
    assert wrong["isError"] and wrong["content"][1]["text"].startswith("Error: "), (
        "an error is short, and said in words"
    )


@pytest.mark.parametrize("abilities", [{}, {"experimental": {}}, {"experimental": []}, {"extensions": "x"}, {"x": 1}])
def test_other_abilities_change_nothing(attach, abilities):
    server = attach()
    begin(server, "2025-11-25", abilities)
    result = server.call("store_memory", **STORE)
    assert json.loads(result["content"][1]["text"]) == result["structuredContent"]


def test_an_answer_in_one_form_may_be_twice_as_long_and_fits_all_the_same():
    values = {"context": "x" * 45_000, "pulse": RESTING.values()}
    outcome = Outcome(values, (RESTING.line(), json.dumps(values), "a note"), False)
    text, structured, both = (result_of(outcome, form) for form in ("text", "structured", "both"))
    assert text["content"][1]["text"] == outcome.texts[1] and "structuredContent" not in text
    assert [part["text"] for part in structured["content"]] == [RESTING.line(), "a note"]
    assert structured["structuredContent"] == both["structuredContent"] == values
    assert "(cut: the whole answer is in structuredContent)" in both["content"][1]["text"]
    values = {"context": "x" * 70_000, "pulse": RESTING.values()}
    outcome = Outcome(values, (RESTING.line(), json.dumps(values)), False)
    for form in ("text", "structured", "both"):
        result = result_of(outcome, form)
        assert result["isError"] and "ask for less" in result["content"][1]["text"]
        assert len(json.dumps(result)) < LINE_BYTES


@requirement("server:output-schemas")
@pytest.mark.parametrize("version", REVISIONS)
def test_output_schemas_are_listed_where_a_few_tools_were_chosen(attach, version):
    server = attach(tools=A_FEW)
    server.begin(version)
    tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
    assert len(server.lines[-1]) < 65_536
    assert {"outputSchema" in tool for tool in tools.values()} == {version in KNOW_STRUCTURE}
    if version in KNOW_STRUCTURE:
        for name, arguments in (("store_memory", STORE), ("search_graph", {"query": "Anna"}), ("get_health", {})):
            schema = tools[name]["outputSchema"]
            assert schema["type"] == "object"
            Draft202012Validator(schema).validate(server.call(name, **arguments)["structuredContent"])


@requirement("server:output-schemas")
@pytest.mark.parametrize("tools", ["core", "all", ",".join(built())])
def test_long_lists_have_none(attach, tools):
    server = attach(tools=tools)
    server.begin()
    assert not any("outputSchema" in tool for tool in server.ask("tools/list")["result"]["tools"])
    assert len(server.lines[-1]) < (16_384 if tools == "core" else 65_536)


class StructuredOnly(ClientExtension):
    identifier = STRUCTURED_ONLY


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_public_client_checks_answers_by_the_schemas_and_can_ask_for_one_form(tmp_path, mode):
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "context_graph.server"], env=environment(tmp_path / "home", tools=A_FEW)
    )

    async def talk():
        async with Client(server, mode=mode, extensions=[StructuredOnly()]) as client:
            assert all(tool.output_schema for tool in (await client.list_tools()).tools)
            stored = await client.call_tool("store_memory", STORE)
            node_id = stored.structured_content["node_id"]
            assert len(stored.content) == 1
            for name, arguments in (
                ("search_graph", {"query": "Anna", "include_content": True, "explain": True}),
                ("get_health", {}),
                ("get_neighborhood", {"focal_node_id": node_id}),
                ("hydrate_citation", {"citation_tags": [f"node_{node_id[:8]}"], "include_neighbors": True}),
                ("use_tool", {"name": "get_health"}),
                ("search_graph", {}),
            ):
                result = await client.call_tool(name, arguments)  # raises where the schema is not kept
                assert result.is_error == (arguments == {} and name == "search_graph")

    anyio.run(talk)


def test_the_page_of_tools_says_how_values_go_out():
    page = (Path(__file__).parents[2] / "docs" / "tools.md").read_text(encoding="utf-8")
    assert STRUCTURED_ONLY in page


@requirement("server:output-schemas")
@pytest.mark.parametrize("version", REVISIONS)
def test_an_error_of_a_tool_with_a_listed_schema_has_its_values_in_meta(attach, version):
    # Version 1 of the TypeScript SDK holds structuredContent of errors against the schema, and throws.
    server = attach(tools="search_graph")
    server.begin(version)
    wrong, other = server.call("search_graph", query=7), server.call("get_node_lineage", node_id="7")
    assert wrong["isError"] and wrong["content"][1]["text"].startswith("Error: query must be")
    assert "structuredContent" not in wrong
    if version in KNOW_STRUCTURE:
        assert wrong["_meta"]["context-graph/error"]["error"]["code"] == -32602
        assert other["structuredContent"]["error"], "a tool that is not listed has no schema to break"


@requirement("server:output-schemas")
def test_an_error_stays_structured_for_a_client_that_reads_nothing_else(attach):
    server = attach(tools="search_graph")
    begin(server, "2025-11-25", {"experimental": {"context-graph/structured-only": {}}})
    assert server.call("search_graph", query=7)["structuredContent"]["error"]["code"] == -32602
