"""How many memories hold each word piece: the rarity that weighs the static vectors."""

from collections.abc import Iterable

import numpy as np

from context_graph.embed.static_table import prior_idf

__all__ = ["PieceStatistics"]

VOCABULARY_SIZE = 30_522
PRIOR_MEMORIES = 50  # the English prior counts as much as this many memories of one's own
PRIOR_SCALE = float(prior_idf(np.array([VOCABULARY_SIZE - 1]))[0])


class PieceStatistics:
    """Document frequencies of word pieces over the stored memories."""

    def __init__(self) -> None:
        self.memories = 0
        self._holding = np.zeros(VOCABULARY_SIZE, np.int64)

    def add(self, pieces: np.ndarray) -> None:
        """Count one memory."""
        self._holding[np.unique(pieces)] += 1
        self.memories += 1

    def add_all(self, memories: Iterable[np.ndarray]) -> None:
        for pieces in memories:
            self.add(pieces)

    def weights(self, pieces: np.ndarray) -> np.ndarray:
        """Rarity of each piece in [0, 1]: float32 (t,).

        idf = ln(1 + (N - df + 0.5) / (df + 0.5)) of the store, relative to that of an unseen piece,
        blended with the rank of the piece in English while the store is young.
        """
        n, df = self.memories, self._holding[pieces]
        of_store = np.log1p((n - df + 0.5) / (df + 0.5)) / np.log1p(2.0 * n + 1.0)
        of_english = prior_idf(pieces) / PRIOR_SCALE
        return ((n * of_store + PRIOR_MEMORIES * of_english) / (n + PRIOR_MEMORIES)).astype(np.float32)
