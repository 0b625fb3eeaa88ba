"""REST at /api/v1, for programs that speak no MCP: the same tools, the same tokens, plain JSON."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope, Send

from context_graph.citations import is_tag
from context_graph.server.http.answers import Refusal, body_of, header, reply, size_of, wrong_method
from context_graph.server.http.guard import IDENTITY
from context_graph.server.http.identity import Identity
from context_graph.server.http.outlets import Outlets, is_answer
from context_graph.server.http.service import Service
from context_graph.server.http.streamable import busy
from context_graph.server.jsonrpc import SURROGATE, Message
from context_graph.server.protocol import ABILITIES_KEY, STATELESS_REVISIONS, STRUCTURED_ONLY, VERSION_KEY
from context_graph.texts import storable_all
from context_graph.tools import Tool, find

__all__ = ["ROUTES", "STATUS", "Endpoint", "Route", "headers_of", "json_of", "parameters_of", "status_of"]

META = {VERSION_KEY: STATELESS_REVISIONS[-1], ABILITIES_KEY: {"experimental": {STRUCTURED_ONLY: {}}}}

NUMBER: Mapping[str, Any] = {"type": "integer"}
MAX_DIGITS = 9

PATHS_HINT = "/api/v1/openapi.json says what each path takes"

STATUS: Mapping[int | str, int] = {
    -32602: 400, "FORBIDDEN": 403, "SYNC_REFUSED": 403, "PAYLOAD_TOO_LARGE": 413, "ANSWER_TOO_LONG": 422,
    "CANCELLED": 503, "STORE_BUSY": 503, -32603: 500, "STORE_ERROR": 500, "STORE_CORRUPT": 500,
    "FORMAT_TOO_NEW": 500, -32005: 500, -32015: 500,
}  # fmt: skip
"""Of an error's code; what is not found is 404, what is refused 409."""


@dataclass(frozen=True)
class Route:
    """One path.

    Attributes
    ----------
    tool : str
        The tool that answers.
    arguments : callable, optional
        Its arguments, from the parameters of path and query, where there is no body that has them.
    query : tuple of str
        Names of arguments that the query may have, all whole numbers.
    """

    method: str
    path: str
    tool: str
    summary: str
    arguments: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    query: tuple[str, ...] = ()

    @cached_property
    def entry(self) -> Tool:
        """The tool."""
        return find(self.tool)


ROUTES = (
    Route("POST", "/api/v1/remember", "store_memory", "Keep a piece of knowledge, and why it matters."),
    Route("POST", "/api/v1/recall", "search_graph", "Find memories."),
    Route("POST", "/api/v1/inject", "inject_context", "What an agent should know for one turn, with citations."),
    Route(
        "GET", "/api/v1/nodes/{id}", "hydrate_citation", "A memory, by its id or citation tag.",
        lambda given: {"citation_tags": [_tag(given["id"])], "verbosity_level": 2}
        | {key: given[key] for key in ("offset",) if key in given},
        query=("offset",),
    ),
    Route(
        "GET", "/api/v1/nodes/{id}/history", "get_node_lineage", "What was done to a memory, with undo hashes.",
        lambda given: {"node_id": given["id"]} | {key: given[key] for key in ("limit",) if key in given},
        query=("limit",),
    ),
    Route("POST", "/api/v1/forget", "forget_concept", "Put a memory into the trash, from where undo brings it back."),
    Route("POST", "/api/v1/merge", "merge_concepts", "Join memories that say the same."),
    Route(
        "GET", "/api/v1/proposals", "get_memetic_status",
        "What to ask the user: memories that disagree or may be past; each answer is a body for remember.",
        lambda given: {},
    ),
    Route("POST", "/api/v1/infer", "bayesian_inference", "Ask a network: distributions, given what was seen."),
    Route("GET", "/api/v1/health", "get_health", "Whether the memory and its parts work.", lambda given: {}),
)  # fmt: skip


def _tag(id: str) -> str:
    """An id as a citation tag, which it may be already; what is neither stays, to be refused as it came."""
    return tag if is_tag(tag := f"node_{id}") else id


