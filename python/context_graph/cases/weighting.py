"""Weights of features learned from cases that are left out one by one, and whether they help those not learned from.

The loss of a left-out case is the log loss of its share of votes, or of numbers the squared error of the mean over the
variance. Its gradient by the logarithms of the weights goes through the similarities of its k nearest (a differentiable
k-NN, as in Goldberger et al., Neighbourhood components analysis, NIPS 2004, with diagonal weights).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from context_graph.cases.base import CaseArrays

__all__ = ["LearnedWeights", "learned_weights"]

MAX_LEARNED_FROM = 256
"""Cases, spread evenly over all."""

MIN_LEARNED_FROM = 30
FOLDS, STEPS, STEP, SHRINK = 3, 40, 0.15, 0.01
MAX_LOG = 2.3
"""A weight changes by at most a factor of ten."""

FLOOR = 0.01
"""Of a share in the log loss: one surprise does not outweigh all."""


@dataclass(frozen=True, slots=True)
class LearnedWeights:
    """What a gradient made of the weights of features.

    Attributes
    ----------
    factors : dict
        By feature, what multiplies its weight.
    loss_before, loss_after : float
        Mean of cases that nothing was learned from (three folds).
    helps : bool
        The loss falls by more than its standard error; otherwise the factors are not used.
    """

    factors: dict[str, float]
    cases: int
    loss_before: float
    loss_after: float
    helps: bool


@dataclass(frozen=True, slots=True)
class _Pairs:
    """How similar some cases are to each other in each feature.

    Attributes
    ----------
    similar : float32, shape (features, n, n)
    present : float32, shape (features, n)
        1 where the case asked about has the feature.
    targets : shape (n,)
        Codes of outcomes, or numbers.
    """

    similar: np.ndarray
    present: np.ndarray
    targets: np.ndarray
    numeric: bool
    k: int
    nearly: float

    def losses(self, logs: np.ndarray, queries: np.ndarray, voters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The loss of each case asked about, by the votes of others, and its gradient by the logs of the weights."""
        weights = np.exp(logs)[:, None] * self.present[:, queries]  # (features, queries)
        total = weights.sum(axis=0)
        similar = self.similar[:, queries][:, :, voters]
        mean = np.einsum("fa,fak->ak", weights, similar) / total[:, None]
        ranked = np.where(queries[:, None] == voters[None, :], -1.0, mean)  # nobody votes for itself
        k = min(self.k, len(voters) - 1)
        near = np.argpartition(-ranked, k - 1, axis=1)[:, :k]
        similarity = np.take_along_axis(mean, near, axis=1)
        votes = 1.0 / (1.0 - similarity + self.nearly)
        sums = votes.sum(axis=1, keepdims=True)
        others, own = self.targets[voters][near], self.targets[queries][:, None]
        if self.numeric:
            variance = max(float(self.targets[voters].var()), 1e-12)
            value = (votes * others).sum(axis=1, keepdims=True) / sums
            losses = (value - own)[:, 0] ** 2 / variance
            by_votes = 2 * (value - own) / variance * (others - value)
        else:
            agree = (others == own).astype(np.float64)
            share = (votes * agree).sum(axis=1, keepdims=True) / sums
            losses = -np.log((1 - FLOOR) * share[:, 0] + FLOOR)
            by_votes = -(1 - FLOOR) / ((1 - FLOOR) * share + FLOOR) * (agree - share)
        by_similarity = by_votes * votes**2 / sums
        parts = np.take_along_axis(similar, near[None], axis=2) - similarity[None]
        gradient: np.ndarray = (weights / total)[:, :] * np.einsum("ak,fak->fa", by_similarity, parts)
        return losses, gradient.mean(axis=1)


def learned_weights(
    arrays: CaseArrays, weights: Mapping[str, float], mask: np.ndarray, *, numeric: bool, k: int, nearly: float
) -> LearnedWeights | None:
    """Learn what multiplies the weights of features; None where too few cases or features can teach it.

    Parameters
    ----------
    weights : mapping
        Of each feature as it is.
    mask : bool, shape (n,)
        The cases that have an outcome and are seen.
    nearly : float
        Added to a distance before it is inverted.
    """
    usable = np.flatnonzero(mask & ~np.isnan(arrays.numbers) if numeric else mask)
    rows = usable[:: max(1, -(-len(usable) // MAX_LEARNED_FROM))]
    names = [name for name, weight in weights.items() if weight > 0]
    if len(rows) < MIN_LEARNED_FROM or len(names) < 2:
        return None
    pairs = _pairs(arrays, names, rows, numeric=numeric, k=k, nearly=nearly)
    start = np.log([weights[name] for name in names])
    places = np.arange(len(rows))[pairs.present.any(axis=0)]
    before, after = [], []
    for fold in range(FOLDS):
        held, known = places[places % FOLDS == fold], places[places % FOLDS != fold]
        before.append(pairs.losses(start, held, known)[0])
        after.append(pairs.losses(_descended(pairs, start, known), held, known)[0])
    gains = np.concatenate(before) - np.concatenate(after)
    factors = np.exp(_descended(pairs, start, places) - start)
    return LearnedWeights(
        {name: float(factor) for name, factor in zip(names, factors, strict=True)},
        len(places),
        float(np.concatenate(before).mean()),
        float(np.concatenate(after).mean()),
        bool(gains.mean() > gains.std(ddof=1) / np.sqrt(len(gains))),
    )


def _pairs(
    arrays: CaseArrays, names: Sequence[str], rows: np.ndarray, *, numeric: bool, k: int, nearly: float
) -> _Pairs:
    similar = np.zeros((len(names), len(rows), len(rows)), np.float32)
    present = np.zeros((len(names), len(rows)), np.float32)
    for place, name in enumerate(names):
        column = arrays.columns[name]
        present[place] = ~column.missing(rows)
        for at, row in enumerate(rows):
            if present[place, at]:
                similar[place, at] = column.similarity(arrays.cases[row].features[name], rows)
    targets = arrays.numbers[rows] if numeric else arrays.codes[rows]
    return _Pairs(similar, present, targets, numeric, k, nearly)


def _descended(pairs: _Pairs, start: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The logs of the weights after some steps, of the length of the steepest coordinate (sign-free, so scale-free)."""
    logs = start.copy()
    for step in range(STEPS):
        gradient = pairs.losses(logs, known, known)[1] + SHRINK * (logs - start)
        steepest = float(np.abs(gradient).max())
        if steepest < 1e-9:
            break
        logs -= STEP * (1 - step / STEPS) * gradient / steepest
        logs = np.clip(logs, start - MAX_LOG, start + MAX_LOG)
    return logs
