"""Surprise, coherence and what is learned from a memory: the unified theory of learning (seed 001 2.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from context_graph.models import Johari
from context_graph.nervous.lifecycle import Lifecycle

__all__ = ["Learning", "arousal", "cluster_fit", "coherence", "johari", "learning_score", "phase", "surprise"]

NEUTRAL = 0.5
CONSISTENCY_WINDOW = 25
CONSISTENCY_MINIMUM = 3

ORDINARY = np.linspace(0.025, 0.975, 20)
"""Distances that stand in for experience: they decide while there is little, and drown in a thousand."""

_AROUSING = frozenset(
    """amazing angry awful breaking critical crash crisis danger dead death delighted desperate disaster emergency
    excited failure fatal fear fired furious happy hate horrible hurt important love must never outage panic pregnant
    proud sad scared severe shocked terrible thrilled tragedy urgent victory vital warning won worried wrong""".split()
)


@dataclass(frozen=True, slots=True)
class Learning:
    """What one memory meant to the whole."""

    delta_s: float
    delta_c: float
    w_e: float
    phi: float
    score: float

    @property
    def quadrant(self) -> Johari:
        return johari(self.delta_s, self.delta_c)


def surprise(distances: dict[str, float], nearest: dict[str, np.ndarray], weights: dict[str, float]) -> float:
    """delta_s: how far a memory is from what is known, as a rank among how far the known are from each other.

    Parameters
    ----------
    distances : dict
        Space -> distance to the nearest stored memory.
    nearest : dict
        Space -> leave-one-out nearest distances of at most 1,000 stored memories.
    weights : dict
        Space -> weight of its vote.

    Returns
    -------
    float in [0, 1]
        Mid-rank averaged over the spaces; 1 for an empty store, 0 for an exact duplicate.
    """
    votes, total = 0.0, 0.0
    for space, distance in distances.items():
        known = np.concatenate([nearest.get(space, ORDINARY[:0]), ORDINARY])
        nearer, equal = np.count_nonzero(known < distance), np.count_nonzero(known == distance)
        below = nearer + 0.5 * equal if distance > 0.0 else 0.0
        weight = weights.get(space, 1.0)
        votes += weight * float(below) / len(known)
        total += weight
    return votes / total if total else 1.0


def cluster_fit(cosine_own: float | None, cosine_other: float | None) -> float:
    """Silhouette of a memory between its cluster and the nearest other, mapped to [0, 1]; 0.5 with fewer than two."""
    if cosine_own is None or cosine_other is None:
        return NEUTRAL
    a, b = (max(0.0, 1.0 - cosine) for cosine in (cosine_own, cosine_other))  # rounding makes a cosine exceed 1
    silhouette = 0.0 if max(a, b) <= 0 else (b - a) / max(a, b)
    return (silhouette + 1.0) / 2.0


def coherence(links: Sequence[tuple[float, float]], fit: float, recent: Sequence[float]) -> tuple[float, float]:
    """delta_c = 0.4 connectivity + 0.4 cluster fit + 0.2 consistency.

    Parameters
    ----------
    links : sequence of (w_eff, cosine)
        The memory's links; none: connectivity 0.5.
    recent : sequence of float
        The session's last values of the second result.

    Returns
    -------
    delta_c, level : float
        The level, (0.4 connectivity + 0.4 fit) / 0.8, is what consistency is measured over.
    """
    weight = sum(w for w, _ in links)
    connectivity = sum(w * max(0.0, cosine) for w, cosine in links) / weight if weight > 0 else NEUTRAL
    level = (0.4 * connectivity + 0.4 * fit) / 0.8
    window = [*recent, level][-CONSISTENCY_WINDOW:]
    consistency = 1.0
    if len(window) >= CONSISTENCY_MINIMUM:
        consistency = max(0.0, 1.0 - 4.0 * _variance(window))
    return min(1.0, 0.4 * connectivity + 0.4 * fit + 0.2 * consistency), level


def _variance(values: Sequence[float]) -> float:
    """What `np.var` gives, without asking of what kind and along which axis."""
    array = np.array(values, np.float64)
    apart = array - np.add.reduce(array) / len(array)
    return float(np.add.reduce(apart * apart) / len(array))


def arousal(text_words: Sequence[str], importance: float) -> float:
    """w_e in [0.5, 1.5]: importance moves it by half, arousing words by up to half."""
    share = min(1.0, sum(word in _AROUSING for word in text_words) / 3.0)
    return min(1.5, max(0.5, 0.5 + importance + 0.5 * share))


def phase(memory: np.ndarray, context: np.ndarray | None) -> float:
    """phi in [0, pi]: the angle between a memory and its session's running context; 0 where one of them is nothing."""
    if context is None or not context.any() or not memory.any():
        return 0.0
    cosine = float(memory @ context / (np.sqrt(memory.dot(memory)) * np.sqrt(context.dot(context))))
    return float(np.arccos(min(1.0, max(-1.0, cosine))))


def learning_score(delta_s: float, delta_c: float, w_e: float, phi: float, stage: Lifecycle) -> float:
    """L = clamp01(delta_s^(2 lambda_s) delta_c^(2 lambda_c) w_e max(0, cos phi))^(1/3)."""
    product = delta_s ** (2 * stage.lambda_s) * delta_c ** (2 * stage.lambda_c) * w_e * max(0.0, float(np.cos(phi)))
    return float(min(1.0, max(0.0, product)) ** (1.0 / 3.0))


def johari(delta_s: float, delta_c: float) -> Johari:
    """The quadrant of a memory: both measures split at 0.5 (seed 001 2.2)."""
    if delta_s < 0.5:
        return Johari.OPEN if delta_c >= 0.5 else Johari.HIDDEN
    return Johari.UNKNOWN if delta_c >= 0.5 else Johari.BLIND
