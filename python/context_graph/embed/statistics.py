"""How many memories hold each word piece: the rarity that weighs the static vectors."""

import numpy as np

from context_graph.embed.static_table import prior_idf

__all__ = ["PieceStatistics", "holding_counts"]

VOCABULARY_SIZE = 30_522
PRIOR_MEMORIES = 50  # the English prior counts as much as this many memories of one's own
PRIOR_SCALE = float(prior_idf(np.array([VOCABULARY_SIZE - 1]))[0])


def holding_counts(pieces: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """In how many of n texts, whose pieces stand one after the other, each piece occurs: int64 (30522,)."""
    owners = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    pairs = np.unique(owners * VOCABULARY_SIZE + pieces)
    return np.bincount(pairs % VOCABULARY_SIZE, minlength=VOCABULARY_SIZE)


class PieceStatistics:
    """Document frequencies of word pieces over the stored memories, frozen between two counts.

    Frozen, because a vector must not depend on when it was computed: equal stores weigh alike, however
    they came to be.
    """

    def __init__(self) -> None:
        self.memories = 0
        self._holding = np.zeros(VOCABULARY_SIZE, np.int64)
        self._weights: np.ndarray | None = None

    def freeze(self, memories: int, holding: np.ndarray) -> None:
        """Weigh by these counts from now on."""
        self.memories, self._holding, self._weights = memories, holding.copy(), None

    @property
    def holding(self) -> np.ndarray:
        """How many of those memories hold each piece: int64 (30522,)."""
        return self._holding

    def weights(self, pieces: np.ndarray) -> np.ndarray:
        """Rarity of each piece in [0, 1]: float32 (t,).

        idf = ln(1 + (N - df + 0.5) / (df + 0.5)) of the store, relative to that of an unseen piece,
        blended with the rank of the piece in English while the store is young.
        """
        table = self._weights
        if table is None:  # of two threads both make the same
            table = self._weights = self._of(np.arange(VOCABULARY_SIZE))
        return table[pieces]

    def _of(self, pieces: np.ndarray) -> np.ndarray:
        n, df = self.memories, self._holding[pieces]
        of_store = np.log1p((n - df + 0.5) / (df + 0.5)) / np.log1p(2.0 * n + 1.0)
        of_english = prior_idf(pieces) / PRIOR_SCALE
        return ((n * of_store + PRIOR_MEMORIES * of_english) / (n + PRIOR_MEMORIES)).astype(np.float32)

    def information(self, pieces: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """ln(1 + sum of rarities) over the distinct pieces of each text, rarities up to ln N: float32 (n,)."""
        owners = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        pairs = np.unique(owners * VOCABULARY_SIZE + pieces)
        scale = np.log(max(self.memories, PRIOR_MEMORIES))
        total = np.bincount(
            pairs // VOCABULARY_SIZE, weights=self.weights(pairs % VOCABULARY_SIZE) * scale, minlength=len(lengths)
        )
        return np.log1p(total).astype(np.float32)
