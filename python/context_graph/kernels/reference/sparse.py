"""Scores of an inverted index, as defined: one line of postings (documents, values) per query term."""

from collections.abc import Sequence

import numpy as np

__all__ = ["bm25", "dot", "pagerank"]

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


def pagerank(
    terms: np.ndarray,
    lengths: np.ndarray,
    holding: np.ndarray,
    n: int,
    seeds: np.ndarray,
    seed_terms: np.ndarray,
    most: int,
    *,
    damping: float,
    steps: int,
) -> np.ndarray | None:
    """r <- (1 - damping) s + damping P^T r over documents, given as their terms one after another, and those terms."""
    links = (holding >= 2) & (holding <= most) & (holding < n)
    if not links.any():
        return None
    m = len(lengths)
    owner = np.repeat(np.arange(m), lengths)[links]
    distinct, place = np.unique(terms[links], return_inverse=True)
    joined = np.zeros((m, len(distinct)))
    joined[owner, place] = np.log(n / holding[links])
    idf = joined.max(axis=0)
    of_terms = np.where(np.isin(distinct, seed_terms), idf, 0.0)
    share = 0.5 if of_terms.sum() > 0 else 1.0
    restart = np.concatenate([share * seeds / (seeds.sum() or 1.0), 0.5 * of_terms / (of_terms.sum() or 1.0)])
    moves = np.block([[np.zeros((m, m)), joined], [joined.T, np.zeros((len(distinct),) * 2)]])
    moves /= np.maximum(moves.sum(axis=1, keepdims=True), 1e-300)
    mass = restart
    for _ in range(steps):
        mass = (1 - damping) * restart + damping * moves.T @ mass
    return mass[:m]
