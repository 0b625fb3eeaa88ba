"""How far confidence can be believed: cases that are left out one by one, and what follows for the next."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Calibration", "calibrated", "calibration_of", "expected_error"]

MIN_PAIRS = 20
"""Fewer cases say nothing of how often a confidence is right."""

BINS = 10
FOLDS = 5
MAX_NEWTON_STEPS = 50


@dataclass(frozen=True, slots=True)
class Calibration:
    """What leaving cases out one by one has shown.

    Attributes
    ----------
    cases : int
        How many were left out.
    accuracy : float
        Share of them whose outcome was predicted.
    brier, expected_calibration_error : float
        Of the confidences as they are told: those of each fifth by what the other four taught.
    raw_brier : float
        The same of the shares of votes as they are.
    levels, rates : tuple of float
        A rising staircase from the share of votes to how often it is right.
    slope, offset : float
        The same as a logistic curve over the log odds of the share.
    misses : tuple of float
        Of each, in rising order, what its true outcome lacked: 1 minus its share of votes, or how far a number is off.
    """

    cases: int
    accuracy: float
    brier: float
    expected_calibration_error: float
    raw_brier: float
    levels: tuple[float, ...]
    rates: tuple[float, ...]
    slope: float
    offset: float
    misses: tuple[float, ...] = ()

    def reach(self, coverage: float) -> float:
        """What as many as `coverage` of the next cases lack at most; infinite where too few were left out to say.

        Split conformal prediction, with cases left out one by one in place of a split (Vovk, Gammerman and Shafer,
        Algorithmic learning in a random world, 2005).
        """
        rank = math.ceil((len(self.misses) + 1) * coverage)
        return self.misses[rank - 1] if rank <= len(self.misses) else math.inf


def calibration_of(shares: Sequence[float], right: Sequence[bool], misses: Sequence[float] = ()) -> Calibration | None:
    """What a share of votes and whether the prediction was right teach, case by case; None where they are too few."""
    if len(shares) < MIN_PAIRS:
        return None
    x, y = np.array(shares, np.float64), np.array(right, np.float64)
    folds, confidences = np.arange(len(x)) % FOLDS, np.zeros(len(x))
    for fold in range(FOLDS):
        taught = _Curves.of(x[folds != fold], y[folds != fold])
        confidences[folds == fold] = taught.confidence(x[folds == fold])
    curves = _Curves.of(x, y)
    return Calibration(
        len(x), float(y.mean()), float(((confidences - y) ** 2).mean()), expected_error(confidences, y),
        float(((x - y) ** 2).mean()),
        tuple(curves.levels.tolist()), tuple(curves.rates.tolist()), curves.slope, curves.offset, tuple(sorted(misses)),
    )  # fmt: skip


def calibrated(calibration: Calibration | None, share: float, voters: float) -> float:
    """The confidence that a share of votes deserves; without calibration, a share drawn to a half by few voters."""
    if calibration is None:
        return (share * voters + 1.0) / (voters + 2.0)
    one = calibration
    curves = _Curves(np.array(one.levels), np.array(one.rates), one.slope, one.offset, one.cases)
    return float(curves.confidence(np.array([share]))[0])


def expected_error(confidences: np.ndarray, right: np.ndarray) -> float:
    """Expected calibration error: by how much confidence misses accuracy, over ten bins of equal width."""
    bins = np.minimum((confidences * BINS).astype(int), BINS - 1)
    gaps = [abs(confidences[bins == one].sum() - right[bins == one].sum()) for one in np.unique(bins)]
    return float(sum(gaps) / len(confidences))


@dataclass(frozen=True, slots=True)
class _Curves:
    """Two ways from a share of votes to how often it is right, and their mean.

    The staircase takes any rising form but follows each chance run of a hundred pairs; the logistic curve has two
    numbers, so it hardly varies but may have the wrong form. Their mean is better on public sets than either.
    """

    levels: np.ndarray
    rates: np.ndarray
    slope: float
    offset: float
    pairs: int

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray) -> "_Curves":
        return cls(*_isotonic(x, y), *_logistic(_log_odds(x, len(x)), y), len(x))

    def confidence(self, shares: np.ndarray) -> np.ndarray:
        """Of each share of votes; it never falls where the share rises."""
        curve = 1.0 / (1.0 + np.exp(-(self.slope * _log_odds(shares, self.pairs) + self.offset)))
        mean: np.ndarray = (np.interp(shares, self.levels, self.rates) + curve) / 2
        return mean


def _log_odds(shares: np.ndarray, pairs: int) -> np.ndarray:
    """The logarithms of odds; so many pairs make no share surer than one of them more that was wrong (Laplace)."""
    inner = np.clip(shares, 1.0 / (pairs + 2), 1.0 - 1.0 / (pairs + 2))
    odds: np.ndarray = np.log(inner / (1.0 - inner))
    return odds


def _logistic(odds: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Slope and offset of a logistic curve over log odds, by Newton's method; it never falls.

    Platt, Probabilistic outputs for support vector machines, 1999, with a normal prior of one unit around the share
    itself (slope 1, offset 0) in place of his targets: few pairs move it little.
    """
    design, start = np.stack([odds, np.ones_like(odds)], axis=1), np.array([1.0, 0.0])

    def loss(weights: np.ndarray) -> float:
        score = design @ weights
        return float(np.logaddexp(0.0, score).sum() - score @ y + ((weights - start) ** 2).sum() / 2)

    weights = start.copy()
    for _ in range(MAX_NEWTON_STEPS):
        likely = 1.0 / (1.0 + np.exp(-design @ weights))
        gradient = design.T @ (likely - y) + weights - start
        step = np.linalg.solve((design * (likely * (1.0 - likely))[:, None]).T @ design + np.eye(2), gradient)
        while loss(weights - step) > loss(weights) and np.abs(step).max() > 1e-9:
            step /= 2  # far from the end a whole step can lead away
        weights = weights - step
        if np.abs(step).max() <= 1e-9:
            break
    return max(0.0, float(weights[0])), float(weights[1])


def _isotonic(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rising staircase nearest to the pairs, by pooling adjacent violators; below the lowest share it falls to 0.

    Each step counts one pair more that was right and one that was wrong (Laplace), so that few pairs never make sure.
    """
    steps: list[list[float]] = []  # sum of y, number, lowest and highest x
    for place in np.argsort(x, kind="stable"):
        steps.append([y[place], 1.0, x[place], x[place]])
        while len(steps) > 1 and (
            steps[-2][3] == steps[-1][2] or steps[-2][0] / steps[-2][1] >= steps[-1][0] / steps[-1][1]
        ):
            last = steps.pop()
            steps[-1] = [steps[-1][0] + last[0], steps[-1][1] + last[1], steps[-1][2], last[3]]
    levels, rates = [0.0], [0.0]
    for right, number, lowest, highest in steps:
        levels += [lowest, highest]
        rates += 2 * [(right + 1) / (number + 2)]
    return np.array(levels), np.maximum.accumulate(rates)
