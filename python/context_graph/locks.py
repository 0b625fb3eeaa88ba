"""Locks in one order, so that no two threads wait for each other for ever."""

import os
import threading
from enum import IntEnum
from types import TracebackType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from threading import RLock

__all__ = ["CHECKED", "LockOrderError", "Rank", "lock", "reentrant_lock", "violations"]

CHECKED = "CONTEXT_GRAPH_CHECK_LOCKS"
"""The environment variable under which every lock checks the order; the tests set it."""


class Rank(IntEnum):
    """The order: who holds a lock may take those below it on this list, and no other. See docs/architecture.md."""

    HOST = 0
    """`server.Host`: the memory is being opened."""

    WRITING = 1
    """`Runtime.writing`: a memory is being judged and committed."""

    FLUSHING = 2
    """`Effects`: effects of reads are being written."""

    WRITER = 3
    """`store.sqlite`: the one connection of the process that writes."""

    OPENING = 4
    """`Runtime._opening`: the indexes are being loaded or brought up to date."""

    CORPUS = 5
    """`Corpus.lock`: the arrays are being read or changed."""

    DERIVED = 6
    """`derived.MaterializedView`: what follows from the memories is being brought up to date."""

    MODEL = 7
    """`Embedder`: a model is running."""

    LEAF = 8
    """All others: under them no lock is taken."""


class LockOrderError(RuntimeError):
    """A thread takes a lock that another thread may hold while it waits for one of this thread's."""


violations: list[str] = []
"""What was wrong since the process began, also where the error was swallowed."""

_held = threading.local()


class _Checked:
    """A lock that knows its place in the order."""

    def __init__(self, inner: "threading.Lock | RLock", rank: Rank, name: str, *, reentrant: bool) -> None:
        self._inner, self._rank, self._name, self._reentrant = inner, rank, name, reentrant

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        locks: list[_Checked] = _held.__dict__.setdefault("locks", [])
        again = self._reentrant and self in locks
        above = [each for each in locks if each._rank >= self._rank]
        if above and not again:
            problem = (
                f"thread {threading.current_thread().name} takes {self._name} ({self._rank.name}) "
                f"while it holds {', '.join(f'{each._name} ({each._rank.name})' for each in above)}"
            )
            violations.append(problem)
            raise LockOrderError(problem)
        taken = self._inner.acquire(blocking, timeout)
        if taken:
            locks.append(self)
        return taken

    def release(self) -> None:
        held: list[_Checked] = _held.locks
        del held[len(held) - 1 - held[::-1].index(self)]
        self._inner.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def lock(rank: Rank, name: str) -> threading.Lock:
    """A lock that a thread takes once; a plain one unless `CHECKED` is set."""
    inner = threading.Lock()
    return cast(threading.Lock, _Checked(inner, rank, name, reentrant=False)) if os.environ.get(CHECKED) else inner


def reentrant_lock(rank: Rank, name: str) -> "RLock":
    """A lock that a thread may take again while it holds it."""
    inner = threading.RLock()
    return cast("RLock", _Checked(inner, rank, name, reentrant=True)) if os.environ.get(CHECKED) else inner
