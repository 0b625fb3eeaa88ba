"""The Model Context Protocol over any transport: its revisions, the first contact, and what a request asks for.

Up to 2025-11-25 a client shakes hands with `initialize`. Since 2026-07-28 there is no handshake: every request
carries its revision and the client's abilities in `_meta`. The first request of a connection decides which it is.
"""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any

from context_graph import __version__
from context_graph.errors import ToolNotFound
from context_graph.presentation.visitor import Visitor
from context_graph.prompts import all_prompts
from context_graph.prompts import described as described_prompt
from context_graph.resources import all_resources, described
from context_graph.server.completion import completion
from context_graph.server.host import Host
from context_graph.server.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Id, RequestError
from context_graph.server.lookup import Lookup, prompted, read, refusal
from context_graph.server.subscriptions import Subscriptions
from context_graph.server.wire import Form
from context_graph.tools import Tool, find, listed
from context_graph.tools.texts import server_instructions

if TYPE_CHECKING:
    from context_graph.memory import Memory

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
ABILITIES: dict[str, dict[str, Any]] = {
    "tools": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": True},
    "prompts": {"listChanged": False},
    "completions": {},
}

STRUCTURED_SINCE = "2025-06-18"
"""The first revision that knows structuredContent and outputSchema."""

STRUCTURED_ONLY = "context-graph/structured-only"
"""Among a client's experimental abilities or extensions: it reads structuredContent and wants no copy of it as text."""

MAX_LISTED_BYTES = 48_000
"""Of a list of tools with output schemas, which still fits into a line."""

COMPLETIONS_SINCE = "2025-03-26"
"""The first revision that knows the ability; the request is older."""

WARM_AFTER_S = 0.1
"""Lets the list of tools out before models are loaded."""

LISTED = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""A list changes only with the settings, so with a new process."""

LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
METHODS = (*LISTS, "tools/call", "resources/read", "prompts/get", "completion/complete")
"""What is answered in every revision."""

_REQUIRED: Any = object()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A request whose answer takes a while."""

    name: str
    arguments: dict[str, Any]
    progress_token: Id | None
    """What the client wants to hear of its progress under."""

    form: Form = "both"
    """How its values are to go out."""

    schema_listed: bool = False
    """Whether tools/list shows this client a schema of the answer."""


Answer = dict[str, Any] | ToolCall | Lookup
"""The result of a request, or the work that makes it."""


