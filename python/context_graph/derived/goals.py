"""What the user works towards, and how far a memory serves it."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from context_graph.derived.view import MaterializedView, view
from context_graph.embed import Embedder
from context_graph.index.corpus import Corpus
from context_graph.models import Goal
from context_graph.store import Change, Reader

__all__ = ["Goals"]


@view("goals", "store", "embedder")
class Goals(MaterializedView):
    """The goals of a memory; without any, alignment is 0.5 and changes no ranking."""

    def __init__(self, store: Reader, embedder: Callable[[], Embedder]) -> None:
        self._store, self._embedder = store, embedder
        super().__init__()

    def rebuild(self) -> None:
        self._vectors: np.ndarray | None = None

    def apply(self, change: Change) -> None:
        if change.table == "goals":
            self.rebuild()

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        """A goal is no memory, so none goes with one."""

    def all(self) -> list[Goal]:
        """The goals in the store, oldest first."""
        return self._store.goals()

    def vectors(self) -> np.ndarray:
        """E1 of every goal: float32 (g, 1024)."""
        with self._lock:
            if self._vectors is None:
                embedder = self._embedder()
                rows = [embedder.query(goal.text).semantic for goal in self.all()]
                self._vectors = np.stack(rows) if rows else np.zeros((0, 1024), np.float32)
            return self._vectors

    def theta(self, corpus: Corpus, rows: np.ndarray) -> np.ndarray:
        """1 - angle / pi to the nearest goal, in [0, 1]; 0.5 without goals: float32 (n,)."""
        goals = self.vectors()
        if len(goals) == 0 or len(rows) == 0:
            return np.full(len(rows), 0.5, np.float32)
        cosines = np.clip(corpus.semantic.scores(goals, ids=rows).max(axis=0), -1, 1)
        theta: np.ndarray = (1.0 - np.arccos(cosines) / np.pi).astype(np.float32)
        return theta
