"""First contact in every revision, and what is answered to requests that are wrong."""

import pytest

from context_graph.server.host import Host
from context_graph.server.jsonrpc import RequestError
from context_graph.server.protocol import HANDSHAKE_REVISIONS, STATELESS_REVISIONS, Protocol, ToolCall
from context_graph.settings import Settings

CLIENT = {"name": "test", "version": "1"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}
KEY = "io.modelcontextprotocol/"
META = {f"{KEY}protocolVersion": STATELESS_REVISIONS[-1], f"{KEY}clientCapabilities": {}}


class Asked(Protocol):
    def answer(self, method, params, id=1):
        return super().answer(method, params, id)


@pytest.fixture
def protocol(tmp_path):
    protocol = Asked(Host(Settings(home=tmp_path / "home", tier="base")), None, lambda level: levels.append(level))
    protocol.levels = levels = []
    return protocol


def refused(protocol, method, params):
    with pytest.raises(RequestError) as error:
        protocol.answer(method, params)
    return error.value


@pytest.mark.parametrize("revision", HANDSHAKE_REVISIONS)
def test_a_revision_that_is_known_is_spoken(protocol, revision):
    assert protocol.answer("initialize", HELLO | {"protocolVersion": revision})["protocolVersion"] == revision


@pytest.mark.parametrize("revision", ["1.0", "2026-07-28", "2099-01-01"])
def test_another_is_answered_with_the_newest_that_has_a_handshake(protocol, revision):
    assert protocol.answer("initialize", HELLO | {"protocolVersion": revision})["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("missing", ["protocolVersion", "capabilities", "clientInfo"])
def test_a_handshake_that_lacks_something_is_refused_and_can_be_repeated(protocol, missing):
    error = refused(protocol, "initialize", {key: value for key, value in HELLO.items() if key != missing})
    assert error.code == -32602 and missing in error.message
    assert refused(protocol, "tools/list", {}).code == -32602, "nothing was agreed upon"
    assert protocol.answer("initialize", HELLO) and protocol.answer("tools/list", {})


def test_before_the_handshake_only_ping_is_answered_and_what_is_unknown_is_said_to_be(protocol):
    assert protocol.answer("ping", {}) == {}
    assert refused(protocol, "tools/call", {"name": "get_health"}).code == -32602
    assert refused(protocol, "prompts/lists", {}).code == -32601
    assert refused(protocol, "server/discover", {}).code == -32601


@pytest.mark.parametrize(
    ("params", "named"),
    [
        ({}, "name"), ({"name": 5}, "name"), ({"name": "get_health", "arguments": []}, "arguments"),
        ({"name": "get_health", "_meta": 5}, "_meta"),
        ({"name": "get_health", "_meta": {"progressToken": 1.5}}, "progressToken"),
        ({"name": "get_health", "_meta": {"progressToken": True}}, "progressToken"),
    ],
)  # fmt: skip
def test_a_call_of_the_wrong_shape_is_a_protocol_error_that_names_the_part(protocol, params, named):
    protocol.answer("initialize", HELLO)
    error = refused(protocol, "tools/call", params)
    assert error.code == -32602 and f"{named} must be" in error.message


def test_a_call_may_leave_out_its_arguments(protocol):
    protocol.answer("initialize", HELLO)
    assert protocol.answer("tools/call", {"name": "get_health"}) == ToolCall("get_health", {}, None)
    assert protocol.answer("tools/call", {"name": "get_health", "arguments": None}).arguments == {}


def test_a_list_has_one_page_and_a_level_one_of_eight_names(protocol):
    protocol.answer("initialize", HELLO)
    assert "one page" in refused(protocol, "tools/list", {"cursor": "x"}).message
    assert protocol.answer("logging/setLevel", {"level": "debug"}) == {} and protocol.levels == ["debug"]
    assert "must be one of debug" in refused(protocol, "logging/setLevel", {"level": "loud"}).message


def test_a_connection_with_a_handshake_takes_no_request_that_carries_its_revision(protocol):
    protocol.answer("initialize", HELLO | {"_meta": META})
    assert refused(protocol, "tools/list", {"_meta": META}).code == -32600


def test_a_connection_without_one_wants_a_revision_and_abilities_in_each_request(protocol):
    assert protocol.answer("server/discover", {"_meta": META})["supportedVersions"] == list(STATELESS_REVISIONS)
    assert protocol.answer("tools/list", {"_meta": META})["resultType"] == "complete"
    for params, named in (
        ({}, "_meta"), ({"_meta": {}}, "protocolVersion"),
        ({"_meta": {f"{KEY}protocolVersion": "2026-07-28"}}, "clientCapabilities"),
        ({"_meta": META | {f"{KEY}protocolVersion": 7}}, "protocolVersion"),
        ({"_meta": META | {f"{KEY}clientInfo": 5}}, "clientInfo"),
    ):  # fmt: skip
        error = refused(protocol, "tools/list", params)
        assert error.code == -32602 and named in error.message
    for method in ("ping", "logging/setLevel", "resources/subscribe"):
        assert refused(protocol, method, {"_meta": META}).code == -32601
    assert refused(protocol, "initialize", HELLO).code == -32022


def test_a_revision_that_is_not_spoken_is_answered_with_those_that_are(protocol):
    error = refused(protocol, "tools/list", {"_meta": META | {f"{KEY}protocolVersion": "2030-01-01"}})
    assert error.code == -32022 and error.data == {"supported": ["2026-07-28"], "requested": "2030-01-01"}
