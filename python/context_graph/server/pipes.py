"""stdin and stdout as lines of messages: nothing else can touch the wire, and a client that does not read must wait."""

import logging
import os
import queue
import select
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from context_graph.server.jsonrpc import Message, Refused, Response, encoded, failure, parse

__all__ = ["MAX_UNDER_WAY", "MAX_UNWRITTEN_BYTES", "Pipes", "take_over"]

logger = logging.getLogger(__name__)

MAX_UNDER_WAY = 256
"""Requests that are read and not answered; no more input is read while there are so many."""

MAX_UNWRITTEN_BYTES = 4_194_304
"""Answers that wait for the client to read them; no more input is read while they are longer."""

LOOKS_EVERY_S = 0.2
"""How often a reader that waits for room looks whether the client has left."""


def take_over() -> tuple[int, int]:
    """Private descriptors of the wire; what prints to stdout from now on, C libraries included, goes to stderr."""
    sys.stdout.flush()
    wire = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return wire


def _hung_up(descriptor: int) -> bool:
    """Whether the other end of a pipe is closed; what was written to it before may still be unread."""
    poll = select.poll()
    poll.register(descriptor, 0)  # a hang-up is always told
    return bool(poll.poll(0))


class Pipes:
    """The two ends of a connection over descriptors; one thread reads, one writes.

    Parameters
    ----------
    on_end : callable
        Called where the client no longer reads, in the writing thread.
    """

    GRACE_S = 10.0
    """How long after the end of input nothing need be answered or read before what is still under way is given up: the
    first request opens the memory and loads its model."""

    DRAIN_S = 0.1
    """How long a client may take to read the last messages of a server that ends."""

    def __init__(self, read_fd: int, write_fd: int, on_end: Callable[[], None]) -> None:
        self._input = os.fdopen(read_fd, "rb")
        self._write_fd = write_fd
        self._on_end = on_end
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._idle = threading.Condition()
        self._under_way = 0
        self._unwritten = 0
        """Bytes."""

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message for the wire."""
        line = encoded(message)
        with self._idle:
            self._unwritten += len(line)
        self._lines.put(line)

    def settled(self) -> None:
        """A request that was received needs nothing more."""
        with self._idle:
            self._under_way -= 1
            self._idle.notify_all()

    def run(self, receive: Callable[[Message | Response], None], at_end: Callable[[], None] = lambda: None) -> None:
        """Hand over messages until the input ends and what was read is answered, as long as that goes on.

        Parameters
        ----------
        at_end : callable
            Called where the input has ended, before what is under way is waited for.
        """
        threading.Thread(target=self._write, name="context-graph-write", daemon=True).start()
        try:
            for line in self._input:
                if not self._has_room():
                    break
                if line.strip():
                    try:
                        self._take(line, receive)
                    except Exception:  # whatever a line does, the next one is read
                        logger.exception("a line of %d bytes could not be taken", len(line))
        except OSError as error:
            logger.warning("reading stdin failed: %s", error)
        at_end()
        with self._idle:
            self._wait_until(lambda: not self._under_way and not self._unwritten)

    def drain(self) -> None:
        """Wait a moment until what was sent is written."""
        with self._idle:
            self._idle.wait_for(lambda: not self._unwritten, timeout=self.DRAIN_S)

    def _has_room(self) -> bool:
        """Wait until the client has read enough of what it asked for; False where it left instead."""
        with self._idle:
            return self._wait_until(
                lambda: self._under_way < MAX_UNDER_WAY and self._unwritten <= MAX_UNWRITTEN_BYTES,
                lambda: _hung_up(self._input.fileno()),
            )

    def _wait_until(self, done: Callable[[], bool], ended: Callable[[], bool] = lambda: True) -> bool:
        """Wait while the client reads, or may; to be called with `_idle`.

        Who has sent all at once through a pipe has closed it long before the answers are ready: only one that closes
        its reading end, or after the end of input lets `GRACE_S` pass in which nothing goes on, has left.

        Parameters
        ----------
        ended : callable
            Whether the input has ended, as far as that can be told before all of it is read.
        """
        state, still_since = (self._under_way, self._unwritten), time.monotonic()
        while not done():
            self._idle.wait(LOOKS_EVERY_S)
            if _hung_up(self._write_fd):
                return False
            if state != (state := (self._under_way, self._unwritten)) or not ended():
                still_since = time.monotonic()
            elif time.monotonic() - still_since >= self.GRACE_S:
                return False
        return True

    def _take(self, line: bytes, receive: Callable[[Message | Response], None]) -> None:
        try:
            message = parse(line)
        except Refused as refused:
            self.send(failure(refused, refused.id))
            return
        if isinstance(message, Message) and message.id is not None:
            with self._idle:
                self._under_way += 1
        receive(message)

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
