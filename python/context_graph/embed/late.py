"""E12: one vector for every word piece, so that a question's words can each find their best match."""

import numpy as np

from context_graph.embed import static_table
from context_graph.embed.spaces import space

__all__ = ["DIMENSIONS", "contextual", "quantised", "static"]

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
