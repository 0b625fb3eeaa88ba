"""How scores of many spaces become one: z-scores over the candidates, weighted, plus rules in their own units."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from context_graph.index.corpus import Corpus

__all__ = ["Scale", "gated", "kinds_of", "reciprocal_rank", "scale_of", "standardised", "weighted_sum"]


class Scale(NamedTuple):
    """What a score is measured by: its mean over the candidates, and their deviation."""

    mean: float
    deviation: float


def scale_of(scores: np.ndarray, among: np.ndarray, least: float = 1e-6) -> Scale | None:
    """Mean and deviation of the rows in `among` that have the space; None for fewer than two.

    Parameters
    ----------
    least : float
        Spread below which scores are not stretched to unit deviation.
    """
    known = scores[among & ~np.isnan(scores)].astype(np.float64)
    if len(known) < 2:
        return None
    mean = known.sum() / len(known)
    known -= mean
    return Scale(float(mean), max(float(np.sqrt(known @ known / len(known))), least))


def standardised(scores: np.ndarray, scale: Scale | None) -> np.ndarray:
    """z-scores; 0 where a memory lacks the space (NaN)."""
    if scale is None:
        return np.zeros(len(scores), np.float32)
    found = ((scores - scale.mean) / scale.deviation).astype(np.float32)
    found[np.isnan(found)] = 0.0
    return found


def kinds_of(corpus: Corpus, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
    """What each row is, as its place in `config.KINDS`: int8 (m,)."""
    return np.where(corpus.columns.dialogue[rows], 1, np.where(corpus.forms.code[rows], 2, 0)).astype(np.int8)


def gated(weights: dict[str, np.ndarray], say: Mapping[str, float], strength: float) -> dict[str, np.ndarray]:
    """Weights turned towards the spaces that a gate chose for the question, 1 + strength (say - 1), never below 0.

    Parameters
    ----------
    say : mapping
        By score; 1 where the gate has no opinion.
    strength : float
        0 changes nothing.
    """
    if not strength:
        return weights
    return {name: weight * np.float32(max(0.0, 1.0 + strength * (say[name] - 1.0))) for name, weight in weights.items()}


def weighted_sum(
    scores: Mapping[str, np.ndarray],
    weights: Mapping[str, np.ndarray],
    among: np.ndarray,
    scales: dict[str, Scale | None],
    least_spread: Mapping[str, float],
) -> dict[str, np.ndarray]:
    """Contribution of each space that has a weight: name -> float32 (m,).

    Parameters
    ----------
    least_spread : mapping
        By score: see `Score`.
    scales : dict
        By score; what is missing is measured here and added, so that rows which come later are measured alike.
    """
    found = {}
    for name, values in scores.items():
        if name in weights and weights[name].any():
            if name not in scales:
                scales[name] = scale_of(values, among, least_spread[name])
            found[name] = weights[name] * standardised(values, scales[name])
    return found


def reciprocal_rank(
    scores: Mapping[str, np.ndarray], weights: Mapping[str, np.ndarray], among: np.ndarray
) -> dict[str, np.ndarray]:
    """Contributions by rank, 1 / (60 + rank) (Cormack et al. 2009): an option, worse here than z-scores."""
    contributions = {}
    for name, values in scores.items():
        if name in weights and weights[name].any():
            order = np.argsort(-np.where(among, np.nan_to_num(values, nan=-np.inf), -np.inf), kind="stable")
            ranks = np.empty(len(order))
            ranks[order] = np.arange(1, len(order) + 1)
            contributions[name] = (weights[name] / (60 + ranks)).astype(np.float32)
    return contributions
