"""What reading does to the store, queued and written as one event by one writer.

A read answers without waiting for the write lock; its traces (access counts, nodes retrieved together,
session state) follow within seconds. A killed process may lose those, never a write.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from context_graph.errors import StoreError
from context_graph.locks import Rank, lock
from context_graph.models import Author
from context_graph.store.sqlite.transaction import MAX_COUNTED, Transaction

__all__ = ["Effects"]

FLUSH_READS = 64
SYSTEM = Author(session_id="system", agent_id="system")
"""Who writes for several sessions at once."""

logger = logging.getLogger(__name__)


@dataclass
class _Batch:
    """The effects of some reads, summed."""

    reads: int = 0
    nodes: Counter[str] = field(default_factory=Counter)
    edges: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    last: dict[str | tuple[str, str], int] = field(default_factory=dict)
    """When each node, edge and pair was read last."""

    states: dict[str, tuple[Author, dict[str, Any]]] = field(default_factory=dict)
    authors: set[Author] = field(default_factory=set)

    def count(self, counter: Counter[Any], what: Iterable[Any], at: int) -> None:
        for one in what:
            counter[one] += 1
            self.last[one] = max(at, self.last.get(one, at))

    def follow(self, older: "_Batch") -> None:
        """Add a batch of earlier reads that could not be written."""
        self.reads += older.reads
        self.nodes.update(older.nodes)
        self.edges.update(older.edges)
        self.pairs.update(older.pairs)
        self.last = older.last | self.last
        self.states = older.states | self.states
        self.authors |= older.authors


class Effects:
    """The queue of one open store.

    Parameters
    ----------
    write : callable or None
        Opens a transaction of type "effects" for an author; None where nothing can be written, and effects are dropped.
    clock : callable
        Microseconds, for accesses that name no time.
    every_s : float or None
        Seconds between flushes by a background thread, which starts with the first effect; None leaves
        flushing to the caller.
    """

    def __init__(
        self,
        write: Callable[[Author], AbstractContextManager[Transaction]] | None,
        clock: Callable[[], int],
        every_s: float | None,
    ) -> None:
        self._write = write
        self._clock = clock
        self._every_s = every_s
        self._lock = lock(Rank.LEAF, "Effects._lock")
        self._flushing = lock(Rank.FLUSHING, "Effects._flushing")
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._queued = _Batch()

    @property
    def pending(self) -> int:
        """Reads whose effects are not written yet."""
        return self._queued.reads

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
        if self._write is None:
            return
        at = self._clock() if at is None else at
        with self._lock:
            queued = self._queued
            queued.reads += 1
            queued.authors.add(author)
            queued.count(queued.nodes, nodes, at)
            queued.count(queued.edges, edges, at)
            queued.count(queued.pairs, ((min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]), at)
            if state is not None:
                queued.states[author.session_id] = (author, dict(state))
            if self._every_s is not None and self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name="context-graph-effects", daemon=True)
                self._thread.start()
            if queued.reads == 1 or queued.reads >= FLUSH_READS:
                self._wake.set()

    def flush(self) -> bool:
        """Write what is queued as one event; True where there was something.

        When the store cannot take it, the queue keeps it and the error is raised.
        """
        with self._flushing:
            with self._lock:
                batch, self._queued = self._queued, _Batch()
            if not batch.reads:
                return False
            try:
                self._commit(batch)
            except BaseException:
                with self._lock:
                    self._queued.follow(batch)
                raise
            return True

    def _commit(self, batch: _Batch) -> None:
        author = next(iter(batch.authors)) if len(batch.authors) == 1 else SYSTEM
        assert self._write is not None  # else nothing was queued
        with self._write(author) as tx:
            for table, counter in (("nodes", batch.nodes), ("edges", batch.edges)):
                for id in sorted(counter):
                    if row := tx.row(table, (id,)):  # it may be gone since it was read
                        count = min(int(row["access_count"] or 0) + counter[id], MAX_COUNTED)
                        seen = max(int(row["last_accessed"] or 0), batch.last[id])
                        tx.set_row(table, (id,), row | {"access_count": count, "last_accessed": seen})
            for pair in sorted(batch.pairs):
                if all(tx.row("nodes", (id,)) for id in pair):
                    tx.count_pair(*pair, times=batch.pairs[pair], at=batch.last[pair])
            for session_id, (of, state) in sorted(batch.states.items(), key=lambda item: item[0]):
                tx.put_session(session_id, state, agent_id=of.agent_id)
            tx.note.update(operation="effects", reads=batch.reads)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._wake.wait()  # asleep while nothing is queued
            self._wake.clear()
            if not self._closing.is_set() and self.pending < FLUSH_READS:
                self._wake.wait(self._every_s)
                self._wake.clear()  # by the read that filled the queue; left standing, every read would be one flush
            if self._closing.is_set():
                return  # whoever closes writes what is left, and says once where that fails
            try:
                self.flush()
            except StoreError as error:
                logger.warning("effects of reads are kept and will be written later: %s", error)
                self._closing.wait(self._every_s)  # a full disk fails at once: do not spin on it
                self._wake.set()

    def close(self) -> None:
        """Write what is left and end the thread; what the disk does not take is given up, and said.

        Nobody who asked something is to lose the answer because it could not be counted.
        """
        self._closing.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        try:
            self.flush()
        except StoreError as error:
            logger.warning("the memory answered, and what was read could not be counted: %s", error)
