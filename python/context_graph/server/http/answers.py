"""Responses as ASGI sends them: JSON, nothing, or a stream of events; and bodies as it receives them."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.types import Receive, Scope, Send

from context_graph.server.http.gate import RETRY_AFTER_S

__all__ = [
    "Gone",
    "Refusal",
    "begin_events",
    "body_of",
    "disconnected",
    "event",
    "header",
    "refuse",
    "reply",
    "size_of",
    "wrong_method",
]

BODY_S = 30.0
"""How long a client may take to send a body."""

CODES = {
    400: -32600, 401: -32001, 403: -32001, 404: -32001, 405: -32600, 406: -32600, 408: -32600, 409: -32600,
    413: -32600, 415: -32600, 429: -32000, 503: -32000,
}  # fmt: skip
"""The JSON-RPC code of a request that is refused before it is one."""


class Refusal(Exception):
    """A request that is refused as HTTP says it.

    Parameters
    ----------
    body : dict, optional
        What is sent, where it says more than the message.
    hint : str
        What to do next, where the message does not say it; REST sends it with every error.
    """

    def __init__(
        self,
        status: int,
        message: str,
        headers: Mapping[str, str] | None = None,
        body: dict[str, Any] | None = None,
        *,
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.headers, self.body = status, message, dict(headers or {}), body
        self.hint = hint
        if status in (429, 503):
            self.headers["Retry-After"] = str(RETRY_AFTER_S)


def wrong_method(method: str, allowed: str) -> Refusal:
    """That a path does not take a method, with those that it takes."""
    return Refusal(405, f"{method} is not for this path; use {allowed}", {"Allow": allowed})


class Gone(Exception):
    """The client has left."""


def header(scope: Scope, name: str) -> str | None:
    """A header; several of one name are refused, since readers would disagree on which one counts."""
    values = [value for key, value in scope["headers"] if key == name.encode()]
    if len(values) > 1:
        raise Refusal(400, f"the header {name} came {len(values)} times; send it once")
    return values[0].decode("latin-1") if values else None


async def reply(
    send: Send, status: int, body: Any = None, headers: Mapping[str, str] | None = None, kind: str = "application/json"
) -> None:
    """Send a whole response: a text as it is, nothing for None, else as JSON."""
    data = b"" if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
    pairs = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **(headers or {})}
    if status != 304:
        pairs["Content-Length"] = str(len(data))
    if data:
        pairs["Content-Type"] = kind
    raw = [(name.lower().encode(), value.encode()) for name, value in pairs.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": data})


async def refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    """Send a refusal, in the words of the protocol that the path speaks."""
    error: dict[str, Any] = {"code": CODES.get(refusal.status, -32600), "message": refusal.message}
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": None, "error": error}
    if scope["path"].startswith("/api/"):
        body = {"error": {**error, "code": f"HTTP_{refusal.status}", "hint": refusal.hint}}
    await reply(send, refusal.status, refusal.body or body, refusal.headers)


def size_of(scope: Scope, limit: int) -> int:
    """The declared length of a body; the limit where none is declared, since it may become as long."""
    declared = header(scope, "content-length")
    if declared is None:
        return limit if header(scope, "transfer-encoding") else 0
    if not (declared.isascii() and declared.isdigit()):
        raise Refusal(400, "Content-Length must be a whole number")
    if len(declared) > 18 or int(declared) > limit:
        raise _too_large(limit)
    return int(declared)


async def body_of(receive: Receive, limit: int) -> bytes:
    """The body of a request, which must come in time and be no longer than the limit."""
    parts: list[bytes] = []
    size, more = 0, True
    try:
        async with asyncio.timeout(BODY_S):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                part = message.get("body", b"")
                size += len(part)
                if size > limit:
                    raise _too_large(limit)
                parts.append(part)
                more = message.get("more_body", False)
    except TimeoutError:
        raise Refusal(408, f"the body did not come within {BODY_S:g} s", {"Connection": "close"}) from None
    return b"".join(parts)


def _too_large(limit: int) -> Refusal:
    told = f"a body may have {limit} bytes; send less, or split it into several requests"
    return Refusal(413, told, {"Connection": "close"})


async def disconnected(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def begin_events(send: Send, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
    """Begin a stream of events."""
    fixed = [
        (b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache, no-transform"),
        (b"x-accel-buffering", b"no"),
    ]  # fmt: skip
    await send({"type": "http.response.start", "status": 200, "headers": [*fixed, *headers]})


async def event(send: Send, data: str, name: str = "message") -> None:
    """Send an event; its data has no line breaks."""
    body = f"event: {name}\r\ndata: {data}\r\n\r\n".encode()
    await send({"type": "http.response.body", "body": body, "more_body": True})
