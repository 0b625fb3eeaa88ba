"""Entailment cones in the Poincaré ball: what is a kind of what, as geometry.

Source: Ganea, Bécigneul and Hofmann, Hyperbolic entailment cones for learning hierarchical embeddings, ICML 2018.
"""

from typing import Any, Self

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import in_kind
from context_graph.kernels._columns import Columns, KeptRows, takes
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._files import IndexFile
from context_graph.kernels._gpu import DeviceArray, using
from context_graph.kernels._types import Compiled, Ids, Rows
from context_graph.kernels.reference import cones as reference

__all__ = ["Index", "ancestors", "aperture", "contains", "descendants", "energy"]

SQUARES_AT_ONCE = 65_536  # rows whose |row|² is taken together: float64 copies of all would not fit
BOUNDS = ("scale", "residual", "norm")


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
    points, apexes = check.matrix(points, "points"), check.matrix(apexes, "apexes")
    check.same_dim(points, apexes, ("points", "apexes"))
    return _ancestors(_chosen("ancestors", backend), points, apexes, width, threads)


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
    apexes, points = check.matrix(apexes, "apexes"), check.matrix(points, "points")
    check.same_dim(apexes, points, ("apexes", "points"))
    return _descendants(_chosen("descendants", backend), apexes, points, width, threads)


