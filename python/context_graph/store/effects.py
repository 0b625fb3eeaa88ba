"""What reading does to the store, queued and written as one event by one writer.

A read answers without waiting for the write lock; its traces (access counts, nodes retrieved together,
session state) follow within seconds. A killed process may lose those, never a write.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from context_graph.errors import StoreError
from context_graph.models import Author
from context_graph.store.transaction import Transaction

__all__ = ["Effects"]

FLUSH_READS = 64
SYSTEM = "system"

logger = logging.getLogger(__name__)


class Effects:
    """The queue of one open store.

    Parameters
    ----------
    write : callable
        Opens a transaction of type "effects" for an author.
    clock : callable
        Microseconds, for accesses that name no time.
    every_s : float or None
        Seconds between flushes by a background thread, which starts with the first effect; None leaves
        flushing to the caller.
    """

    def __init__(
        self,
        write: Callable[[Author], AbstractContextManager[Transaction]],
        clock: Callable[[], int],
        every_s: float | None,
    ) -> None:
        self._write = write
        self._clock = clock
        self._every_s = every_s
        self._lock = threading.Lock()
        self._flushing = threading.Lock()
        self._wake = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._clear()

    def _clear(self) -> None:
        self._reads = 0
        self._nodes: Counter[str] = Counter()
        self._edges: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        self._last: dict[str, int] = {}
        self._states: dict[str, tuple[Author, dict[str, Any]]] = {}
        self._authors: set[Author] = set()

    @property
    def pending(self) -> int:
        """Reads whose effects are not written yet."""
        return self._reads

    def add(
        self,
        author: Author,
        *,
        nodes: Iterable[str] = (),
        edges: Iterable[str] = (),
        pairs: Iterable[tuple[str, str]] = (),
        state: Mapping[str, Any] | None = None,
        at: int | None = None,
    ) -> None:
        """Queue the effects of one read; never waits for the store.

        Parameters
        ----------
        nodes, edges : iterable of str
            Ids accessed: their access_count grows by one, their last_accessed becomes `at`.
        pairs : iterable of (str, str)
            Nodes retrieved together.
        state : mapping, optional
            The new state of the author's session, whole; the last one queued wins.
        """
        at = self._clock() if at is None else at
        with self._lock:
            self._reads += 1
            self._authors.add(author)
            for counter, ids in ((self._nodes, list(nodes)), (self._edges, list(edges))):
                counter.update(ids)
                self._last.update((id, max(at, self._last.get(id, at))) for id in ids)
            for a, b in pairs:
                if a != b:
                    pair = (a, b) if a < b else (b, a)
                    self._pairs[pair] += 1
                    self._last["/".join(pair)] = at
            if state is not None:
                self._states[author.session_id] = (author, dict(state))
            if self._every_s is not None and self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="context-graph-effects", daemon=True)
                self._thread.start()
            if self._reads == 1 or self._reads >= FLUSH_READS:
                self._wake.set()

    def flush(self) -> bool:
        """Write what is queued as one event; True where there was something.

        When the store cannot take it, the queue keeps it and the error is raised.
        """
        with self._flushing:
            with self._lock:
                if not self._reads:
                    return False
                taken = (self._reads, self._nodes, self._edges, self._pairs, self._last, self._states, self._authors)
                self._clear()
            try:
                self._commit(*taken)
            except BaseException:
                self._put_back(*taken)
                raise
            return True

    def _commit(self, reads: int, nodes: Any, edges: Any, pairs: Any, last: Any, states: Any, authors: Any) -> None:
        author = next(iter(authors)) if len(authors) == 1 else Author(session_id=SYSTEM, agent_id=SYSTEM)
        with self._write(author) as tx:
            for table, counter in (("nodes", nodes), ("edges", edges)):
                for id in sorted(counter):
                    if row := tx.row(table, (id,)):  # it may be gone since it was read
                        count = int(row["access_count"] or 0) + counter[id]
                        seen = max(int(row["last_accessed"] or 0), last[id])
                        tx.set_row(table, (id,), row | {"access_count": count, "last_accessed": seen})
            for a, b in sorted(pairs):
                if tx.row("nodes", (a,)) and tx.row("nodes", (b,)):
                    tx.count_pair(a, b, times=pairs[a, b], at=last[f"{a}/{b}"])
            for session_id in sorted(states):
                tx.put_session(session_id, states[session_id][1], agent_id=states[session_id][0].agent_id)
            tx.note.update(operation="effects", reads=reads)

    def _put_back(self, reads: int, nodes: Any, edges: Any, pairs: Any, last: Any, states: Any, authors: Any) -> None:
        with self._lock:
            self._reads += reads
            for mine, theirs in ((self._nodes, nodes), (self._edges, edges), (self._pairs, pairs)):
                mine.update(theirs)
            self._last = last | self._last
            self._states = states | self._states
            self._authors |= authors

    def _run(self) -> None:
        while not self._closed:
            self._wake.wait()  # asleep while nothing is queued
            self._wake.clear()
            if not self._closed and self._reads < FLUSH_READS:
                self._wake.wait(self._every_s)
            try:
                self.flush()
            except StoreError as error:
                logger.warning("effects of reads are kept and will be written later: %s", error)
                if not self._closed:
                    self._wake.set()

    def close(self) -> None:
        """Write what is left and end the thread."""
        self._closed = True
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self.flush()
