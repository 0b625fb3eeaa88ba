"""How relevant a result is, as a probability: the fused score made comparable between questions and stores."""

import numpy as np

from context_graph.retrieval.pipeline import Found

__all__ = ["probability", "signals"]

# Logistic regression; fitted by benchmarks/quality/calibrate.py, see docs/memory/retrieval.md.
WEIGHTS: dict[str, tuple[float, float, float, float, float]] = {
    "minilm": (-9.0, 6.0, 3.0, 2.0, 0.5),
    "base": (-5.222, 0.0, 7.407, 1.929, 0.0),
}
"""By tier: intercept, late interaction, share of the question's rare words, cosine, standardised fused score."""

TRUSTED_FROM = 30  # memories: of a handful, how one stands out among the others says little


def signals(found: Found, coverage: np.ndarray, candidates: int) -> np.ndarray:
    """What relevance is judged by: float32 (k, 4).

    Three signals are absolute, so that one memory in an empty store can be told relevant or not.

    Parameters
    ----------
    coverage : float32 (k,)
        Rarity-weighted share of the question's words that each memory holds.
    candidates : int
        How many memories the fused score is standardised over.
    """
    if len(found.rows) == 0:
        return np.zeros((0, 4), np.float32)
    nothing = np.zeros(len(found.rows), np.float32)
    standing = np.clip(found.raw["fused"], -6, 12) * candidates / (candidates + TRUSTED_FROM)
    late, cosine = found.raw.get("late_rare", nothing), found.raw.get("semantic", nothing)
    return np.column_stack([np.maximum(late, 0.0), coverage, cosine, standing]).astype(np.float32)


def probability(found: Found, coverage: np.ndarray, candidates: int, tier: str) -> np.ndarray:
    """Calibrated probability of relevance of each result: float32 (k,)."""
    intercept, *weights = WEIGHTS[tier]
    logit = intercept + signals(found, coverage, candidates) @ np.array(weights, np.float32)
    return (1.0 / (1.0 + np.exp(-logit))).astype(np.float32)
