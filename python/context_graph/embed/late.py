"""E12: one vector for every word piece, so that a question's words can each find their best match."""

import numpy as np

from context_graph.embed import static_table
from context_graph.embed.minilm import token_basis
from context_graph.embed.spaces import space

__all__ = ["DIMENSIONS", "contextual", "quantised", "static"]

DIMENSIONS = static_table.TOKEN_DIMENSIONS


@space(id="E12", name="late_interaction", dim=DIMENSIONS, kind="tokens", metric="maxsim")
def contextual(hidden: np.ndarray) -> np.ndarray:
    """MiniLM's token vectors in 128 dimensions: float32 (t + 2, 384) -> unit rows (t, 128).

    [CLS] and [SEP] are left out: they match every text alike.
    """
    vectors = hidden[1:-1]
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    vectors = vectors @ token_basis()
    return (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)).astype(np.float32)


def static(pieces: np.ndarray) -> np.ndarray:
    """The form of the base tier: the word piece alone, without its sentence: int (t,) -> unit rows (t, 128)."""
    return static_table.token_vectors(pieces)


def quantised(vectors: np.ndarray) -> np.ndarray:
    """Unit rows as int8 in steps of 1/127: costs no recall and a quarter of the bytes."""
    return np.rint(vectors * 127.0).astype(np.int8)
