"""stdin and stdout as message streams: one thread reads, one writes, and nothing else can touch the wire."""

import json
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.shared.message import SessionMessage

__all__ = ["Pipes", "take_over"]

logger = logging.getLogger(__name__)


def take_over() -> tuple[int, int]:
    """Private descriptors of the wire; what prints to stdout from now on, C libraries included, goes to stderr."""
    sys.stdout.flush()
    wire = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return wire


class Pipes:
    """The two ends of a connection over descriptors.

    Daemon threads rather than the loop's workers: a blocking read cannot be cancelled, and must not keep a process.

    Parameters
    ----------
    on_end : callable
        Called in the reading thread at the end of input, after the requests under way had time to be answered.
    """

    GRACE_S = 0.45
    """How long requests that are under way at the end of input may take to be answered."""

    def __init__(self, read_fd: int, write_fd: int, on_end: Callable[[], None]) -> None:
        self._input = os.fdopen(read_fd, "rb")
        self._write_fd = write_fd
        self._on_end = on_end
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._idle = threading.Condition()
        self._waiting: set[str | int] = set()
        self._unwritten = 0
        types.JSONRPCError.model_rebuild()  # both threads write it: it must not be built by two at once

    def open(self) -> tuple[MemoryObjectReceiveStream[SessionMessage | Exception], "_Outgoing"]:
        """Start both threads; call it inside the event loop."""
        import asyncio

        loop = asyncio.get_running_loop()
        arrived, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](float("inf"))

        def deliver(message: SessionMessage) -> None:
            loop.call_soon_threadsafe(arrived.send_nowait, message)

        threading.Thread(target=self._read, args=(deliver,), name="context-graph-read", daemon=True).start()
        threading.Thread(target=self._write, name="context-graph-write", daemon=True).start()
        return incoming, _Outgoing(self)

    def put(self, message: Any) -> None:
        """Queue one message for the wire."""
        line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        with self._idle:
            self._unwritten += 1
        self._lines.put(line)
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._answered(message.id)

    def _answered(self, request: Any) -> None:
        with self._idle:
            self._waiting.discard(request)
            self._idle.notify_all()

    def _read(self, deliver: Callable[[SessionMessage], None]) -> None:
        try:
            for line in self._input:
                if line.strip():
                    try:
                        self._take(line, deliver)
                    except Exception:  # whatever a line does, the next one is read
                        logger.exception("a line of %d bytes could not be taken", len(line))
        except OSError as error:
            logger.warning("reading stdin failed: %s", error)
        with self._idle:
            self._idle.wait_for(lambda: not self._waiting and not self._unwritten, timeout=self.GRACE_S)
        self._on_end()

    def _take(self, line: bytes, deliver: Callable[[SessionMessage], None]) -> None:
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            self._refuse(line)
            return
        if isinstance(message, types.JSONRPCRequest):
            with self._idle:
                self._waiting.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._answered((message.params or {}).get("requestId"))  # a cancelled request gets no answer
        deliver(SessionMessage(message))

    def _refuse(self, line: bytes) -> None:
        """Answer a malformed request that can be named; other garbage gets no answer."""
        try:
            given = json.loads(line)
        except (ValueError, RecursionError):
            given = None
        request = given.get("id") if isinstance(given, dict) and "method" in given else None
        if isinstance(request, str) or type(request) is int:
            error = types.ErrorData(code=types.INVALID_REQUEST, message="not a JSON-RPC 2.0 request")
            self.put(types.JSONRPCError(jsonrpc="2.0", id=request, error=error))
        else:
            logger.warning("a line that is no JSON-RPC message was ignored: %r", line[:80])

    def _write(self) -> None:
        while True:
            line = memoryview(self._lines.get())
            try:
                while line:
                    line = line[os.write(self._write_fd, line) :]
            except OSError:  # the client is gone; so is the reason to run
                self._on_end()
                return
            with self._idle:
                self._unwritten -= 1
                self._idle.notify_all()


class _Outgoing:
    """The sending end, as the protocol's package wants it."""

    def __init__(self, pipes: Pipes) -> None:
        self._pipes = pipes

    async def send(self, item: SessionMessage, /) -> None:
        self._pipes.put(item.message)

    async def aclose(self) -> None:
        """The descriptor stays: the process ends with the connection."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return None
