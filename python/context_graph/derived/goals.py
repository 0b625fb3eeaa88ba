"""What the user works towards, and how far a memory serves it."""

from collections.abc import Callable

import numpy as np

from context_graph.embed import Embedder
from context_graph.index.corpus import Corpus
from context_graph.models import Goal
from context_graph.store import Reader

__all__ = ["Goals"]


class Goals:
    """The goals of a memory; without any, alignment is 0.5 and changes no ranking."""

    def __init__(self, store: Reader, embedder: Callable[[], Embedder]) -> None:
        self._store, self._embedder = store, embedder
        self._vectors: tuple[tuple[str, ...], np.ndarray] | None = None

    def all(self) -> list[Goal]:
        return self._store.goals()

    def vectors(self) -> np.ndarray:
        """E1 of every goal: float32 (g, 1024)."""
        goals = self.all()
        embedder = self._embedder()
        ids = (embedder.model, *(goal.id for goal in goals))
        if self._vectors is None or self._vectors[0] != ids:
            rows = [embedder.query(goal.text).semantic for goal in goals]
            self._vectors = (ids, np.stack(rows) if rows else np.zeros((0, 1024), np.float32))
        return self._vectors[1]

    def theta(self, corpus: Corpus, rows: np.ndarray) -> np.ndarray:
        """1 - angle / pi to the nearest goal, in [0, 1]; 0.5 without goals: float32 (n,)."""
        goals = self.vectors()
        if len(goals) == 0 or len(rows) == 0:
            return np.full(len(rows), 0.5, np.float32)
        cosines = np.clip(corpus.semantic.scores(goals, ids=rows).max(axis=0), -1, 1)
        return (1.0 - np.arccos(cosines) / np.pi).astype(np.float32)
