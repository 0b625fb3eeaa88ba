"""What the server logs, told to a client that asks for it: up to 2025-11-25; later ones read stderr."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from context_graph.safety.display import printable
from context_graph.safety.pii import scrub

__all__ = ["LEVELS", "ClientLog"]

LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": logging.INFO + 5,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "alert": logging.CRITICAL + 10,
    "emergency": logging.CRITICAL + 20,
}
"""The protocol's levels as those of Python, the lowest first."""

PACKAGE = "context_graph"
MAX_MESSAGE_CHARS = 1_000
MAX_MESSAGES = 20
"""Sent within `WINDOW_S`; the next that is sent says how many were left out."""

WINDOW_S = 1.0


class ClientLog(logging.Handler):
    """Sends records of this package as notifications, from the level that the client named on; before that, none.

    The first line of a message alone, without secrets and personal data: neither a traceback nor stored text leaves.

    Parameters
    ----------
    send : callable
        Takes a notification for the client; does not wait for it.
    kinds : frozenset of str
        Of sensitive text that is replaced.
    """

    def __init__(
        self,
        send: Callable[[dict[str, Any]], None],
        kinds: frozenset[str],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(logging.CRITICAL + 100)
        self._send, self._kinds, self._clock = send, kinds, clock
        self._counting = threading.Lock()
        self._since, self._count, self._left_out = clock(), 0, 0

    def begin(self, level: str) -> None:
        """Send from this level on."""
        package = logging.getLogger(PACKAGE)
        self.setLevel(LEVELS[level])
        if self not in package.handlers:
            package.addHandler(self)
        package.setLevel(_lowest(package))

    def close(self) -> None:
        """Send nothing more."""
        package = logging.getLogger(PACKAGE)
        package.removeHandler(self)
        package.setLevel(_lowest(package))
        super().close()

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record, if there is room for it."""
        try:
            left_out = self._room()
            if left_out is None:
                return
            line = record.getMessage().partition("\n")[0][:MAX_MESSAGE_CHARS]
            data: dict[str, Any] = {"message": printable(scrub(line, kinds=self._kinds).text)}
            if left_out:
                data["left_out"] = left_out
            params = {"level": _level(record.levelno), "logger": record.name, "data": data}
            self._send({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
        except Exception:
            self.handleError(record)

    def _room(self) -> int | None:
        """How many messages were left out before this one; None where this is one of them."""
        with self._counting:
            now = self._clock()
            if now - self._since >= WINDOW_S:
                self._since, self._count = now, 0
            if self._count >= MAX_MESSAGES:
                self._left_out += 1
                return None
            self._count += 1
            left_out, self._left_out = self._left_out, 0
            return left_out


def _lowest(package: logging.Logger) -> int:
    """The lowest level that a client asks for, at most a warning; that of the root logger where none asks."""
    levels = [one.level for one in package.handlers if isinstance(one, ClientLog)]
    return min(*levels, logging.WARNING) if levels else logging.NOTSET


def _level(number: int) -> str:
    """The highest level of the protocol that is not above one of Python."""
    names = [name for name, least in LEVELS.items() if least <= number]
    return names[-1] if names else "debug"
