"""Hyperdimensional vectors of 10,000 bits: bind pairs, bundle sets, compare by Hamming distance.

Source: Kanerva, Hyperdimensional computing, Cognitive Computation 1 (2009); n-grams as in Joshi, Halseth and
Kanerva, Language geometry using random indexing, 2016.
"""

from typing import Any, Self

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import as_array, in_kind
from context_graph.kernels._columns import Columns, KeptRows, takes
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._files import IndexFile
from context_graph.kernels._gpu import DeviceArray, home, packed, padded, using
from context_graph.kernels._types import Compiled, CompiledSearch, Ids, Integers, Mask, Rows
from context_graph.kernels.reference import dense as reference_dense
from context_graph.kernels.reference import hdc as reference

__all__ = ["BEYOND", "BITS", "WORDS", "Index", "bind", "bundle", "distances", "encode", "hamming", "items", "permute"]

BITS = _core.hdc.BITS
"""Bits of a vector."""
WORDS = _core.hdc.WORDS
"""uint64 words that hold them; the 240 bits left over are 0."""
BEYOND = _core.hdc.BEYOND
"""The distance that pads a search: one more than any."""

LAST = BITS // 64
"""The word that holds the last bits."""
SPARE = np.full(WORDS - LAST, ~np.uint64(0))
"""The bits of it and of the words after it that are left over."""
SPARE[0] <<= np.uint64(BITS % 64)


def items(symbols: Integers, *, seed: int) -> np.ndarray:
    """The vector of each symbol, drawn by a counter: the same symbol and seed give the same bits anywhere.

    Parameters
    ----------
    symbols : integers, shape (n,)
        Any 64 bits: ids, hashes, code points.
    seed : int
        At least 0, below 2^64.

    Returns
    -------
    uint64, shape (n, 160)
        Two different symbols differ in about 5,000 bits, with a standard deviation of 50.
    """
    return _core.hdc.items(_symbols(symbols), _seed(seed))


@in_kind
def bind(x: Rows, y: Rows, *, backend: str | None = None) -> np.ndarray:
    """Exclusive or of matching vectors: unlike either, and binding with one again gives the other back.

    Parameters
    ----------
    x, y : uint64, shape (n, 160)
        Or one of them (1, 160).
    backend : str, optional
        Default: the fastest usable here. All give the same bits.

    Returns
    -------
    uint64, shape (n, 160)

    Raises
    ------
    ArrayError
        Neither has one vector, and they differ in number.
    """
    chosen = choose(_core.hdc, "hdc", "bind", backend)
    x, y = _vectors(x, "x"), _vectors(y, "y")
    if 1 not in (len(x), len(y)) and len(x) != len(y):
        raise ArrayError(f"x and y must have as many vectors, or one of them one, got {len(x)} and {len(y)}")
    return x ^ y if chosen == "reference" else call(getattr(_core.hdc, f"bind_{chosen}"), x, y)


@in_kind
def permute(x: Rows, by: int = 1, *, backend: str | None = None) -> np.ndarray:
    """Roll every vector by `by` bits around its 10,000: a place mark that `permute(.., -by)` removes.

    Parameters
    ----------
    x : uint64, shape (n, 160)
    backend : str, optional
        As in `bind`.

    Returns
    -------
    uint64, shape (n, 160)
    """
    chosen = choose(_core.hdc, "hdc", "permute", backend)
    x, by = _vectors(x, "x"), check.whole(by, "by") % BITS
    if chosen == "reference":
        return reference.words(np.roll(reference.bits(x), by, axis=1))
    function: Compiled = getattr(_core.hdc, f"permute_{chosen}")
    return call(function, x, by)


def bundle(x: Rows, *, seed: int = 0, backend: str | None = None) -> np.ndarray:
    """Majority of each bit over a set of vectors: near to every one of them.

    Parameters
    ----------
    x : uint64, shape (n, 160)
    seed : int
        Of the fixed vector that decides bits where votes are even; a bundle of nothing is that vector.
    backend : str, optional
        Default: the fastest usable here. All give the same bits.

    Returns
    -------
    uint64, shape (160,)
    """
    bits = _core.hdc.bundle_fast(x, seed, backend, 1)
    return _bundle(x, seed=seed, backend=backend) if bits is NotImplemented else bits


