"""Late interaction: a document is as good as its best token for each token of the query.

Source: Khattab and Zaharia, ColBERT, SIGIR 2020.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import as_array, in_kind
from context_graph.kernels._columns import Columns, Kept, finite_there, takes
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._files import IndexFile
from context_graph.kernels._gpu import DeviceArray, home, packed, padded, using, within
from context_graph.kernels._streams import following
from context_graph.kernels._types import Compiled, Ids, Integers, Mask, Rows, Vector
from context_graph.kernels.reference import dense as reference_dense
from context_graph.kernels.reference import maxsim as reference

__all__ = ["Index", "blocks_of", "maxima", "nearest", "score"]

BLOCK = _core.maxsim.BLOCK
KEPT = {None: None, "float32": np.float32, "float16": np.float16}


@in_kind
def maxima(
    query: Rows, tokens: Rows, offsets: Integers, *, backend: str | None = None, threads: int | None = None
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

    Raises
    ------
    ArrayError
        int8 tokens lie on a GPU, or an argument has another shape or type than said.

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
    offsets = check.offsets(offsets, tokens.shape[0], "tokens", there=True)
    if tokens.dtype == np.int8:
        if type(tokens) is DeviceArray:
            raise ArrayError("tokens must be float32 or float16 on a GPU, got int8; copy them with .cpu() or .get()")
        index = Index(tokens.shape[1], backend=chosen)
        index.append_int8(tokens, np.diff(offsets))
        return index.maxima(query, threads=threads)
    return _maxima(chosen, query, tokens, offsets, threads)


@in_kind
def score(
    query: Rows,
    tokens: Rows,
    offsets: Integers,
    *,
    weights: Vector | None = None,
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
    best = maxima(query, tokens, offsets, backend=backend, threads=threads)
    return _weigh(best, _weights(weights, len(query), there=type(best) is DeviceArray))


@in_kind
def nearest(
    query: Rows,
    tokens: Rows,
    offsets: Integers,
    k: int,
    *,
    weights: Vector | None = None,
    mask: Mask | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The k documents with the highest `score`.

    Parameters
    ----------
    query, tokens, offsets, weights, backend, threads
        As in `score`.
    k : int
        May exceed n; an answer padded to more than 2^24 entries is refused.
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
    found = score(query, tokens, offsets, weights=weights, backend=backend, threads=threads)
    if type(found) is DeviceArray:  # the score of an empty document is -inf, which is never chosen there
        return _best(found, None, k, mask)
    return _best(np.asarray(found), np.diff(home(as_array(offsets, "offsets"))), k, mask)


class _Extent(NamedTuple):
    """What an index holds, replaced at once: a search that has taken one sees nothing that comes later."""

    size: int
    """Documents and holes."""

    holes: np.ndarray
    """int64: of each hole the id of the document behind it."""

    @property
    def documents(self) -> int:
        return self.size - len(self.holes)


class Index(Kept):
    """Tokens of many documents in one byte per dimension: directions, or a quick way to the tokens kept beside them.

    Searches may run in other threads beside one `append`, `append_mapped` or `reserve`: each answers for the
    documents of one moment. Writers exclude each other by the caller's lock.

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
        For all calls. Default: the fastest usable here, and "cuda" where the first tokens come from a GPU: the index
        then keeps them there, of `keep` the tokens alone, and a search scores every document.

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

    _family = "maxsim"

    def __init__(self, dim: int = 128, *, keep: str | None = None, backend: str | None = None) -> None:
        if keep not in KEPT:
            raise ArrayError(f"keep must be 'float32', 'float16' or None, got {keep!r}")
        dim = check.whole(dim, "dim")
        if not 1 <= dim <= _core.maxsim.MAX_DIM:
            raise ArrayError(f"dim must lie in [1, {_core.maxsim.MAX_DIM}], got {dim}")
        self.dim, self.keep = dim, keep
        self.backend = self._settled(_core.maxsim, "maxsim", "maxima_packed", backend)
        self._padded = -(-dim // 4) * 4
        self._extent = _Extent(0, np.zeros(0, np.int64))
        self._offsets = np.zeros(64, np.int64)
        self._keep_columns()

    def __len__(self) -> int:
        return self._extent.documents

    @property
    def _size(self) -> int:
        return self._extent.size

    @property
    def offsets(self) -> np.ndarray:
        """Document i owns tokens offsets[i] to offsets[i + 1] - 1; int64 (n + 1,).

        Mapped blocks (`append_mapped`) may end with a hole: tokens of no document, which stand here as one more.
        """
        return self._offsets_of(self._extent)

    def _offsets_of(self, extent: _Extent) -> np.ndarray:
        return self._offsets[: extent.size + 1]  # they grow first, so these are long enough for what was taken before

    @property
    def nbytes(self) -> int:
        """Bytes in use by tokens and offsets, without spare capacity."""
        tokens = int(self.offsets[-1])
        kept = self.offsets.nbytes + (0 if self.keep is None else self._tokens.nbytes(tokens) + 8 * self._size)
        return kept + tokens * (self._padded + 4) if self._coded else kept

    @takes
    def append(self, tokens: Rows, lengths: Integers) -> np.ndarray:
        """Add documents: tokens float32 (t, dim) one after another, lengths (m,) of each; int64 ids (m,).

        With keep="float16" they may be float16 already. On a GPU they have the dtype of `keep`, or without it pass
        through the CPU, where they become codes.
        """
        if type(tokens) is DeviceArray and self.keep is None:
            tokens = tokens.numpy()
        if type(tokens) is DeviceArray:
            tokens = finite_there(check.matrix(tokens, "tokens", (KEPT[self.keep],), dim=self.dim), "tokens")
            return self._append_kept(tokens, check.sizes(lengths, "lengths", len(tokens), "tokens"))
        given = (np.float32, np.float16) if self.keep == "float16" else (np.float32,)
        tokens = check.finite(check.matrix(tokens, "tokens", given, dim=self.dim), "tokens")
        if self.keep is None:
            return self.append_int8(_core.maxsim.encode(np.ascontiguousarray(tokens)), lengths)
        with np.errstate(over="ignore"):
            kept = check.finite(tokens.astype(KEPT[self.keep], copy=False), "tokens in float16")
        return self._append_kept(kept, check.sizes(lengths, "lengths", len(tokens), "tokens"))

    @takes
    def append_int8(self, codes: Rows, lengths: Integers) -> np.ndarray:
        """Add documents whose tokens are codes already, int8 (t, dim), -128 not among them.

        Raises
        ------
        ArrayError
            The index keeps its tokens in another type, or a code is -128.
        """
        if self.keep is not None:
            raise ArrayError(f"an index with keep={self.keep!r} takes tokens, not codes; use append")
        codes = np.ascontiguousarray(home(check.matrix(codes, "codes", (np.int8,), dim=self.dim)))
        if codes.size and codes.min() == -128:
            raise ArrayError("codes must lie in [-127, 127], got -128")
        sizes = check.sizes(lengths, "lengths", len(codes), "tokens")
        self._pack(codes, sizes)
        return self._count(sizes)

    @takes
    def append_mapped(
        self, blocks: np.ndarray, scale: np.ndarray, lengths: Integers, file: int, offset: int
    ) -> np.ndarray:
        """Add documents that another index has `packed`, and that stand in an open file; int64 ids (m,).

        Whole pages are not copied, as in `dense.Index.append_mapped`; without `keep` only.

        Parameters
        ----------
        blocks : uint8, shape (b, BLOCK * dim rounded up to 4)
        scale : float32, shape (b * BLOCK,)
        lengths : integers, shape (m,)
            Tokens of each document; what the blocks hold more is left out.
        file : int
            Descriptor of the file.
        offset : int
            Where the blocks begin in it.
        """
        start, block_tokens = int(self.offsets[-1]), len(scale)
        sizes = check.sizes(lengths, "lengths", int(home(as_array(lengths, "lengths")).sum()), "tokens")
        if self.keep is not None or self.device is not None or start % BLOCK:
            codes = _core.maxsim.unpack(np.ascontiguousarray(blocks).reshape(-1), 0, int(sizes.sum()), self.dim)
            return self.append_int8(codes, sizes)
        self._grow(self._size + len(sizes) + 1, start + block_tokens)
        block = slice(start // BLOCK, (start + block_tokens) // BLOCK)
        self._blocks.write_mapped("codes", block.start, check.matrix(blocks, "blocks", (np.uint8,)), file, offset)
        self._blocks.part("scale", block).reshape(-1)[:] = scale
        left = block_tokens - int(sizes.sum())
        return self._count(sizes, hole=left)

    @takes
    def reserve(self, documents: int, tokens: int) -> None:
        """Make room at once for so many documents and tokens in all, where it is known how many will come."""
        self._grow(check.count(documents, "documents"), check.count(tokens, "tokens"))

    def codes(self, id: int) -> np.ndarray:
        """A document's codes, int8 (tokens, dim)."""
        extent = self._extent
        (id,) = self._places(np.array([id]), extent).tolist()
        start, stop = self._offsets_of(extent)[id : id + 2].tolist()
        if not self._coded:
            return _core.maxsim.encode(self._tokens.fetch("tokens", np.arange(start, stop)).astype(np.float32))
        block = start // BLOCK
        return _core.maxsim.unpack(self._codes_of(block, stop), start - block * BLOCK, stop - start, self.dim)

    @in_kind
    def maxima(self, query: Rows, *, ids: Ids | None = None, threads: int | None = None) -> np.ndarray:
        """`maxima` of all documents, (n, q), or of those named by `ids`, (len(ids), q)."""
        query = check.matrix(_query(query), "query", dim=self.dim)
        extent = self._extent
        with using(self.device):
            return self._maxima(query, self._chosen(ids, extent), threads, extent)

    @in_kind
    def score(
        self, query: Rows, *, weights: Vector | None = None, ids: Ids | None = None, threads: int | None = None
    ) -> np.ndarray:
        """`score` of all documents, (n,), or of those named by `ids`."""
        query = check.matrix(_query(query), "query", dim=self.dim)
        extent = self._extent
        weights = _weights(weights, _some(query), there=self.device is not None)
        ids = self._chosen(ids, extent)
        with using(self.device):
            found = _weigh(self._maxima(self._there(query), ids, threads, extent), weights)
            return found if type(query) is DeviceArray else home(found)

    @in_kind
    def search(
        self,
        query: Rows,
        k: int,
        *,
        mask: Mask | None = None,
        weights: Vector | None = None,
        threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k best documents: scores float32 (k,), ids int64 (k,); padded with -inf and -1, no empty document."""
        query = check.matrix(_query(query), "query", dim=self.dim)
        weights = _weights(weights, _some(query), there=self.device is not None)
        extent = self._extent
        k, mask = check.chosen(k, extent.documents), check.mask(mask, extent.documents)
        offsets = self._offsets_of(extent)
        if self.keep is None or self.backend in ("reference", "cuda"):
            with using(self.device):
                places, lengths = self._chosen(None, extent), np.diff(offsets)
                scores = _weigh(self._maxima(self._there(query), places, threads, extent), weights)
                answer = _best(scores, lengths if places is None else lengths[places], k, mask)
                return answer if type(query) is DeviceArray else (home(answer[0]), home(answer[1]))
        documents = slice(extent.size)
        scores, ids, self.rescored = call(
            getattr(_core.maxsim, f"search_{self.backend}"),
            *(query, self._flat("codes", offsets), self._flat("scale", offsets), offsets, self._kept(offsets)),
            *(self._documents.part("residual", documents), self._documents.part("norm", documents)),
            *(weights, min(k, extent.size), mask, thread_count(threads)),
        )
        return padded(scores, ids, k)

    def _stored(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        extent = self._extent
        offsets = self._offsets_of(extent)
        tokens, blocks = int(offsets[-1]), -(-int(offsets[-1]) // BLOCK)
        arrays = self._documents.stored(extent.size) | self._blocks.stored(blocks) | self._tokens.stored(tokens)
        arrays |= {"offsets": offsets, "holes": extent.holes}
        return {"dim": self.dim, "keep": self.keep, "size": extent.size, "tokens": tokens}, arrays

    @classmethod
    def _restored(cls, file: IndexFile, backend: str | None) -> Self:
        size, tokens = file.options.pop("size"), file.options.pop("tokens")
        index = cls(**file.options, backend=backend)
        offsets, holes = file.array("offsets", np.int64, (size + 1,)), file.array("holes", np.int64)
        check.offsets(offsets, tokens, "tokens of the file")
        if len(holes) > size or np.any(np.diff(holes) < 0) or np.any((holes < 0) | (holes > size - len(holes))):
            file.refuse(f"holes that rise from 0 to {size - len(holes)}", "others")
        if not index._restore(file, offsets):
            index._append_stored(file, offsets)
        index._extent = _Extent(size, holes.copy())
        return index

    def _restore(self, file: IndexFile, offsets: np.ndarray) -> bool:
        """Map what is searched on the CPU; False where the file has not all of it, or this index is on a device."""
        size, tokens = len(offsets) - 1, int(offsets[-1])
        bounds = () if self.keep is None else ("residual", "norm")
        if self.device is not None or any(name not in file for name in (*bounds, "codes")):
            return False
        self._grow(size, tokens)
        self._blocks.restore(file, -(-tokens // BLOCK))
        self._tokens.restore(file, tokens)
        for name in bounds:
            self._documents.part(name, slice(size))[:] = file.array(name, np.float32, (size,))
        self._offsets[: size + 1] = offsets
        return True

    def _append_stored(self, file: IndexFile, offsets: np.ndarray) -> None:
        lengths, tokens = np.diff(offsets), int(offsets[-1])
        if self.keep is not None:
            self.append(file.array("tokens", KEPT[self.keep], (tokens, self.dim)), lengths)
            return
        blocks = file.array("codes", np.uint8, (-(-tokens // BLOCK), BLOCK * self._padded))
        self.append_int8(_core.maxsim.unpack(blocks.reshape(-1), 0, tokens, self.dim), lengths)

    rescored = 0
    """Of an index with `keep`: how many documents the last search scored by their tokens."""

    def _places(self, ids: Ids | None, extent: _Extent) -> np.ndarray:
        """Where documents stand among documents and holes."""
        ids = check.ids(ids, extent.documents)
        return ids + np.searchsorted(extent.holes, ids, side="right") if len(extent.holes) else ids

    def _chosen(self, ids: Ids | None, extent: _Extent) -> np.ndarray | None:
        """The same, None for all where there are no holes."""
        if ids is None and len(extent.holes) == 0:
            return None
        return self._places(np.arange(extent.documents) if ids is None else ids, extent)

    def _move(self) -> None:
        self.backend = "cuda"
        self._keep_columns()

    def _keep_columns(self) -> None:
        """Columns without tokens, where the backend reads them."""
        there = self.backend == "cuda"
        self._coded = self.keep is None or not there  # with the tokens themselves at hand, cuda reads no codes
        bounds = {} if self.keep is None or there else {"residual": (0, 0, np.float32), "norm": (0, 0, np.float32)}
        self._documents = Columns({"offsets": (0, 0, np.int64)} | bounds, on_device=there)
        codes = BLOCK * self._padded
        blocks = {"codes": (codes, codes, np.uint8), "scale": (BLOCK, BLOCK, np.float32)} if self._coded else {}
        self._blocks = Columns(blocks, on_device=there)
        tokens = {"tokens": (self.dim, self.dim, KEPT[self.keep])} if self.keep is not None else {}
        self._tokens = Columns(tokens, on_device=there)
        self._columns = self._documents
        self._tail = np.zeros(codes, np.uint8), np.zeros(BLOCK, np.float32)  # of a device: the last block, not yet full
        self._grow(0, 0)
        self._documents.write("offsets", 0, self._offsets[:1])

    def _there(self, query: np.ndarray) -> np.ndarray:
        """The query where the tokens are, so that what is found stays there too until it is small."""
        return query if self.device is None or type(query) is DeviceArray else DeviceArray.upload(query)

    def _flat(self, name: str, offsets: np.ndarray) -> np.ndarray:
        """Codes or scales in one dimension: of all blocks, on a device of those with these documents."""
        if self.device is None:
            return self._blocks.part(name, slice(None)).reshape(-1)
        return self._blocks.flat(name, -(-int(offsets[-1]) // BLOCK))

    def _codes_of(self, block: int, stop: int) -> np.ndarray:
        """Packed codes from this block to the one that holds token stop - 1, on the CPU."""
        ids = np.arange(block, max(block, -(-stop // BLOCK)))
        return np.ascontiguousarray(self._blocks.fetch("codes", ids)).reshape(-1)

    def _pack(self, codes: np.ndarray, sizes: np.ndarray) -> None:
        start = int(self.offsets[-1])
        self._grow(self._size + len(sizes), start + len(codes))
        if self.device is None:
            _core.maxsim.pack(codes, start, *(self._flat(name, self.offsets) for name in ("codes", "scale")))
            return
        block, within = divmod(start, BLOCK)
        count = -(-(within + len(codes)) // BLOCK)
        packed = np.zeros((max(count, 1), BLOCK * self._padded), np.uint8)
        scale = np.zeros((max(count, 1), BLOCK), np.float32)
        packed[0], scale[0] = self._tail
        _core.maxsim.pack(codes, within, packed.reshape(-1), scale.reshape(-1))
        self._blocks.write("codes", block, packed[:count])
        self._blocks.write("scale", block, scale[:count])
        full = (within + len(codes)) % BLOCK == 0
        self._tail = (np.zeros_like(packed[0]), np.zeros_like(scale[0])) if full else (packed[-1], scale[-1])

    def _append_kept(self, rows: Any, sizes: np.ndarray) -> np.ndarray:
        first, start = self._size, int(self.offsets[-1])
        if self._coded:
            tokens = np.ascontiguousarray(rows, np.float32)
            codes = _core.maxsim.encode(tokens)
            self._pack(codes, sizes)
            scale = self._flat("scale", self.offsets)[start : start + len(tokens)]
            new = slice(first, first + len(sizes))
            bounds = self._documents.part("residual", new), self._documents.part("norm", new)
            _core.maxsim.token_bounds(tokens, codes, sizes, scale, *bounds)
        else:
            self._grow(first + len(sizes), start + len(rows))
        self._tokens.write("tokens", start, rows)
        return self._count(sizes)

    def _count(self, sizes: np.ndarray, *, hole: int = 0) -> np.ndarray:
        """The ids of the documents just written, behind them a hole of so many tokens; they are seen from now on."""
        first, holes = self._extent
        ids = np.arange(len(self), len(self) + len(sizes))
        if hole:
            sizes, holes = np.append(sizes, hole), np.append(holes, len(self) + len(sizes))
        last = first + len(sizes)
        self._offsets[first + 1 : last + 1] = self._offsets[first] + np.cumsum(sizes)
        if self.device is not None:
            self._documents.write("offsets", first + 1, self._offsets[first + 1 : last + 1])
        self._extent = _Extent(last, holes)
        return ids

    def _kept(self, offsets: np.ndarray) -> np.ndarray:
        return self._tokens.first("tokens", int(offsets[-1]))

    def _maxima(self, query: np.ndarray, ids: np.ndarray | None, threads: int | None, extent: _Extent) -> np.ndarray:
        offsets = self._offsets_of(extent)
        if self.keep is not None:
            return self._kept_maxima(query, ids, threads, offsets)
        if self.backend == "reference":
            return self._reference(query, np.arange(extent.size) if ids is None else ids, offsets)
        codes, scale = self._flat("codes", offsets), self._flat("scale", offsets)
        function: Compiled = getattr(_core.maxsim, f"maxima_packed_{self.backend}")
        return call(function, query, codes, scale, self._offsets_there(offsets), ids, thread_count(threads))

    def _offsets_there(self, offsets: np.ndarray) -> np.ndarray:
        """The same where the tokens are."""
        return offsets if self.device is None else self._documents.first("offsets", len(offsets))

    def _kept_maxima(
        self, query: np.ndarray, ids: np.ndarray | None, threads: int | None, offsets: np.ndarray
    ) -> np.ndarray:
        if ids is None:
            tokens = self._kept(offsets)
            offsets = self._offsets_there(offsets)
        else:
            pieces = [np.arange(offsets[i], offsets[i + 1]) for i in ids.tolist()]
            offsets = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces], dtype=np.int64)])
            tokens = self._tokens.take("tokens", np.concatenate([np.zeros(0, np.int64), *pieces]))
        return _maxima(self.backend, query, tokens, offsets, threads)

    def _reference(self, query: np.ndarray, ids: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        codes = _core.maxsim.unpack(self._flat("codes", offsets), 0, int(offsets[-1]), self.dim).astype(np.float64)
        size = np.linalg.norm(codes, axis=1, keepdims=True)
        tokens = np.divide(codes, size, out=np.zeros_like(codes), where=size > 0)
        maxima: np.ndarray = reference.maxima(query, tokens, offsets)[ids].astype(np.float32)
        return maxima

    def _grow(self, documents: int, tokens: int) -> None:
        used_tokens = int(self.offsets[-1])
        if documents + 1 > len(self._offsets):
            offsets = np.zeros(max(documents + 1, 2 * len(self._offsets)), np.int64)
            offsets[: self._size + 1] = self.offsets
            self._offsets = offsets
        self._documents.grow(documents + 1, self._size + 1)
        self._blocks.grow(-(-tokens // BLOCK), -(-used_tokens // BLOCK))
        self._tokens.grow(tokens, used_tokens)


def _maxima(
    backend: str, query: np.ndarray, tokens: np.ndarray, offsets: np.ndarray, threads: int | None
) -> np.ndarray:
    if backend == "reference":
        check.scores(reference_dense.scores(query, check.finite(tokens, "tokens")))  # all of them, not the best alone
        return reference.maxima(query, tokens, offsets).astype(np.float32)
    function: Compiled = getattr(_core.maxsim, f"maxima_{backend}")
    return call(function, query, tokens, offsets, thread_count(threads))


def blocks_of(codes: np.ndarray, *, multiple: int = BLOCK) -> tuple[np.ndarray, np.ndarray]:
    """Codes, int8 (t, d), as an index keeps them and `Index.append_mapped` takes them: blocks and scales.

    Parameters
    ----------
    multiple : int
        The blocks hold a multiple of so many tokens, itself one of BLOCK; those at the end are nobody's.
    """
    count, width = -(-len(codes) // multiple) * multiple, -(-codes.shape[1] // 4) * 4
    blocks, scale = np.zeros(count * width, np.uint8), np.zeros(count, np.float32)
    _core.maxsim.pack(np.ascontiguousarray(codes), 0, blocks, scale)
    return blocks.reshape(-1, BLOCK * width), scale


def _query(query: Rows) -> np.ndarray:
    return packed(check.finite(check.matrix(query, "query"), "query"), "query")


def _best(scores: np.ndarray, lengths: np.ndarray | None, k: int, mask: Mask | None) -> tuple[np.ndarray, np.ndarray]:
    """The k best scores of documents that have tokens and are not hidden, where the scores lie."""
    k, mask = check.chosen(k, len(scores)), check.mask(mask, len(scores))
    limit = within(k, len(scores), scores)
    if lengths is None or type(scores) is DeviceArray:
        with following():
            return padded(*call(_core.best_cuda, scores, limit, mask), k)
    visible = lengths > 0
    if mask is not None:
        visible &= mask != 0
    return padded(*_core.best(scores, limit, visible.view(np.uint8)), k)


def _weights(weights: Vector | None, q: int, *, there: bool) -> np.ndarray | None:
    """None, which is all 1, where maxima lie on a GPU."""
    if weights is None:
        return None if there else np.ones(q, np.float32)
    return check.finite(check.vector(weights, "weights", (np.float32,), length=q), "weights")


def _some(query: np.ndarray) -> int:
    if len(query) == 0:
        raise ArrayError("query must have at least one token")
    return len(query)


def _weigh(best: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    if best.shape[1] == 0:
        raise ArrayError("query must have at least one token")
    if type(best) is DeviceArray:
        with following():
            return call(_core.maxsim.weighted_sum_cuda, best, weights)
    return _core.maxsim.weighted_sum(best, np.ones(best.shape[1], np.float32) if weights is None else home(weights))
