"""Prompts and completion on the wire, in every revision and through the public client."""

import sys

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import PromptReference, ResourceTemplateReference
from server_process import environment

from context_graph.server.protocol import HANDSHAKE_REVISIONS, STATELESS_REVISIONS
from tests.requirements import requirement

REVISIONS = (*HANDSHAKE_REVISIONS, *STATELESS_REVISIONS)


@requirement("server:prompts")
@pytest.mark.parametrize("version", REVISIONS)
def test_every_revision_lists_and_gets_prompts(attach, version):
    server = attach()
    abilities = server.begin(version)["capabilities"]
    assert "prompts" in abilities and ("completions" in abilities) == (version >= "2025-03-26")
    listing = server.ask("prompts/list")["result"]
    assert len(listing["prompts"]) == 9 and (listing.get("cacheScope") == "public") == (version >= "2026")
    values = {
        "content": "Anna is a sailor.",
        "summary": "Anna is a sailor, they say.",
        "problem": "empty",
        "topic": "Anna",
    }
    server.call("store_memory", content="Anna is a sailor.", rationale="what she lives on")
    for one in listing["prompts"]:
        named = {each["name"]: values.get(each["name"], "x") for each in one["arguments"] if each["required"]}
        result = server.ask("prompts/get", name=one["name"], arguments=named)["result"]
        assert result["description"] == one["description"] and "ttlMs" not in result
        assert all(message["role"] == "user" for message in result["messages"])
        assert (result.get("resultType") == "complete") == (version >= "2026")


def test_a_wrong_prompt_or_argument_is_a_protocol_error_that_says_what_to_do(attach):
    server = attach()
    server.begin()
    for params, told in (
        ({"name": "curat"}, "did you mean curate?"),
        ({"name": "fact_check"}, "summary parameter not provided"),
        ({"name": "fact_check", "arguments": {"summary": "x" * 5_000_000}}, "5000000 characters"),
        ({"name": "fact_check", "arguments": {"summary": {"a": 1}}}, "write it as a string"),
        ({"name": "fact_check", "arguments": "x"}, "arguments must be an object"),
        ({"name": 7}, "name must be a string"),
        ({}, "name must be a string"),
        ({"name": "memory_map", "arguments": {"topic": "nothing like it"}}, "no concept is called"),
    ):
        error = server.ask("prompts/get", **params)["error"]
        assert error["code"] == -32602 and told in error["message"] and len(server.lines[-1]) < 1_000
    lines = "\n" * 7_999 + "x"
    for content in (lines, "\u0001" * 8_000, "\N{GRINNING FACE}" * 8_000, '"' * 8_000):
        server.ask("prompts/get", name="should_i_store", arguments={"content": content})
        assert len(server.lines[-1]) < 65_536


def complete(server, reference, name, value, **given):
    answer = server.ask(
        "completion/complete",
        ref=reference, argument={"name": name, "value": value}, context={"arguments": given},
    )  # fmt: skip
    return answer["result"]["completion"] if "result" in answer else answer["error"]


NODE, MAP = ({"type": "ref/resource", "uri": uri} for uri in ("graph://{node_id}", "visualize://{scope}/{topic}"))
SESSION = "0193a4b2-c1d2-4e3f-8a5b-6c7d8e9f0a1b"


@requirement("server:completion")
def test_what_somebody_begins_to_type_is_completed_with_what_they_may_see(attach):
    server, other = attach(), attach()
    server.begin()
    other.begin()
    kept = {"rationale": "what she lives on", "session_id": SESSION}
    node = server.call("store_memory", content="Zoe is a sailor.", scope="session", **kept)["structuredContent"][
        "node_id"
    ]
    server.call("store_memory", content="Anna is a painter.", **kept)
    assert complete(server, NODE, "node_id", "zo")["values"] == ["Zoe"]
    assert complete(server, NODE, "node_id", node[:6])["values"] == [node]
    assert complete(server, NODE, "node_id", f"node_{node[:6]}")["values"] == [node]
    assert complete(server, MAP, "scope", "")["values"] == ["topic", "node", "session", "user"]
    assert complete(server, MAP, "topic", "SAI", scope="topic")["values"] == ["sailor"]
    assert SESSION in complete(server, MAP, "topic", "", scope="session")["values"]
    assert complete(server, {"type": "ref/resource", "uri": "utl://{session}/state"}, "session", "c")["values"] == [
        "current_session"
    ]
    assert complete(server, {"type": "ref/prompt", "name": "memory_map"}, "topic", "anna")["values"] == ["Anna"]
    assert complete(server, {"type": "ref/prompt", "name": "search_failed"}, "problem", "e")["values"] == ["empty"]
    assert complete(server, {"type": "ref/prompt", "name": "search_failed"}, "query", "e")["values"] == []
    for value in ("", "zo", node[:6], "sai"):
        found = complete(other, NODE, "node_id", value)["values"]
        assert not {"Zoe", "sailor", node} & set(found), "of a session that is not the caller's"
    assert SESSION not in complete(other, MAP, "topic", "", scope="session")["values"]


def test_a_hundred_are_shown_and_that_there_are_more_is_said(attach):
    server = attach()
    server.begin()
    for number in range(110):
        server.call("store_memory", content=f"Port{number:03d} is a harbour.", rationale="the log of a voyage")
    found = complete(server, NODE, "node_id", "port")
    assert len(found["values"]) == 100 and found["hasMore"] and "total" not in found
    found = complete(server, NODE, "node_id", "port10")
    assert len(found["values"]) == found["total"] == 10 and not found["hasMore"]


def test_a_wrong_request_for_completion_says_what_was_expected(attach):
    server = attach()
    server.begin()
    for params, told in (
        ((NODE, "id", ""), "unknown parameter 'id'; graph://{node_id} has node_id"),
        (({"type": "ref/resource", "uri": "x://{y}"}, "y", ""), "there are context://{scope}"),
        (({"type": "ref/prompt", "name": "x"}, "y", ""), "there are agent_handbook"),
        (({"type": "ref/prompt", "name": "curate"}, "y", ""), "unknown argument 'y'; curate has session_id"),
        (({"type": "ref/tool", "name": "x"}, "y", ""), "ref.type must be ref/prompt or ref/resource"),
        (({"type": "ref/prompt"}, "y", ""), "name must be a string"),
        ((NODE, "node_id", "x" * 1_000), "at most 200 characters"),
        ((NODE, "node_id", 5), "value must be a string"),
    ):
        error = complete(server, *params)
        assert error["code"] in (-32602, -32002) and told in error["message"]
    assert "ref must be an object" in server.ask("completion/complete")["error"]["message"]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_public_client_gets_prompts_and_completions(tmp_path, mode):
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "context_graph.server"], env=environment(tmp_path / "home")
    )

    async def talk():
        async with Client(server, mode=mode) as client:
            await client.call_tool("store_memory", {"content": "Anna is a sailor.", "rationale": "what she lives on"})
            assert len((await client.list_prompts()).prompts) == 9
            told, drawn = (await client.get_prompt("memory_map", {"topic": "Anna"})).messages
            assert "hydrate_citation" in told.content.text
            assert drawn.content.resource.mime_type == "text/vnd.mermaid" and "sailor" in drawn.content.resource.text
            reference = ResourceTemplateReference(uri="visualize://{scope}/{topic}")
            found = await client.complete(reference, {"name": "topic", "value": "sai"}, {"scope": "topic"})
            assert found.completion.values == ["sailor"]
            found = await client.complete(PromptReference(name="agent_handbook"), {"name": "lifecycle", "value": "g"})
            assert found.completion.values == ["growth"]

    anyio.run(talk)
