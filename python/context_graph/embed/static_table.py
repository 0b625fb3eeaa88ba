"""A vector for every word piece, distilled from MiniLM: meaning at the price of a table look-up."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from context_graph import _core
from context_graph.embed.wordpiece import VOCABULARY

__all__ = [
    "DIMENSIONS", "TOKEN_DIMENSIONS", "nearest", "piece_count", "prior_idf", "row_lengths", "rows", "token_vectors",
    "weighted_sum", "weighted_sums",
]  # fmt: skip

DIMENSIONS = 256
TOKEN_DIMENSIONS = 128
"""Principal components come first, so the leading half is the best 128-dimensional cut."""

_ONE_START = np.zeros(1, np.int64)

FIRST_WORD = 998  # rows before it are special and unused pieces; after it, pieces stand by falling frequency


class _Table(NamedTuple):
    emb: np.ndarray
    scale: np.ndarray


@lru_cache(maxsize=1)
def _table() -> _Table:
    """Mapped, not read: a text takes a few rows, and all servers of a machine share the pages."""
    folder = VOCABULARY.parent
    emb = np.load(folder / "static256_int8.npy", mmap_mode="r", allow_pickle=False)
    return _Table(np.asarray(emb), np.load(folder / "static256_scale.npy", allow_pickle=False))


def piece_count() -> int:
    """How many word pieces have a vector."""
    return len(_table().emb)


def weighted_sum(pieces: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum of the table rows of word pieces, each times its weight: int (t,), float32 (t,) -> float32 (256,)."""
    if not len(pieces):
        return np.zeros(DIMENSIONS, np.float32)
    return weighted_sums(pieces, weights, _ONE_START)[0]


def weighted_sums(pieces: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The same of several texts that have pieces, and begin at these places: int (t,), float32 (t,), int64 (s,) ->
    float32 (s, 256).
    """
    table = _table()
    return _core.embedding_bag(table.emb, table.scale, pieces.astype(np.int64, copy=False), weights, starts)


def rows(pieces: np.ndarray) -> np.ndarray:
    """Table rows of word pieces: int (t,) -> float32 (t, 256)."""
    table = _table()
    return table.scale[pieces, None] * table.emb[pieces].astype(np.float32)


def nearest(vectors: np.ndarray, k: int, among: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The word pieces nearest to unit vectors, of some: float32 (m, 256), bool (30522,) -> cosines and pieces, (m, k).

    For several at once the table is read once.
    """
    from context_graph.kernels import dense

    return dense.topk(vectors, _table().emb, k, scale=_inverse_norms(), mask=among)


@lru_cache(maxsize=1)
def _inverse_norms() -> np.ndarray:
    emb = _table().emb
    squares = np.einsum("ij,ij->i", emb, emb, dtype=np.float32, casting="unsafe")
    return 1 / np.maximum(np.sqrt(squares), np.float32(1e-9))


def token_vectors(pieces: np.ndarray) -> np.ndarray:
    """Unit vectors of word pieces for late interaction: int (t,) -> float32 (t, 128)."""
    vectors = _table().emb[pieces, :TOKEN_DIMENSIONS].astype(np.float32)
    return vectors / np.maximum(row_lengths(vectors), 1e-9)


def row_lengths(vectors: np.ndarray) -> np.ndarray:
    """What `np.linalg.norm` gives along the last axis, without asking of what kind: float32 (..., d) -> (..., 1)."""
    lengths: np.ndarray = np.sqrt(np.add.reduce(vectors * vectors, axis=-1, keepdims=True))
    return lengths


def prior_idf(pieces: np.ndarray) -> np.ndarray:
    """How rare pieces are in English by their rank, for a store too young to count: int (t,) -> float32 (t,)."""
    return np.log1p(np.maximum(np.asarray(pieces, np.float32) - FIRST_WORD, 1.0))
