"""Forward lists: the terms and word pieces of every memory, by row."""

import numpy as np

from context_graph.index.batch import Words

__all__ = ["WordLists"]


class WordLists:
    """Terms and word pieces of all memories, in the blocks in which they were appended."""

    def __init__(self) -> None:
        self.blocks: list[Words] = []

    @property
    def nbytes(self) -> int:
        return sum(block.terms.nbytes + block.pieces.nbytes for block in self.blocks)

    def append(self, words: Words) -> None:
        """Add a block of memories; its arrays are not copied."""
        self.blocks.append(words)

    def terms(self, rows: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Terms of some memories, and how often each has them: int64 (t,), float32 (t,) each."""
        ends = np.cumsum([len(block) for block in self.blocks])
        lists = []
        for row, place in zip(rows.tolist(), np.searchsorted(ends, rows, side="right").tolist(), strict=True):
            block = self.blocks[place]
            within = row - int(ends[place]) + len(block)
            start = int(block.term_lengths[:within].sum())
            span = slice(start, start + int(block.term_lengths[within]))
            lists.append((block.terms[span], block.counts[span]))
        return lists

    def pieces(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Word pieces of some memories, concatenated, and how many each has: int (t,), int64 (m,)."""
        ends, lists = np.cumsum([len(block) for block in self.blocks]), []
        places = np.searchsorted(ends, rows, side="right")
        bounds = {place: _bounds(self.blocks[place].piece_lengths) for place in np.unique(places).tolist()}
        for row, place in zip(rows.tolist(), places.tolist(), strict=True):
            block, within = self.blocks[place], row - int(ends[place]) + len(self.blocks[place])
            lists.append(block.pieces[bounds[place][within] : bounds[place][within + 1]])
        lengths = np.array([len(each) for each in lists], np.int64)
        return np.concatenate([np.zeros(0, np.int64), *lists]), lengths

    def erase(self, row: int) -> Words:
        """Empty the lists of a row; returns what they held."""
        first = 0
        for number, block in enumerate(self.blocks):
            if row < first + len(block):
                self.blocks[number] = block.without(row - first)
                return block[row - first : row - first + 1]
            first += len(block)
        raise IndexError(f"expected a row below {first}, got {row}")


def _bounds(lengths: np.ndarray) -> np.ndarray:
    """Where each of some concatenated lists begins, and where the last one ends: int64 (n + 1,)."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
