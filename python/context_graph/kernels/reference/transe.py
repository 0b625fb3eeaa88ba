"""Facts as translations, as defined."""

import numpy as np

from context_graph.kernels.reference import dense

__all__ = ["nearest", "score"]


def score(heads: np.ndarray, relations: np.ndarray, tails: np.ndarray, *, norm: int = 2) -> np.ndarray:
    """-|h + r - t| row by row; rows broadcast."""
    left = heads.astype(np.float64) + relations.astype(np.float64) - tails.astype(np.float64)
    lengths: np.ndarray = np.linalg.norm(left, ord=norm, axis=-1)
    return -lengths


def nearest(
    heads: np.ndarray,
    relations: np.ndarray,
    tails: np.ndarray,
    k: int,
    *,
    norm: int = 2,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The k tails with the highest score for each (head, relation)."""
    lines = [score(h, r, tails, norm=norm) for h, r in zip(heads, relations, strict=True)]
    return dense.best(np.array(lines).reshape(len(heads), len(tails)), k, mask)
