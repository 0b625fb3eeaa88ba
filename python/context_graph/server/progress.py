"""How far a call is, told to a client that asks for it; and a call that is cancelled stops."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from context_graph.progress import followed

__all__ = ["EVERY_S", "Progress"]

T = TypeVar("T")
Report = Callable[[float, float | None, str], None]

EVERY_S = 0.25
"""Least time between two notifications of one call."""


class Progress:
    """One call.

    Parameters
    ----------
    report : callable, optional
        Sends a notification, and does not wait for the client; none where the client did not ask for any.
    clock : callable
        Seconds.
    """

    def __init__(self, report: Report | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._report, self._clock = report, clock
        self._cancelled = threading.Event()
        self._told_at = -EVERY_S

    def cancel(self) -> None:
        """Let the work end at its next stage."""
        self._cancelled.set()

    def during(self, work: Callable[[], T]) -> T:
        """Do the work."""
        with followed(self._tell, self._cancelled.is_set):
            return work()

    def _tell(self, done: int, total: int | None, name: str) -> None:
        now = self._clock()
        if self._report is not None and now - self._told_at >= EVERY_S:
            self._told_at = now
            self._report(done, total, name)
