"""What follows from the memories and is kept in RAM: brought up to date when somebody asks, never written."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from context_graph.locks import Rank, reentrant_lock
from context_graph.models import Event
from context_graph.retrieval import Corpus

if TYPE_CHECKING:
    from context_graph.memory.memory import Memory

__all__ = ["Derived"]


class Derived(ABC):
    """Hears of events, and takes them in when it is asked."""

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory
        self._lock = reentrant_lock(Rank.DERIVED, type(self).__name__)
        self._corpus: Corpus | None = None
        self._clear()

    @abstractmethod
    def _clear(self) -> None:
        """Know nothing."""

    @abstractmethod
    def _note(self, change: Mapping[str, Any]) -> None:
        """Note a changed row; it is taken in when someone asks."""

    def _start(self, corpus: Corpus | None) -> None:
        self._corpus = corpus
        self._clear()

    def heard(self, event: Event) -> None:
        """Note what an event changes."""
        with self._lock:
            if self._corpus is None:
                return
            if event.payload is None or event.type == "purge":
                self._start(None)  # what is deleted for good leaves nothing, and does not say what it was joined to
                return
            for change in event.payload.get("changes", ()):
                self._note(change)

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
