"""Lines that no client should send: the server answers what can be answered, and lives."""

import json

import pytest
from server_process import Server

VALID = {"content": "Anna plays the clarinet.", "rationale": "a hobby of a friend"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("bad") / "home", measured=False)
    server.begin()
    assert not server.call("store_memory", **VALID).get("isError")
    yield server
    assert server.leave() == 0
    errors = server.errors()
    server.end()
    assert "Traceback" not in errors, errors[-2_000:]


def call_line(arguments: str, id: str = "7001") -> bytes:
    """A call of search_graph, its arguments as they stand."""
    params = f'{{"name":"search_graph","arguments":{arguments}}}'
    text = f'{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}\n'
    return text.encode("utf-8", "surrogatepass")


DEEP = "[" * 100_000 + "]" * 100_000
LINES = {
    "deep array": call_line(f'{{"query": {DEEP}}}'),
    "deep object": call_line('{"a":' * 50_000 + "1" + "}" * 50_000),
    "ten megabytes": call_line(json.dumps({"query": "x" * 10_000_000})),
    "nul escaped": call_line('{"query": "nul \\u0000 inside"}'),
    "nul raw": call_line('{"query": "nul \x00 inside"}'),
    "control characters raw": call_line('{"query": "a\x01\x02\x1f b"}'),
    "lone surrogate escaped": call_line('{"query": "\\ud800"}'),
    "lone surrogate raw": call_line('{"query": "\ud800"}'),
    "key with a surrogate": call_line('{"query": "x", "\\udfff": 1}'),
    "not a number": call_line('{"query": "x", "top_k": NaN}'),
    "infinity": call_line('{"query": "x", "min_similarity": Infinity}'),
    "huge exponent": call_line('{"query": "x", "top_k": 1e400}'),
    "huge integer": call_line('{"query": "x", "top_k": ' + "9" * 5_000 + "}"),
    "negative zero": call_line('{"query": "x", "min_similarity": -0.0}'),
    "a name twice": call_line('{"query": "x", "query": 7}'),
    "right to left": call_line(json.dumps({"query": "\u202eabc\u202c \u2066x\u2069 \u200b\u200d\ufeff"})),
    "bytes that are no text": b'{"jsonrpc":"2.0","id":7001,"method":"tools/call","params":{"name":"\xff\xfe"}}\n',
    "half a line": b'{"jsonrpc":"2.0","id":7001,"meth\n',
    "no version": b'{"id":7001,"method":"tools/list"}\n',
    "wrong version": b'{"jsonrpc":"1.0","id":7001,"method":"tools/list"}\n',
    "id as object": call_line("{}", id='{"a":1}'),
    "id as null": call_line("{}", id="null"),
    "id as a fraction": call_line("{}", id="1.5"),
    "method as number": b'{"jsonrpc":"2.0","id":7001,"method":7}\n',
    "params as array": b'{"jsonrpc":"2.0","id":7001,"method":"tools/call","params":[1,2]}\n',
    "name missing": b'{"jsonrpc":"2.0","id":7001,"method":"tools/call","params":{}}\n',
    "name as number": b'{"jsonrpc":"2.0","id":7001,"method":"tools/call","params":{"name":7}}\n',
    "unknown method": b'{"jsonrpc":"2.0","id":7001,"method":"tools/destroy"}\n',
    "unknown notification": b'{"jsonrpc":"2.0","method":"notifications/destroy","params":{"x":[]}}\n',
    "answer to nothing": b'{"jsonrpc":"2.0","id":7001,"result":{}}\n',
    "error to nothing": b'{"jsonrpc":"2.0","id":7001,"error":{"code":1,"message":"x"}}\n',
    "cancel of nothing": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99999}}\n',
    "batch": b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]\n',
    "a thousand blank lines": b"\n" * 1_000,
    "carriage returns": b"\r\r\r\r\n",
}


@pytest.mark.parametrize("name", LINES)
def test_the_server_outlives_any_line(server, name):
    server.write(LINES[name])
    assert server.ask("ping")["result"] == {}, "answers to the line itself may come before"
    found = server.call("search_graph", query="clarinet", include_content=True)["structuredContent"]["results"]
    assert [hit["content"] for hit in found] == [VALID["content"]]
    for line in server.lines:
        answer = json.loads(line)
        assert answer["jsonrpc"] == "2.0" and len(line) < 65_536
        assert b"Traceback" not in line


def test_a_request_that_came_whole_is_answered_whatever_it_says(server):
    for name in ("nul escaped", "lone surrogate escaped", "a name twice", "right to left"):
        server.write(LINES[name])
        while (answer := server.read()).get("id") != 7001:
            pass
        assert "result" in answer or "error" in answer
