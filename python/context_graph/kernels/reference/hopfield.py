"""Modern Hopfield retrieval, as defined (Ramsauer et al. 2020)."""

import numpy as np

__all__ = ["energy", "retrieve"]


def retrieve(
    queries: np.ndarray,
    patterns: np.ndarray,
    *,
    beta: float,
    steps: int = 1,
    tolerance: float = 1e-4,
    mask: np.ndarray | None = None,
    shortlist: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """xi <- X^T softmax(beta X xi) until it moves by at most `tolerance`: output, lse, steps, converged, dropped."""
    states = queries.astype(np.float64)
    lse, dropped = np.zeros(len(states)), np.zeros(len(states))
    step_counts, converged = np.zeros(len(states), np.int64), np.zeros(len(states), bool)
    for j, query in enumerate(states):
        while step_counts[j] < steps and not converged[j]:
            state, lse[j], dropped[j] = _step(states[j], patterns.astype(np.float64), beta, mask, shortlist)
            step_counts[j] += 1
            converged[j] = np.linalg.norm(state - query) <= tolerance
            states[j] = query = state
    return states, lse, step_counts, converged, dropped


def energy(queries: np.ndarray, patterns: np.ndarray, *, beta: float, mask: np.ndarray | None = None) -> np.ndarray:
    """-lse / beta + |xi|² / 2 + ln(n) / beta + M² / 2, M the length of the longest pattern."""
    seen = (patterns if mask is None else patterns[mask.astype(bool)]).astype(np.float64)
    if len(seen) == 0:
        return np.full(len(queries), np.inf)
    lse = np.array([_lse(beta * (seen @ query.astype(np.float64))) for query in queries])
    own, largest = (queries.astype(np.float64) ** 2).sum(axis=1), (seen**2).sum(axis=1).max()
    found: np.ndarray = (own + largest) / 2 - (lse - np.log(len(seen))) / beta
    return found


def _step(
    query: np.ndarray, patterns: np.ndarray, beta: float, mask: np.ndarray | None, shortlist: int | None
) -> tuple[np.ndarray, float, float]:
    scores = beta * (patterns @ query)
    ids = np.arange(len(patterns)) if mask is None else np.flatnonzero(mask)
    visible = len(ids)
    if shortlist is not None:
        ids = ids[np.argsort(-scores[ids], kind="stable")[:shortlist]]
    if len(ids) == 0:
        return np.zeros_like(query), -np.inf, 0.0
    lse = _lse(scores[ids])
    dropped = (visible - len(ids)) * np.exp(scores[ids].min() - lse)
    return np.exp(scores[ids] - lse) @ patterns[ids], lse, min(dropped, 1.0)


def _lse(scores: np.ndarray) -> float:
    return float(scores.max() + np.log(np.exp(scores - scores.max()).sum()))