class Endpoint:
    """One path, answered by a tool; the ways to it are those of a call over MCP."""

    def __init__(self, service: Service, route: Route) -> None:
        self._service, self._route = service, route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != self._route.method:
            raise wrong_method(scope["method"], self._route.method)
        identity: Identity | None = scope[IDENTITY]
        gate, owner = self._service.gate, identity.session if identity else None
        size = size_of(scope, self._service.max_body_bytes)
        if (status := gate.enter(owner, size)) != 0:
            raise busy(status)
        try:
            arguments = await self._arguments(scope, receive)
        except BaseException:
            gate.leave(owner, size)
            raise
        outlets = Outlets(self._service.loop)
        connection = self._service.connect(self._service.client(identity), outlets, (owner, size))
        params = {"name": self._route.tool, "arguments": arguments, "_meta": META}
        request = Message("tools/call", params, 1)
        outlet = outlets.open(request)
        assert outlet is not None
        try:
            connection.receive(request)
            answer: dict[str, Any] | None = {}
            while answer is not None and not (answer and is_answer(answer)):
                answer = await outlet.next(receive, lambda: self._service.holds(identity))
            if answer is None:
                raise Refusal(503, "the server is shutting down; call again after it has started anew")
        finally:
            connection.receive(Message("notifications/cancelled", {"requestId": request.id}))
        if "error" in answer:
            raise Refusal(500, answer["error"]["message"])
        values = answer["result"]["structuredContent"]
        if values.get("status") == "failure":  # over MCP its error is a text; here every error is an object
            values = {"error": values["details"]}
        await reply(send, status_of(values.get("error")), values, headers_of(values.get("error")))

    async def _arguments(self, scope: Scope, receive: Receive) -> dict[str, Any]:
        if self._route.arguments is None:
            return await json_of(scope, receive, self._service.max_body_bytes)
        parameters: dict[str, Any] = dict(scope.get("path_params", {}))
        return self._route.arguments(parameters | parameters_of(scope, dict.fromkeys(self._route.query, NUMBER)))


def parameters_of(scope: Scope, schemas: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The parameters of the query, whole numbers and texts of names that are known.

    Parameters
    ----------
    schemas : mapping
        By name of a parameter, its schema.
    """
    parameters: dict[str, Any] = {}
    for key, value in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True):
        if key not in schemas:
            message = f"a parameter must be one of {', '.join(schemas) or 'none'}; got {key[:40]!r}"
            raise Refusal(400, message, hint=PATHS_HINT)
        parameters[key] = value if schemas[key]["type"] == "string" else _whole_number(key, value, schemas[key])
    return parameters


def _whole_number(key: str, value: str, schema: Mapping[str, Any]) -> int:
    if not value.isascii() or not value.isdigit() or len(value) > MAX_DIGITS:
        least, most = schema.get("minimum", 0), schema.get("maximum", 10**MAX_DIGITS - 1)
        raise Refusal(400, f"{key} must be a whole number from {least} to {most}, got {value[:40]!r}", hint=PATHS_HINT)
    return int(value)


async def json_of(scope: Scope, receive: Receive, limit: int) -> dict[str, Any]:
    """The object that a body is."""
    kind = (header(scope, "content-type") or "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(415, f"Content-Type must be application/json, got {kind[:80]!r}", hint=PATHS_HINT)
    return _object(await body_of(receive, limit))


def _object(body: bytes) -> dict[str, Any]:
    try:
        values = json.loads(body.decode())
        if SURROGATE.search(body):
            values = storable_all(values)
    except (ValueError, RecursionError):
        raise Refusal(400, "the body must be a JSON object in UTF-8", hint=PATHS_HINT) from None
    if not isinstance(values, dict):
        raise Refusal(400, f"the body must be a JSON object, got {type(values).__name__}", hint=PATHS_HINT)
    return values


def status_of(error: Mapping[str, Any] | None) -> int:
    """The status of an answer, by its error."""
    if error is None:
        return 200
    code = error["code"]
    if isinstance(code, str) and code.endswith(("NOT_FOUND", "NOT_MEASURED_YET")):
        return 404
    return STATUS.get(code, 409)


def headers_of(error: Mapping[str, Any] | None) -> dict[str, str]:
    """The headers of an answer, by its error."""
    return {"Retry-After": "1"} if error is not None and status_of(error) == 503 else {}
