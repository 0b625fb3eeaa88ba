"""Document frequencies of word pieces over the memories, and the idf that weights the static vectors."""

import numpy as np

from context_graph.embed.static_table import prior_idf

__all__ = ["PRIOR_MEMORIES", "PRIOR_SCALE", "PieceStatistics", "distinct", "document_frequencies"]

VOCABULARY_SIZE = 30_522
PRIOR_MEMORIES = 50  # the English prior counts as much as this many memories of one's own
PRIOR_SCALE = float(prior_idf(np.array([VOCABULARY_SIZE - 1]))[0])


def document_frequencies(pieces: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """In how many of n texts, whose pieces are concatenated, each piece occurs: int64 (30522,)."""
    owners = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    pairs = np.unique(owners * VOCABULARY_SIZE + pieces)
    return np.bincount(pairs % VOCABULARY_SIZE, minlength=VOCABULARY_SIZE)


def distinct(pieces: np.ndarray) -> np.ndarray:
    """Each piece of one text once, ascending, as `np.unique` gives them: int (t,) -> int64 (u,)."""
    return np.array(sorted({*pieces.tolist()}), np.int64)


class PieceStatistics:
    """Document frequencies of word pieces over the stored memories, frozen between two updates.

    Frozen, because a vector must not depend on when it was computed: equal stores weigh alike, however
    they came to be.
    """

    def __init__(self) -> None:
        self.memories = 0
        self.updates = 0
        """How often the counts were frozen: what was made between two updates was weighted alike."""

        self._df = np.zeros(VOCABULARY_SIZE, np.int64)
        self._weights: np.ndarray | None = None

    def freeze(self, memories: int, df: np.ndarray) -> None:
        """Compute all weights from these counts until the next call."""
        self.memories, self._df, self._weights = memories, df.copy(), None
        self.updates += 1

    @property
    def df(self) -> np.ndarray:
        """Document frequency of each piece over those memories: int64 (30522,)."""
        return self._df

    def weights(self, pieces: np.ndarray) -> np.ndarray:
        """Inverse document frequency of each piece, scaled to [0, 1]: float32 (t,).

        idf = ln(1 + (N - df + 0.5) / (df + 0.5)) of the store, relative to that of an unseen piece,
        blended with the rank of the piece in English while the store is young.
        """
        table = self._weights
        if table is None:  # of two threads both make the same
            table = self._weights = self._of(np.arange(VOCABULARY_SIZE))
        return table[pieces]

    def _of(self, pieces: np.ndarray) -> np.ndarray:
        n, df = self.memories, self._df[pieces]
        of_store = np.log1p((n - df + 0.5) / (df + 0.5)) / np.log1p(2.0 * n + 1.0)
        of_english = prior_idf(pieces) / PRIOR_SCALE
        return ((n * of_store + PRIOR_MEMORIES * of_english) / (n + PRIOR_MEMORIES)).astype(np.float32)

    def information(self, pieces: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """ln(1 + sum of idf) over the distinct pieces of each text, idf scaled up to ln N: float32 (n,)."""
        scale = np.log(max(self.memories, PRIOR_MEMORIES))
        if len(lengths) == 1:  # in the order in which the sums of many are made
            total = np.bincount(
                np.zeros(len(once := distinct(pieces)), np.int64), weights=self.weights(once) * scale, minlength=1
            )
            return np.log1p(total).astype(np.float32)
        owners = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        pairs = np.unique(owners * VOCABULARY_SIZE + pieces)
        total = np.bincount(
            pairs // VOCABULARY_SIZE, weights=self.weights(pairs % VOCABULARY_SIZE) * scale, minlength=len(lengths)
        )
        return np.log1p(total).astype(np.float32)
