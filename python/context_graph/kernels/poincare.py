"""Points of the Poincaré ball, where distance follows the branches of a tree.

Source: Nickel and Kiela, Poincaré embeddings for learning hierarchical representations, NeurIPS 2017.
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
from context_graph.kernels._gpu import DeviceArray, padded, using, within
from context_graph.kernels._types import Compiled, CompiledSearch, Ids, Mask, Rows
from context_graph.kernels.reference import poincare as reference

__all__ = ["Index", "distance", "distances", "exp_map", "log_map", "mobius_add", "nearest", "project"]

RIM = _core.poincare.RIM
MIN_SCREENED_CURVATURE = 1e-9  # a radius that half precision can hold


def distance(
    x: Rows, y: Rows, *, curvature: float = 1.0, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """Geodesic distance between matching rows of two point sets.

    The ball has room for a whole tree: parents sit near the centre, leaves near the
    rim, and distance follows the branches::

        d(x, y) = arcosh(1 + 2c|x - y|² / ((1 - c|x|²)(1 - c|y|²))) / √c

    Parameters
    ----------
    x, y : float32, shape (n, d)
        Points strictly inside the ball, c|x|² < 1; `project` pulls strays back in.
    curvature : float
        c from 1e-20 to 1e20; the ball has radius 1/√c.
    backend : str, optional
        Default: the fastest usable here.
    threads : int, optional
        Changes the time, never the bits.

    Returns
    -------
    float32, shape (n,)
        Exactly 0 where the rows are equal; same bits for (x, y) and (y, x).

    Notes
    -----
    Evaluated as 2 asinh(√(c|x - y|² / (a_x a_y))) / √c with a = 1 - c|x|² taken in float64: in float32,
    arcosh(1 + u) has no correct digit left at d = 3e-4, this form keeps them all, at the centre and at the rim.

    Examples
    --------
    >>> distance(np.zeros((1, 2), np.float32), np.array([[0.5, 0.0]], np.float32))
    array([1.0986123], dtype=float32)
    """
    found = _core.poincare.distance_fast(x, y, curvature, backend, threads)
    if found is not NotImplemented:
        return found
    return _distance(x, y, curvature, backend, threads)


@in_kind
def _distance(x: Rows, y: Rows, curvature: float, backend: str | None, threads: int | None) -> np.ndarray:
    chosen, curvature = _chosen("distance", backend), check.curvature(curvature)
    x, y = _pairs(x, y, "y")
    if chosen == "reference":
        return reference.distance(_ball(x, "x", curvature), _ball(y, "y", curvature), curvature=curvature).astype(
            np.float32
        )
    function: Compiled = getattr(_core.poincare, f"distance_{chosen}")
    return call(function, x, y, curvature, thread_count(threads))


def distances(
    queries: Rows, rows: Rows, *, curvature: float = 1.0, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """`distance` of every query to every row.

    Parameters
    ----------
    queries : float32, shape (q, d)
    rows : float32, shape (n, d)
    curvature, backend, threads
        As in `distance`.

    Returns
    -------
    float32, shape (q, n)
        The bits of `distance`.
    """
    found = _core.poincare.distances_fast(queries, rows, curvature, backend, threads)
    if found is not NotImplemented:
        return found
    return _distances(queries, rows, curvature, backend, threads)


@in_kind
def _distances(queries: Rows, rows: Rows, curvature: float, backend: str | None, threads: int | None) -> np.ndarray:
    chosen, curvature = _chosen("distances", backend), check.curvature(curvature)
    return _scan_distances(chosen, *_queries(queries, rows), None, curvature, threads)


@in_kind
def nearest(
    queries: Rows,
    rows: Rows,
    k: int,
    *,
    curvature: float = 1.0,
    mask: Mask | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The k rows nearest to each query.

    Every row is read; nothing is approximated. Rows are ordered by the key c|x - y|² / (a_x a_y) in float32,
    which orders as the distance does and needs no transcendental function; ties of the key go to the lowest id.

    Parameters
    ----------
    queries : float32, shape (q, d)
    rows : float32, shape (n, d)
    k : int
        May exceed n; an answer padded to more than 2^24 entries is refused.
    mask : bool or uint8, shape (n,), optional
        False or 0 hides a row.
    curvature, backend, threads
        As in `distance`.

    Returns
    -------
    distances : float32, shape (q, k)
        The bits of `distance`, nearest first, padded with inf.
    ids : int64, shape (q, k)
        Padded with -1.

    Examples
    --------
    >>> points = np.array([[0.0, 0.0], [0.5, 0.0], [0.9, 0.0]], np.float32)
    >>> nearest(np.array([[0.6, 0.0]], np.float32), points, 2)[1]
    array([[1, 0]])
    """
    chosen, curvature = _chosen("nearest", backend), check.curvature(curvature)
    return _nearest(chosen, *_queries(queries, rows), None, curvature, k, mask, threads)


