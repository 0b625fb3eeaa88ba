"""The Poincaré ball, as defined: distances and maps in float64."""

import numpy as np

from context_graph.kernels.reference import dense

__all__ = ["distance", "distances", "exp_map", "log_map", "mobius_add", "nearest", "project", "slack"]


def slack(x: np.ndarray, *, curvature: float = 1.0) -> np.ndarray:
    """1 - c|x|²."""
    left: np.ndarray = 1 - curvature * (x.astype(np.float64) ** 2).sum(axis=-1)
    return left


def distance(x: np.ndarray, y: np.ndarray, *, curvature: float = 1.0) -> np.ndarray:
    """arcosh(1 + 2c|x - y|² / (a_x a_y)) / √c, as 2 asinh(√(c|x - y|² / (a_x a_y))) / √c; rows broadcast."""
    gap = ((x.astype(np.float64) - y.astype(np.float64)) ** 2).sum(axis=-1)
    key = curvature * gap / (slack(x, curvature=curvature) * slack(y, curvature=curvature))
    lengths: np.ndarray = 2 * np.arcsinh(np.sqrt(key)) / np.sqrt(curvature)
    return lengths


def distances(queries: np.ndarray, rows: np.ndarray, *, curvature: float = 1.0) -> np.ndarray:
    """All pairs, (q, n)."""
    lines = [distance(query, rows, curvature=curvature) for query in queries]
    return np.array(lines).reshape(len(queries), len(rows))


def nearest(
    queries: np.ndarray, rows: np.ndarray, k: int, *, curvature: float = 1.0, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The k rows with the least distance, padded with +inf and -1."""
    found, ids = dense.best(-distances(queries, rows, curvature=curvature), k, mask)
    return 0.0 - found, ids


def mobius_add(x: np.ndarray, y: np.ndarray, *, curvature: float = 1.0) -> np.ndarray:
    """((1 + 2c<x,y> + c|y|²) x + (1 - c|x|²) y) / (1 + 2c<x,y> + c²|x|²|y|²)."""
    x, y, c = x.astype(np.float64), y.astype(np.float64), curvature
    xy, xx, yy = ((a * b).sum(axis=-1, keepdims=True) for a, b in ((x, y), (x, x), (y, y)))
    sums: np.ndarray = ((1 + 2 * c * xy + c * yy) * x + (1 - c * xx) * y) / (1 + 2 * c * xy + c * c * xx * yy)
    return sums


def exp_map(x: np.ndarray, v: np.ndarray, *, curvature: float = 1.0) -> np.ndarray:
    """x ⊕ tanh(√c λ|v| / 2) v / (√c|v|), λ = 2 / (1 - c|x|²)."""
    v = v.astype(np.float64)
    speed = np.sqrt(curvature) * np.linalg.norm(v, axis=-1, keepdims=True)
    angle = speed / slack(x, curvature=curvature)[..., None]
    t = np.divide(np.tanh(angle), speed, out=np.zeros_like(speed), where=speed > 0)
    return mobius_add(x, t * v, curvature=curvature)


def log_map(x: np.ndarray, y: np.ndarray, *, curvature: float = 1.0) -> np.ndarray:
    """d(x, y) / λ times the direction of (-x) ⊕ y."""
    way = mobius_add(-x, y, curvature=curvature)
    size = np.linalg.norm(way, axis=-1, keepdims=True)
    length = (distance(x, y, curvature=curvature) * slack(x, curvature=curvature) / 2)[..., None]
    tangent: np.ndarray = np.divide(length * way, size, out=np.zeros_like(way), where=size > 0)
    return tangent


def project(x: np.ndarray, *, curvature: float = 1.0, eps: float = 1e-5) -> np.ndarray:
    """Rows beyond (1 - eps) of the radius come back to it."""
    x = x.astype(np.float64)
    length = np.sqrt(curvature) * np.linalg.norm(x, axis=-1, keepdims=True)
    inside: np.ndarray = np.where(length > 1 - eps, x * ((1 - eps) * (1 - 2**-23) / np.maximum(length, 1e-300)), x)
    return inside
