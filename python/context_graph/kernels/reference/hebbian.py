"""Hebbian learning, as defined."""

import numpy as np

__all__ = ["update"]


def update(
    weights: np.ndarray,
    offsets: np.ndarray,
    targets: np.ndarray,
    pre: np.ndarray,
    post: np.ndarray,
    *,
    rule: str,
    rate: float,
    decay: float,
    least: float,
    most: float,
    normalise: bool,
) -> np.ndarray:
    """The weights after one step; the edges of node s are offsets[s] to offsets[s + 1]."""
    weights = weights.astype(np.float64)
    sources = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    before, after = pre.astype(np.float64)[sources], post.astype(np.float64)[targets]
    gain = rate * before * after
    if rule == "soft":
        gain = gain * (1 - weights)
    if rule == "oja":
        gain = rate * after * (before - after * weights)
    learned: np.ndarray = np.clip(weights + gain - decay * weights, least, most)
    if normalise:
        sums = np.bincount(sources, learned, len(offsets) - 1)[sources]
        learned = np.divide(learned, sums, out=learned, where=sums > 0)
    return learned
