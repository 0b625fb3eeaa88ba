"""What follows from the memories and is kept in RAM: brought up to date when somebody asks, never written."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from context_graph.index.corpus import Corpus
from context_graph.locks import Rank, reentrant_lock
from context_graph.store import Change, Reader

__all__ = ["Derived"]


class Derived(ABC):
    """Hears of events, and takes them in when it is asked."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._lock = reentrant_lock(Rank.DERIVED, type(self).__name__)
        self._corpus: Corpus | None = None
        self._clear()

    @abstractmethod
    def _clear(self) -> None:
        """Know nothing."""

    @abstractmethod
    def _note(self, change: Change) -> None:
        """Note a changed row; it is taken in when someone asks."""

    def _start(self, corpus: Corpus | None) -> None:
        self._corpus = corpus
        self._clear()

    def _erase(self, rows: Mapping[str, int]) -> None:
        """Let go of memories that are deleted for good; all is made afresh, unless a part knows better."""
        self._start(None)

    def heard(self, changes: Iterable[Change]) -> None:
        """Note what an event changes."""
        with self._lock:
            if self._corpus is not None:
                for change in changes:
                    self._note(change)

    def erased(self, rows: Mapping[str, int]) -> None:
        """Let go of what is deleted for good: memories by id, and the rows that they had."""
        with self._lock:
            if self._corpus is not None:
                self._erase(rows)

    @contextmanager
    def _taking_in(self, corpus: Corpus) -> Iterator[None]:
        """Bring up to date with a corpus, under its lock and one's own; where that fails, all is made afresh."""
        with corpus.lock, self._lock:
            if corpus is not self._corpus:
                self._start(corpus)
            try:
                yield
            except BaseException:
                self._start(None)  # half taken in is worse than not at all
                raise
