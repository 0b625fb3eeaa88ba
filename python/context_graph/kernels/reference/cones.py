"""Entailment cones, as defined: angles and apertures in float64."""

import numpy as np

__all__ = ["ancestors", "angle", "aperture", "contains", "descendants", "energy"]


def aperture(apexes: np.ndarray, *, width: float = 0.1) -> np.ndarray:
    """arcsin(K (1 - |x|²) / |x|); π, the whole ball, where that sine would reach 1."""
    size = np.linalg.norm(apexes.astype(np.float64), axis=-1)
    sine = width * (1 - size**2)
    ratio = np.divide(sine, size, out=np.ones_like(size), where=size > sine)
    half: np.ndarray = np.where(sine >= size, np.pi, np.arcsin(ratio))
    return half


def angle(apexes: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Between the axis of x and the way from x to y, atan2(a √(nq - g²), ag - nq); rows broadcast."""
    x, w = apexes.astype(np.float64), points.astype(np.float64) - apexes.astype(np.float64)
    g, q, n = (w * x).sum(axis=-1), (w * w).sum(axis=-1), (x * x).sum(axis=-1)
    angles: np.ndarray = np.arctan2((1 - n) * np.sqrt(np.maximum(n * q - g * g, 0)), (1 - n) * g - n * q)
    return angles


def energy(apexes: np.ndarray, points: np.ndarray, *, width: float = 0.1) -> np.ndarray:
    """max(0, angle - aperture)."""
    outside: np.ndarray = np.maximum(angle(apexes, points) - aperture(apexes, width=width), 0)
    return outside


def contains(apexes: np.ndarray, points: np.ndarray, *, width: float = 0.1) -> np.ndarray:
    """angle <= aperture."""
    held: np.ndarray = energy(apexes, points, width=width) == 0
    return held


def ancestors(points: np.ndarray, apexes: np.ndarray, *, width: float = 0.1) -> np.ndarray:
    """Whether the cone of apex i holds point j, (q, n)."""
    lines = [contains(apexes, point, width=width) for point in points]
    return np.array(lines, bool).reshape(len(points), len(apexes))


def descendants(apexes: np.ndarray, points: np.ndarray, *, width: float = 0.1) -> np.ndarray:
    """Whether the cone of apex j holds point i, (q, n)."""
    lines = [contains(apex, points, width=width) for apex in apexes]
    return np.array(lines, bool).reshape(len(apexes), len(points))
