"""From the threads of calls to the responses of the event loop: which message goes out on which response."""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import Any

from starlette.types import Receive, Send

from context_graph.server.http.answers import Gone, Refusal, disconnected, event
from context_graph.server.jsonrpc import Id, Message
from context_graph.server.subscriptions import SUBSCRIPTION_KEY

__all__ = ["Outlet", "Outlets", "is_answer"]

MAX_WAITING_MESSAGES = 512
"""For a client that does not read its stream; with more, the stream ends and the client opens another."""

MAX_KEPT_MESSAGES = 64
"""Notifications for a stream that is not open; the latest are kept."""

PING_S = 15.0
"""Between two signs of life of a stream on which nothing happens."""


class Outlet:
    """Messages on their way to one response; used in the event loop alone.

    Parameters
    ----------
    streams : bool
        Whether the response may be a stream, on which more than an answer goes out.
    """

    def __init__(self, *, streams: bool = True) -> None:
        self.streams = streams
        self._messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._ended = False

    def put(self, message: dict[str, Any]) -> None:
        """Send a message."""
        if self._messages.qsize() >= MAX_WAITING_MESSAGES:
            self.end()
        elif not self._ended:
            self._messages.put_nowait(message)

    def end(self) -> None:
        """Nothing follows what was sent."""
        if not self._ended:
            self._ended = True
            self._messages.put_nowait(None)

    async def next(self, receive: Receive, allowed: Callable[[], bool] = lambda: True) -> dict[str, Any] | None:
        """The next message, an empty one where it is time for a sign of life, None at the end.

        Raises `Gone` where the client leaves, and `Refusal` where it is no longer allowed to hear more.
        """
        _check(allowed)
        coming = asyncio.ensure_future(self._messages.get())
        leaving = asyncio.ensure_future(disconnected(receive))
        try:
            await asyncio.wait((coming, leaving), timeout=PING_S, return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                _check(allowed)  # it may have been revoked while nothing was told
                return coming.result()
            if leaving.done():
                raise Gone
            return {}
        finally:
            coming.cancel()
            leaving.cancel()

    async def stream(
        self,
        receive: Receive,
        send: Send,
        *,
        first: dict[str, Any] | None = None,
        until_answer: bool = False,
        allowed: Callable[[], bool] = lambda: True,
    ) -> None:
        """Send messages as events of a response that has begun, until the end or an answer."""
        message = first
        while True:
            if message is None:
                try:
                    message = await self.next(receive, allowed)
                except Refusal:
                    break
            if message is None:
                break
            if message:
                await event(send, json.dumps(message))
                if until_answer and is_answer(message):
                    break
            else:
                await send({"type": "http.response.body", "body": b": still here\r\n\r\n", "more_body": True})
            message = None
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _check(allowed: Callable[[], bool]) -> None:
    if not allowed():
        raise Refusal(401, "the token was revoked", hint="context-graph token new NAME makes another one")


class Outlets:
    """The responses that are open for the messages of one connection.

    Parameters
    ----------
    one_stream : bool
        Whether everything goes out on the stream that is not a request's own, as SSE of 2024-11-05 has it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, *, one_stream: bool = False) -> None:
        self._loop, self._one_stream = loop, one_stream
        self._by_id: dict[Id, Outlet] = {}
        self._by_token: dict[Id, Outlet] = {}
        self._left: set[Id] = set()
        """Of requests that are under way, though whoever waited for their answers has left."""

        self._stream: Outlet | None = None
        self._kept: deque[dict[str, Any]] = deque(maxlen=MAX_KEPT_MESSAGES)

    @property
    def busy(self) -> bool:
        """Whether a response is open."""
        return bool(self._by_id) or self._stream is not None

    def send(self, message: dict[str, Any]) -> None:
        """Send a message where it belongs; from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._deliver, message)
        except RuntimeError:  # the server has ended
            return

    def send_within(self, id: Id, message: dict[str, Any]) -> None:
        """Send a request of ours, or its end, on the response to a request of the client's; from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._deliver_within, id, message)
        except RuntimeError:  # the server has ended
            return

    def open(self, request: Message, *, streams: bool = True) -> Outlet | None:
        """A response of its own for a request; None where its id is under way already."""
        if request.id is None or request.id in self._by_id or request.id in self._left:
            return None
        outlet = self._by_id[request.id] = Outlet(streams=streams)
        token = _token(request)
        if token is not None:
            self._by_token[token] = outlet
        return outlet

    def close(self, request: Message, *, answered: bool) -> None:
        """The response of a request is over."""
        if request.id is not None and self._by_id.pop(request.id, None) is not None and not answered:
            self._left.add(request.id)
        token = _token(request)
        if token is not None:
            self._by_token.pop(token, None)

    def give_up(self, id: Any) -> None:
        """A request is cancelled, so nothing follows on its response."""
        if isinstance(id, Id):
            self._left.discard(id)
            outlet = self._by_id.pop(id, None)
            if outlet is not None:
                outlet.end()

    def open_stream(self) -> Outlet:
        """The stream for what belongs to no request; one that was open before ends."""
        if self._stream is not None:
            self._stream.end()
        self._stream = Outlet()
        for message in self._kept:
            self._stream.put(message)
        self._kept.clear()
        return self._stream

    def close_stream(self, stream: Outlet) -> None:
        """A stream is over."""
        if self._stream is stream:
            self._stream = None

    def end(self) -> None:
        """End all responses."""
        for outlet in (*self._by_id.values(), *([self._stream] if self._stream else [])):
            outlet.end()

    def _deliver(self, message: dict[str, Any]) -> None:
        outlet = self._stream if self._one_stream else self._place(message)
        if outlet is not None:
            outlet.put(message)
        elif not is_answer(message) and message["method"] != "notifications/progress":
            self._kept.append(message)

    def _deliver_within(self, id: Id, message: dict[str, Any]) -> None:
        own = None if self._one_stream else self._by_id.get(id)
        outlet = own if own is not None and own.streams else self._stream
        if outlet is not None:
            outlet.put(message)
        elif "id" in message:
            self._kept.append(message)
        else:  # who was not told the question needs no end of it
            ended = message["params"]["requestId"]
            self._kept = deque((one for one in self._kept if one.get("id") != ended), maxlen=MAX_KEPT_MESSAGES)

    def _place(self, message: dict[str, Any]) -> Outlet | None:
        if is_answer(message):
            self._left.discard(message["id"])
            return self._by_id.get(message["id"])
        params = message.get("params", {})
        if message["method"] == "notifications/progress":
            return self._by_token.get(params.get("progressToken"))
        subscription = params.get("_meta", {}).get(SUBSCRIPTION_KEY)
        return self._stream if subscription is None else self._by_id.get(subscription)


def is_answer(message: dict[str, Any]) -> bool:
    """Whether a message answers a request."""
    return "method" not in message


def _token(request: Message) -> Id | None:
    meta = request.params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    return token if isinstance(token, Id) and not isinstance(token, bool) else None
