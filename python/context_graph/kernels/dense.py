"""Exact nearest rows by inner product: one scan over all of them, at the speed of memory.

Source: Exact maximum inner product search; a prefix of the dimensions is that of Kusupati et al., Matryoshka
representation learning, NeurIPS 2022.
"""

from functools import partial
from typing import Any, Self

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import bfloat16_bits, floats, in_kind
from context_graph.kernels._columns import Columns, KeptRows, finite_there, takes
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._files import IndexFile
from context_graph.kernels._gpu import DeviceArray, packed, padded, using, within
from context_graph.kernels._types import Compiled, CompiledSearch, Ids, Mask, Rows, Vector
from context_graph.kernels.reference import dense as reference

__all__ = ["Index", "scores", "topk"]

ROW_TYPES = (np.float32, np.float16, np.int8)
STORED = {"float32": np.float32, "float16": np.float16, "bfloat16": np.uint16, "int8": np.float32}

OVERSAMPLE = 50  # recall@10: 1.0 on 10,000 real rows, 0.87 on 100,000 random ones (docs/kernels/dense.md)


@in_kind
def scores(
    queries: Rows,
    rows: Rows,
    *,
    scale: Vector | None = None,
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
        return check.scores(reference.scores(queries, check.finite(floats(rows), "rows"), scale=scale))
    function: Compiled = getattr(_core.dense, f"scores_{backend}")
    return call(function, queries, rows, scale, thread_count(threads))


@in_kind
def topk(
    queries: Rows,
    rows: Rows,
    k: int,
    *,
    scale: Vector | None = None,
    mask: Mask | None = None,
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
        May exceed n; an answer padded to more than 2^24 entries is refused.
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
    mask: Mask | None,
    threads: int | None,
) -> tuple[np.ndarray, np.ndarray]:
    k, mask = check.chosen(k, rows.shape[0], queries.shape[0]), check.mask(mask, rows.shape[0])
    limit = within(k, rows.shape[0], queries)
    if backend == "reference":
        rows = check.finite(floats(rows), "rows")
        check.scores(reference.scores(queries, rows, scale=scale))
        found, ids = reference.topk(queries, rows, limit, scale=scale, mask=mask)
        return padded(found.astype(np.float32), ids, k)
    function: CompiledSearch = getattr(_core.dense, f"topk_{backend}")
    return padded(*call(function, queries, rows, scale, limit, mask, thread_count(threads)), k)


def _rows(rows: Rows) -> np.ndarray:
    """As they are read: bfloat16 as its bits in uint16."""
    return check.matrix(rows, "rows", ROW_TYPES) if bfloat16_bits(rows) is None else check.stored(rows, "rows")


def _inputs(
    queries: Rows, rows: np.ndarray, scale: Vector | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    queries = packed(check.finite(check.matrix(queries, "queries"), "queries"), "queries")
    check.same_dim(queries, rows)
    if scale is not None:
        scale = check.finite(check.vector(scale, "scale", (np.float32,), length=rows.shape[0]), "scale")
    return queries, rows, scale


class Index(KeptRows):
    """Rows kept once, in the layout the scan likes, growing by append.

    Each row starts on a cache line; capacity doubles; large indexes lie on huge pages. With backend "cuda", or where
    the first rows come from a GPU, the rows are kept there: a search moves the query, the mask and the answer.

    Searches may run in other threads beside one `append`, `append_mapped` or `reserve`: each answers for the rows of
    one moment.
    Writers exclude each other by the caller's lock, and `replace` excludes searches.

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
        recalls. What it lists has the scores of `topk`. The backend "reference" searches exactly.
    backend : str, optional
        For all calls. Default: the fastest usable here, and "cuda" where the first rows come from a GPU. "cuda" has
        neither "int8" nor `prefilter_bits`.

    Examples
    --------
    >>> index = Index(2)
    >>> index.append(np.eye(2, dtype=np.float32))
    array([0, 1])
    >>> index.search(np.array([[0, 1]], np.float32), 1)[1]
    array([[1]])
    """

    _family = "dense"

    def __init__(
        self, dim: int, *, dtype: str = "float32", prefilter_bits: int = 0, backend: str | None = None
    ) -> None:
        dim = check.whole(dim, "dim")
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
        self.dim, self.dtype, self._prefilter_bits = dim, dtype, prefilter_bits
        self._screened = dtype == "int8" or prefilter_bits == 1
        self.backend = self._settled(_core.dense, "dense", "topk", backend)
        self._coded = dtype == "int8" and self.backend != "reference"
        self._signed = prefilter_bits == 1 and self.backend != "reference"
        self._size = 0
        self._keep()

    @takes
    def append(self, rows: Rows) -> np.ndarray:
        """Add rows, (m, dim) float32 and finite; their ids, int64 (m,), continue the count.

        A 16-bit index takes rows of its own dtype as they are.
        """
        rows = self._given(rows)
        first = self._size
        self._columns.grow(first + rows.shape[0], first)
        self._write(first, rows)
        self._size += rows.shape[0]  # last: a search in another thread never sees a row half written
        return np.arange(first, self._size)

    @takes
    def append_mapped(self, rows: np.ndarray, file: int, offset: int) -> np.ndarray:
        """Add rows that stand in an open file in the index's own dtype, finite as `append` wants them; their ids.

        Whole pages are mapped instead of copied, where the index stores rows as the file does and its capacity suffices
        (`reserve`). The first search reads them from the file. It may be closed and deleted by then, but not changed.

        Parameters
        ----------
        rows : (m, dim)
            What stands there.
        file : int
            Its descriptor.
        offset : int
            Where the rows begin in it.
        """
        if self._screened or rows.dtype != STORED[self.dtype]:
            return self.append(rows)
        first = self._size
        self._columns.grow(first + len(rows), first)
        self._columns.write_mapped("rows", first, check.matrix(rows, "rows", (rows.dtype,), dim=self.dim), file, offset)
        self._size += len(rows)
        return np.arange(first, self._size)

    @takes
    def replace(self, ids: Ids, rows: Rows) -> None:
        """Overwrite the rows with these ids.

        Raises
        ------
        ArrayError
            `rows` and `ids` differ in number, or are no rows and ids of this index.
        """
        ids, rows = check.ids(ids, self._size), self._given(rows)
        if rows.shape[0] != ids.shape[0]:
            raise ArrayError(f"rows must have one row per id, got {rows.shape[0]} rows for {ids.shape[0]} ids")
        if self.device is not None:
            self._columns.replace("rows", ids, rows)
            return
        for row, position in zip(rows, ids.tolist(), strict=True):
            self._write(position, row[None, :])

    @takes
    def rows(self, ids: Ids, *, prefix: int | None = None) -> np.ndarray:
        """The rows with these ids, float32 (len(ids), dim), on the CPU; 16-bit rows come back rounded.

        Parameters
        ----------
        prefix : int, optional
            Only so many of their first numbers.
        """
        width = None if prefix is None else min(prefix, self.dim)
        return floats(self._columns.fetch("rows", check.ids(ids, self._size), width))

    @in_kind
    def scores(self, queries: Rows, *, ids: Ids | None = None, threads: int | None = None) -> np.ndarray:
        """Inner products with all rows, (q, n), or with the rows named by `ids`, (q, len(ids))."""
        with using(self.device):
            rows = self._rows() if ids is None else self._columns.take("rows", check.ids(ids, self._size))
            queries, rows, _ = _inputs(queries, rows)
            return _scores(self.backend, queries, rows, None, threads)

    @in_kind
    def search(
        self,
        queries: Rows,
        k: int,
        *,
        mask: Mask | None = None,
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

        Raises
        ------
        ArrayError
            `prefix` lies outside [1, dim], or an argument has another shape, type or range than said.
        """
        size = self._size  # once: rows that are appended meanwhile are in no part of this search
        p = self.dim if prefix is None else check.whole(prefix, "prefix")
        if not 1 <= p <= self.dim:
            raise ArrayError(f"prefix must lie in [1, {self.dim}], got {prefix}")
        queries = check.matrix(queries, "queries")
        if queries.shape[1] == self.dim and p < self.dim:
            queries = queries.first(p) if type(queries) is DeviceArray else queries[:, :p]
        queries = check.matrix(queries, "queries", dim=p)
        queries, rows, _ = _inputs(queries, self._columns.first("rows", size, p))
        k = check.chosen(k, size, queries.shape[0])
        if self._signed and p == self.dim:
            return self._prefiltered(queries, rows, k, check.count(oversample, "oversample"), mask, threads)
        if not self._coded:
            with using(self.device):
                return _topk(self.backend, queries, rows, k, None, mask, threads)
        column = {name: self._columns.part(name, slice(size)) for name in ("codes", "scale", "residual", "norm")}
        found, ids, self.rescored = call(
            getattr(_core.dense, f"topk_screened_{self.backend}"),
            *(queries, rows, column["codes"], column["scale"], column["residual"], column["norm"]),
            *(min(k, size), check.mask(mask, size), thread_count(threads)),
        )
        return padded(found, ids, k)

    def _stored(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        size = self._size
        options = {"dim": self.dim, "dtype": self.dtype, "prefilter_bits": self._prefilter_bits}
        return options | {"rows": size}, self._columns.stored(size)

    @classmethod
    def _restored(cls, file: IndexFile, backend: str | None) -> Self:
        size = file.options.pop("rows")
        index = cls(**file.options, backend=backend)
        if not index._columns.restore(file, size):  # saved by a backend that keeps no codes
            width = index._columns.width("rows")
            index._columns.grow(size, 0)
            index._write(0, file.array("rows", STORED[index.dtype], (size, width))[:, : index.dim])
        index._size = size
        return index

    rescored = 0
    """Of an int8 index: how many rows the last search read in full."""

    def _prefiltered(
        self, queries: np.ndarray, rows: np.ndarray, k: int, oversample: int, mask: Mask | None, threads: int | None
    ) -> tuple[np.ndarray, np.ndarray]:
        size = rows.shape[0]
        signs = (self._columns.part(name, slice(size)) for name in ("bits", "factor", "ones"))
        function: CompiledSearch = getattr(_core.dense, f"topk_prefiltered_{self.backend}")
        few = min(k, size), min(k * oversample, size), check.mask(mask, size), thread_count(threads)
        return padded(*call(function, queries, rows, *signs, *few), k)

    def _rows(self) -> np.ndarray:
        return self._columns.first("rows", self._size)

    def _given(self, rows: Rows) -> np.ndarray:
        """float32 or float16 as they come, or bfloat16 bits in uint16; as they are kept where that is a device."""
        if type(rows) is DeviceArray:
            return self._given_there(rows)
        if self.dtype != "bfloat16":
            given = (np.float32, np.float16) if self.dtype == "float16" else (np.float32,)
            rows = check.finite(check.matrix(rows, "rows", given, dim=self.dim), "rows")
            return rows if self.device is None else rows.astype(STORED[self.dtype], copy=False)
        if bfloat16_bits(rows) is None:
            bits = _bfloat16(check.finite(check.matrix(rows, "rows", dim=self.dim), "rows"))
        else:
            bits = check.matrix(check.stored(rows, "rows"), "rows", (np.uint16,), dim=self.dim)
        check.finite(floats(bits), "rows")
        return bits

    def _given_there(self, rows: np.ndarray) -> np.ndarray:
        """Rows on the device, of the index's own dtype: nothing is cast there."""
        bits = bfloat16_bits(rows) if self.dtype == "bfloat16" else None
        if self.dtype == "bfloat16" and bits is None:
            raise ArrayError(f"rows must have dtype bfloat16 on a GPU, got {rows.dtype}; cast them there")
        rows = check.matrix(rows if bits is None else bits, "rows", (STORED[self.dtype],), dim=self.dim)
        return finite_there(rows, "rows")

    def _write(self, first: int, rows: np.ndarray) -> None:
        self._columns.write("rows", first, rows)
        kept = partial(self._columns.part, rows=slice(first, first + rows.shape[0]))
        if self._coded:
            bounds = [kept(name) for name in ("codes", "scale", "residual", "norm")]
            _core.dense.encode(kept("rows")[:, : self.dim], *bounds)
        if self._signed:
            _core.dense.encode_signs(kept("rows")[:, : self.dim], kept("bits"), kept("factor"), kept("ones"))

    def _move(self) -> None:
        self.backend = "cuda"
        self._keep()

    def _keep(self) -> None:
        """Columns without rows, where the backend searches them."""
        if self.backend == "cuda" and self._screened:
            raise ArrayError(
                "dtype 'int8' and prefilter_bits read less of the rows first, which backend 'cuda' does not do; "
                "use dtype 'float32', 'float16' or 'bfloat16' there, without prefilter_bits"
            )
        stored = STORED[self.dtype]
        shapes: dict[str, tuple[int, int, Any]] = {
            "rows": (self.dim, _padded(self.dim, 64 // np.dtype(stored).itemsize), stored)
        }
        if self._coded:
            shapes["codes"] = (self.dim, _padded(self.dim, 64), np.uint8)
            shapes |= {name: (0, 0, np.float32) for name in ("scale", "residual", "norm")}
        if self._signed:
            words = _core.dense.rotated_dim(self.dim) // 64
            shapes["bits"] = (words, words, np.uint64)
            shapes |= {name: (0, 0, np.float32) for name in ("factor", "ones")}
        self._columns = Columns(shapes, on_device=self.backend == "cuda")


def _bfloat16(rows: np.ndarray) -> np.ndarray:
    """The nearest bfloat16 of each float32, ties to even, as bits."""
    bits = rows.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def _padded(size: int, step: int) -> int:
    return -(-size // step) * step