@in_kind
def _bundle(x: Rows, *, seed: int, backend: str | None) -> np.ndarray:
    chosen = choose(_core.hdc, "hdc", "bundle", backend)
    x = _vectors(x, "x")
    if chosen == "reference":
        majority: np.ndarray = reference.words(reference.bundle(reference.bits(x), _seed(seed))[None])[0]
        return majority
    function: Compiled = getattr(_core.hdc, f"bundle_{chosen}")
    return call(function, x, _seed(seed))


@in_kind
def hamming(x: Rows, y: Rows, *, backend: str | None = None) -> np.ndarray:
    """How many bits matching vectors differ in.

    Parameters
    ----------
    x, y : uint64, shape (n, 160)

    Returns
    -------
    int32, shape (n,)

    Raises
    ------
    ArrayError
        The shapes differ; `distances` compares all pairs.
    """
    chosen = choose(_core.hdc, "hdc", "hamming", backend)
    x, y = _vectors(x, "x"), _vectors(y, "y")
    if x.shape != y.shape:
        raise ArrayError(f"x and y must have the same shape, got {x.shape} and {y.shape}; for all pairs use distances")
    if chosen == "reference":
        differing: np.ndarray = (reference.bits(x) != reference.bits(y)).sum(axis=1, dtype=np.int32)
        return differing
    function: Compiled = getattr(_core.hdc, f"hamming_{chosen}")
    return call(function, x, y)


@in_kind
def distances(queries: Rows, rows: Rows, *, backend: str | None = None, threads: int | None = None) -> np.ndarray:
    """Hamming distance of every query to every row.

    Parameters
    ----------
    queries : uint64, shape (q, 160)
    rows : uint64, shape (n, 160)

    Returns
    -------
    int32, shape (q, n)
    """
    chosen = choose(_core.hdc, "hdc", "distances", backend)
    return _distances(chosen, _vectors(queries, "queries"), _vectors(rows, "rows"), threads)


def _distances(backend: str, queries: np.ndarray, rows: np.ndarray, threads: int | None) -> np.ndarray:
    if backend == "reference":
        return reference.hamming(reference.bits(queries), reference.bits(rows)).astype(np.int32)
    function: Compiled = getattr(_core.hdc, f"distances_{backend}")
    return call(function, queries, rows, thread_count(threads))


