"""Which project each memory belongs to, by what its metadata say."""

import json
from collections.abc import Iterable, Mapping

import numpy as np

from context_graph.derived.view import IndexedView, view
from context_graph.index.batch import DEFINITION
from context_graph.index.corpus import Corpus
from context_graph.store import Change, Reader

__all__ = ["PROJECT_KEYS", "Projects"]

PROJECT_KEYS = ("project", "repository", "folder")
"""Keys of metadata by which a project may be asked for: its name, its address, the folder that was read."""


@view("projects", "store")
class Projects(IndexedView):
    """The names of the project of each memory, read from the store when a project is first asked for."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        super().__init__()

    def rebuild(self) -> None:
        self._names: dict[str, frozenset[str]] = {}
        self._by_name: dict[str, set[str]] = {}
        self._news: set[str] | None = None
        self._programs: tuple[int, np.ndarray] | None = None

    def apply(self, change: Change) -> None:
        if self._news is not None and change.table == "nodes" and change.concerns("metadata"):
            self._news.add(change.id)

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        for id in rows:
            self._note(id, frozenset())

    def mask(self, corpus: Corpus, project: str) -> np.ndarray:
        """Which rows belong to a project: bool (n,).

        A project is called by its name, by the address of its repository or the last part of that, or by a folder
        that was read; upper and lower case are one.
        """
        with self._taking_in(corpus):
            self._refresh()
            return _mask(corpus, self._by_name.get(_key(project), ()))

    def elsewhere(self, corpus: Corpus, project: str) -> np.ndarray:
        """Which rows belong to other projects alone, while some belong to none: bool (n,); called as for `mask`."""
        with self._taking_in(corpus):
            self._refresh()
            return _mask(corpus, self._names.keys() - self._by_name.get(_key(project), set()))

    def ids(self, corpus: Corpus, project: str) -> frozenset[str]:
        """The ids of what belongs to a project, in any state; it is called as for `mask`."""
        with self._taking_in(corpus):
            self._refresh()
            return frozenset(self._by_name.get(_key(project), ()))

    def programs(self, corpus: Corpus) -> np.ndarray:
        """Which rows belong to a project of which some define a function or a type: bool (n,)."""
        with self._taking_in(corpus):
            self._refresh()
            if self._programs is None or self._programs[0] != len(corpus):
                defining = np.flatnonzero(corpus.has(DEFINITION, np.arange(len(corpus))))
                none: frozenset[str] = frozenset()
                names = none.union(*(self._names.get(corpus.ids[row], none) for row in defining.tolist()))
                ids = none.union(*(self._by_name[name] for name in names))
                self._programs = len(corpus), _mask(corpus, ids)
            return self._programs[1]

    def names(self, corpus: Corpus) -> list[str]:
        """All that a project may be called, in order."""
        with self._taking_in(corpus):
            self._refresh()
            return sorted(name for name, ids in self._by_name.items() if ids)

    def _refresh(self) -> None:
        columns = ["id", "metadata"]
        if self._news is None:
            rows = self._store.columns(columns)
        else:
            rows = self._store.columns_of(columns, self._news) if self._news else []
        self._news = set()
        for id, text in rows:
            named = any(f'"{key}"' in text for key in PROJECT_KEYS)
            self._note(id, _names(json.loads(text)) if named else frozenset())

    def _note(self, id: str, names: frozenset[str]) -> None:
        before = self._names.pop(id, frozenset())
        if before != names:
            self._programs = None
        for name in before - names:
            self._by_name[name].discard(id)
        for name in names:
            self._by_name.setdefault(name, set()).add(id)
        if names:
            self._names[id] = names


def _mask(corpus: Corpus, ids: Iterable[str]) -> np.ndarray:
    rows = (corpus.row_of.get(id) for id in ids)
    mask = np.zeros(len(corpus), bool)
    mask[[row for row in rows if row is not None]] = True
    return mask


def _names(metadata: Mapping[str, object]) -> frozenset[str]:
    names = {value for key in PROJECT_KEYS if isinstance(value := metadata.get(key), str) and value.strip()}
    names |= {name.rstrip("/").replace(":", "/").rpartition("/")[2] for name in names}
    return frozenset(map(_key, names)) - {""}


def _key(name: str) -> str:
    return name.strip().rstrip("/").removesuffix(".git").casefold()
