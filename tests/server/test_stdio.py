"""A server process on raw pipes: every revision, nothing but JSON-RPC on stdout, lines that fit."""

import json

import pytest
from server_process import Server

from context_graph.settings import Settings
from context_graph.store import Store
from tests.requirements import requirement

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
CORE = [
    "inject_context", "search_graph", "store_memory", "get_memetic_status", "get_graph_manifest", "forget_concept",
    "merge_concepts", "use_tool",
]  # fmt: skip


@pytest.mark.parametrize("version", REVISIONS)
def test_every_revision_is_served(start, version):
    server = start()
    hello = server.begin(version)
    assert "get_graph_manifest" in hello["instructions"] and len(hello["instructions"].encode()) < 2_048
    assert {"tools", "resources"} <= set(hello["capabilities"])
    if version >= "2026":
        assert version in hello["supportedVersions"] and hello["resultType"] == "complete"
    else:
        assert hello["protocolVersion"] == version and hello["serverInfo"]["name"] == "context-graph"
    listing = server.ask("tools/list")["result"]
    assert [tool["name"] for tool in listing["tools"]] == CORE
    assert len(server.lines[-1]) < 16_384
    assert not any(
        {"outputSchema", "oneOf"} & set(tool) or "$schema" in tool["inputSchema"] for tool in listing["tools"]
    )
    stored = server.call("store_memory", content="Anna plays the clarinet.", rationale="the hobby of a friend")
    found = server.call("use_tool", name="search_graph", arguments={"query": "clarinet"})
    for result in (stored, found):
        assert result["content"][0]["text"].startswith("Pulse: { Entropy: ")
        assert json.loads(result["content"][1]["text"])["pulse"]
        assert result["_meta"]["context-graph/pulse"]["suggested"] == "continue"
        if version >= "2025-06":
            assert result["structuredContent"]["pulse"] == result["_meta"]["context-graph/pulse"]
        assert (result.get("resultType") == "complete") == (version >= "2026")
    if version >= "2026":
        assert listing["ttlMs"] > 0 and listing["cacheScope"] == "public"
    assert server.leave() == 0


def test_the_tools_are_chosen_by_an_argument_too(start):
    server = start(program=("-m", "context_graph.server", "--tools", "search_graph"))
    server.begin()
    assert [tool["name"] for tool in server.ask("tools/list")["result"]["tools"]] == ["search_graph"]
    assert server.leave() == 0


@pytest.mark.parametrize(("arguments", "says"), [
    (("--nope",), "unrecognized arguments: --nope"), (("--tools", "nope"), "nope"),
])  # fmt: skip
def test_a_wrong_argument_is_told_before_anything_is_served(start, arguments, says):
    server = start(program=("-m", "context_graph.server", *arguments))
    assert server.wait() == 2 and says in server.errors()
    assert server.popen.stdout.read() == b""


def test_an_unknown_tool_is_a_protocol_error_and_a_wrong_argument_is_not(attach):
    server = attach()
    server.begin()
    error = server.ask("tools/call", name="serach_graph", arguments={})["error"]
    assert error["code"] == -32602 and "did you mean search_graph" in error["message"]
    wrong = server.call("search_graph", top_k=5)
    assert wrong["isError"] and wrong["structuredContent"]["error"]["field"] == "query"
    assert "error" in server.ask("tools/call", name="not_a_tool", arguments={})
    assert server.ask("resources/lists")["error"]["code"] == -32601
    assert server.ask("logging/setLevel", level="debug")["result"] == {}


def test_hidden_tools_are_callable_and_the_list_is_a_setting(attach):
    server = attach(tools="get_health,search_graph")
    server.begin()
    assert [tool["name"] for tool in server.ask("tools/list")["result"]["tools"]] == ["search_graph", "get_health"]
    assert server.call("get_system_instructions")["structuredContent"]["token_count"] > 100


def test_an_impossible_setting_is_told_before_anything_is_served(start):
    server = start(tools="no_such_tool")
    assert server.wait() == 2
    assert "must be core, all, or names from" in server.errors()


