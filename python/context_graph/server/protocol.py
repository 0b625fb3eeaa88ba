"""The Model Context Protocol over any transport: its revisions, the first contact, and what a request asks for.

Up to 2025-11-25 a client shakes hands with `initialize`. Since 2026-07-28 there is no handshake: every request
carries its revision and the client's abilities in `_meta`. The first request of a connection decides which it is.
"""

import threading
from dataclasses import dataclass
from types import UnionType
from typing import Any

from context_graph import __version__
from context_graph.errors import ToolNotFound
from context_graph.server.host import Host
from context_graph.server.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Id, RequestError
from context_graph.tools import Tool, find, listed
from context_graph.tools.texts import server_instructions

__all__ = ["HANDSHAKE_REVISIONS", "STATELESS_REVISIONS", "Protocol", "ToolCall"]

HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS_REVISIONS = ("2026-07-28",)

UNSUPPORTED_PROTOCOL_VERSION = -32022
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
ABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
SERVER_INFO = {"name": "context-graph", "title": "Context Graph", "version": __version__}
TOOLS_ABILITY = {"tools": {"listChanged": False}}

WARM_AFTER_S = 0.1
"""Lets the list of tools out before models are loaded."""

LISTED = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""The list changes only with the settings, so with a new process."""

_REQUIRED: Any = object()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A request whose answer takes a while."""

    name: str
    arguments: dict[str, Any]
    progress_token: Id | None
    """What the client wants to hear of its progress under."""


class Protocol:
    """One connection's protocol: whether it began with a handshake, and what a request is answered."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._tools = [_described(tool) for tool in listed(host.settings.tools)]
        self._stateless: bool | None = None
        """Whether each request names its revision; not known before the first one."""

        self._initialized = False

    def answer(self, method: str, params: dict[str, Any]) -> dict[str, Any] | ToolCall:
        """The result of a request, or the call that it asks for; raises `RequestError` where it is wrong."""
        meta = params.get("_meta")
        named = isinstance(meta, dict) and VERSION_KEY in meta
        if self._stateless is None:
            self._stateless = named and method != "initialize"
        if self._stateless:
            return self._answer_stateless(method, params)
        if named and method != "initialize":
            raise RequestError(
                INVALID_REQUEST,
                "this connection began with a handshake or without a revision in _meta; "
                "requests that carry their own are not taken on it",
            )
        return self._answer_in_session(method, params)

    def result(self, values: dict[str, Any]) -> dict[str, Any]:
        """A result as this connection's revision wants it."""
        if not self._stateless:
            return values
        return {"resultType": "complete", **values, "_meta": {**values.get("_meta", {}), SERVER_KEY: SERVER_INFO}}

    def _answer_in_session(self, method: str, params: dict[str, Any]) -> dict[str, Any] | ToolCall:
        if method == "initialize":
            return self._initialize(params)
        if method == "ping":
            return {}
        if method not in ("tools/list", "tools/call", "logging/setLevel"):
            raise RequestError(METHOD_NOT_FOUND, f"Method not found: {method}", method)
        if not self._initialized:
            raise RequestError(INVALID_PARAMS, f"{method} came before initialize; send initialize first")
        if method == "tools/list":
            return self._list(params)
        if method == "tools/call":
            return _call(params)
        if (level := _value(params, "level", str)) not in LOG_LEVELS:
            raise RequestError(INVALID_PARAMS, f"level must be one of {', '.join(LOG_LEVELS)}, got {level[:80]!r}")
        return {}  # for clients of older revisions; logs go to stderr at their own level

    def _answer_stateless(self, method: str, params: dict[str, Any]) -> dict[str, Any] | ToolCall:
        if method == "initialize":
            requested = params.get("protocolVersion")
            raise _unsupported(
                f"this connection speaks {STATELESS_REVISIONS[-1]}, which has no initialize",
                requested if isinstance(requested, str) else None,
            )
        meta = _value(params, "_meta", dict)
        revision = _value(meta, VERSION_KEY, str)
        _value(meta, ABILITIES_KEY, dict)
        _value(meta, CLIENT_KEY, dict, None)
        if revision not in STATELESS_REVISIONS:
            raise _unsupported("Unsupported protocol version", revision)
        if method == "server/discover":
            return self.result(
                {
                    "supportedVersions": list(STATELESS_REVISIONS), "capabilities": TOOLS_ABILITY,
                    "instructions": server_instructions(), **LISTED,
                }
            )  # fmt: skip
        if method == "tools/list":
            return self.result(self._list(params) | LISTED)
        if method == "tools/call":
            return _call(params)
        raise RequestError(METHOD_NOT_FOUND, f"Method not found: {method}", method)

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        requested = _value(params, "protocolVersion", str)
        _value(params, "capabilities", dict)
        client = _value(params, "clientInfo", dict)
        _value(client, "name", str)
        _value(client, "version", str)
        self._initialized = True
        return {
            "protocolVersion": requested if requested in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[-1],
            "capabilities": {**TOOLS_ABILITY, "logging": {}},
            "serverInfo": SERVER_INFO,
            "instructions": server_instructions(),
        }

    def _list(self, params: dict[str, Any]) -> dict[str, Any]:
        if _value(params, "cursor", str, None) is not None:
            raise RequestError(INVALID_PARAMS, "Invalid cursor: the list of tools is one page")
        warming = threading.Timer(WARM_AFTER_S, self._host.warm)
        warming.daemon = True
        warming.start()
        return {"tools": self._tools}


def _call(params: dict[str, Any]) -> ToolCall:
    name = _value(params, "name", str)
    arguments = _value(params, "arguments", dict, None)
    token = _value(_value(params, "_meta", dict, None) or {}, "progressToken", Id, None)
    try:
        find(name)
    except ToolNotFound as error:
        raise RequestError(INVALID_PARAMS, str(error)) from None
    return ToolCall(name, arguments or {}, token)


def _value(values: dict[str, Any], key: str, kind: type | UnionType, default: Any = _REQUIRED) -> Any:
    """A member of a request's parameters; where it has a default, it may be left out or null."""
    value = values.get(key)
    if (value is None and default is None) or (isinstance(value, kind) and not isinstance(value, bool)):
        return value
    wanted = "a string" if kind is str else "an object" if kind is dict else "a string or an integer"
    came = "nothing" if value is None else type(value).__name__
    raise RequestError(INVALID_PARAMS, f"Invalid request parameters: {key} must be {wanted}, got {came}")


def _unsupported(message: str, requested: str | None) -> RequestError:
    data = {"supported": list(STATELESS_REVISIONS)}
    return RequestError(
        UNSUPPORTED_PROTOCOL_VERSION, message, data if requested is None else data | {"requested": requested}
    )


def _described(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "annotations": {"title": tool.title, **tool.annotations},
    }