@in_kind
def exp_map(
    x: Rows, v: Rows, *, curvature: float = 1.0, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """Where the geodesic that leaves x with velocity v is after one unit of time, row by row.

    ::

        exp_x(v) = x ⊕ tanh(√c|v| / (1 - c|x|²)) v / (√c|v|)

    Parameters
    ----------
    x : float32, shape (n, d)
        Points strictly inside the ball.
    v : float32, shape (n, d)
        Tangent vectors, of any length.
    curvature, backend, threads
        As in `distance`.

    Returns
    -------
    float32, shape (n, d)
        x itself where v is 0. What would lie nearer to the rim than 1e-6 of the radius is pulled back to there: float32
        has few points beyond.

    Examples
    --------
    >>> exp_map(np.zeros((1, 2), np.float32), np.array([[1.0, 0.0]], np.float32))
    array([[0.7615942, 0.       ]], dtype=float32)
    """
    chosen, curvature = _chosen("exp_map", backend), check.curvature(curvature)
    x, v = _pairs(x, v, "v")
    if chosen == "reference":
        moved = reference.exp_map(_ball(x, "x", curvature), check.finite(v, "v"), curvature=curvature)
        return reference.project(moved, curvature=curvature, eps=RIM).astype(np.float32)
    function: Compiled = getattr(_core.poincare, f"exp_map_{chosen}")
    return call(function, x, v, curvature, thread_count(threads))


@in_kind
def log_map(
    x: Rows, y: Rows, *, curvature: float = 1.0, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """The velocity that leads from x to y in one unit of time, row by row: `exp_map` backwards.

    ::

        log_x(y) = d(x, y) (1 - c|x|²) / 2 times the direction of (-x) ⊕ y

    Parameters
    ----------
    x, y : float32, shape (n, d)
        Points strictly inside the ball.
    curvature, backend, threads
        As in `distance`.

    Returns
    -------
    float32, shape (n, d)
        Zeros where the rows are equal.

    Examples
    --------
    >>> log_map(np.zeros((1, 2), np.float32), np.array([[0.5, 0.0]], np.float32))
    array([[0.54930615, 0.        ]], dtype=float32)
    """
    chosen, curvature = _chosen("log_map", backend), check.curvature(curvature)
    x, y = _pairs(x, y, "y")
    if chosen == "reference":
        return reference.log_map(_ball(x, "x", curvature), _ball(y, "y", curvature), curvature=curvature).astype(
            np.float32
        )
    function: Compiled = getattr(_core.poincare, f"log_map_{chosen}")
    return call(function, x, y, curvature, thread_count(threads))


@in_kind
def mobius_add(
    x: Rows, y: Rows, *, curvature: float = 1.0, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """x ⊕ y, the ball's translation of y by x, row by row.

    ::

        x ⊕ y = ((1 + 2c⟨x, y⟩ + c|y|²) x + (1 - c|x|²) y) / (1 + 2c⟨x, y⟩ + c²|x|²|y|²)

    Parameters
    ----------
    x, y : float32, shape (n, d)
        Points strictly inside the ball.
    curvature, backend, threads
        As in `distance`.

    Returns
    -------
    float32, shape (n, d)
        (-x) ⊕ x is exactly 0. At least 1e-6 of the radius from the rim, as in `exp_map`.

    Examples
    --------
    >>> mobius_add(np.array([[0.5]], np.float32), np.array([[0.5]], np.float32))
    array([[0.8]], dtype=float32)
    """
    chosen, curvature = _chosen("mobius_add", backend), check.curvature(curvature)
    x, y = _pairs(x, y, "y")
    if chosen == "reference":
        moved = reference.mobius_add(_ball(x, "x", curvature), _ball(y, "y", curvature), curvature=curvature)
        return reference.project(moved, curvature=curvature, eps=RIM).astype(np.float32)
    function: Compiled = getattr(_core.poincare, f"mobius_add_{chosen}")
    return call(function, x, y, curvature, thread_count(threads))


@in_kind
def project(
    x: Rows,
    *,
    curvature: float = 1.0,
    eps: float = 1e-5,
    backend: str | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """Rows with their strays pulled back into the ball, to (1 - eps) of its radius.

    Parameters
    ----------
    x : float32, shape (n, d)
        Anywhere.
    eps : float
        From 1e-6 to below 1.
    curvature, backend, threads
        As in `distance`.

    Returns
    -------
    float32, shape (n, d)
        Rows that were inside keep their bits; projecting again changes none.

    Raises
    ------
    ArrayError
        `eps` lies outside [RIM, 1).

    Examples
    --------
    >>> project(np.array([[3.0, 4.0]], np.float32), eps=0.5)
    array([[0.29999995, 0.39999995]], dtype=float32)
    """
    chosen, curvature = _chosen("project", backend), check.curvature(curvature)
    if not RIM <= eps < 1:
        raise ArrayError(f"eps must lie in [{RIM}, 1), got {eps}")
    x = check.matrix(x, "x")
    if chosen == "reference":
        return reference.project(check.finite(x, "x"), curvature=curvature, eps=eps).astype(np.float32)
    function: Compiled = getattr(_core.poincare, f"project_{chosen}")
    return call(function, x, curvature, float(eps), thread_count(threads))


class Index(KeptRows):
    """Points kept once beside their 1 - c|x|² in float64's precision, growing by append.

    Each row starts on a cache line; capacity doubles; large indexes lie on huge pages. A search reads each row once.
    With backend "cuda", or where the first points come from a GPU, they are kept there: a search moves the query, the
    mask and the answer.

    Searches may run in other threads beside one `append` or `reserve`: each answers for the rows of one moment.
    Writers exclude each other by the caller's lock, and `replace` excludes searches.

    Parameters
    ----------
    dim : int
    curvature : float
        c > 0, of all rows; with `screened` at least 1e-9.
    screened : bool
        Keep the rows in half precision too. `nearest` then reads the halves and, of the rows, only those that can still
        be among the nearest, and returns what it returns without, bit by bit: half as many bytes to read, half as many
        again to keep. Not with backend "cuda".
    backend : str, optional
        For all calls. Default: the fastest usable here, and "cuda" where the first points come from a GPU.

    Examples
    --------
    >>> index = Index(2)
    >>> index.append(np.array([[0.0, 0.0], [0.5, 0.0]], np.float32))
    array([0, 1])
    >>> index.nearest(np.array([[0.4, 0.0]], np.float32), 1)[1]
    array([[1]])
    """

    _family = "poincare"

    def __init__(self, dim: int, *, curvature: float = 1.0, screened: bool = False, backend: str | None = None) -> None:
        dim = check.whole(dim, "dim")
        if dim < 1:
            raise ArrayError(f"dim must be at least 1, got {dim}")
        self.dim, self.curvature = dim, check.curvature(curvature)
        if screened and curvature < MIN_SCREENED_CURVATURE:
            raise ArrayError(
                f"a screened index needs a curvature of at least {MIN_SCREENED_CURVATURE}, got {curvature}"
            )
        self._asked_screened = screened
        self.backend = self._settled(_core.poincare, "poincare", "nearest", backend)
        self._screened = screened and self.backend != "reference"
        self._size, self._rest = 0, 0.0
        self._keep()

    @takes
    def append(self, rows: Rows) -> np.ndarray:
        """Add points, (m, dim) float32 inside the ball; their ids, int64 (m,), continue the count."""
        rows, slacks = self._given(rows)
        first, last = self._size, self._size + rows.shape[0]
        self._columns.grow(last, first)
        self._columns.write("rows", first, rows)
        self._columns.write("slacks", first, slacks)
        if self._screened:
            self._columns.write("halves", first, self._halves_of(rows))
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
        rows, slacks = self._given(rows)
        if rows.shape[0] != ids.shape[0]:
            raise ArrayError(f"rows must have one row per id, got {rows.shape[0]} rows for {ids.shape[0]} ids")
        self._columns.replace("rows", ids, rows)
        self._columns.replace("slacks", ids, slacks)
        if self._screened:
            self._columns.replace("halves", ids, self._halves_of(rows))

    @in_kind
    def distances(self, queries: Rows, *, threads: int | None = None) -> np.ndarray:
        """`distances` to all rows, (q, n)."""
        with using(self.device):
            return _scan_distances(self.backend, *self._scan(queries), self.curvature, threads)

    @in_kind
    def nearest(
        self, queries: Rows, k: int, *, mask: Mask | None = None, threads: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k nearest rows of each query, as `nearest`."""
        queries, rows, slacks = self._scan(queries)
        if not self._screened:
            with using(self.device):
                return _nearest(self.backend, queries, rows, slacks, self.curvature, k, mask, threads)
        k = check.chosen(k, len(rows), len(queries))
        halves = self._columns.part("halves", slice(len(rows)))
        found, ids, self.rescored = call(
            getattr(_core.poincare, f"nearest_screened_{self.backend}"),
            *(queries, rows, slacks, halves, self._rest, self.curvature),
            *(min(k, len(rows)), check.mask(mask, len(rows)), thread_count(threads)),
        )
        return padded(found, ids, k, np.inf)

    def _stored(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        size = self._size
        options = {"dim": self.dim, "curvature": self.curvature, "screened": self._asked_screened}
        return options | {"rows": size, "rest": self._rest}, self._columns.stored(size)

    @classmethod
    def _restored(cls, file: IndexFile, backend: str | None) -> Self:
        size, rest = file.options.pop("rows"), file.options.pop("rest")
        index = cls(**file.options, backend=backend)
        if index._columns.restore(file, size):
            index._size, index._rest = size, rest
        else:  # saved by a backend that keeps no halves
            index.append(file.array("rows", np.float32, (size, index._columns.width("rows")))[:, : index.dim])
        return index

    rescored = 0
    """Of a screened index: how many rows the last search read in full."""

    def _halves_of(self, rows: np.ndarray) -> np.ndarray:
        """The rows in half precision; what that leaves out is kept for all of them."""
        halves = rows.astype(np.float16)
        if len(rows):
            rest = np.linalg.norm(rows.astype(np.float64) - halves, axis=1).max() * (1 + 1e-6)
            self._rest = max(self._rest, float(rest))
        return halves

    def _scan(self, queries: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        queries, size = check.matrix(queries, "queries", dim=self.dim), self._size
        return queries, self._columns.first("rows", size), self._columns.first("slacks", size)

    def _given(self, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
        """Rows and their 1 - c|x|², where they are kept."""
        rows = check.matrix(rows, "rows", dim=self.dim)
        if self.backend == "reference":
            slacks = reference.slack(_ball(rows, "rows", self.curvature), curvature=self.curvature)
            return rows, slacks.astype(np.float32)
        if self.device is not None and type(rows) is not DeviceArray:
            rows = DeviceArray.upload(np.ascontiguousarray(rows))  # once: their slacks are taken there
        return rows, call(getattr(_core.poincare, f"slacks_{self.backend}"), rows, self.curvature, thread_count(None))

    def _move(self) -> None:
        self.backend = "cuda"
        self._keep()

    def _keep(self) -> None:
        """Columns without rows, where the backend searches them."""
        if self.backend == "cuda" and self._asked_screened:
            raise ArrayError("screened reads halves of the rows first, which backend 'cuda' does not do; leave it out")
        shapes: dict[str, tuple[int, int, Any]] = {
            "rows": (self.dim, -(-self.dim // 16) * 16, np.float32),
            "slacks": (0, 0, np.float32),
        }
        if self._screened:
            shapes["halves"] = (self.dim, -(-self.dim // 32) * 32, np.float16)
        self._columns = Columns(shapes, on_device=self.backend == "cuda")


def _chosen(operation: str, backend: str | None) -> str:
    return choose(_core.poincare, "poincare", operation, backend)


def _pairs(x: Rows, y: Rows, name: str) -> tuple[np.ndarray, np.ndarray]:
    x, y = check.matrix(x, "x"), check.matrix(y, name)
    if x.shape != y.shape:
        raise ArrayError(f"x and {name} must have the same shape, got {x.shape} and {y.shape}")
    return x, y


def _queries(queries: Rows, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    queries, rows = check.matrix(queries, "queries"), check.matrix(rows, "rows")
    check.same_dim(queries, rows)
    return queries, rows


def _ball(rows: np.ndarray, name: str, curvature: float) -> np.ndarray:
    """What the compiled code checks on its way, for the reference."""
    slack = reference.slack(rows, curvature=curvature)
    if not (slack > 0).all():
        row = int(np.flatnonzero(~(slack > 0))[0])
        raise ArrayError(
            f"{name} must be finite and inside the ball, c|x|² < 1, got 1 - c|x|² = {slack[row]:f} in row {row}; "
            f"project pulls strays back in"
        )
    return rows


def _scan_distances(
    chosen: str,
    queries: np.ndarray,
    rows: np.ndarray,
    slacks: np.ndarray | None,
    curvature: float,
    threads: int | None,
) -> np.ndarray:
    if chosen == "reference":
        queries, rows = _ball(queries, "queries", curvature), _ball(rows, "rows", curvature)
        return reference.distances(queries, rows, curvature=curvature).astype(np.float32)
    function: Compiled = getattr(_core.poincare, f"distances_{chosen}")
    return call(function, queries, rows, slacks, curvature, thread_count(threads))


def _nearest(
    chosen: str,
    queries: np.ndarray,
    rows: np.ndarray,
    slacks: np.ndarray | None,
    curvature: float,
    k: int,
    mask: Mask | None,
    threads: int | None,
) -> tuple[np.ndarray, np.ndarray]:
    k, mask = check.chosen(k, rows.shape[0], queries.shape[0]), check.mask(mask, rows.shape[0])
    limit = within(k, rows.shape[0], queries)
    if chosen == "reference":
        queries, rows = _ball(queries, "queries", curvature), _ball(rows, "rows", curvature)
        found, ids = reference.nearest(queries, rows, limit, curvature=curvature, mask=mask)
        return padded(found.astype(np.float32), ids, k, np.inf)
    function: CompiledSearch = getattr(_core.poincare, f"nearest_{chosen}")
    found, ids = call(function, queries, rows, slacks, curvature, limit, mask, thread_count(threads))
    return padded(found, ids, k, np.inf)
