"""Word statistics of the corpus: document frequencies, and the features of a memory that idf weights."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed.semantic import STATIC, static_sums
from context_graph.embed.statistics import VOCABULARY_SIZE, PieceStatistics, distinct, document_frequencies
from context_graph.index.batch import Words
from context_graph.index.columns import Columns
from context_graph.index.word_lists import WordLists

if TYPE_CHECKING:
    from context_graph.store import Segment

__all__ = ["FollowedStatistics", "IdfFeatures"]

GROWTH = 1.25
"""Idf is recomputed when the store has grown by this factor: drift stays small, cost stays amortised."""

FIRST_UPDATE, UPDATE_STEP = 32, 1_024
"""The smallest store whose idf is computed, and the multiples at which large stores recompute it."""


class IdfFeatures:
    """Information content and static sum of each memory, weighted by idf that is frozen between two updates.

    Parameters
    ----------
    statistics : PieceStatistics
        Keeps the frozen document frequencies; the embedder reads the same.
    words : WordLists
        Of all memories, to weight them again after an update.
    """

    def __init__(self, statistics: PieceStatistics, words: WordLists) -> None:
        self._statistics, self._words = statistics, words
        self.columns = Columns(info="f4", static=f"({STATIC},)f4")
        self.df = np.zeros(VOCABULARY_SIZE, np.int64)
        """Document frequency of each word piece today."""

        self.next_update = FIRST_UPDATE
        """The number of memories at which idf is recomputed."""

        self._loading = False
        self._from_cache: list[bool] = []  # of each block of words

    def append_unweighted(self, n: int) -> None:
        """Add rows of zeros, for memories whose words come later."""
        self.columns.append(info=np.zeros(n, np.float32), static=np.zeros((n, STATIC), np.float32))

    def map_segment(self, segment: "Segment") -> None:
        """Add rows from a cached file, which was weighted with the idf in force once the load is complete."""
        values = {name: segment.arrays[name] for name in self.columns.names}
        self.columns.append_mapped(segment.file.fileno(), segment.offsets, **values)

    def insert(self, first: int, words: Words, *, from_cache: bool, df: np.ndarray | None) -> None:
        """Count the words of memories, and weight their rows where the cache did not.

        Parameters
        ----------
        first : int
            Row of the first memory.
        words : Words
            Of the same memories, as just appended to the word lists.
        from_cache : bool
            Whether `map_segment` added their rows.
        df : int64 (30522,), optional
            Document frequencies over these memories, where a cache holds them.
        """
        if df is None and len(words) == 1:
            self.df[distinct(words.pieces)] += 1
        else:
            self.df += document_frequencies(words.pieces, words.piece_lengths) if df is None else df
        self._from_cache.append(from_cache)
        if not (from_cache or self._loading):
            self._weight(slice(first, first + len(words)), words)

    def erase(self, row: int, words: Words) -> None:
        """Leave the words of a deleted memory out of the counts, and zero its row."""
        self.df -= document_frequencies(words.pieces, words.piece_lengths)
        self.columns.info[row], self.columns.static[row] = 0.0, 0.0

    def begin_load(self, memories: int) -> int:
        """Announce the size of a load, so that idf is computed once; returns the size at which it will be.

        The result is 0 where the load is too small for an update.
        """
        size = 0
        while self.next_update <= memories:
            size = self.next_update
            self.next_update = _update_after(size)
        self.next_update = size or FIRST_UPDATE
        self._loading = size > 0
        return size

    def recompute(self, memories: int) -> None:
        """Freeze the document frequencies of today, and weight all memories with them."""
        self._statistics.freeze(memories, self.df)
        self._reweight()

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The document frequencies of today and the frozen ones, for `load_arrays`."""
        statistics = self._statistics
        return {"holding": self.df, "counted": statistics.df, "count": np.array([statistics.memories])}

    def load_arrays(self, arrays: Mapping[str, np.ndarray], from_cache: list[bool]) -> None:
        """Restore the counts from `to_arrays`, once the word lists and rows of all these memories are here.

        Parameters
        ----------
        from_cache : list of bool
            Of each block of words, whether its rows came weighted from the cache.
        """
        self.df += arrays["holding"]
        self._from_cache += from_cache
        if not self._loading:  # too few memories for an update
            self._weight_all()
        elif self.next_update == int(arrays["count"][0]):
            self._statistics.freeze(self.next_update, arrays["counted"])
            self._reweight()

    def _reweight(self) -> None:
        self._weight_all()
        self._loading = False
        self.next_update = _update_after(self._statistics.memories)

    def _weight_all(self) -> None:
        first = 0
        for block, from_cache in zip(self._words.blocks, self._from_cache, strict=True):
            if not (self._loading and from_cache):
                self._weight(slice(first, first + len(block)), block)
            first += len(block)

    def _weight(self, span: slice, words: Words) -> None:
        self.columns.static[span] = static_sums(words.pieces, words.piece_lengths, self._statistics)
        self.columns.info[span] = self._statistics.information(words.pieces, words.piece_lengths)


class FollowedStatistics:
    """The statistics that a corpus would freeze while memories come, for whoever embeds many before they are in one."""

    def __init__(self) -> None:
        self.statistics = PieceStatistics()
        self._df = np.zeros(VOCABULARY_SIZE, np.int64)
        self._next_update = FIRST_UPDATE

    def follow(self, ordinal: int) -> None:
        """Bring them to what a memory is weighted by that comes with this ordinal."""
        while self._next_update <= ordinal:
            self.statistics.freeze(self._next_update, self._df)
            self._next_update = _update_after(self._next_update)

    def count(self, pieces: np.ndarray) -> None:
        """Count the word pieces of that memory."""
        self._df[distinct(pieces)] += 1


def _update_after(memories: int) -> int:
    """The size of the next update; a pure function of the last one, so that equal stores agree."""
    following = int(memories * GROWTH) + 1
    return following if following < UPDATE_STEP else -(-following // UPDATE_STEP) * UPDATE_STEP