DEEP = b'{"a":' * 1_000 + b"1" + b"}" * 1_000
PARSE_ERROR, INVALID_REQUEST = -32700, -32600
REFUSED = {
    "plain garbage": (b"what?", PARSE_ERROR, None),
    "bytes that are no text": (b"\xff\xfe", PARSE_ERROR, None),
    "no text, with an id": (b'{"jsonrpc":"2.0","id":"x7","method":"ping","params":{"a":"\xff"}}', PARSE_ERROR, "x7"),
    "half a line": (b'{"jsonrpc":"2.0","id":9,"meth', PARSE_ERROR, 9),
    "an id further down alone": (b'{"jsonrpc":"2.0","params":{"id":3},"x":\xff}', PARSE_ERROR, None),
    "too deep": (b'{"jsonrpc":"2.0","id":5,"method":"ping","params":%b}' % DEEP, PARSE_ERROR, 5),
    "far too deep": (b'{"jsonrpc":"2.0","id":6,"method":"ping","params":%b}' % (DEEP * 100), PARSE_ERROR, 6),
    "half of one in the id": (rb'{"jsonrpc":"2.0","id":"\uDBFF","method":"ping"}', PARSE_ERROR, None),
    "params a list": (b'{"jsonrpc":"2.0","id":78,"method":"ping","params":[1]}', INVALID_REQUEST, 78),
    "another version of JSON-RPC": (b'{"jsonrpc":"1.0","id":79,"method":"ping"}', INVALID_REQUEST, 79),
    "an empty batch": (b"[]", INVALID_REQUEST, None),
    "a batch": (b'[{"jsonrpc":"2.0","id":9,"method":"ping"}]', INVALID_REQUEST, None),
    "an empty object": (b"{}", INVALID_REQUEST, None),
    "a number": (b"7", INVALID_REQUEST, None),
    "id null": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID_REQUEST, None),
    "id true": (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', INVALID_REQUEST, None),
    "id a fraction": (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', INVALID_REQUEST, 1.5),
    "id a whole float": (b'{"jsonrpc":"2.0","id":3.0,"method":"ping"}', INVALID_REQUEST, 3.0),
    "id an object": (b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', INVALID_REQUEST, None),
    "params no object": (b'{"jsonrpc":"2.0","id":77,"method":"tools/call","params":"no object"}', INVALID_REQUEST, 77),
}


@pytest.fixture(scope="module")
def speaking(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("garbage") / "home")
    server.begin()
    yield server
    assert server.leave() == 0
    server.end()


@pytest.mark.parametrize("name", REFUSED)
@requirement("server:every-line-is-answered")
def test_what_is_no_request_is_refused_under_the_id_that_it_names(speaking, name):
    line, code, id = REFUSED[name]
    speaking.write(line + b"\n")
    answer = speaking.read()
    assert (answer["error"]["code"], answer["id"], answer["jsonrpc"]) == (code, id, "2.0")
    assert speaking.ask("ping")["result"] == {}


def test_half_of_a_surrogate_pair_is_taken_as_a_sign_that_could_not_be_read(speaking):
    """As where a program cuts a text in the middle of an emoji."""
    arguments = rb'{"content":"Eva sails \ud83d","rationale":"the hobby of a friend","\udfff":1}'
    params = rb'{"name":"store_memory","arguments":%b}' % arguments
    call = rb'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":%b}' % params
    speaking.write(call + b"\n")
    refused = speaking.read()
    assert refused["id"] == 8 and "\ufffd" in str(refused["result"])
    speaking.write(call.replace(rb',"\udfff":1', b"") + b"\n")
    assert not speaking.read()["result"]["isError"]
    found = speaking.call("search_graph", query="sails", include_content=True)["structuredContent"]["results"]
    assert found[0]["content"] == "Eva sails \ufffd"


@pytest.mark.parametrize(
    "line", [b"", b" ", b'{"jsonrpc":"2.0","method":"notifications/x","params":{"id":1.5}}', b'{"id":1,"result":5}']
)
def test_what_needs_no_answer_gets_none(speaking, line):
    speaking.write(line + b"\n")
    number = speaking.request("ping")
    assert speaking.read() == {"jsonrpc": "2.0", "id": number, "result": {}}


PRINTS = """
import ctypes, os, sys
from dataclasses import replace
from context_graph.server import serve
from context_graph.settings import load_settings
from context_graph.tools import registry

inner = registry.find("get_health")

def noisy(memory, args, caller):
    print("stray print", flush=True)
    os.write(1, b"stray write\\n")
    os.system("echo stray child")
    ctypes.CDLL(None).puts(b"stray puts")
    ctypes.CDLL(None).fflush(None)
    return inner.function(memory, args, caller)

registry._TOOLS["get_health"] = replace(inner, function=noisy)
serve(load_settings()[0])
"""


def test_what_prints_never_reaches_the_wire(start):
    server = start(program=("-c", PRINTS))
    server.begin()
    assert server.call("get_health")["structuredContent"]["status"] == "healthy"
    server.ask("ping")
    assert server.leave() == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in server.lines)
    errors = server.errors()
    assert all(stray in errors for stray in ("stray print", "stray write", "stray child", "stray puts"))


def test_every_line_fits_and_what_was_stored_is_there(start, tmp_path):
    server = start()
    server.begin()
    server.ask("tools/list")
    for number in range(4):
        content = f'The "lighthouse" keeper\\ no. {number} writes:\n' + "\N{WAVE DASH}\t\u0001 " * 3_000
        server.call("store_memory", content=content, rationale=f"log number {number} of the lighthouse")
    for name, arguments in (
        ("search_graph", {"query": "lighthouse", "top_k": 100, "include_content": True, "explain": True}),
        ("inject_context", {"query": "lighthouse keeper", "max_tokens": 8192, "distillation_mode": "raw",
                            "include_metadata": ["neighborhood", "causal_links"], "verbosity_level": 2}),
        ("get_neighborhood", {"max_nodes": 50, "max_hops": 3}),
        ("get_recent_context", {"limit": 50}),
    ):  # fmt: skip
        assert not server.call(name, **arguments)["isError"]
    assert max(map(len, server.lines)) < 65_536
    assert server.leave() == 0
    home = Settings(home=tmp_path / "home").home
    with Store.open(home, clock=lambda: 0, new_id=lambda: "x") as store:
        assert store.counts()["memories"] == 4
        assert store.verify().ok
