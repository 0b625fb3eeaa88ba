"""Scores of an inverted index, as defined: one line of postings (documents, values) per query term."""

from collections.abc import Sequence

import numpy as np

__all__ = ["bm25", "dot"]

Postings = Sequence[tuple[np.ndarray, np.ndarray]]


def dot(postings: Postings, weights: np.ndarray, n: int) -> np.ndarray:
    """sum_t w_t x_t for each of n documents."""
    scores = np.zeros(n)
    for (documents, values), weight in zip(postings, weights, strict=True):
        scores[documents] += float(weight) * values.astype(np.float64)
    return scores


def bm25(
    postings: Postings, weights: np.ndarray, lengths: np.ndarray, *, average: float, k1: float = 1.2, b: float = 0.75
) -> np.ndarray:
    """sum_t w_t x_t (k1 + 1) / (x_t + k1 (1 - b + b length / average))."""
    scores = np.zeros(len(lengths))
    for (documents, values), weight in zip(postings, weights, strict=True):
        tf = values.astype(np.float64)
        relative = lengths[documents].astype(np.float64) / average
        scores[documents] += float(weight) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * relative))
    return scores
