"""Exact nearest rows by inner product: one scan over all of them, at the speed of memory."""

from typing import Any

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import bfloat16_bits, floats, in_kind, resident
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._gpu import packed
from context_graph.kernels.reference import dense as reference

__all__ = ["Index", "scores", "topk"]

ROW_TYPES = (np.float32, np.float16, np.int8)
STORED = {"float32": np.float32, "float16": np.float16, "bfloat16": np.uint16, "int8": np.float32}

OVERSAMPLE = 50  # recall@10: 1.0 on 10,000 real rows, 0.87 on 100,000 random ones (docs/kernels/dense.md)


@in_kind
def scores(
    queries: Any,
    rows: Any,
    *,
    scale: Any = None,
    backend: str | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """Inner product of every query with every row.

    Parameters
    ----------
    queries : float32, shape (q, d)
    rows : float32, float16, bfloat16 or int8, shape (n, d)
        Rows may lie apart (a slice of columns is scanned in place). bfloat16 comes from ml_dtypes or torch.
    scale : float32, shape (n,), optional
        Multiplies each row's scores: int8 rows mean their integers times this.
    backend : str, optional
        Default: the fastest usable here.
    threads : int, optional
        Changes the time, never the bits.

    Returns
    -------
    float32, shape (q, n)

    Examples
    --------
    >>> scores(np.eye(2, dtype=np.float32), np.array([[3, 4]], np.float32))
    array([[3.],
           [4.]], dtype=float32)
    """
    chosen = choose(_core.dense, "dense", "scores", backend)
    queries, rows, scale = _inputs(queries, _rows(rows), scale)
    return _scores(chosen, queries, rows, scale, threads)


def _scores(
    backend: str, queries: np.ndarray, rows: np.ndarray, scale: np.ndarray | None, threads: int | None
) -> np.ndarray:
    if backend == "reference":
        return reference.scores(queries, check.finite(floats(rows), "rows"), scale=scale).astype(np.float32)
    return call(getattr(_core.dense, f"scores_{backend}"), queries, rows, scale, thread_count(threads))


@in_kind
def topk(
    queries: Any,
    rows: Any,
    k: int,
    *,
    scale: Any = None,
    mask: Any = None,
    backend: str | None = None,
    threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The k rows with the highest inner product, for each query.

    Every row is read; nothing is approximated. Ties go to the lowest id.

    Parameters
    ----------
    queries : float32, shape (q, d)
    rows : float32, float16, bfloat16 or int8, shape (n, d)
    k : int
        May exceed n.
    scale : float32, shape (n,), optional
    mask : bool or uint8, shape (n,), optional
        False or 0 hides a row.
    backend, threads
        As in `scores`.

    Returns
    -------
    scores : float32, shape (q, k)
        Best first, padded with -inf.
    ids : int64, shape (q, k)
        Padded with -1.

    Examples
    --------
    >>> rows = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    >>> topk(np.array([[2, 1]], np.float32), rows, 2)[1]
    array([[2, 0]])
    """
    chosen = choose(_core.dense, "dense", "topk", backend)
    queries, rows, scale = _inputs(queries, _rows(rows), scale)
    return _topk(chosen, queries, rows, k, scale, mask, threads)


def _topk(
    backend: str,
    queries: np.ndarray,
    rows: np.ndarray,
    k: int,
    scale: np.ndarray | None,
    mask: Any,
    threads: int | None,
) -> tuple[np.ndarray, np.ndarray]:
    k, mask = check.count(k), check.mask(mask, rows.shape[0])
    if backend == "reference":
        found, ids = reference.topk(queries, check.finite(floats(rows), "rows"), k, scale=scale, mask=mask)
        return found.astype(np.float32), ids
    return call(getattr(_core.dense, f"topk_{backend}"), queries, rows, scale, k, mask, thread_count(threads))


def _rows(rows: Any) -> np.ndarray:
    """As they are read: bfloat16 as its bits in uint16."""
    return check.matrix(rows, "rows", ROW_TYPES) if bfloat16_bits(rows) is None else check.stored(rows, "rows")


def _inputs(queries: Any, rows: np.ndarray, scale: Any = None) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    queries = packed(check.finite(check.matrix(queries, "queries"), "queries"), "queries")
    check.same_dim(queries, rows)
    if scale is not None:
        scale = check.finite(check.vector(scale, "scale", (np.float32,), length=rows.shape[0]), "scale")
    return queries, rows, scale


class Index:
    """Rows kept once, in the layout the scan likes, growing by append.

    Each row starts on a cache line; capacity doubles; large indexes lie on huge pages.

    Parameters
    ----------
    dim : int
    dtype : "float32", "float16", "bfloat16" or "int8"
        How rows are kept. "int8" keeps float32 rows and, beside them, one byte per element with a strict bound on
        what the byte leaves out: a search reads the bytes and then only the rows that can still win, and returns
        what "float32" returns, bit by bit.
    prefilter_bits : 0 or 1
        With 1, of rows not kept as "int8", the signs of each row are kept too, after a rotation that spreads it over
        all its numbers. A `search` reads these, a thirty-second of float32 (up to a sixteenth where dim is not a power
        of two; 32 bytes at least), and scores the most promising rows in full. **It is approximate**: a row among the
        k best may be missed, more often where all rows are about equally far; docs/kernels/dense.md has measured
        recalls. What it lists has the scores of `topk`. The backends "reference" and "cuda" search exactly.
    backend : str, optional
        For all calls. Default: the fastest usable here.

    Examples
    --------
    >>> index = Index(2)
    >>> index.append(np.eye(2, dtype=np.float32))
    array([0, 1])
    >>> index.search(np.array([[0, 1]], np.float32), 1)[1]
    array([[1]])
    """

    def __init__(
        self, dim: int, *, dtype: str = "float32", prefilter_bits: int = 0, backend: str | None = None
    ) -> None:
        if dim < 1:
            raise ArrayError(f"dim must be at least 1, got {dim}")
        if dtype not in STORED:
            raise ArrayError(f"dtype must be 'float32', 'float16', 'bfloat16' or 'int8', got {dtype!r}")
        if dtype == "int8" and dim > _core.dense.MAX_CODED_DIM:
            raise ArrayError(f"an int8 index has at most {_core.dense.MAX_CODED_DIM} dimensions, got {dim}")
        if prefilter_bits not in (0, 1):
            raise ArrayError(f"prefilter_bits must be 0 or 1, got {prefilter_bits}")
        if prefilter_bits and dtype == "int8":
            raise ArrayError("prefilter_bits goes with dtype 'float32', 'float16' or 'bfloat16', got 'int8'")
        self.dim, self.dtype, self.backend = dim, dtype, backend
        self._topk = choose(_core.dense, "dense", "topk", backend)
        self._coded = dtype == "int8" and self._topk not in ("reference", "cuda")
        self._signed = prefilter_bits == 1 and self._topk not in ("reference", "cuda")
        self._size = 0
        self._columns: dict[str, np.ndarray] = {}
        self._grow(0)

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """Bytes in use by the rows, without spare capacity."""
        return sum(column[: self._size].nbytes for column in self._columns.values())

    def append(self, rows: Any) -> np.ndarray:
        """Add rows, (m, dim) float32 and finite; their ids, int64 (m,), continue the count.

        A 16-bit index takes rows of its own dtype as they are.
        """
        rows = self._given(rows)
        first = self._size
        self._grow(first + rows.shape[0])
        self._write(slice(first, first + rows.shape[0]), rows)
        self._size += rows.shape[0]  # last: a search in another thread never sees a row half written
        return np.arange(first, self._size)

    def reserve(self, rows: int) -> None:
        """Make room at once for so many rows in all, where it is known how many will come."""
        self._grow(rows)

    def replace(self, ids: Any, rows: Any) -> None:
        """Overwrite the rows with these ids."""
        ids, rows = check.ids(ids, self._size), self._given(rows)
        if rows.shape[0] != ids.shape[0]:
            raise ArrayError(f"rows must have one row per id, got {rows.shape[0]} rows for {ids.shape[0]} ids")
        for row, position in zip(rows, ids.tolist(), strict=True):
            self._write(slice(position, position + 1), row[None, :])

    def rows(self, ids: Any) -> np.ndarray:
        """The rows with these ids, float32 (len(ids), dim); 16-bit rows come back rounded."""
        return floats(self._rows()[check.ids(ids, self._size)])

    @in_kind
    def scores(self, queries: Any, *, ids: Any = None, threads: int | None = None) -> np.ndarray:
        """Inner products with all rows, (q, n), or with the rows named by `ids`, (q, len(ids))."""
        rows = self._rows() if ids is None else self._rows()[check.ids(ids, self._size)]
        queries, rows, _ = _inputs(queries, rows)
        return _scores(self._topk, queries, rows, None, threads)

    @in_kind
    def search(
        self,
        queries: Any,
        k: int,
        *,
        mask: Any = None,
        prefix: int | None = None,
        oversample: int = OVERSAMPLE,
        threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k best rows of each query, as `topk`.

        Parameters
        ----------
        queries : float32, shape (q, dim), or (q, prefix)
        prefix : int, optional
            Compare the first `prefix` dimensions only and read no others. All rows are read then, signs or not.
        oversample : int
            Of an index with `prefilter_bits`: how many times k rows are scored in full. More miss fewer.
        """
        p = self.dim if prefix is None else prefix
        if not 1 <= p <= self.dim:
            raise ArrayError(f"prefix must lie in [1, {self.dim}], got {prefix}")
        queries = check.matrix(queries, "queries")
        queries = check.matrix(queries[:, :p] if queries.shape[1] == self.dim else queries, "queries", dim=p)
        rows = self._rows()[:, :p]
        queries, rows, _ = _inputs(queries, rows)
        if self._signed and p == self.dim:
            return self._prefiltered(
                queries, rows, check.count(k), check.count(oversample, "oversample"), mask, threads
            )
        if not self._coded:
            return _topk(self._topk, queries, rows, k, None, mask, threads)
        column = {name: values[: self._size] for name, values in self._columns.items()}
        found, ids, self.rescored = call(
            getattr(_core.dense, f"topk_screened_{self._topk}"),
            *(queries, rows, column["codes"], column["scale"], column["residual"], column["norm"]),
            *(check.count(k), check.mask(mask, self._size), thread_count(threads)),
        )
        return found, ids

    rescored = 0
    """Of an int8 index: how many rows the last search read in full."""

    def _prefiltered(
        self, queries: np.ndarray, rows: np.ndarray, k: int, oversample: int, mask: Any, threads: int | None
    ) -> tuple[np.ndarray, np.ndarray]:
        signs = (self._columns[name][: self._size] for name in ("bits", "factor", "ones"))
        function = getattr(_core.dense, f"topk_prefiltered_{self._topk}")
        return call(
            function, queries, rows, *signs, k, k * oversample, check.mask(mask, self._size), thread_count(threads)
        )

    def _rows(self) -> np.ndarray:
        return self._columns["rows"][: self._size, : self.dim]

    def _given(self, rows: Any) -> np.ndarray:
        """float32 or float16 as they come, or bfloat16 bits in uint16."""
        if self.dtype != "bfloat16":
            given = (np.float32, np.float16) if self.dtype == "float16" else (np.float32,)
            return check.finite(check.matrix(rows, "rows", given, dim=self.dim), "rows")
        if bfloat16_bits(rows) is None:
            bits = _bfloat16(check.finite(check.matrix(rows, "rows", dim=self.dim), "rows"))
        else:
            bits = check.matrix(check.stored(rows, "rows"), "rows", (np.uint16,), dim=self.dim)
        check.finite(floats(bits), "rows")
        return bits

    def _write(self, where: slice, rows: np.ndarray) -> None:
        self._columns["rows"][where, : self.dim] = rows
        if self._coded:
            kept = {name: column[where] for name, column in self._columns.items()}
            kept_rows = kept["rows"][:, : self.dim]
            _core.dense.encode(kept_rows, kept["codes"], kept["scale"], kept["residual"], kept["norm"])
        if self._signed:
            kept = {name: column[where] for name, column in self._columns.items()}
            _core.dense.take_signs(kept["rows"][:, : self.dim], kept["bits"], kept["factor"], kept["ones"])

    def _grow(self, wanted: int) -> None:
        capacity = self._columns["rows"].shape[0] if self._columns else 0
        if self._columns and wanted <= capacity:
            return
        capacity = max(wanted, 2 * capacity, 64)
        stored = STORED[self.dtype]
        per_line = 64 // np.dtype(stored).itemsize
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {"rows": ((capacity, _padded(self.dim, per_line)), stored)}
        if self._coded:
            shapes["codes"] = ((capacity, _padded(self.dim, 64)), np.uint8)
            shapes |= {name: ((capacity,), np.float32) for name in ("scale", "residual", "norm")}
        if self._signed:
            shapes["bits"] = ((capacity, _core.dense.turned_dim(self.dim) // 64), np.uint64)
            shapes |= {name: ((capacity,), np.float32) for name in ("factor", "ones")}
        for name, (shape, dtype) in shapes.items():
            column = resident(shape, dtype)
            if self._size:
                column[: self._size] = self._columns[name][: self._size]
            self._columns[name] = column


def _bfloat16(rows: np.ndarray) -> np.ndarray:
    """The nearest bfloat16 of each float32, ties to even, as bits."""
    bits = rows.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def _padded(size: int, step: int) -> int:
    return -(-size // step) * step
