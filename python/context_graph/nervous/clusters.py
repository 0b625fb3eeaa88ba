"""Clusters of memories: spherical k-means that grows with every memory."""

import numpy as np

__all__ = ["Clusters"]

NEW_BELOW = 0.55
"""A memory less like every centre than this starts a cluster of its own."""

MERGE_ABOVE = 0.92
MAX_CLUSTERS = 256


class Clusters:
    """Unit centres of unit vectors, updated online; splitting and rebuilding belong to dreams."""

    def __init__(self, dimensions: int) -> None:
        self._sums = np.zeros((0, dimensions), np.float32)
        self._centres: np.ndarray | None = None
        self._names: list[str] = []
        self._asked: list[tuple[np.ndarray, np.ndarray]] = []
        """The last two vectors asked about and their cosines, for whoever asks again before anything has changed."""

    def __len__(self) -> int:
        return len(self._names)

    def nearest(self, vector: np.ndarray) -> tuple[str | None, float | None, float | None]:
        """The cluster of a vector, its cosine to it, and its cosine to the nearest other."""
        if not self._names:
            return None, None, None
        cosines = next((cosines for asked, cosines in self._asked if asked is vector), None)
        if cosines is None:
            cosines = self.centres @ vector
            self._asked = [*self._asked[-1:], (vector, cosines)]
        best = int(np.argmax(cosines))
        other = None if len(cosines) < 2 else float(np.partition(cosines, -2)[-2])
        return self._names[best], float(cosines[best]), other

    def add(self, vector: np.ndarray, new_name: str) -> str:
        """Put a memory into its cluster, or into a new one of the name given; returns the cluster's name."""
        name, cosine, _ = self.nearest(vector)
        self._asked = []
        if name is None or cosine is None or (cosine < NEW_BELOW and len(self) < MAX_CLUSTERS):
            self._sums, self._centres = np.vstack([self._sums, vector[None]]), None
            self._names.append(new_name)
            return self._names[-1]
        row = self._names.index(name)
        self._sums[row] += vector
        self.centres[row] = self._sums[row] / max(float(np.linalg.norm(self._sums[row])), 1e-9)
        return self._merge(row)

    def restore(self, names: list[str], vectors: np.ndarray) -> None:
        """Count memories whose clusters are known from the store: n names, (n, d) vectors."""
        for name in dict.fromkeys(names):
            if name not in self._names:
                self._sums = np.vstack([self._sums, np.zeros((1, self._sums.shape[1]), np.float32)])
                self._names.append(name)
        rows = {name: row for row, name in enumerate(self._names)}
        member = np.zeros((len(self), len(names)), np.float32)
        member[[rows[name] for name in names], np.arange(len(names))] = 1.0
        self._sums += member @ vectors
        self._centres, self._asked = None, []

    def _merge(self, row: int) -> str:
        """Centres that have drifted together become one, under the older name."""
        cosines = self.centres @ self.centres[row]
        cosines[row] = -1.0
        other = int(np.argmax(cosines))
        if len(self) < 2 or cosines[other] <= MERGE_ABOVE:
            return self._names[row]
        keep, drop = min(row, other), max(row, other)
        self._sums[keep] += self._sums[drop]
        self._sums, self._centres = np.delete(self._sums, drop, axis=0), None
        del self._names[drop]
        return self._names[keep]

    @property
    def centres(self) -> np.ndarray:
        """Unit centres: float32 (c, d)."""
        if self._centres is None:
            self._centres = self._sums / np.maximum(np.linalg.norm(self._sums, axis=1, keepdims=True), 1e-9)
        return self._centres
