"""Inner products and the best of them, as defined."""

import numpy as np

__all__ = ["best", "rotate", "scores", "sign_estimates", "topk"]


def scores(queries: np.ndarray, rows: np.ndarray, *, scale: np.ndarray | None = None) -> np.ndarray:
    """<q, x> for every query and row, (q, n)."""
    found = queries.astype(np.float64) @ rows.astype(np.float64).T
    return found if scale is None else found * scale.astype(np.float64)


def best(scores: np.ndarray, k: int, mask: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The k highest of each line, ties to the lowest id, padded with -inf and -1."""
    q, n = scores.shape
    ids = np.arange(n) if mask is None else np.flatnonzero(mask)
    order = np.argsort(-scores[:, ids], axis=1, kind="stable")[:, :k]
    top_scores, top_ids = np.full((q, k), -np.inf), np.full((q, k), -1, np.int64)
    top_scores[:, : order.shape[1]] = np.take_along_axis(scores[:, ids], order, axis=1)
    top_ids[:, : order.shape[1]] = ids[order]
    return top_scores, top_ids


def topk(
    queries: np.ndarray, rows: np.ndarray, k: int, *, scale: np.ndarray | None = None, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The k rows with the highest inner product."""
    return best(scores(queries, rows, scale=scale), k, mask)


def rotate(rows: np.ndarray) -> np.ndarray:
    """Rows padded to a power of two, at least 256, and turned: twice random signs and a Walsh-Hadamard transform."""
    turned = np.zeros((len(rows), max(256, 1 << (rows.shape[1] - 1).bit_length())))
    turned[:, : rows.shape[1]] = rows
    size = turned.shape[1]
    hadamard = np.ones((1, 1))
    while len(hadamard) < size:
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]])
    for signs in _signs(2 * size).reshape(2, size):
        turned = turned * signs @ hadamard / np.sqrt(size)
    return turned


def _signs(count: int) -> np.ndarray:
    """splitmix64 of 20261122, 20261123, ...: odd is +1, even -1."""
    x = np.arange(count, dtype=np.uint64) + np.uint64(20261122) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.where((x ^ (x >> np.uint64(31))) & np.uint64(1), 1.0, -1.0)


def sign_estimates(queries: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """What the signs of rotated rows, and rotated queries in 4 bits, say of <q, x>, in each query's own unit."""
    rows, queries = rotate(rows), rotate(queries)
    step = 2.7 / 7.5 * np.sqrt((queries**2).mean(axis=1, keepdims=True))
    numbers = np.clip(np.floor(np.divide(queries, step, out=np.zeros_like(queries), where=step > 0)) + 8, 0, 15) - 7.5
    size = abs(rows).sum(axis=1)
    factor = np.divide((rows**2).sum(axis=1), size, out=np.zeros_like(size), where=size > 0)
    estimates: np.ndarray = numbers @ np.where(rows > 0, 1.0, -1.0).T * factor
    return estimates
