"""Late interaction: a document is as good as its best token for each token of the query."""

from typing import Any

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import as_array, in_kind, resident
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._gpu import DeviceArray, home, packed
from context_graph.kernels.reference import maxsim as reference

__all__ = ["Index", "maxima", "nearest", "score"]

BLOCK = _core.maxsim.BLOCK
KEPT = {None: None, "float32": np.float32, "float16": np.float16}


@in_kind
def maxima(
    query: Any, tokens: Any, offsets: Any, *, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """For every document and query token, the inner product with the best token: max_j <q_i, d_j>.

    Parameters
    ----------
    query : float32, shape (q, d)
    tokens : float32, float16 or int8, shape (t, d)
        All documents' tokens one after another. int8 rows are directions, as in `Index`.
    offsets : integers, shape (n + 1,)
        Document i owns tokens offsets[i] to offsets[i + 1] - 1.
    backend : str, optional
        Default: the fastest usable here.
    threads : int, optional
        Changes the time, never the bits.

    Returns
    -------
    float32, shape (n, q)
        -inf for an empty document.

    Examples
    --------
    >>> tokens = np.array([[1, 0], [0, 2], [3, 0]], np.float32)
    >>> maxima(np.eye(2, dtype=np.float32), tokens, np.array([0, 2, 3]))
    array([[1., 2.],
           [3., 0.]], dtype=float32)
    """
    chosen = choose(_core.maxsim, "maxsim", "maxima", backend)
    query = _query(query)
    tokens = check.matrix(tokens, "tokens", (np.float32, np.float16, np.int8))
    check.same_dim(query, tokens, ("query", "tokens"))
    offsets = check.offsets(offsets, tokens.shape[0], "tokens")
    if tokens.dtype == np.int8:
        if type(tokens) is DeviceArray:
            raise ArrayError("tokens must be float32 or float16 on a GPU, got int8; copy them with .cpu() or .get()")
        index = Index(tokens.shape[1], backend=chosen)
        index.append_int8(tokens, np.diff(offsets))
        return index.maxima(query, threads=threads)
    if chosen == "reference":
        return reference.maxima(query, check.finite(tokens, "tokens"), offsets).astype(np.float32)
    return call(getattr(_core.maxsim, f"maxima_{chosen}"), query, tokens, offsets, thread_count(threads))


@in_kind
def score(
    query: Any,
    tokens: Any,
    offsets: Any,
    *,
    weights: Any = None,
    backend: str | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """Weighted sum of the maxima: sum_i w_i max_j <q_i, d_j>.

    Parameters
    ----------
    query, tokens, offsets, backend, threads
        As in `maxima`.
    weights : float32, shape (q,), optional
        Default: all 1.

    Returns
    -------
    float32, shape (n,)
        -inf for an empty document.
    """
    query = _query(query)
    return _weigh(maxima(query, tokens, offsets, backend=backend, threads=threads), _weights(weights, len(query)))


@in_kind
def nearest(
    query: Any,
    tokens: Any,
    offsets: Any,
    k: int,
    *,
    weights: Any = None,
    mask: Any = None,
    backend: str | None = None,
    threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The k documents with the highest `score`.

    Parameters
    ----------
    query, tokens, offsets, weights, backend, threads
        As in `score`.
    k : int
        May exceed n.
    mask : bool or uint8, shape (n,), optional
        False or 0 hides a document. Empty ones are never listed.

    Returns
    -------
    scores : float32, shape (k,)
        Best first, padded with -inf.
    ids : int64, shape (k,)
        Ties to the lowest id; padded with -1.

    Examples
    --------
    >>> tokens = np.array([[1, 0], [0, 2], [3, 0]], np.float32)
    >>> nearest(np.eye(2, dtype=np.float32), tokens, np.array([0, 2, 3]), 1)[1]
    array([0])
    """
    found = np.asarray(home(score(query, tokens, offsets, weights=weights, backend=backend, threads=threads)))
    return _best(found, offsets, k, mask)


class Index:
    """Tokens of many documents in one byte per dimension: directions, or a quick way to the tokens kept beside them.

    A token is kept as codes = round(127 x / max|x|) and means codes / |codes|: a unit vector, whatever length it came
    with. Codes therefore need no scale beside them, and `append_int8(codes(id), ...)` gives the same document again.

    Parameters
    ----------
    dim : int
        At most 512.
    keep : "float32" or "float16", optional
        Keep the tokens themselves, with their lengths, beside the codes, and answer by them: `maxima`, `score` and
        `search` return what the functions of this module return for these tokens, bit by bit. `search` reads the codes
        and then only the documents that a strict bound on what the codes leave out cannot exclude.
    backend : str, optional
        For all calls. Default: the fastest usable here.

    Notes
    -----
    Without `keep` there are two errors. Rounding a token to codes turns it by about 0.4 degrees at dim 128. Scoring
    codes is exact but for the query, taken in 15 bits per token: an inner product is off by at most
    |q|_inf √d / 32512, that is less than 1e-4 for unit vectors of dim 128 with |q|_inf < 0.28. Integer sums: same bits
    on every backend.

    Examples
    --------
    >>> index = Index(2)
    >>> index.append(np.array([[1, 0], [0, 1], [0, 5]], np.float32), np.array([2, 1]))
    array([0, 1])
    >>> index.score(np.eye(2, dtype=np.float32)).round(3)
    array([2., 1.], dtype=float32)
    """

    def __init__(self, dim: int = 128, *, keep: str | None = None, backend: str | None = None) -> None:
        if keep not in KEPT:
            raise ArrayError(f"keep must be 'float32', 'float16' or None, got {keep!r}")
        if not 1 <= dim <= _core.maxsim.MAX_DIM:
            raise ArrayError(f"dim must lie in [1, {_core.maxsim.MAX_DIM}], got {dim}")
        self.dim, self.keep = dim, keep
        self.backend = choose(_core.maxsim, "maxsim", "maxima_packed", backend)
        self._padded = -(-dim // 4) * 4
        self._size = 0
        self._offsets = np.zeros(64, np.int64)
        self._blocks = resident((BLOCK * self._padded,), np.uint8)
        self._scale = resident((BLOCK,), np.float32)
        if keep is not None:
            self._tokens = resident((BLOCK, dim), KEPT[keep])
            self._residual, self._norm = np.zeros((2, 64), np.float32)

    def __len__(self) -> int:
        return self._size

    @property
    def offsets(self) -> np.ndarray:
        """Document i owns tokens offsets[i] to offsets[i + 1] - 1; int64 (n + 1,)."""
        return self._offsets[: self._size + 1]

    @property
    def nbytes(self) -> int:
        """Bytes in use by tokens and offsets, without spare capacity."""
        codes = int(self.offsets[-1]) * (self._padded + 4) + self.offsets.nbytes
        return codes if self.keep is None else codes + self._kept().nbytes + 8 * self._size

    def append(self, tokens: Any, lengths: Any) -> np.ndarray:
        """Add documents: tokens float32 (t, dim) one after another, lengths (m,) of each; int64 ids (m,).

        With keep="float16" they may be float16 already.
        """
        given = (np.float32, np.float16) if self.keep == "float16" else (np.float32,)
        tokens = check.finite(check.matrix(tokens, "tokens", given, dim=self.dim), "tokens")
        if self.keep is None:
            return self.append_int8(_core.maxsim.encode(np.ascontiguousarray(tokens)), lengths)
        with np.errstate(over="ignore"):
            kept = check.finite(tokens.astype(KEPT[self.keep], copy=False), "tokens in float16")
        return self._append_kept(kept, check.sizes(lengths, "lengths", len(tokens), "tokens"))

    def append_int8(self, codes: Any, lengths: Any) -> np.ndarray:
        """Add documents whose tokens are codes already, int8 (t, dim), -128 not among them."""
        if self.keep is not None:
            raise ArrayError(f"an index with keep={self.keep!r} takes tokens, not codes; use append")
        codes = np.ascontiguousarray(check.matrix(codes, "codes", (np.int8,), dim=self.dim))
        if codes.size and codes.min() == -128:
            raise ArrayError("codes must lie in [-127, 127], got -128")
        sizes = check.sizes(lengths, "lengths", len(codes), "tokens")
        self._pack(codes, sizes)
        return self._count(sizes)

    def reserve(self, documents: int, tokens: int) -> None:
        """Make room at once for so many documents and tokens in all, where it is known how many will come."""
        self._grow(documents, tokens)

    def codes(self, id: int) -> np.ndarray:
        """A document's codes, int8 (tokens, dim)."""
        (id,) = check.ids(np.array([id]), self._size).tolist()
        start, stop = self.offsets[id : id + 2].tolist()
        return _core.maxsim.unpack(self._blocks, start, stop - start, self.dim)

    @in_kind
    def maxima(self, query: Any, *, ids: Any = None, threads: int | None = None) -> np.ndarray:
        """`maxima` of all documents, (n, q), or of those named by `ids`, (len(ids), q)."""
        query = check.matrix(_query(query), "query", dim=self.dim)
        ids = None if ids is None else check.ids(ids, self._size)
        if self.keep is not None:
            return self._kept_maxima(query, ids, threads)
        if self.backend == "reference":
            return self._reference(query, np.arange(self._size) if ids is None else ids)
        function = getattr(_core.maxsim, f"maxima_packed_{self.backend}")
        return call(function, query, self._blocks, self._scale, self.offsets, ids, thread_count(threads))

    @in_kind
    def score(self, query: Any, *, weights: Any = None, ids: Any = None, threads: int | None = None) -> np.ndarray:
        """`score` of all documents, (n,), or of those named by `ids`."""
        query = _query(query)
        return _weigh(self.maxima(query, ids=ids, threads=threads), _weights(weights, len(query)))

    @in_kind
    def search(
        self, query: Any, k: int, *, mask: Any = None, weights: Any = None, threads: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k best documents: scores float32 (k,), ids int64 (k,); padded with -inf and -1, no empty document."""
        if self.keep is None or self.backend in ("reference", "cuda"):
            found = np.asarray(self.score(query, weights=weights, threads=threads))
            return _best(found, self.offsets, k, mask)
        query = check.matrix(_query(query), "query", dim=self.dim)
        found, ids, self.rescored = call(
            getattr(_core.maxsim, f"search_{self.backend}"),
            *(query, self._blocks, self._scale, self.offsets, self._kept()),
            *(self._residual[: self._size], self._norm[: self._size], _weights(weights, _some(query))),
            *(check.count(k), check.mask(mask, self._size), thread_count(threads)),
        )
        return found, ids

    rescored = 0
    """Of an index with `keep`: how many documents the last search scored by their tokens."""

    def _pack(self, codes: np.ndarray, sizes: np.ndarray) -> None:
        start = int(self.offsets[-1])
        self._grow(self._size + len(sizes), start + len(codes))
        _core.maxsim.pack(codes, start, self._blocks, self._scale)

    def _append_kept(self, kept: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        first, start = self._size, int(self.offsets[-1])
        tokens = np.ascontiguousarray(kept, np.float32)
        codes = _core.maxsim.encode(tokens)
        self._pack(codes, sizes)
        here, new = slice(start, start + len(tokens)), slice(first, first + len(sizes))
        self._tokens[here] = kept
        _core.maxsim.measure(tokens, codes, sizes, self._scale[here], self._residual[new], self._norm[new])
        return self._count(sizes)

    def _count(self, sizes: np.ndarray) -> np.ndarray:
        """The ids of the documents just written; they are seen from now on."""
        first = self._size
        self._offsets[first + 1 : first + 1 + len(sizes)] = self._offsets[first] + np.cumsum(sizes)
        self._size += len(sizes)
        return np.arange(first, self._size)

    def _kept(self) -> np.ndarray:
        return self._tokens[: self.offsets[-1]]

    def _kept_maxima(self, query: np.ndarray, ids: np.ndarray | None, threads: int | None) -> np.ndarray:
        tokens, offsets = self._kept(), self.offsets
        if ids is not None:
            pieces = [tokens[offsets[i] : offsets[i + 1]] for i in ids.tolist()]
            offsets = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces], dtype=np.int64)])
            tokens = np.concatenate([tokens[:0], *pieces])
        return maxima(query, tokens, offsets, backend=self.backend, threads=threads)

    def _reference(self, query: np.ndarray, ids: np.ndarray) -> np.ndarray:
        codes = _core.maxsim.unpack(self._blocks, 0, int(self.offsets[-1]), self.dim).astype(np.float64)
        size = np.linalg.norm(codes, axis=1, keepdims=True)
        tokens = np.divide(codes, size, out=np.zeros_like(codes), where=size > 0)
        return reference.maxima(query, tokens, self.offsets)[ids].astype(np.float32)

    def _grow(self, documents: int, tokens: int) -> None:
        if documents + 1 > len(self._offsets):
            offsets = np.zeros(max(documents + 1, 2 * len(self._offsets)), np.int64)
            offsets[: self._size + 1] = self.offsets
            self._offsets = offsets
            if self.keep is not None:
                bounds = np.zeros((2, len(offsets)), np.float32)
                bounds[:, : self._size] = self._residual[: self._size], self._norm[: self._size]
                self._residual, self._norm = bounds
        if tokens > len(self._scale):
            room = -(-max(tokens, 2 * len(self._scale)) // BLOCK) * BLOCK
            blocks, scale = resident((room * self._padded,), np.uint8), resident((room,), np.float32)
            blocks[: len(self._blocks)] = self._blocks
            scale[: len(self._scale)] = self._scale
            self._blocks, self._scale = blocks, scale
            if self.keep is not None:
                kept = resident((room, self.dim), KEPT[self.keep])
                kept[: self.offsets[-1]] = self._kept()
                self._tokens = kept


def _query(query: Any) -> np.ndarray:
    return packed(check.finite(check.matrix(query, "query"), "query"), "query")


def _best(scores: np.ndarray, offsets: Any, k: int, mask: Any) -> tuple[np.ndarray, np.ndarray]:
    """The k best scores of documents that have tokens and are not hidden."""
    visible = np.diff(home(as_array(offsets, "offsets"))) > 0
    if mask is not None:
        visible &= home(check.mask(mask, len(scores))) != 0
    return _core.best(scores, check.count(k), visible.view(np.uint8))


def _weights(weights: Any, q: int) -> np.ndarray:
    if weights is None:
        return np.ones(q, np.float32)
    return check.finite(check.vector(weights, "weights", (np.float32,), length=q), "weights")


def _some(query: np.ndarray) -> int:
    if len(query) == 0:
        raise ArrayError("query must have at least one token")
    return len(query)


def _weigh(best: np.ndarray, weights: np.ndarray) -> np.ndarray:
    best = home(best)
    _some(best.T)
    return _core.maxsim.weigh(best, home(weights))
