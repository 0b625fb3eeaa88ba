"""E1: what a memory means, by itself and after the memory before it."""

from collections.abc import Sequence

import numpy as np

from context_graph.embed import static_table
from context_graph.embed.minilm import DIMENSIONS as MINILM
from context_graph.embed.spaces import space
from context_graph.embed.statistics import PieceStatistics

__all__ = ["DIMENSIONS", "OWN", "blocks_to_vector", "pooled", "rarest_half", "static_sum", "static_sums", "unit"]

DIMENSIONS = 1024
STATIC = static_table.DIMENSIONS
OWN = {"base": (slice(0, STATIC),), "minilm": (slice(0, STATIC), slice(STATIC, STATIC + MINILM))}
"""The blocks that depend on the memory's own text only; the others also see its window."""


@space(id="E1", name="semantic", dim=DIMENSIONS, kind="dense", metric="cosine", served=True)
def blocks_to_vector(blocks: list[np.ndarray]) -> np.ndarray:
    """Unit blocks side by side, the whole of unit length: float32 (1024,).

    With MiniLM: [static 256; MiniLM of the memory 384; MiniLM of the window 384]. In the base tier:
    [static 256; static of the window 256; of heading and entities 256; of the rarest half of the words 256].
    Static vectors lead in the order of their principal components, so the first 128 dimensions are a
    Matryoshka cut. A block of nothing stays zero.
    """
    vector = np.concatenate([unit(block) for block in blocks])
    return unit(vector)


def static_sum(pieces: np.ndarray, statistics: PieceStatistics) -> np.ndarray:
    """Table rows of a text summed by rarity, not normalised, so that sums of neighbours add up: float32 (256,)."""
    return static_table.weighted_sum(pieces, statistics.weights(pieces))


def static_sums(pieces: np.ndarray, lengths: np.ndarray, statistics: PieceStatistics) -> np.ndarray:
    """`static_sum` of many texts whose pieces stand one after the other: (t,), (n,) -> float32 (n, 256)."""
    sums, some = np.zeros((len(lengths), STATIC), np.float32), np.flatnonzero(lengths)
    starts = (np.cumsum(lengths) - lengths)[some]
    sums[some] = static_table.weighted_sums(pieces, statistics.weights(pieces), starts)
    return sums


def rarest_half(pieces: np.ndarray, statistics: PieceStatistics) -> np.ndarray:
    """The rarer half of a text's pieces, rounded up: what it is about, without what holds it together."""
    order = np.argsort(-statistics.weights(pieces), kind="stable")
    return pieces[np.sort(order[: (len(pieces) + 1) // 2])]


def pooled(hidden: Sequence[np.ndarray]) -> np.ndarray:
    """Mean of the token vectors of all chunks, as the model was trained to be read: float32 (384,)."""
    total = sum(chunk.sum(axis=0) for chunk in hidden)
    return unit(total / sum(len(chunk) for chunk in hidden))


def unit(vector: np.ndarray) -> np.ndarray:
    length = np.sqrt(vector.dot(vector))  # what np.linalg.norm does, without asking of what kind and along which axis
    return (vector / length if length > 0 else vector).astype(np.float32)
