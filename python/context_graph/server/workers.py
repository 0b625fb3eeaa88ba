"""Threads that work on calls."""

import queue
import threading
from collections.abc import Callable

__all__ = ["Workers"]


class Workers:
    """Threads that start as they are needed, and then stay: a call never waits for one while there may be more.

    Parameters
    ----------
    limit : int
        Threads at most.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._changing = threading.Lock()
        self._under_way = 0
        self._threads = 0

    def do(self, work: Callable[[], None]) -> None:
        """Do some work after what was given before; it must not raise."""
        with self._changing:
            self._under_way += 1
            needed = self._threads < min(self._under_way, self._limit)
            self._threads += needed
            number = self._threads
        self._waiting.put(work)
        if needed:
            threading.Thread(target=self._run, name=f"context-graph-call-{number}", daemon=True).start()

    def _run(self) -> None:
        while True:
            self._waiting.get()()
            with self._changing:
                self._under_way -= 1
