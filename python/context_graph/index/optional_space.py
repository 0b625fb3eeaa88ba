"""The vectors of an optional space: one that only some memories have."""

from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed import SpaceEncoder
from context_graph.index.columns import Columns
from context_graph.locks import Rank, lock

if TYPE_CHECKING:
    from context_graph.kernels import dense

__all__ = ["OptionalSpace"]

NO_OWNER = -1
"""Owner of a free place, whose vector was removed; the next vector goes there."""


class OptionalSpace:
    """The vectors in one space, and the rows of the memories that have one."""

    def __init__(self, encoder: SpaceEncoder, *, backend: str | None = None) -> None:
        from context_graph.kernels import dense

        self.encoder = encoder
        self._index = dense.Index(encoder.space.dim, dtype="float16", backend=backend)
        self._pending: list[np.ndarray] = []
        self._lock = lock(Rank.LEAF, "OptionalSpace._lock")
        self.owners = Columns(row="i4")

    def __len__(self) -> int:
        return int((self.owners.row != NO_OWNER).sum())

    @property
    def vectors(self) -> "dense.Index":
        """One for each of `owners`. They are copied into the index at the first read: most questions never read it."""
        if self._pending:
            with self._lock:
                if self._pending:
                    self._index.append(np.concatenate(self._pending))
                    self._pending = []
        return self._index

    @property
    def nbytes(self) -> int:
        return self.vectors.nbytes + self.owners.nbytes

    def append(self, vectors: np.ndarray, rows: np.ndarray) -> None:
        """Add the vectors of memories that have none yet: float16 (a, dim), int64 (a,)."""
        if len(rows):
            with self._lock:
                self._pending.append(vectors)
            self.owners.append(row=rows)

    def put(self, row: int, vector: np.ndarray) -> None:
        """Set the vector of one memory."""
        for owner in (row, NO_OWNER):
            place = np.flatnonzero(self.owners.row == owner)[:1]
            if len(place):
                self.vectors.replace(place, vector[None].astype(np.float32))
                self.owners.row[place] = row
                return
        self.append(vector[None], np.array([row]))

    def drop(self, row: int) -> None:
        """Remove the vector of one memory, if it has one."""
        place = np.flatnonzero(self.owners.row == row)
        if len(place):
            self.vectors.replace(place, np.zeros((1, self.vectors.dim), np.float32))
            self.owners.row[place] = NO_OWNER

    def within(self, mask: np.ndarray) -> np.ndarray:
        """The places of the vectors whose memories are within a mask over all rows: int64 (a,)."""
        return np.flatnonzero((self.owners.row != NO_OWNER) & mask[self.owners.row])

    def scores(self, query: np.ndarray, place: np.ndarray) -> np.ndarray | None:
        """Scores of memories for a question, NaN for one without a vector; None where none of them has one.

        Parameters
        ----------
        place : int64 (n,)
            Position of each row in the result, -1 for rows that are not asked about.
        """
        places = self.within(place >= 0)
        if len(places) == 0:
            return None
        scores = np.full(int(place.max()) + 1, np.nan, np.float32)
        scores[place[self.owners.row[places]]] = self.encoder.score(self.vectors, query, places)
        return scores
