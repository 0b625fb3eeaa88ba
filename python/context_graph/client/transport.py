"""How a client's messages reach a server: a line of JSON each, to a process of its own."""

import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from typing import Any, Protocol

from context_graph.errors import StoreError

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
        self._process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="context-graph-client", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._messages.put(json.loads(line))
        self._messages.put(None)

    def send(self, message: dict[str, Any]) -> None:
        """Hand over one message."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise StoreError(f"the server has ended ({error})", hint="start a new client") from None

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None where none came in this time."""
        try:
            message = self._messages.get(timeout=seconds)
        except queue.Empty:
            return None
        if message is None:
            self._messages.put(None)
            raise StoreError("the server has ended", hint="start a new client")
        return message

    def close(self) -> None:
        """End the input of the server, which then ends by itself."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(timeout=5)
        self._process.stdout.close()
