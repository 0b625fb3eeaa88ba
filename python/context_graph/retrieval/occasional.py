"""Scores of the spaces that only some memories have: causes, code."""

from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed import QueryVectors
from context_graph.locks import Rank, lock
from context_graph.retrieval.columns import Columns

if TYPE_CHECKING:
    from context_graph.kernels import dense
    from context_graph.retrieval.corpus import Corpus
    from context_graph.retrieval.view import View

__all__ = ["SCORE_OF", "Occasional", "scores"]

SCORE_OF = {"E5": "cause", "E7": "code"}
"""The score that each space gives."""

NOBODY = -1
"""Owner of a place whose vector was taken away; the next vector goes there."""


class Occasional:
    """The vectors in one space, and the rows of the memories that have one."""

    def __init__(self, dim: int, *, backend: str | None = None) -> None:
        from context_graph.kernels import dense

        self._index = dense.Index(dim, dtype="float16", backend=backend)
        self._waiting: list[np.ndarray] = []
        self._lock = lock(Rank.LEAF, "Occasional._lock")
        self.owners = Columns(row="i4")

    def __len__(self) -> int:
        return int((self.owners.row != NOBODY).sum())

    @property
    def vectors(self) -> "dense.Index":
        """One for each of `owners`. They are copied when somebody first asks: most questions never do."""
        if self._waiting:
            with self._lock:
                if self._waiting:
                    self._index.append(np.concatenate(self._waiting))
                    self._waiting = []
        return self._index

    @property
    def nbytes(self) -> int:
        return self.vectors.nbytes + self.owners.nbytes

    def append(self, vectors: np.ndarray, rows: np.ndarray) -> None:
        """Add the vectors of memories that have none yet: float16 (a, dim), int64 (a,)."""
        if len(rows):
            with self._lock:
                self._waiting.append(vectors)
            self.owners.append(row=rows)

    def put(self, row: int, vector: np.ndarray) -> None:
        """Set the vector of one memory."""
        for owner in (row, NOBODY):
            place = np.flatnonzero(self.owners.row == owner)[:1]
            if len(place):
                self.vectors.replace(place, vector[None].astype(np.float32))
                self.owners.row[place] = row
                return
        self.append(vector[None], np.array([row]))

    def drop(self, row: int) -> None:
        """Take the vector of one memory away, if it has one."""
        place = np.flatnonzero(self.owners.row == row)
        if len(place):
            self.vectors.replace(place, np.zeros((1, self.vectors.dim), np.float32))
            self.owners.row[place] = NOBODY

    def within(self, mask: np.ndarray) -> np.ndarray:
        """The places of the vectors whose memories are within a mask over all rows: int64 (a,)."""
        return np.flatnonzero((self.owners.row != NOBODY) & mask[self.owners.row])

    def cosines(self, query: np.ndarray, view: "View") -> np.ndarray | None:
        """Cosine of each row of a view with a question, NaN where a memory has no vector; None where none has."""
        held = self.within(view.place >= 0)
        if len(held) == 0:
            return None
        found = np.full(len(view), np.nan, np.float32)
        found[view.place[self.owners.row[held]]] = self.vectors.scores(query[None], ids=held)[0]
        return found


def scores(corpus: "Corpus", query: QueryVectors, view: "View") -> dict[str, np.ndarray]:
    """Raw scores over the rows of a view, of those spaces that the question and some of the rows have."""
    found = {}
    for id, vector in query.occasional.items():
        cosines = corpus.occasional[id].cosines(vector, view)
        if cosines is not None:
            found[SCORE_OF[id]] = cosines
    return found