class Index(KeptRows):
    """Apexes or points kept once beside 8-bit codes of them, growing by append.

    A search reads a row's code, a quarter of its bytes, and |row|²; of the rows only those that these leave open. The
    answers are those of `ancestors` and `descendants`, pair by pair. With backend "cuda", or where the first rows come
    from a GPU, they are kept there, without codes; "reference" and "scalar" keep no codes either.

    Searches may run in other threads beside one `append` or `reserve`: each answers for the rows of one moment.
    Writers exclude each other by the caller's lock, and `replace` excludes searches.

    Parameters
    ----------
    dim : int
        Rows of more than 8,192 numbers are kept without codes.
    backend : str, optional
        For all calls. Default: the fastest usable here, and "cuda" where the first rows come from a GPU.

    Examples
    --------
    >>> index = Index(2)
    >>> index.append(np.array([[0.2, 0.0], [0.5, 0.0], [0.0, 0.5]], np.float32))
    array([0, 1, 2])
    >>> index.ancestors(np.array([[0.9, 0.0]], np.float32))
    array([[ True,  True, False]])
    """

    _family = "cones"

    rescored = 0
    """Of an index with codes: how many rows the last search read in full."""

    def __init__(self, dim: int, *, backend: str | None = None) -> None:
        self.dim = check.whole(dim, "dim")
        if self.dim < 1:
            raise ArrayError(f"dim must be at least 1, got {dim}")
        self.backend = self._settled(_core.cones, "cones", "ancestors", backend)
        self._size = 0
        self._keep()

    @takes
    def append(self, rows: Rows) -> np.ndarray:
        """Add rows, (m, dim) float32 inside the ball; their ids, int64 (m,), continue the count."""
        rows, squares = self._given(rows)
        first, last = self._size, self._size + rows.shape[0]
        self._columns.grow(last, first)
        self._columns.write("rows", first, rows)
        if self._coded:
            self._columns.write("squares", first, squares)
            kept = self._columns.part
            bounds = (kept(name, slice(first, last)) for name in ("codes", *BOUNDS))
            _core.dense.encode(kept("rows", slice(first, last))[:, : self.dim], *bounds)
        self._size = last  # last: a search in another thread never sees a row half written
        return np.arange(first, last)

    @takes
    def replace(self, ids: Ids, rows: Rows) -> None:
        """Overwrite the rows with these ids.

        Raises
        ------
        ArrayError
            `rows` and `ids` differ in number, or are no rows and ids of this index.
        """
        ids = check.ids(ids, self._size)
        rows, squares = self._given(rows)
        if rows.shape[0] != ids.shape[0]:
            raise ArrayError(f"rows must have one row per id, got {rows.shape[0]} rows for {ids.shape[0]} ids")
        self._columns.replace("rows", ids, rows)
        if self._coded:
            self._columns.replace("squares", ids, squares)
            codes = np.zeros((len(ids), self._columns.width("codes")), np.uint8)
            bounds = [np.empty(len(ids), np.float32) for _ in BOUNDS]
            _core.dense.encode(rows, codes, *bounds)
            self._columns.part("codes", slice(self._size))[ids] = codes
            for name, bound in zip(BOUNDS, bounds, strict=True):
                self._columns.replace(name, ids, bound)

    @in_kind
    def ancestors(self, points: Rows, *, width: float = 0.1, threads: int | None = None) -> np.ndarray:
        """Which rows' cones hold each point, bool (q, n), as `ancestors`."""
        return self._search("ancestors", check.matrix(points, "points", dim=self.dim), width, threads)

    @in_kind
    def descendants(self, apexes: Rows, *, width: float = 0.1, threads: int | None = None) -> np.ndarray:
        """Which rows the cone of each apex holds, bool (q, n), as `descendants`."""
        return self._search("descendants", check.matrix(apexes, "apexes", dim=self.dim), width, threads)

    def _search(self, operation: str, ones: np.ndarray, width: float, threads: int | None) -> np.ndarray:
        size = self._size
        rows = self._columns.first("rows", size)
        if not self._coded:
            scan = _ancestors if operation == "ancestors" else _descendants
            with using(self.device):
                return scan(self.backend, ones, rows, width, threads)
        codes = self._columns.part("codes", slice(size))
        bounds = (self._columns.first(name, size) for name in (*BOUNDS, "squares"))
        function = getattr(_core.cones, f"{operation}_coded_{self.backend}")
        held: np.ndarray
        held, self.rescored = call(
            function, ones, rows, codes, *bounds, check.positive(width, "width"), thread_count(threads)
        )
        return held

    def _stored(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        size = self._size
        return {"dim": self.dim, "rows": size}, self._columns.stored(size)

    @classmethod
    def _restored(cls, file: IndexFile, backend: str | None) -> Self:
        size = file.options.pop("rows")
        index = cls(**file.options, backend=backend)
        if index._columns.restore(file, size):
            index._size = size
        else:  # saved by a backend that keeps no codes
            index.append(file.array("rows", np.float32, (size, index._columns.width("rows")))[:, : index.dim])
        return index

    def _given(self, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
        """Rows inside the ball and, on the CPU, their |row|²."""
        rows = check.matrix(rows, "rows", dim=self.dim)
        if self.device is not None:
            if type(rows) is not DeviceArray:
                rows = DeviceArray.upload(np.ascontiguousarray(rows))
            try:
                call(_core.cones.aperture_cuda, rows, 1.0, 1)  # which looks whether they are inside
            except ArrayError as error:
                raise ArrayError(str(error).replace("apexes", "rows", 1)) from None
            return rows, rows
        return rows, _inside(rows, "rows").astype(np.float32)

    def _move(self) -> None:
        self.backend = "cuda"
        self._keep()

    def _keep(self) -> None:
        """Columns without rows, where the backend searches them."""
        shapes: dict[str, tuple[int, int, Any]] = {"rows": (self.dim, -(-self.dim // 16) * 16, np.float32)}
        self._coded = hasattr(_core.cones, f"ancestors_coded_{self.backend}") and self.dim <= _core.dense.MAX_CODED_DIM
        if self._coded:
            shapes["codes"] = (self.dim, -(-self.dim // 64) * 64, np.uint8)
            shapes |= {name: (0, 0, np.float32) for name in (*BOUNDS, "squares")}
        self._columns = Columns(shapes, on_device=self.backend == "cuda")


def _ancestors(chosen: str, points: np.ndarray, apexes: np.ndarray, width: float, threads: int | None) -> np.ndarray:
    width = check.positive(width, "width")
    if chosen == "reference":
        return reference.ancestors(_ball(points, "points"), _ball(apexes, "apexes"), width=width)
    function: Compiled = getattr(_core.cones, f"ancestors_{chosen}")
    return call(function, points, apexes, width, thread_count(threads))


def _descendants(chosen: str, apexes: np.ndarray, points: np.ndarray, width: float, threads: int | None) -> np.ndarray:
    width = check.positive(width, "width")
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
    _inside(rows, name)
    return rows


def _inside(rows: np.ndarray, name: str) -> np.ndarray:
    """|row|² of each row in float64; an error where one is not inside the ball."""
    square = np.empty(len(rows))
    for first in range(0, len(rows), SQUARES_AT_ONCE):
        part = rows[first : first + SQUARES_AT_ONCE].astype(np.float64)
        square[first : first + SQUARES_AT_ONCE] = (part**2).sum(axis=-1)
    if not (square < 1).all():
        row = int(np.flatnonzero(~(square < 1))[0])
        raise ArrayError(
            f"{name} must be finite and inside the unit ball, got |x|² = {square[row]:f} in row {row}; "
            f"poincare.project pulls strays back in"
        )
    return square
