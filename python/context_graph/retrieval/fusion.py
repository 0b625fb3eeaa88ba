"""How scores of many spaces become one: z-scores over the candidates, weighted, plus rules in their own units."""

from collections.abc import Mapping

import numpy as np

__all__ = ["LEAST_SPREAD", "RULES", "WEIGHTS", "reciprocal_rank", "standardised", "weighted_sum"]

WEIGHTS: dict[str, dict[str, float]] = {
    "minilm": {
        "words": 1.0,
        "words_near": 0.5,
        "words_session": 0.5,
        "window": 1.0,
        "late": 1.0,
        "late_near": 1.0,
    },
    "base": {
        "words": 1.0,
        "words_pair": 1.0,
        "words_near": 1.0,
        "words_session": 1.0,
        "window": 1.0,
        "window_near": 0.5,
        "late": 1.0,
    },
}
"""Weight of each z-score, by tier; set by hand, see docs/memory/retrieval.md for what each is worth."""

RULES = {"speaker": 2.0, "date": 6.0, "asks": -2.0, "answers": 1.0, "information": 1.0, "when": 1.0, "how_many": 0.0}
"""Weight of each rule, in units of a z-sum whose standard deviation over a dialogue is about 4."""

LEAST_SPREAD = {
    "words": 0.5, "words_pair": 0.5, "words_near": 0.5, "words_session": 0.5,
    "window": 0.04, "window_near": 0.04, "semantic": 0.04, "spelling": 0.01, "late": 0.03, "late_near": 0.03,
}  # fmt: skip
"""A third or less of the usual standard deviation over a dialogue. Scores that vary less than this tell the
candidates apart by noise, and a space loses its weight in proportion."""


def standardised(scores: np.ndarray, among: np.ndarray, least: float = 1e-6) -> np.ndarray:
    """z-scores against the rows in `among`; 0 where a memory lacks the space (NaN).

    Parameters
    ----------
    least : float
        Spread below which scores are not stretched to unit deviation.
    """
    known = among & ~np.isnan(scores)
    if known.sum() < 2:
        return np.zeros(len(scores), np.float32)
    mean, deviation = scores[known].mean(dtype=np.float64), scores[known].std(dtype=np.float64)
    return np.nan_to_num((scores - mean) / max(deviation, least)).astype(np.float32)


def weighted_sum(scores: Mapping[str, np.ndarray], weights: Mapping[str, float], among: np.ndarray) -> dict:
    """Contribution of each space that has a weight: name -> float32 (m,)."""
    return {
        name: np.float32(weights[name]) * standardised(values, among, LEAST_SPREAD[name])
        for name, values in scores.items()
        if weights.get(name)
    }


def reciprocal_rank(scores: Mapping[str, np.ndarray], weights: Mapping[str, float], among: np.ndarray) -> dict:
    """Contributions by rank, 1 / (60 + rank) (Cormack et al. 2009): an option, worse here than z-scores."""
    contributions = {}
    for name, values in scores.items():
        if weights.get(name):
            order = np.argsort(-np.where(among, np.nan_to_num(values, nan=-np.inf), -np.inf), kind="stable")
            ranks = np.empty(len(order))
            ranks[order] = np.arange(1, len(order) + 1)
            contributions[name] = (weights[name] / (60 + ranks)).astype(np.float32)
    return contributions
