"""Streamable HTTP at /mcp: sessions for revisions that begin with a handshake, single requests for those since."""

import base64
import binascii
from typing import Any

from starlette.types import Receive, Scope, Send

from context_graph.server.http.answers import Refusal, begin_events, body_of, header, reply, size_of, wrong_method
from context_graph.server.http.guard import IDENTITY
from context_graph.server.http.identity import Identity
from context_graph.server.http.outlets import Outlet, Outlets, is_answer
from context_graph.server.http.service import Service, Session
from context_graph.server.jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    Message,
    Refused,
    RequestError,
    Response,
    failure,
    parse,
)
from context_graph.server.protocol import (
    HANDSHAKE_REVISIONS,
    STATELESS_REVISIONS,
    UNSUPPORTED_PROTOCOL_VERSION,
    VERSION_KEY,
)

__all__ = ["Streamable", "busy", "posted"]

HEADER_MISMATCH = -32020
STATUS = {
    PARSE_ERROR: 400, INVALID_REQUEST: 400, INVALID_PARAMS: 400, HEADER_MISMATCH: 400,
    UNSUPPORTED_PROTOCOL_VERSION: 400, METHOD_NOT_FOUND: 404,
}  # fmt: skip
"""Of an error's code, for revisions without a handshake."""

NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose `Mcp-Name` repeats a parameter, so that proxies need not read bodies."""


class Streamable:
    """The endpoint."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        identity: Identity | None = scope[IDENTITY]
        method = scope["method"]
        if method == "POST":
            await self._post(scope, receive, send, identity)
        elif method == "GET" and header(scope, "mcp-protocol-version") not in STATELESS_REVISIONS:
            await self._listen(scope, receive, send, identity)
        elif method == "DELETE" and header(scope, "mcp-protocol-version") not in STATELESS_REVISIONS:
            self._service.end(self._session(scope, identity))
            await reply(send, 204)
        else:
            raise wrong_method(method, "GET, POST, DELETE")

    async def _post(self, scope: Scope, receive: Receive, send: Send, identity: Identity | None) -> None:
        events = _accepts(scope)
        revision, id = header(scope, "mcp-protocol-version"), header(scope, "mcp-session-id")
        session = None
        if id is not None and revision not in STATELESS_REVISIONS:
            session = self._service.session(id, identity)
        owner = session.id if session else identity.session if identity else None
        size = size_of(scope, self._service.max_body_bytes)
        message = await posted(scope, receive, self._service, owner, size)
        if isinstance(message, Response) or message.id is None:
            self._service.gate.leave(owner, size)
        if isinstance(message, Response):
            if session is not None:
                session.connection.receive(message)
            await reply(send, 202)
        elif _names_revision(message) or (revision is not None and revision not in HANDSHAKE_REVISIONS):
            await self._answer_stateless(scope, receive, send, message, (owner, size), events=events)
        else:
            await self._answer_in_session(scope, receive, send, message, session, (owner, size), events=events)

    async def _answer_stateless(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        message: Message,
        gated: tuple[str | None, int],
        *,
        events: bool,
    ) -> None:
        if message.id is None:  # no notification is defined: who leaves a response cancels its request
            await reply(send, 202)
            return
        identity: Identity | None = scope[IDENTITY]
        mismatch = _mismatch(scope, message)
        if message.method == "subscriptions/listen" and not events:
            self._service.gate.leave(*gated)
            raise Refusal(406, "subscriptions/listen answers with a stream; Accept must name text/event-stream")
        if mismatch is not None:
            self._service.gate.leave(*gated)
            await reply(send, 400, failure(RequestError(HEADER_MISMATCH, mismatch), message.id))
            return
        if message.method == "initialize":
            self._service.gate.leave(*gated)
            told = f"Method not found: initialize; {STATELESS_REVISIONS[-1]} has none, older revisions do"
            await reply(send, 404, failure(RequestError(METHOD_NOT_FOUND, told), message.id))
            return
        outlets = Outlets(self._service.loop)
        client = self._service.client(identity)
        connection = self._service.connect(client, outlets, gated)
        outlet = outlets.open(message)
        assert outlet is not None
        listening = message.method == "subscriptions/listen"
        if listening:
            try:
                self._service.open_stream()
            except Refusal:
                self._service.gate.leave(*gated)
                raise
            self._service.listening(client, connection, now=True)
        try:
            connection.receive(message)
            await _respond(
                outlet, receive, send, events=events, statuses=STATUS,
                allowed=lambda: self._service.holds(identity),
            )  # fmt: skip
        finally:  # who leaves before the answer gives it up
            connection.receive(Message("notifications/cancelled", {"requestId": message.id}))
            if listening:
                self._service.listening(client, connection, now=False)
                self._service.close_stream()

    async def _answer_in_session(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        message: Message,
        session: Session | None,
        gated: tuple[str | None, int],
        *,
        events: bool,
    ) -> None:
        gate, owner = self._service.gate, gated[0]
        headers: dict[str, str] = {}
        if message.id is None:
            session = self._opened(session)
            session.connection.receive(message)
            if message.method == "notifications/cancelled":
                session.outlets.give_up(message.params.get("requestId"))
            await reply(send, 202)
            return
        gate.leave(*gated)  # the session settles what it takes by its own name, and the body is read
        if message.method == "initialize":
            session = self._service.begin(scope[IDENTITY])
            headers["Mcp-Session-Id"] = session.id
        session = self._opened(session)
        if (status := gate.enter(session.id, 0)) != 0:
            raise busy(status)
        outlet = session.outlets.open(message, streams=events)
        if outlet is None:
            gate.leave(session.id, 0)
            raise Refusal(400, f"a request with the id {message.id!r} is under way in this session; take another")
        new, answered = owner != session.id, False
        try:
            session.connection.receive(message)
            failed = await _respond(
                outlet, receive, send, events=events, headers=headers,
                allowed=lambda: self._service.holds(scope[IDENTITY]),
            )  # fmt: skip
            answered = True
            if new and failed:
                self._service.end(session)
        finally:  # who leaves has not cancelled, up to 2025-11-25; notifications/cancelled does
            session.outlets.close(message, answered=answered)

    def _opened(self, session: Session | None) -> Session:
        if session is None:
            raise Refusal(400, "Mcp-Session-Id is missing; send initialize first, whose answer has it as a header")
        return session

    async def _listen(self, scope: Scope, receive: Receive, send: Send, identity: Identity | None) -> None:
        if not _accepted(scope, "text/event-stream"):
            raise Refusal(406, "GET answers with a stream; Accept must name text/event-stream")
        session = self._session(scope, identity)
        self._service.open_stream()
        stream = session.outlets.open_stream()
        try:
            await begin_events(send)
            await send({"type": "http.response.body", "body": b": open\r\n\r\n", "more_body": True})
            await stream.stream(receive, send, allowed=lambda: self._service.holds(identity))
        finally:
            session.outlets.close_stream(stream)
            self._service.close_stream()

    def _session(self, scope: Scope, identity: Identity | None) -> Session:
        _check_revision(scope)
        id = header(scope, "mcp-session-id")
        if id is None:
            raise Refusal(400, "Mcp-Session-Id is missing; the answer to initialize has it as a header")
        return self._service.session(id, identity)


