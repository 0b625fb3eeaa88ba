"""Calls the tools of a server."""

import shlex
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from context_graph import __version__
from context_graph.client.transport import StdioTransport, Transport
from context_graph.errors import Cancelled, ContextGraphError, InvalidInput, Refused

__all__ = ["Client"]

REVISION = "2025-06-18"
ABILITIES: dict[str, Any] = {"experimental": {"context-graph/structured-only": {}}}
"""No copy of values as text, and errors too as values, whatever schemas are listed."""

DEFAULT_CLIENT_TIMEOUT_S = 30.0


class Client:
    """A connection to a server.

    Parameters
    ----------
    server : str, sequence of str or Transport
        The command that starts it, such as "context-graph serve"; no shell reads it. Or a transport that is open.
    timeout : float
        Seconds that one call may take.

    Examples
    --------
    >>> with Client("context-graph serve") as client:               # doctest: +SKIP
    ...     client.call_tool("kg_stats")["data"]["totalNodes"]
    """

    def __init__(
        self,
        server: str | Sequence[str] | Transport = "context-graph serve",
        *,
        timeout: float = DEFAULT_CLIENT_TIMEOUT_S,
    ) -> None:
        if isinstance(server, str) and server.startswith(("http://", "https://")):
            raise InvalidInput(
                "expected a command such as 'context-graph serve', got an address: this client speaks to a process of "
                "its own; give a Transport for another way"
            )
        if isinstance(server, str):
            server = _words(server)
        if not isinstance(server, Sequence) and not all(hasattr(server, one) for one in ("send", "receive", "close")):
            raise InvalidInput(
                f"expected a command such as 'context-graph serve', as a text or a list, or a Transport, got "
                f"{type(server).__name__} {server!r:.80}"
            )
        self.timeout = timeout
        self._transport: Transport = StdioTransport(server) if isinstance(server, Sequence) else server
        self._last = 0
        client = {"name": "context_graph.client", "version": __version__}
        about = {"protocolVersion": REVISION, "capabilities": ABILITIES, "clientInfo": client}
        try:
            self._request("initialize", about)
            self._transport.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        except ContextGraphError:
            self.close()  # nobody has the client, so nobody else can
            raise

    def call_tool(self, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The values of a tool's answer, those of an error included: kg_ tools tell it in `success` and `error`."""
        if not isinstance(name, str):
            raise InvalidInput(f"expected the name of a tool, such as 'kg_stats', got {name!r:.80}", field="name")
        if arguments is not None and not isinstance(arguments, Mapping):
            raise InvalidInput(
                f"expected the arguments of {name} by their names, such as {{'query': 'pump'}}, got {arguments!r:.80}",
                field="arguments",
            )
        result = self._request("tools/call", {"name": name, "arguments": dict(arguments or {})})
        values: dict[str, Any] = result.get("structuredContent") or {}
        return values

    def _request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._last += 1
        self._transport.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": dict(params)})
        end = time.monotonic() + self.timeout
        while (left := end - time.monotonic()) > 0:
            message = self._transport.receive(left)
            if message is None:
                break
            if message.get("id") != self._last or "method" in message:
                continue  # a notification, or the answer to a call that was given up
            if "error" in message:
                raise Refused(f"{method}: {message['error'].get('message', 'the server refused it')}")
            result: dict[str, Any] = message.get("result") or {}
            return result
        self._transport.send(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": self._last}}
        )
        raise Cancelled(f"{method} took longer than {self.timeout:g} s; give the client more time")

    def close(self) -> None:
        """End the connection, and the server that it started."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InvalidInput(
            f"expected a command such as 'context-graph serve', got {command!r:.200}, which cannot be split into words "
            f"({error}); correct its quotation marks, or give a list"
        ) from None
