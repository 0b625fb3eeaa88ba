"""A call that is stuck is told on stderr, with what every thread is doing."""

import logging
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["STUCK_S", "Watchdog"]

logger = logging.getLogger(__name__)

STUCK_S = 60.0
"""A call that takes longer is reported. The waits that are allowed are shorter: 20 s for an agent or a workflow, 30 s
for a store that other processes write."""


@dataclass(eq=False, slots=True)
class _Call:
    tool: str
    due: float
    thread: int
    reported: bool = False
    excused: bool = False


class Watchdog:
    """Watches calls in a thread of its own, which starts with the first one and sleeps while none is under way.

    Parameters
    ----------
    limit_s : float
        How long a call may take before it is reported, once.
    """

    def __init__(self, limit_s: float = STUCK_S) -> None:
        self._limit_s = limit_s
        self._calls: list[_Call] = []
        self._changed = threading.Condition()
        self._asleep = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, tool: str) -> Iterator[None]:
        """Watch the call of a tool for as long as the block takes."""
        call = _Call(tool, time.monotonic() + self._limit_s, threading.get_ident())
        with self._changed:
            self._calls.append(call)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="context-graph-watchdog", daemon=True)
                self._thread.start()
            elif self._asleep:  # else it wakes before this call is due
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._calls.remove(call)

    @contextmanager
    def excused(self) -> Iterator[None]:
        """While the block lasts, the call of this thread waits for somebody outside: that time does not count."""
        began, thread = time.monotonic(), threading.get_ident()
        with self._changed:
            calls = [call for call in self._calls if call.thread == thread]
            for call in calls:
                call.excused = True
        try:
            yield
        finally:
            with self._changed:
                for call in calls:
                    call.excused = False
                    call.due += time.monotonic() - began
                self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                watched = [call for call in self._calls if not call.reported and not call.excused]
                waiting = min(watched, key=lambda call: call.due, default=None)
                left = None if waiting is None else waiting.due - time.monotonic()
                if waiting is None or (left is not None and left > 0):
                    self._asleep = waiting is None
                    self._changed.wait(left)
                    self._asleep = False
                    continue
                waiting.reported = True
            logger.error("%s has not answered for %g s; every thread:\n%s", waiting.tool, self._limit_s, _stacks())


def _stacks() -> str:
    """The stacks of all threads: places in the code, no values."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "\n".join(
        f"Thread {names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}"
        for ident, frame in sys._current_frames().items()
    )
