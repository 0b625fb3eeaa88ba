"""Logistic regression of few features, with weights and an earlier fit to stay near."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Fit(NamedTuple):
    intercept: float
    weights: np.ndarray


def fit(x: np.ndarray, y: np.ndarray, weight: np.ndarray, ridge: float, prior: Fit | None = None) -> Fit:
    """Logistic regression with an L2 penalty on standardised features, by Newton's method: on the weights, or on their
    distance from those of an earlier fit.
    """
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    z = np.column_stack([np.ones(len(x)), (x - mean) / spread])
    penalty = np.full(z.shape[1], ridge)
    penalty[0] = 1e-9
    meant = np.zeros(z.shape[1])
    if prior is not None:
        meant = np.append(prior.intercept + prior.weights @ mean, prior.weights * spread)
    b = meant.copy()
    for _ in range(100):
        p = 1 / (1 + np.exp(-z @ b))
        step = np.linalg.solve(
            (z * (weight * p * (1 - p))[:, None]).T @ z + np.diag(penalty),
            z.T @ (weight * (p - y)) + penalty * (b - meant),
        )
        b -= step
        if abs(step).max() < 1e-8:
            break
    weights = b[1:] / spread
    return Fit(float(b[0] - weights @ mean), weights)


def logit(x: np.ndarray, fitted: Fit) -> np.ndarray:
    return fitted.intercept + x @ fitted.weights


def probability(x: np.ndarray, fitted: Fit) -> np.ndarray:
    return 1 / (1 + np.exp(-logit(x, fitted)))


def named(fitted: Fit, names: Sequence[str]) -> dict:
    rounded = {name: round(float(weight), 4) for name, weight in zip(names, fitted.weights, strict=True)}
    return {"intercept": round(fitted.intercept, 4), "weights": rounded}
