"""Materialized views: what follows from the memories, kept in RAM, fed with changes and never written.

To add one is a file with a class under `@view` and an import line in `derived/__init__.py`. The runtime makes every
registered view, tells each of every change, and has each let go of what is deleted for good.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from context_graph.embed import Embedder
from context_graph.index.corpus import Corpus
from context_graph.locks import Rank, reentrant_lock
from context_graph.models import Microseconds
from context_graph.store import Change, Storage

__all__ = ["VIEWS", "IndexedView", "MaterializedView", "Supplies", "Views", "view"]


@dataclass(frozen=True, slots=True)
class Supplies:
    """What a view may take from the runtime; it names those that it takes in `@view`.

    Attributes
    ----------
    embedder : callable
        Who embeds questions now.
    clock : callable
        The moment at which validity is judged.
    """

    store: Storage
    embedder: Callable[[], Embedder]
    clock: Callable[[], Microseconds]


class MaterializedView(ABC):
    """Hears of every change that may alter an answer, in the order of the log."""

    def __init__(self) -> None:
        self._lock = reentrant_lock(Rank.DERIVED, type(self).__name__)
        self.rebuild()

    @abstractmethod
    def rebuild(self) -> None:
        """Forget everything: it is built anew when it is asked for."""

    @abstractmethod
    def apply(self, change: Change) -> None:
        """Note a changed row; what follows from it may wait until somebody asks."""

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        """Let go of what is deleted for good: of everything, unless a view knows better.

        Parameters
        ----------
        nodes : iterable of str
            Ids of memories and concepts.
        rows : mapping
            By id, the rows that those among them had which the index held.
        """
        self.rebuild()

    def feed(self, changes: Iterable[Change]) -> None:
        """Apply the changes of one event."""
        with self._lock:
            for change in changes:
                self.apply(change)

    def erase(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        """Drop what is deleted for good."""
        with self._lock:
            self.drop(nodes, rows)


class IndexedView(MaterializedView):
    """A view beside the index: it begins when it is first asked with a corpus, and anew when asked with another."""

    def __init__(self) -> None:
        self._corpus: Corpus | None = None
        super().__init__()

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        """Let go of what is deleted for good; see `MaterializedView.drop`."""
        self._start(None)

    def feed(self, changes: Iterable[Change]) -> None:
        """Apply the changes of one event, where anything is known yet."""
        with self._lock:
            if self._corpus is not None:
                super().feed(changes)

    def erase(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        """Drop what is deleted for good, where anything is known yet."""
        with self._lock:
            if self._corpus is not None:
                super().erase(nodes, rows)

    def _start(self, corpus: Corpus | None) -> None:
        self._corpus = corpus
        self.rebuild()

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


Kind = TypeVar("Kind", bound=MaterializedView)


@dataclass(frozen=True, slots=True)
class _Registered:
    kind: type[MaterializedView]
    needs: tuple[str, ...]


VIEWS: dict[str, _Registered] = {}
"""Every view by name, in the order in which they are fed: what answers from others comes after them."""


def view(name: str, *needs: str) -> Callable[[type[Kind]], type[Kind]]:
    """Register a view.

    Parameters
    ----------
    needs : str
        What of `Supplies` its constructor takes, by these names.
    """

    def register(kind: type[Kind]) -> type[Kind]:
        if name in VIEWS:
            raise ValueError(f"expected a name that no view has, got {name!r} of {VIEWS[name].kind.__name__} again")
        VIEWS[name] = _Registered(kind, needs)
        return kind

    return register


class Views:
    """All registered views of one runtime, each new."""

    def __init__(self, supplies: Supplies) -> None:
        self._of: dict[type[MaterializedView], MaterializedView] = {
            known.kind: known.kind(**{need: getattr(supplies, need) for need in known.needs})
            for known in VIEWS.values()
        }

    def __iter__(self) -> Iterator[MaterializedView]:
        return iter(self._of.values())

    def of(self, kind: type[Kind]) -> Kind:
        """The view of a class."""
        found = self._of.get(kind)
        if not isinstance(found, kind):
            raise LookupError(
                f"expected a registered view, got {kind.__name__}; put @view before it and import it first"
            )
        return found
