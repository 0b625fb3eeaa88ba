"""Late interaction, as defined."""

from itertools import pairwise

import numpy as np

__all__ = ["maxima", "score"]


def maxima(query: np.ndarray, tokens: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """max_j <q_i, d_j> for every document and query token, (n, q); -inf for an empty document."""
    dots = tokens.astype(np.float64) @ query.astype(np.float64).T
    pieces = [dots[start:stop] for start, stop in pairwise(offsets)]
    return np.array([piece.max(axis=0, initial=-np.inf) for piece in pieces]).reshape(len(pieces), len(query))


def score(
    query: np.ndarray, tokens: np.ndarray, offsets: np.ndarray, *, weights: np.ndarray | None = None
) -> np.ndarray:
    """sum_i w_i max_j <q_i, d_j>, (n,); -inf for an empty document."""
    best = maxima(query, tokens, offsets)
    w = np.ones(len(query)) if weights is None else weights.astype(np.float64)
    empty = np.diff(offsets) == 0
    return np.where(empty, -np.inf, np.where(empty[:, None], 0, best) @ w)
