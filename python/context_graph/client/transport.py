"""How a client's messages reach a server: a line of JSON each, to a process of its own."""

import json
import queue
import shlex
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol

from context_graph.errors import InvalidInput, StoreError

__all__ = ["StdioTransport", "Transport"]


class Transport(Protocol):
    """What a client needs of a way to a server; one over HTTP is another class of this form."""

    def send(self, message: dict[str, Any]) -> None:
        """Hand over one message."""

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None where none came in this time."""

    def close(self) -> None:
        """End the connection."""


class StdioTransport:
    """A server as a child process, spoken to over its standard input and output.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments; no shell reads them.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._process = _started(self._command)
        self._is_closed = False
        self._messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="context-graph-client", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue  # what a wrapper of the server prints is no message
            if isinstance(message, dict):
                self._messages.put(message)
        self._messages.put(None)

    def send(self, message: dict[str, Any]) -> None:
        """Hand over one message."""
        assert self._process.stdin is not None
        if self._is_closed:
            raise StoreError("this client is closed; start a new one")
        line = json.dumps(message).encode() + b"\n"
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None where none came in this time."""
        try:
            message = self._messages.get(timeout=seconds)
        except queue.Empty:
            return None
        if message is None:
            self._messages.put(None)
            raise self._ended()
        return message

    def _ended(self) -> StoreError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
        code = self._process.returncode
        status = "" if code is None else f" with status {code}"
        return StoreError(
            f"the server {shlex.join(self._command)!r:.200} has ended{status}; run it in a terminal to see what it "
            "says, then start a new client"
        )

    def close(self) -> None:
        """End the input of the server, which then ends by itself."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._is_closed = True
        with suppress(OSError):  # what a server that has ended did not read
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(timeout=5)
        self._process.stdout.close()


def _started(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    if not command:
        raise InvalidInput("expected a command such as 'context-graph serve', got none")
    try:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )  # fmt: skip
    except OSError as error:
        raise InvalidInput(
            f"expected a command that starts a server, such as 'context-graph serve', and {command[0]!r:.200} cannot "
            f"be run ({error.strerror}); give its whole path"
        ) from None
