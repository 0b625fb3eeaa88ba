"""A process that keeps a memory open between two prompts and answers over a socket in its home.

It is started by the first hook that asks, ends when nobody has asked for a while, and leaves nothing but its lock file.
"""

import fcntl
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

__all__ = ["IDLE_S", "ask", "serve"]

IDLE_S = 600.0
"""Seconds without a question after which it ends."""

SOCKET, LOCK = "recall.sock", "recall.lock"
MAX_RECALL_BYTES = 1_048_576
"""Of a question, and of an answer."""

READING_S = 2.0
"""Seconds that a question may take to arrive."""

RETRY_S = 0.02
BACKLOG = 8


def serve(home: Path, answer: Callable[[Any], str], *, idle_s: float = IDLE_S) -> bool:
    """Answer until nobody has asked for a while; False, and at once, where another process does.

    Parameters
    ----------
    answer : callable
        Makes the text for one question, as it was asked; what it raises ends the process, and the next hook starts
        another.
    """
    with _lock(home) as held:
        if not held:
            return False
        with _socket_path(home) as path, socket.socket(socket.AF_UNIX) as listening:
            _unlink(path)
            before = os.umask(0o177)
            try:
                listening.bind(path)
            finally:
                os.umask(before)
            listening.listen(BACKLOG)
            listening.settimeout(idle_s)
            try:
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        _answer(connection, answer)
            except TimeoutError:
                return True
            finally:
                _unlink(path)


def _answer(connection: socket.socket, answer: Callable[[Any], str]) -> None:
    connection.settimeout(READING_S)
    try:
        question = json.loads(_received(connection))
    except (OSError, ValueError, RecursionError):
        return  # whoever it was has left, or is no hook of ours
    text = answer(question).encode()[:MAX_RECALL_BYTES]
    with suppress(OSError):
        connection.sendall(text)


def ask(home: Path, question: Any, *, patience_s: float, start: Callable[[], None]) -> str | None:
    """The answer of the process that serves a home; None where none has answered in time.

    Parameters
    ----------
    question : dict
        What JSON can hold.
    start : callable
        Starts such a process; called once, where none answers.
    """
    deadline, started = time.monotonic() + patience_s, False
    while (left := deadline - time.monotonic()) > 0:
        with _socket_path(home) as path, socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(left)
            try:
                connection.connect(path)
                connection.sendall(json.dumps(question).encode())
                connection.shutdown(socket.SHUT_WR)
                return _received(connection).decode("utf-8", "replace")
            except TimeoutError:
                return None
            except OSError:  # none is there yet
                if not started:
                    start()
                    started = True
        time.sleep(RETRY_S)
    return None


def _received(connection: socket.socket) -> bytes:
    pieces, size = [], 0
    while size < MAX_RECALL_BYTES and (piece := connection.recv(65_536)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


@contextmanager
def _lock(home: Path) -> Iterator[bool]:
    file = os.open(home / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(file)


@contextmanager
def _socket_path(home: Path) -> Iterator[str]:
    """A path to the socket that is short enough for one, however long that of the home is."""
    folder = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{SOCKET}"
    finally:
        os.close(folder)


def _unlink(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)
