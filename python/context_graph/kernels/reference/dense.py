"""Inner products and the best of them, as defined."""

import numpy as np

__all__ = ["best", "scores", "topk"]


def scores(queries: np.ndarray, rows: np.ndarray, *, scale: np.ndarray | None = None) -> np.ndarray:
    """<q, x> for every query and row, (q, n)."""
    found = queries.astype(np.float64) @ rows.astype(np.float64).T
    return found if scale is None else found * scale.astype(np.float64)


def best(found: np.ndarray, k: int, mask: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The k highest of each line, ties to the lowest id, padded with -inf and -1."""
    q, n = found.shape
    ids = np.arange(n) if mask is None else np.flatnonzero(mask)
    order = np.argsort(-found[:, ids], axis=1, kind="stable")[:, :k]
    top_scores, top_ids = np.full((q, k), -np.inf), np.full((q, k), -1, np.int64)
    top_scores[:, : order.shape[1]] = np.take_along_axis(found[:, ids], order, axis=1)
    top_ids[:, : order.shape[1]] = ids[order]
    return top_scores, top_ids


def topk(
    queries: np.ndarray, rows: np.ndarray, k: int, *, scale: np.ndarray | None = None, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The k rows with the highest inner product."""
    return best(scores(queries, rows, scale=scale), k, mask)
