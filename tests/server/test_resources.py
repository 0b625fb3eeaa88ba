"""Resources on the wire in every revision, through raw pipes and through the public client."""

import json
import sys
from pathlib import Path

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from server_process import environment

from context_graph.server.docs import markdown
from context_graph.server.protocol import HANDSHAKE_REVISIONS, STATELESS_REVISIONS
from tests.requirements import requirement

REVISIONS = (*HANDSHAKE_REVISIONS, *STATELESS_REVISIONS)
NOBODY = "00000000-0000-4000-8000-000000000000"
SESSION = "0193a4b2-c1d2-4e3f-8a5b-6c7d8e9f0a1b"


def told(answer):
    (content,) = answer["result"]["contents"]
    return content["text"]


@requirement("server:resources")
@pytest.mark.parametrize("version", REVISIONS)
def test_every_revision_lists_and_reads_resources(attach, version):
    server = attach()
    assert "resources" in server.begin(version)["capabilities"]
    listed, templates = (server.ask(f"resources/{kind}")["result"] for kind in ("list", "templates/list"))
    uris = [one["uri"] for one in listed["resources"]]
    assert {"utl://current_session/pulse", "admin://manifest", "context://user"} <= set(uris)
    assert "graph://{node_id}" in [one["uriTemplate"] for one in templates["resourceTemplates"]]
    stored = server.call("store_memory", content="Anna is a sailor.", rationale="what she lives on")
    node_id = json.loads(stored["content"][1]["text"])["node_id"]
    for uri in (*uris, f"graph://{node_id}?embedding=1", "visualize://topic/Anna", "visualize://topic/Anna?format=d3"):
        answer = server.ask("resources/read", uri=uri)["result"]
        (content,) = answer["contents"]
        assert content["uri"] == uri and content["text"] and content["mimeType"]
        assert len(server.lines[-1]) < 65_536
        cached = {key: answer.get(key) for key in ("ttlMs", "cacheScope", "resultType")}
        if version in STATELESS_REVISIONS:
            assert cached == {"ttlMs": 0, "cacheScope": "private", "resultType": "complete"}
        else:
            assert set(cached.values()) == {None}
    for one in (listed, templates):
        assert (one.get("cacheScope") == "public") == (version in STATELESS_REVISIONS)


@requirement("server:resource-errors")
@pytest.mark.parametrize("version", REVISIONS)
def test_what_is_not_there_has_the_code_of_the_revision_and_says_what_to_do(attach, version):
    server = attach()
    server.begin(version)
    missing = -32602 if version in STATELESS_REVISIONS else -32002
    for uri, code, hint in (
        (f"graph://{NOBODY}", missing, "search_graph"),
        (f"utl://{SESSION}/pulse", missing, "current_session"),
        ("file:///etc/passwd", missing, "graph://{node_id}"),
        ("context://everything", -32602, "one of user, session, context"),
        ("graph://" + "x" * 100_000, -32602, "at most 2048 characters"),
    ):
        error = server.ask("resources/read", uri=uri)["error"]
        assert error["code"] == code and hint in error["message"] and error["data"]["uri"] == uri[:256]
        assert len(server.lines[-1]) < 2_000
    for params in ({}, {"uri": 5}, {"uri": None}, {"uri": ["x"]}):
        error = server.ask("resources/read", **params)["error"]
        assert error["code"] == -32602 and "uri must be a string" in error["message"]
    assert "one page" in server.ask("resources/list", cursor="x")["error"]["message"]


def test_the_current_session_is_that_of_the_last_call_and_others_open_once_they_were_named(attach):
    server, other = attach(), attach()
    server.begin()
    other.begin()
    read = lambda of, name: of.ask("resources/read", uri=f"utl://{name}/state")  # noqa: E731
    own = json.loads(told(read(server, "current_session")))["session_id"]
    server.call("store_memory", content="Anna is a sailor.", rationale="what she lives on", session_id=SESSION)
    assert json.loads(told(read(server, "current_session")))["session_id"] == SESSION != own
    assert json.loads(told(read(server, SESSION)))["interactions"] == 1
    assert read(other, SESSION)["error"]["code"] == -32002, "naming it in a URI opens nothing"


def test_a_store_that_cannot_be_opened_is_told(attach, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "graph.sqlite3").write_bytes(b"this is no database, it is a sentence of some length" * 50)
    server = attach()
    server.begin()
    error = server.ask("resources/read", uri="admin://manifest")["error"]
    assert error["code"] == -32603 and error["data"]["code"] == "STORE_CORRUPT"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_public_client_reads_what_it_lists(tmp_path, mode):
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "context_graph.server"], env=environment(tmp_path / "home")
    )

    async def talk():
        async with Client(server, mode=mode) as client:
            assert client.server_capabilities.resources is not None
            await client.call_tool("store_memory", {"content": "Anna is a sailor.", "rationale": "what she lives on"})
            for one in (await client.list_resources()).resources:
                (content,) = (await client.read_resource(one.uri)).contents
                assert content.text and content.mime_type == one.mime_type
            templates = (await client.list_resource_templates()).resource_templates
            assert len(templates) == 5
            (drawn,) = (await client.read_resource("visualize://topic/Anna")).contents
            assert drawn.mime_type == "text/vnd.mermaid" and "sailor" in drawn.text
            with pytest.raises(MCPError) as error:
                await client.read_resource(f"graph://{NOBODY}")
            assert error.value.code == (-32002 if mode == "legacy" else -32602)

    anyio.run(talk)


def test_the_page_is_what_the_code_writes():
    page = Path(__file__).parents[2] / "docs" / "resources.md"
    assert page.read_text(encoding="utf-8") == markdown(), "run python -m context_graph.server.docs > docs/resources.md"