@in_kind
def encode(
    symbols: Integers,
    offsets: Integers,
    *,
    ngram: int = 3,
    seed: int = 0,
    backend: str | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """One vector per document: the majority of its n-grams.

    An n-gram x_0 ... x_{n-1} is permute(x_0, n-1) ^ ... ^ permute(x_{n-1}, 0), so order counts inside it and place
    does not outside. A document shorter than n is one shorter gram; an empty one is the bundle of nothing.

    Parameters
    ----------
    symbols : integers, shape (t,)
        All documents one after another.
    offsets : integers, shape (n + 1,)
        Document i is symbols offsets[i] to offsets[i + 1] - 1.
    ngram : int
        From 1 to 16.
    seed : int
        Of the items and of the tie vector.

    Returns
    -------
    uint64, shape (n, 160)

    Raises
    ------
    ArrayError
        `ngram` lies outside [1, 16], or `offsets` do not rise from 0 to the number of symbols.
    """
    chosen = choose(_core.hdc, "hdc", "encode", backend)
    symbols, seed = _symbols(symbols), _seed(seed)
    offsets = check.offsets(offsets, len(symbols), "symbols", there=type(symbols) is DeviceArray)
    if not 1 <= ngram <= 16:
        raise ArrayError(f"ngram must lie in [1, 16], got {ngram}")
    if chosen == "reference":
        return reference.words(reference.encode(symbols, offsets, ngram=ngram, seed=seed))
    function: Compiled = getattr(_core.hdc, f"encode_{chosen}")
    return call(function, symbols, offsets, ngram, seed, thread_count(threads))


class Index(KeptRows):
    """Vectors kept once, searched by Hamming distance, growing by append.

    With backend "cuda", or where the first vectors come from a GPU, they are kept there: a search moves the query, the
    mask and the answer.

    Searches may run in other threads beside one `append`, `append_mapped` or `reserve`: each answers for the rows of
    one moment.
    Writers exclude each other by the caller's lock.

    Examples
    --------
    >>> index = Index()
    >>> index.append(items([1, 2, 3], seed=0))
    array([0, 1, 2])
    >>> index.search(items([2], seed=0), 1)
    (array([[0]], dtype=int32), array([[1]]))
    """

    _family = "hdc"

    def __init__(self, *, backend: str | None = None) -> None:
        self.backend = self._settled(_core.hdc, "hdc", "search", backend)
        self._size = 0
        self._keep()

    @takes
    def append(self, rows: Rows) -> np.ndarray:
        """Add vectors, uint64 (m, 160); their ids, int64 (m,), continue the count."""
        rows = _vectors(rows, "rows")
        first = self._size
        self._columns.grow(first + len(rows), first)
        self._columns.write("rows", first, rows)
        self._size += len(rows)
        return np.arange(first, self._size)

    @takes
    def append_mapped(self, rows: np.ndarray, file: int, offset: int) -> np.ndarray:
        """Add vectors that stand in an open file from `offset` on; their ids. As `dense.Index.append_mapped`."""
        first = self._size
        self._columns.grow(first + len(rows), first)
        self._columns.write_mapped("rows", first, check.matrix(rows, "rows", (np.uint64,), dim=WORDS), file, offset)
        self._size += len(rows)
        return np.arange(first, self._size)

    def _stored(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        size = self._size
        return {"rows": size}, self._columns.stored(size)

    @classmethod
    def _restored(cls, file: IndexFile, backend: str | None) -> Self:
        index, size = cls(backend=backend), file.options["rows"]
        if not index._columns.restore(file, size):
            file.refuse("its vectors", "none")
        index._size = size
        return index

    def _move(self) -> None:
        self.backend = "cuda"
        self._keep()

    def _keep(self) -> None:
        self._columns = Columns({"rows": (WORDS, WORDS, np.uint64)}, on_device=self.backend == "cuda")

    @in_kind
    def distances(self, queries: Rows, *, ids: Ids | None = None, threads: int | None = None) -> np.ndarray:
        """Distances to all vectors, int32 (q, n), or to those named by `ids`, (q, len(ids))."""
        queries = _vectors(queries, "queries")
        with using(self.device):
            rows = self._rows() if ids is None else self._columns.take("rows", check.ids(ids, self._size))
            return _distances(self.backend, queries, rows, threads)

    @in_kind
    def search(
        self, queries: Rows, k: int, *, mask: Mask | None = None, threads: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k nearest vectors of each query.

        Parameters
        ----------
        queries : uint64, shape (q, 160)
        k : int
            May exceed n; an answer padded to more than 2^24 entries is refused.
        mask : bool or uint8, shape (n,), optional
            False or 0 hides a vector.

        Returns
        -------
        distances : int32, shape (q, k)
            Nearest first, padded with 10,001.
        ids : int64, shape (q, k)
            Ties to the lowest, padded with -1.
        """
        queries = _vectors(queries, "queries")
        rows = self._rows()
        k, mask = check.chosen(k, rows.shape[0], queries.shape[0]), check.mask(mask, rows.shape[0])
        kept = min(k, rows.shape[0])
        if self.backend == "reference":
            found = reference.hamming(reference.bits(queries), reference.bits(rows))
            return padded(*_nearest(found, kept, mask), k, BEYOND)
        function: CompiledSearch = getattr(_core.hdc, f"search_{self.backend}")
        return padded(*self._call(function, queries, rows, kept, mask, thread_count(threads)), k, BEYOND)

    def _rows(self) -> np.ndarray:
        return self._columns.first("rows", self._size)


def _nearest(found: np.ndarray, k: int, mask: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    scores, ids = reference_dense.best(-found.astype(np.float64), k, mask)
    return np.where(ids < 0, BEYOND, -np.where(ids < 0, 0, scores)).astype(np.int32), ids


def _vectors(value: Rows, name: str) -> np.ndarray:
    array = packed(check.matrix(value, name, (np.uint64,), dim=WORDS), name)
    if type(array) is not DeviceArray and (array[:, LAST:] & SPARE).any():
        raise ArrayError(f"{name} must have zeros after bit {BITS - 1}; build vectors with items, bundle and permute")
    return array


def _symbols(value: Integers) -> np.ndarray:
    array = as_array(value, "symbols")
    if array.size == 0:
        return np.zeros(0, np.uint64)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise ArrayError(f"symbols must be integers in one dimension, got {array.dtype} with shape {array.shape}")
    if type(array) is DeviceArray and array.itemsize == 8:
        return packed(array, "symbols").view(np.dtype(np.uint64))
    return np.ascontiguousarray(home(array).astype(np.uint64, copy=False))


def _seed(seed: int) -> int:
    if not 0 <= seed < 2**64:
        raise ArrayError(f"seed must lie in [0, 2^64), got {seed}")
    return int(seed)
