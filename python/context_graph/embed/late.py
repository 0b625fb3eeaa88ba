"""E12: one vector for every word piece, so that a question's words can each find their best match."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from context_graph.embed import static_table
from context_graph.embed.spaces import space

__all__ = ["DIMENSIONS", "contextual", "quantised", "static", "static_codes"]

DIMENSIONS = static_table.TOKEN_DIMENSIONS


@space(id="E12", name="late_interaction", dim=DIMENSIONS, kind="tokens", metric="maxsim", served=True)
def contextual(hidden: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """A model's token vectors in 128 dimensions: float32 (t, d) by (d, 128) -> unit rows (t, 128).

    Special tokens have no place among them: they match every text alike.
    """
    vectors = hidden / np.maximum(np.linalg.norm(hidden, axis=1, keepdims=True), 1e-9)
    vectors = vectors @ basis
    return (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)).astype(np.float32)


def static(pieces: np.ndarray) -> np.ndarray:
    """The form of the base tier: the word piece alone, without its sentence: int (t,) -> unit rows (t, 128)."""
    return static_table.token_vectors(pieces)


def quantised(vectors: np.ndarray) -> np.ndarray:
    """Directions as int8, each row stretched to the full range: a quarter of the bytes of float32.

    Late interaction compares directions only, so no scale is kept.
    """
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    return np.rint(vectors * (127.0 / np.maximum(largest, 1e-9))).astype(np.int8)


class _Codes(NamedTuple):
    """Quantised rows of the word pieces that were met, by piece, and which those are: 4 MB where all of them were."""

    rows: np.ndarray
    met: np.ndarray


@lru_cache(maxsize=1)
def _codes() -> _Codes:
    count = static_table.piece_count()
    return _Codes(np.zeros((count, DIMENSIONS), np.int8), np.zeros(count, bool))


def static_codes(pieces: np.ndarray) -> np.ndarray:
    """`quantised(static(pieces))`, made once for each word piece: int (t,) -> int8 (t, 128)."""
    codes = _codes()
    if len(new := pieces[~codes.met[pieces]]):
        codes.rows[new] = quantised(static(new))
        codes.met[new] = True  # after its row: another thread may ask for the piece meanwhile
    return codes.rows[pieces]
