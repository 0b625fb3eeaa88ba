"""What MiniLM makes of a whole text, from a vector for every word piece: their sum, at the price of a table look-up.

Of the static table, words lie where MiniLM has them alone; here they lie so that the sum over a text does where MiniLM
has the text. Fitted by benchmarks/quality/sentences.py.
"""

from functools import lru_cache

import numpy as np

from context_graph import _core
from context_graph.embed.languages import in_english
from context_graph.embed.static_table import row_lengths
from context_graph.embed.wordpiece import VOCABULARY, pieces
from context_graph.texts import kept_for_texts

__all__ = ["DIMENSIONS", "SENTENCE_ROWS", "SENTENCE_SCALE", "unit_sums", "vector"]

DIMENSIONS = 128

SENTENCE_ROWS = VOCABULARY.parent / "sentence128_int8.npy"
SENTENCE_SCALE = VOCABULARY.parent / "sentence128_scale.npy"


@lru_cache(maxsize=1)
def _table() -> tuple[np.ndarray, np.ndarray]:
    """Mapped, not read: a text takes a few rows, and all servers of a machine share the pages."""
    rows = np.load(SENTENCE_ROWS, mmap_mode="r", allow_pickle=False)
    return np.asarray(rows), np.load(SENTENCE_SCALE, allow_pickle=False)


def unit_sums(piece_rows: np.ndarray, lengths: np.ndarray, table: np.ndarray | None = None) -> np.ndarray:
    """Unit vectors of texts whose pieces stand one after the other: int (t,), int (m,) -> float32 (m, 128), zeros for
    a text without pieces.

    Parameters
    ----------
    table : float32 (30522, 128), optional
        In place of that of the package.
    """
    sums = np.zeros((len(lengths), DIMENSIONS), np.float32)
    if len(piece_rows):
        some = np.flatnonzero(lengths)
        starts = (np.cumsum(lengths) - lengths)[some]
        if table is None:
            once = np.ones(len(piece_rows), np.float32)
            sums[some] = _core.embedding_bag(*_table(), piece_rows.astype(np.int64, copy=False), once, starts)
        else:
            sums[some] = np.add.reduceat(table[piece_rows].astype(np.float32), starts)
    units: np.ndarray = sums / np.maximum(row_lengths(sums), np.float32(1e-9))
    return units


@kept_for_texts(maxsize=512)
def vector(text: str) -> np.ndarray:
    """Unit vector of a text, word by word in English: float32 (128,), or zeros for one without words.

    Examples
    --------
    >>> asked = vector("Which vehicle do you travel in?")
    >>> float(asked @ vector("We rented a van.")) > float(asked @ vector("The van was blue and so was the sea."))
    True
    """
    piece_rows = np.array(pieces(in_english(text)), np.int64)
    unit: np.ndarray = unit_sums(piece_rows, np.array([len(piece_rows)]))[0]
    return unit
