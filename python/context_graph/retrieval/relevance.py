"""How relevant a result is, as a probability: the fused score made comparable between questions and stores."""

import numpy as np

from context_graph.retrieval.pipeline import Found

__all__ = ["probability", "signals"]

# Logistic regression on three signals; fitted by benchmarks/quality/calibrate.py, see docs/memory/retrieval.md.
WEIGHTS: dict[str, tuple[float, float, float, float]] = {
    "minilm": (-6.159, 0.206, 0.569, 0.944),
    "base": (-6.0, 4.0, 3.0, 0.3),
}
"""By tier: intercept, late interaction, share of the question's rare words, standardised fused score."""


def signals(found: Found, coverage: np.ndarray) -> np.ndarray:
    """What relevance is judged by: float32 (k, 3).

    Parameters
    ----------
    coverage : float32 (k,)
        Rarity-weighted share of the question's words that each memory holds.
    """
    if len(found.rows) == 0:
        return np.zeros((0, 3), np.float32)
    late = found.raw.get("late", np.zeros(len(found.rows), np.float32))
    return np.column_stack([late, coverage, np.clip(found.raw["fused"], -6, 12)]).astype(np.float32)


def probability(found: Found, coverage: np.ndarray, tier: str) -> np.ndarray:
    """Calibrated probability of relevance of each result: float32 (k,)."""
    intercept, *weights = WEIGHTS[tier]
    logit = intercept + signals(found, coverage) @ np.array(weights, np.float32)
    return (1.0 / (1.0 + np.exp(-logit))).astype(np.float32)