async def posted(scope: Scope, receive: Receive, service: Service, owner: str | None, size: int) -> Message | Response:
    """The message of a request, which was let in by the gate."""
    kind = (header(scope, "content-type") or "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(415, f"Content-Type must be application/json, got {kind[:80]!r}")
    if (status := service.gate.enter(owner, size)) != 0:
        raise busy(status)
    try:
        return parse(await body_of(receive, service.max_body_bytes))
    except Refused as refused:
        service.gate.leave(owner, size)
        raise Refusal(400, refused.message, body=failure(refused, refused.id)) from None
    except BaseException:
        service.gate.leave(owner, size)
        raise


def busy(status: int) -> Refusal:
    whose = "of this client" if status == 429 else "of all clients"
    return Refusal(status, f"too many requests {whose} are under way; wait for answers, then send it again")


async def _respond(
    outlet: Outlet,
    receive: Receive,
    send: Send,
    *,
    events: bool,
    allowed: Any,
    headers: dict[str, str] | None = None,
    statuses: dict[int, int] | None = None,
) -> bool:
    """Send an answer as JSON, or as the last event of a stream where something comes before it.

    Returns whether the answer is an error.
    """
    while True:
        message = await outlet.next(receive, allowed)
        if message is None:  # it was cancelled, or the server ends
            if events:
                break
            await reply(send, 204, headers=headers)
            return False
        if message and is_answer(message):
            code = message["error"]["code"] if "error" in message else None
            await reply(send, (statuses or {}).get(code, 200) if code else 200, message, headers)
            return code is not None
        if events:
            break
    raw = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    await begin_events(send, raw)
    if message is None:
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    else:
        await outlet.stream(receive, send, first=message, until_answer=True, allowed=allowed)
    return False


def _accepts(scope: Scope) -> bool:
    """Whether a stream of events is taken for an answer; JSON must be."""
    if not _accepted(scope, "application/json"):
        raise Refusal(406, "Accept must name application/json and text/event-stream")
    return _accepted(scope, "text/event-stream")


def _accepted(scope: Scope, kind: str) -> bool:
    accept = header(scope, "accept")
    kinds = [one.partition(";")[0].strip().lower() for one in ("*/*" if accept is None else accept).split(",")]
    return bool({kind, "*/*", f"{kind.partition('/')[0]}/*"} & set(kinds))


def _check_revision(scope: Scope) -> None:
    revision = header(scope, "mcp-protocol-version")
    if revision is not None and revision not in HANDSHAKE_REVISIONS:
        known = ", ".join((*HANDSHAKE_REVISIONS, *STATELESS_REVISIONS))
        raise Refusal(400, f"MCP-Protocol-Version must be one of {known}, got {revision[:40]!r}")


def _names_revision(message: Message) -> bool:
    meta = message.params.get("_meta")
    return isinstance(meta, dict) and VERSION_KEY in meta and message.method != "initialize"


def _mismatch(scope: Scope, message: Message) -> str | None:
    """What of the headers differs from the body, where that can be compared; the protocol tells what is missing."""
    if not _names_revision(message):
        return None
    revision = header(scope, "mcp-protocol-version")
    if revision != message.params["_meta"][VERSION_KEY]:
        return f"the header MCP-Protocol-Version must equal _meta[{VERSION_KEY!r}], got {revision!r}"
    if header(scope, "mcp-method") != message.method:
        return f"the header Mcp-Method must equal the method, got {header(scope, 'mcp-method')!r}"
    key = NAMED_BY.get(message.method)
    value = None if key is None else message.params.get(key)
    if value is not None and _decoded(header(scope, "mcp-name")) != value:
        return f"the header Mcp-Name must equal params.{key}"
    return None


def _decoded(value: str | None) -> str | None:
    """A header's value, which is in Base64 where a header cannot hold it as it is."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    payload = value[len("=?base64?") : -len("?=")]
    try:
        raw = base64.b64decode(payload, validate=True)
        return raw.decode() if base64.b64encode(raw).decode() == payload else None
    except (binascii.Error, UnicodeDecodeError):
        return None
