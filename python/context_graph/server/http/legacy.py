"""HTTP with server-sent events as of 2024-11-05, deprecated since: one stream at /sse, requests at /messages/."""

from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send

from context_graph.server.http.answers import Refusal, begin_events, event, reply, size_of, wrong_method
from context_graph.server.http.guard import IDENTITY
from context_graph.server.http.service import Service
from context_graph.server.http.streamable import busy, posted
from context_graph.server.jsonrpc import Message

__all__ = ["Messages", "Stream"]

MESSAGES = "/messages/"


class Stream:
    """`GET /sse`: a session that lasts as long as its stream, on which everything is answered."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            raise wrong_method(scope["method"], "GET")
        identity = scope[IDENTITY]
        self._service.open_stream()
        try:
            session = self._service.begin(identity, one_stream=True)
            try:
                stream = session.outlets.open_stream()
                await begin_events(send)
                await event(send, f"{MESSAGES}?session_id={session.id}", "endpoint")
                await stream.stream(receive, send, allowed=lambda: self._service.holds(identity))
            finally:
                self._service.end(session)
        finally:
            self._service.close_stream()


class Messages:
    """`POST /messages/?session_id=...`: a message of a session; its answer comes on the stream."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            raise wrong_method(scope["method"], "POST")
        ids = parse_qs(scope["query_string"].decode("latin-1")).get("session_id", [])
        if len(ids) != 1:
            raise Refusal(400, "session_id is missing; the first event of GET /sse names the URL to post to")
        session, gate = self._service.session(ids[0], scope[IDENTITY]), self._service.gate
        size = size_of(scope, self._service.max_body_bytes)
        message = await posted(scope, receive, self._service, session.id, size)
        gate.leave(session.id, size)
        if isinstance(message, Message) and message.id is not None and (status := gate.enter(session.id, 0)) != 0:
            raise busy(status)
        session.connection.receive(message)
        await reply(send, 202, "Accepted", kind="text/plain")
