"""stdin and stdout as message streams: one thread reads, one writes, and nothing else can touch the wire."""

import json
import logging
import os
import queue
import re
import select
import sys
import threading
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.shared.message import SessionMessage

__all__ = ["MAX_UNDER_WAY", "MAX_UNWRITTEN_BYTES", "Pipes", "take_over"]

logger = logging.getLogger(__name__)

MAX_UNDER_WAY = 256
"""Requests that are read and not answered; no more input is read while there are so many."""

MAX_UNWRITTEN_BYTES = 4_194_304
"""Answers that wait for the client to read them; no more input is read while they are longer."""

LOOKS_EVERY_S = 0.2
"""How often a reader that waits for room looks whether the client has left."""

SCANNED_BYTES = 262_144
"""How much of a line that cannot be parsed is looked through for its id."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"?|[][{}]', re.DOTALL)
_ID = re.compile(rb'\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,400})\s*[,}]', re.DOTALL)


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
        self._under_way: Counter[str | int] = Counter()
        self._unwritten = 0
        """Bytes."""

        types.JSONRPCError.model_rebuild()  # both threads write it: it must not be built by two at once

    def open(self) -> tuple[MemoryObjectReceiveStream[SessionMessage | Exception], "_Outgoing"]:
        """Start both threads; call it inside the event loop."""
        import asyncio

        loop = asyncio.get_running_loop()
        arrived, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](float("inf"))

        room = threading.BoundedSemaphore(MAX_UNDER_WAY)

        def arrive(message: SessionMessage) -> None:
            room.release()
            arrived.send_nowait(message)

        def deliver(message: SessionMessage) -> None:
            room.acquire()  # the loop is behind: notifications are not answered, and must not pile up either
            loop.call_soon_threadsafe(arrive, message)

        threading.Thread(target=self._read, args=(deliver,), name="context-graph-read", daemon=True).start()
        threading.Thread(target=self._write, name="context-graph-write", daemon=True).start()
        return incoming, _Outgoing(self)

    def put(self, message: Any) -> None:
        """Queue one message for the wire."""
        self._put(message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._answered(message.id)

    def _put(self, line: bytes) -> None:
        with self._idle:
            self._unwritten += len(line)
        self._lines.put(line)

    def _answered(self, request: Any) -> None:
        with self._idle:
            if request in self._under_way:
                self._under_way[request] -= 1
                self._under_way += Counter()  # drops what is zero
            self._idle.notify_all()

    def _read(self, deliver: Callable[[SessionMessage], None]) -> None:
        try:
            for line in self._input:
                if not self._has_room():
                    break
                if line.strip():
                    try:
                        self._take(line, deliver)
                    except Exception:  # whatever a line does, the next one is read
                        logger.exception("a line of %d bytes could not be taken", len(line))
        except OSError as error:
            logger.warning("reading stdin failed: %s", error)
        with self._idle:
            self._idle.wait_for(lambda: not self._under_way and not self._unwritten, timeout=self.GRACE_S)
        self._on_end()

    def _has_room(self) -> bool:
        """Wait until the client has read enough of what it asked for; False where it left instead."""
        left = select.poll()
        left.register(self._input, 0)  # a hang-up is always told
        with self._idle:
            while self._under_way.total() >= MAX_UNDER_WAY or self._unwritten > MAX_UNWRITTEN_BYTES:
                if not self._idle.wait(LOOKS_EVERY_S) and left.poll(0):
                    return False
        return True

    def _take(self, line: bytes, deliver: Callable[[SessionMessage], None]) -> None:
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            self._refuse(line)
            return
        if isinstance(message, types.JSONRPCRequest):
            with self._idle:
                self._under_way[message.id] += 1
        elif isinstance(message, types.JSONRPCNotification) and b'"id"' in line and "id" in json.loads(line):
            self._refuse(line)  # a request whose id is null, a fraction or a boolean
            return
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._answered((message.params or {}).get("requestId"))  # a cancelled request gets no answer
        deliver(SessionMessage(message))

    def _refuse(self, line: bytes) -> None:
        """Answer what is no message, under the id that it names or under null, as JSON-RPC asks."""
        try:
            given = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = "it nests too deep" if isinstance(error, RecursionError) else "it is not JSON in UTF-8"
            self._error(_id_in(line), types.PARSE_ERROR, f"Parse error: {reason}")
            return
        if isinstance(given, list):
            self._error(None, types.INVALID_REQUEST, "Invalid Request: batches are not taken; send one message a line")
        elif isinstance(given, dict) and "method" not in given and ("result" in given or "error" in given):
            logger.warning("an answer that is no JSON-RPC message was ignored: %r", line[:80])
        else:
            request = given.get("id") if isinstance(given, dict) else None
            named = isinstance(request, str | int | float) and not isinstance(request, bool)
            wanted = "" if isinstance(request, str | int) and named else "; its id must be a string or an integer"
            told = f"Invalid Request: it is not a JSON-RPC 2.0 request{wanted}"
            self._error(request if named else None, types.INVALID_REQUEST, told)

    def _error(self, request: str | int | float | None, code: int, message: str) -> None:
        """Queue an error about a line that is no request; the protocol's own type knows no id that is a fraction."""
        answer = {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": message}}
        self._put(json.dumps(answer).encode() + b"\n")

    def _write(self) -> None:
        while True:
            line = memoryview(self._lines.get())
            length = len(line)
            try:
                while line:
                    line = line[os.write(self._write_fd, line) :]
            except OSError:  # the client is gone; so is the reason to run
                self._on_end()
                return
            with self._idle:
                self._unwritten -= length
                self._idle.notify_all()


def _id_in(line: bytes) -> str | int | None:
    """The id of a message that cannot be parsed, where it stands at the top and can be read."""
    depth, line = 0, line[:SCANNED_BYTES]
    for token in _TOKEN.finditer(line):
        text = token.group()
        depth += (text in (b"{", b"[")) - (text in (b"}", b"]"))
        if depth == 1 and text == b'"id"' and (found := _ID.match(line, token.end())):
            try:
                return json.loads(found[1])
            except ValueError:
                return None
    return None


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
