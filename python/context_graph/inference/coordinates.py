"""Points of the Poincaré ball whose entailment cones hold what is a kind of what."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from context_graph.kernels import cones

__all__ = ["Layout", "aperture_of", "laid_out"]

DIM = 64  # design 6
WIDTH = 0.1
"""K of the cones."""

INNERMOST, OUTERMOST = 0.12, 0.97
"""Least and largest norm of a point: a cone nearer to the centre would hold the whole ball."""

MARGIN = 0.03
"""Radians by which a point is to lie inside or outside a cone while it is trained."""

ROUNDS, RATE, SEED = 300, 0.1, 0


class Layout(NamedTuple):
    """Coordinates of things, and which of all cones hold each.

    Attributes
    ----------
    points : float32, shape (n, 64)
    held : bool, shape (n, n)
        Row by row which cones hold a point, its own included.
    """

    points: np.ndarray
    held: np.ndarray


@lru_cache(maxsize=64)
def laid_out(n: int, ancestors: tuple[tuple[int, ...], ...]) -> Layout:
    """Train points by Riemannian gradient descent until the cones agree with an order, or the rounds are over.

    A point starts in the direction of itself and all its ancestors, the further out the more it has, and is moved by
    the hinge loss of the angle between the axis of a cone and the way to a point: inside the cones of its ancestors,
    outside all others.

    Parameters
    ----------
    ancestors : tuple of tuple of int
        Of each thing all ancestors, without itself; no thing may be its own.

    Examples
    --------
    >>> laid_out(3, ((), (0,), (0, 1))).held.astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    wanted = np.eye(n, dtype=bool)
    for point, above in enumerate(ancestors):
        wanted[point, list(above)] = True
    own = np.random.default_rng(SEED).standard_normal((n, DIM))
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    directions = wanted @ own
    sizes = 0.15 + 0.12 * (wanted.sum(axis=1) - 1)
    points = _in_annulus(directions / np.linalg.norm(directions, axis=1, keepdims=True) * sizes[:, None])
    for round in range(ROUNDS):
        if round and (_held(points) == wanted).all():
            break
        slope = _slope(points, wanted)
        step = RATE * (1 - round / ROUNDS) / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1)
        points = _in_annulus(points - step * slope)
    return Layout(points.astype(np.float32), _held(points))


def aperture_of(point: np.ndarray) -> float:
    """Half the opening of the cone that begins at a point, in radians: float32 (64,) -> float."""
    return float(cones.aperture(point[None], width=WIDTH)[0])


def _held(points: np.ndarray) -> np.ndarray:
    rows = points.astype(np.float32)
    return cones.ancestors(rows, rows, width=WIDTH)


def _in_annulus(points: np.ndarray) -> np.ndarray:
    sizes = np.linalg.norm(points, axis=1, keepdims=True)
    moved: np.ndarray = points * np.clip(sizes, INNERMOST, OUTERMOST) / sizes
    return moved


def _slope(points: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The Riemannian gradient of the hinge loss over all pairs, (n, d).

    With p = |x|² of the apex, q = |y|² of the point and a = <x, y>, the angle is arccos(N / √(p f h)) for
    N = a (1 + p) - p (1 + q), f = p + q - 2a and h = 1 + pq - 2a, and the aperture arcsin(K (1 - p) / √p).
    """
    squares, a = (points * points).sum(axis=1), points @ points.T
    q, p = squares[:, None], squares[None, :]
    f, h = np.maximum(p + q - 2 * a, 1e-9), 1 + p * q - 2 * a
    root = np.sqrt(p * f * h)
    cosine = np.clip((a * (1 + p) - p * (1 + q)) / root, -1 + 1e-9, 1 - 1e-9)
    sine = WIDTH * (1 - p) / np.sqrt(p)
    outside = np.arccos(cosine) - np.arcsin(np.minimum(sine, 1 - 1e-9))
    push = np.where(wanted, np.where(outside > -MARGIN, 1.0, 0.0), np.where(outside < MARGIN, -1.0, 0.0))
    np.fill_diagonal(push, 0.0)
    turn = -push / np.sqrt(1 - cosine * cosine)
    by_a = turn * ((1 + p) / root + cosine * (1 / f + 1 / h))
    by_p = turn * ((a - (1 + q)) / root - cosine * (0.5 / p + 0.5 / f + 0.5 * q / h))
    by_q = turn * (-p / root - cosine * (0.5 / f + 0.5 * p / h))
    by_p += push * WIDTH * (1 / np.sqrt(p) + (1 - p) / (2 * p**1.5)) / np.sqrt(np.maximum(1 - sine * sine, 1e-9))
    slope = (by_a + by_a.T) @ points + 2 * (by_p.sum(axis=0) + by_q.sum(axis=1))[:, None] * points
    riemannian: np.ndarray = slope * (((1 - squares) / 2) ** 2)[:, None]
    return riemannian