class Protocol:
    """One connection's protocol: whether it began with a handshake, and what a request is answered.

    Parameters
    ----------
    log_from : callable
        Tells the client what the server logs, from a level of the protocol on.
    stateless : bool, optional
        Whether each request names its revision; by default the first one decides it.
    """

    def __init__(
        self,
        host: Host,
        subscriptions: Subscriptions,
        log_from: Callable[[str], None],
        *,
        stateless: bool | None = None,
    ) -> None:
        self._host, self._subscriptions, self._log_from = host, subscriptions, log_from
        self._form: Form = "both"
        self._knows_schemas = True
        self._stateless = stateless

        self._initialized = False
        self._offers_sampling = False
        self.ready = False
        """Whether the client has said, after its handshake, that it may be asked itself."""

    def answer(self, method: str, params: dict[str, Any], id: Id) -> Answer:
        """The result of a request, or the work that it asks for; raises `RequestError` where it is wrong."""
        meta = params.get("_meta")
        named = isinstance(meta, dict) and VERSION_KEY in meta
        if self._stateless is None:
            self._stateless = named and method != "initialize"
        if self._stateless:
            return self._answer_stateless(method, params, id)
        if named and method != "initialize":
            raise RequestError(
                INVALID_REQUEST,
                "this connection began with a handshake or without a revision in _meta; "
                "requests that carry their own are not taken on it",
            )
        return self._answer_in_session(method, params)

    @property
    def unasked(self) -> str:
        """Why the client's model may not be asked, as the end of a sentence; empty where it may."""
        if self._stateless:
            return f"since revision {STATELESS_REVISIONS[0]} of the protocol a server asks its clients nothing"
        if not self._offers_sampling:
            return "the client does not offer sampling"
        return "" if self.ready else "the client has not sent notifications/initialized"

    def result(self, values: dict[str, Any]) -> dict[str, Any]:
        """A result as this connection's revision wants it."""
        if not self._stateless:
            return values
        return {"resultType": "complete", **values, "_meta": {**values.get("_meta", {}), SERVER_KEY: SERVER_INFO}}

    def _answer_in_session(self, method: str, params: dict[str, Any]) -> Answer:
        if method == "initialize":
            return self._initialize(params)
        if method == "ping":
            return {}
        if method not in (*METHODS, "resources/subscribe", "resources/unsubscribe", "logging/setLevel"):
            raise RequestError(METHOD_NOT_FOUND, f"Method not found: {method}", method)
        if not self._initialized:
            raise RequestError(INVALID_PARAMS, f"{method} came before initialize; send initialize first")
        if method in METHODS:
            return self._answer_any(method, params)
        if method.startswith("resources/"):
            return self._subscribe(method, _value(params, "uri", str))
        if (level := _value(params, "level", str)) not in LOG_LEVELS:
            raise RequestError(INVALID_PARAMS, f"level must be one of {', '.join(LOG_LEVELS)}, got {level[:80]!r}")
        self._log_from(level)
        return {}

    def _answer_stateless(self, method: str, params: dict[str, Any], id: Id) -> Answer:
        if method == "initialize":
            requested = params.get("protocolVersion")
            raise _unsupported(
                f"this connection speaks {STATELESS_REVISIONS[-1]}, which has no initialize",
                requested if isinstance(requested, str) else None,
            )
        meta = _value(params, "_meta", dict)
        revision = _value(meta, VERSION_KEY, str)
        self._form = _form(_value(meta, ABILITIES_KEY, dict))
        _value(meta, CLIENT_KEY, dict, None)
        if revision not in STATELESS_REVISIONS:
            raise _unsupported("Unsupported protocol version", revision)
        if method == "server/discover":
            return self.result(
                {
                    "supportedVersions": list(STATELESS_REVISIONS), "capabilities": ABILITIES,
                    "instructions": server_instructions(), **LISTED,
                }
            )  # fmt: skip
        if method == "subscriptions/listen":
            return self._listen(params, id)
        if method not in METHODS:
            raise RequestError(METHOD_NOT_FOUND, f"Method not found: {method}", method)
        answer = self._answer_any(method, params)
        return self.result(answer | LISTED) if isinstance(answer, dict) else answer

    def _answer_any(self, method: str, params: dict[str, Any]) -> Answer:
        """What has the same parameters in every revision."""
        if method in LISTS:
            return self._list(method, params)
        if method == "tools/call":
            return self._call(params)
        if method == "resources/read":
            return read(_value(params, "uri", str), stateless=bool(self._stateless))
        if method == "prompts/get":
            return prompted(_value(params, "name", str), _value(params, "arguments", dict, None) or {})
        return self._complete(params)

    def _call(self, params: dict[str, Any]) -> ToolCall:
        name = _value(params, "name", str)
        arguments = _value(params, "arguments", dict, None)
        token = _value(_value(params, "_meta", dict, None) or {}, "progressToken", Id, None)
        try:
            find(name)
        except ToolNotFound as error:
            raise RequestError(INVALID_PARAMS, str(error)) from None
        shown = self._knows_schemas and name in _with_schemas(self._host.settings.tools)
        return ToolCall(name, arguments or {}, token, self._form, shown)

    def _subscribe(self, method: str, uri: str) -> Lookup:
        change = self._subscriptions.subscribe if method == "resources/subscribe" else self._subscriptions.unsubscribe

        def answer(memory: "Memory", visitor: Visitor) -> dict[str, Any]:
            change(uri)
            return {}

        return Lookup(method, answer, lambda error: refusal(error, uri=uri))

    def _listen(self, params: dict[str, Any], id: Id) -> Lookup:
        uris = _value(params, "notifications", dict).get("resourceSubscriptions") or []
        if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
            told = "notifications.resourceSubscriptions must be a list of URIs"
            raise RequestError(INVALID_PARAMS, f"Invalid request parameters: {told}, got {type(uris).__name__}")
        # Lists change with a new process alone, so nothing is told of them.

        def answer(memory: "Memory", visitor: Visitor) -> None:
            self._subscriptions.listen(id, uris)

        return Lookup("subscriptions/listen", answer, refusal)

    def _complete(self, params: dict[str, Any]) -> Lookup:
        reference, argument = _value(params, "ref", dict), _value(params, "argument", dict)
        places = {"ref/prompt": "name", "ref/resource": "uri"}
        kind = _value(reference, "type", str)
        if kind not in places:
            raise RequestError(INVALID_PARAMS, f"ref.type must be {' or '.join(places)}, got {kind[:80]!r}")
        _value(reference, places[kind], str)
        context = _value(params, "context", dict, None) or {}
        settled = _value(context, "arguments", dict, None) or {}
        name, text = _value(argument, "name", str), _value(argument, "value", str)
        return completion(reference, name, text, settled, stateless=bool(self._stateless))

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        requested = _value(params, "protocolVersion", str)
        abilities_of_client = _value(params, "capabilities", dict)
        client = _value(params, "clientInfo", dict)
        _value(client, "name", str)
        _value(client, "version", str)
        self._initialized = True
        revision = requested if requested in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[-1]
        self._knows_schemas = revision >= STRUCTURED_SINCE
        self._offers_sampling = isinstance(abilities_of_client.get("sampling"), dict)
        self._form = _form(abilities_of_client) if self._knows_schemas else "text"
        abilities = {**ABILITIES, "logging": {}}
        if revision < COMPLETIONS_SINCE:
            del abilities["completions"]  # asked for all the same
        return {
            "protocolVersion": revision,
            "capabilities": abilities,
            "serverInfo": SERVER_INFO,
            "instructions": server_instructions(),
        }

    def _list(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        kind = method.split("/")[0]
        if _value(params, "cursor", str, None) is not None:
            raise RequestError(INVALID_PARAMS, f"Invalid cursor: the list of {kind} is one page; leave cursor out")
        if method == "tools/list":
            warming = threading.Timer(WARM_AFTER_S, self._host.warm)
            warming.daemon = True
            warming.start()
            return {"tools": _described_tools(self._host.settings.tools, schemas=self._knows_schemas)}
        if method == "resources/list":
            return {"resources": [described(one, uri) for one in all_resources() for uri in one.listed]}
        if method == "prompts/list":
            return {"prompts": [described_prompt(one) for one in all_prompts()]}
        return {"resourceTemplates": [described(one) for one in all_resources() if one.parameters]}


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


def _form(abilities: dict[str, Any]) -> Form:
    """How a client wants values, by its abilities."""
    named = [abilities.get(kind) for kind in ("experimental", "extensions")]
    return "structured" if any(isinstance(one, dict) and STRUCTURED_ONLY in one for one in named) else "both"


def _described_tools(selection: str, *, schemas: bool) -> list[dict[str, Any]]:
    shown = _with_schemas(selection) if schemas else frozenset()
    return [
        _described(tool) | ({"outputSchema": tool.output_schema} if tool.name in shown else {})
        for tool in listed(selection)
    ]


@cache
def _with_schemas(selection: str) -> frozenset[str]:
    """The tools that are listed with a schema of their answer: where a person has chosen a few by name, since schemas
    double the list.
    """
    if selection in ("core", "all"):
        return frozenset()
    tools = listed(selection)
    complete = [_described(tool) | {"outputSchema": tool.output_schema} for tool in tools]
    size = len(json.dumps(complete, ensure_ascii=False).encode())
    return frozenset(tool.name for tool in tools) if size <= MAX_LISTED_BYTES else frozenset()


def _described(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "annotations": {"title": tool.title, **tool.annotations},
    }
