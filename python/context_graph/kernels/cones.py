"""Entailment cones in the Poincaré ball: what is a kind of what, as geometry.

Source: Ganea, Bécigneul and Hofmann, Hyperbolic entailment cones for learning hierarchical embeddings, ICML 2018.
"""

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import in_kind
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._types import Compiled, Rows
from context_graph.kernels.reference import cones as reference

__all__ = ["ancestors", "aperture", "contains", "descendants", "energy"]


def contains(
    apexes: Rows, points: Rows, *, width: float = 0.1, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """Whether each point lies in the cone of its apex, row by row.

    A cone opens from its apex towards the rim, narrower the farther out it starts::

        angle(x, y) <= arcsin(K (1 - |x|²) / |x|)

    where angle(x, y) lies between the axis of x and the geodesic from x to y. Cones nest: what an
    inner cone holds, the outer cone that holds its apex holds too, so containment is an order.

    Parameters
    ----------
    apexes, points : float32, shape (n, d)
        Strictly inside the unit ball; `poincare.project` pulls strays back in.
    width : float
        K > 0, how wide cones are. Apexes with |x| <= 2K / (1 + √(1 + 4K²)) hold the whole ball.
    backend : str, optional
        Default: the fastest usable here.
    threads : int, optional
        Changes the time, never the answer.

    Returns
    -------
    bool, shape (n,)
        True where the rows are equal.

    Notes
    -----
    Decided in float64, without transcendental functions; the vector backends look in float32 first, with bounds on
    what that loses, and decide again only where the bounds leave it open. All compiled backends agree on every pair.

    Examples
    --------
    >>> apex, inside, beside = np.array([[[0.5, 0.0]], [[0.9, 0.0]], [[0.0, 0.9]]], np.float32)
    >>> contains(apex, inside), contains(apex, beside)
    (array([ True]), array([False]))
    """
    found = _core.cones.contains_fast(apexes, points, width, backend, threads)
    if found is not NotImplemented:
        return found
    return _contains(apexes, points, width, backend, threads)


@in_kind
def _contains(apexes: Rows, points: Rows, width: float, backend: str | None, threads: int | None) -> np.ndarray:
    chosen, width = _chosen("contains", backend), check.positive(width, "width")
    apexes, points = _pairs(apexes, points)
    if chosen == "reference":
        return reference.contains(_ball(apexes, "apexes"), _ball(points, "points"), width=width)
    function: Compiled = getattr(_core.cones, f"contains_{chosen}")
    return call(function, apexes, points, width, thread_count(threads))


def energy(
    apexes: Rows, points: Rows, *, width: float = 0.1, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """How far each point lies outside the cone of its apex, row by row: max(0, angle - aperture).

    Parameters
    ----------
    apexes, points, width, backend, threads
        As in `contains`.

    Returns
    -------
    float32, shape (n,)
        Radians; exactly 0 inside.

    Notes
    -----
    The angle is atan2(a √(nq - g²), ag - nq) with w = y - x, a = 1 - |x|², n = |x|², g = <w, x>, q = |w|² in float64.
    The arccos of the textbook form loses half of the digits near the axis.

    Examples
    --------
    >>> energy(np.array([[0.5, 0.0]], np.float32), np.array([[0.0, 0.5]], np.float32)).round(4)
    array([2.4506], dtype=float32)
    """
    found = _core.cones.energy_fast(apexes, points, width, backend, threads)
    if found is not NotImplemented:
        return found
    return _energy(apexes, points, width, backend, threads)


@in_kind
def _energy(apexes: Rows, points: Rows, width: float, backend: str | None, threads: int | None) -> np.ndarray:
    chosen, width = _chosen("energy", backend), check.positive(width, "width")
    apexes, points = _pairs(apexes, points)
    if chosen == "reference":
        return reference.energy(_ball(apexes, "apexes"), _ball(points, "points"), width=width).astype(np.float32)
    function: Compiled = getattr(_core.cones, f"energy_{chosen}")
    return call(function, apexes, points, width, thread_count(threads))


@in_kind
def aperture(apexes: Rows, *, width: float = 0.1, backend: str | None = None, threads: int | None = None) -> np.ndarray:
    """Half the opening of each cone, arcsin(K (1 - |x|²) / |x|).

    Parameters
    ----------
    apexes : float32, shape (n, d)
    width, backend, threads
        As in `contains`.

    Returns
    -------
    float32, shape (n,)
        Radians; π where the cone is the whole ball.

    Examples
    --------
    >>> aperture(np.array([[0.5, 0.0], [0.0, 0.0]], np.float32))
    array([0.15056828, 3.1415927 ], dtype=float32)
    """
    chosen, width = _chosen("aperture", backend), check.positive(width, "width")
    apexes = check.matrix(apexes, "apexes")
    if chosen == "reference":
        return reference.aperture(_ball(apexes, "apexes"), width=width).astype(np.float32)
    function: Compiled = getattr(_core.cones, f"aperture_{chosen}")
    return call(function, apexes, width, thread_count(threads))


@in_kind
def ancestors(
    points: Rows, apexes: Rows, *, width: float = 0.1, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """Which of all apexes' cones hold each point: one pass over the apexes.

    Parameters
    ----------
    points : float32, shape (q, d)
    apexes : float32, shape (n, d)
        Rows may lie apart.
    width, backend, threads
        As in `contains`.

    Returns
    -------
    bool, shape (q, n)
        The answers of `contains`; np.flatnonzero of a line gives the ids.

    Examples
    --------
    >>> tree = np.array([[0.2, 0.0], [0.5, 0.0], [0.0, 0.5], [0.9, 0.0]], np.float32)
    >>> np.flatnonzero(ancestors(tree[3:], tree)[0])
    array([0, 1, 3])
    """
    chosen, width = _chosen("ancestors", backend), check.positive(width, "width")
    points, apexes = check.matrix(points, "points"), check.matrix(apexes, "apexes")
    check.same_dim(points, apexes, ("points", "apexes"))
    if chosen == "reference":
        return reference.ancestors(_ball(points, "points"), _ball(apexes, "apexes"), width=width)
    function: Compiled = getattr(_core.cones, f"ancestors_{chosen}")
    return call(function, points, apexes, width, thread_count(threads))


@in_kind
def descendants(
    apexes: Rows, points: Rows, *, width: float = 0.1, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """Which of all points the cone of each apex holds: one pass over the points.

    Parameters
    ----------
    apexes : float32, shape (q, d)
    points : float32, shape (n, d)
        Rows may lie apart.
    width, backend, threads
        As in `contains`.

    Returns
    -------
    bool, shape (q, n)
        The answers of `contains`.

    Examples
    --------
    >>> tree = np.array([[0.2, 0.0], [0.5, 0.0], [0.0, 0.5], [0.9, 0.0]], np.float32)
    >>> np.flatnonzero(descendants(tree[1:2], tree)[0])
    array([1, 3])
    """
    chosen, width = _chosen("descendants", backend), check.positive(width, "width")
    apexes, points = check.matrix(apexes, "apexes"), check.matrix(points, "points")
    check.same_dim(apexes, points, ("apexes", "points"))
    if chosen == "reference":
        return reference.descendants(_ball(apexes, "apexes"), _ball(points, "points"), width=width)
    function: Compiled = getattr(_core.cones, f"descendants_{chosen}")
    return call(function, apexes, points, width, thread_count(threads))


def _chosen(operation: str, backend: str | None) -> str:
    return choose(_core.cones, "cones", operation, backend)


def _pairs(apexes: Rows, points: Rows) -> tuple[np.ndarray, np.ndarray]:
    apexes, points = check.matrix(apexes, "apexes"), check.matrix(points, "points")
    if apexes.shape != points.shape:
        raise ArrayError(f"apexes and points must have the same shape, got {apexes.shape} and {points.shape}")
    return apexes, points


def _ball(rows: np.ndarray, name: str) -> np.ndarray:
    """What the compiled code checks on its way, for the reference."""
    square = (rows.astype(np.float64) ** 2).sum(axis=-1)
    if not (square < 1).all():
        row = int(np.flatnonzero(~(square < 1))[0])
        raise ArrayError(
            f"{name} must be finite and inside the unit ball, got |x|² = {square[row]:f} in row {row}; "
            f"poincare.project pulls strays back in"
        )
    return rows
