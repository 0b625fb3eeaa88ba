"""Documents as bags of weighted terms, scored exactly through an inverted index that grows.

Source: Robertson and Zaragoza, The probabilistic relevance framework: BM25 and beyond, 2009.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import as_array, in_kind
from context_graph.kernels._columns import Kept, takes
from context_graph.kernels._dispatch import call, thread_count
from context_graph.kernels._files import IndexFile
from context_graph.kernels._gpu import DeviceArray, home, padded
from context_graph.kernels._types import Compiled, CompiledSearch, Ids, Integers, Mask, Vector
from context_graph.kernels.reference import dense as reference_dense
from context_graph.kernels.reference import sparse as reference

__all__ = ["Index"]

ARRAYS = ("terms", "starts", "docs", "values", "forward", "forward_starts")
"""The arrays of a whole index, in the order in which the compiled one gives and takes them."""


class Index(Kept):
    """An inverted index: every term knows its documents.

    Two scores, both summed in float32 from the rarest term (the lowest of equal `df`), whatever order a query lists
    them in::

        dot   = sum_t w_t x_t
        bm25  = sum_t w_t x_t (k1 + 1) / (x_t + k1 (1 - b + b length / average))

    x_t is the document's value of the term (for BM25 its count), length the sum of its values and average the mean
    length of the documents that count. The weights w_t are the caller's, inverse document frequency included.

    Parameters
    ----------
    backend : str, optional
        For all calls. Default: the fastest usable here, and "cuda" where the first documents come from a GPU: the
        postings are kept there too, and a search moves the query, the mask and the answer.

    Notes
    -----
    Documents without a term of the query score 0 and are ranked like any other. Same bits on every compiled backend
    and for any number of threads.

    Searches may run in other threads beside one `append`, `discount` or `restore`: each answers for the documents of
    one moment. Writers exclude each other by the caller's lock.

    Examples
    --------
    >>> index = Index()
    >>> index.append(np.array([7, 9, 7]), np.array([1, 2, 3], np.float32), np.array([2, 1]))
    array([0, 1])
    >>> index.dot(np.array([7]), np.array([0.5], np.float32))
    array([0.5, 1.5], dtype=float32)
    """

    _family = "sparse"

    def __init__(self, *, backend: str | None = None) -> None:
        self.backend = self._settled(_core.sparse.Index, "sparse", "scores", backend)
        self._index = _core.sparse.Index()
        if self.backend == "cuda":
            self._move()

    @property
    def device(self) -> int | None:
        """The number of the CUDA device that has the postings too; None without one."""
        return self._index.device

    def _move(self) -> None:
        self.backend = "cuda"
        self._index.move_there()

    def __len__(self) -> int:
        return len(self._index)

    @property
    def nbytes(self) -> int:
        """Bytes of postings, of the documents' term lists and of the vocabulary, without spare capacity."""
        return self._index.nbytes

    @property
    def average_length(self) -> float:
        """Mean length of the documents that count; 0 without any."""
        return self._index.average_length

    @property
    def live(self) -> int:
        """How many documents count: all but those that `discount` named."""
        return self._index.live

    @property
    def lengths(self) -> np.ndarray:
        """Sum of each document's values, float32 (n,)."""
        return self._index.lengths

    @takes
    def append(self, terms: Integers, values: Vector, lengths: Integers) -> np.ndarray:
        """Add documents, given one after another; those of a GPU pass through the CPU, which keeps the postings too.

        Parameters
        ----------
        terms : integers, shape (nnz,)
            At least 0; each at most once in a document.
        values : float32, shape (nnz,)
            Finite; zeros are dropped.
        lengths : integers, shape (m,)
            How many pairs each document has; they add up to nnz.

        Returns
        -------
        int64, shape (m,)
            The documents' ids.

        Raises
        ------
        ArrayError
            A term stands twice in a document, or an argument has another shape or type than said.
        """
        terms = _terms(terms)
        values = check.finite(home(check.vector(values, "values", (np.float32,), length=len(terms))), "values")
        sizes = check.sizes(lengths, "lengths", len(terms), "terms")
        if len(sizes) != 1 or _repeated(np.sort(terms)).any():
            document = np.repeat(np.arange(len(sizes)), sizes)
            order = np.lexsort((terms, document))
            twice = _repeated(terms[order]) & _repeated(document[order])
            if twice.any():
                at = order[np.flatnonzero(twice)[0]]
                raise ArrayError(
                    f"terms must be unique in a document, got {terms[at]} twice in document {document[at]}"
                )
        first = len(self)
        call(self._index.append, terms, values, sizes)
        return np.arange(first, len(self))

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The whole index as arrays for `load_arrays`, as if every document counted."""
        arrays = dict(zip(ARRAYS, self._index.to_arrays(), strict=True))
        lengths = self.lengths
        rest = np.array([lengths.sum(dtype=np.float64), self._index.has_negative], np.float64)
        return arrays | {"lengths": lengths, "rest": rest}

    def load_arrays(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Fill an empty index with the arrays of `to_arrays`.

        They are not copied, and may lie in a mapped file; a posting list is copied when it grows.
        """
        total, negative = arrays["rest"].tolist()
        self._call(
            self._index.load_arrays, *(arrays[name] for name in ARRAYS), arrays["lengths"], total, bool(negative)
        )

    def _stored(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        arrays, gone = self._index.to_arrays(), self._index.discounted
        documents = len(arrays[ARRAYS.index("forward_starts")]) - 1  # of one moment; what follows may be of a later one
        lengths = self.lengths[:documents]
        rest = {"total": float(lengths.sum(dtype=np.float64)), "negative": self._index.has_negative}
        return rest, dict(zip(ARRAYS, arrays, strict=True)) | {"lengths": lengths, "discounted": gone[gone < documents]}

    @classmethod
    def _restored(cls, file: IndexFile, backend: str | None) -> Self:
        dtypes = (np.int64, np.int64, np.uint32, np.float32, np.uint32, np.int64)
        arrays = {name: file.array(name, dtype) for name, dtype in zip(ARRAYS, dtypes, strict=True)}
        arrays["lengths"] = file.array("lengths", np.float32)
        _expect_whole(file, arrays)
        arrays["rest"] = np.array([file.options["total"], file.options["negative"]], np.float64)
        index = cls(backend=backend)
        index.load_arrays(arrays)
        index.discount(file.array("discounted", np.int64))
        return index

    def discount(self, ids: Ids) -> None:
        """Leave these documents out of `df` and the average length; hide them from `search` with its mask."""
        self._index.set_live(check.ids(ids, len(self)), False)

    def restore(self, ids: Ids) -> None:
        """Undo `discount`."""
        self._index.set_live(check.ids(ids, len(self)), True)

    def df(self, terms: Integers) -> np.ndarray:
        """How many counting documents hold each term, int64 (t,)."""
        return self._index.df(_terms(terms))

    def postings(self, term: int) -> tuple[np.ndarray, np.ndarray]:
        """A term's documents, int64 ascending, and their values, float32."""
        return self._index.postings(int(term))

    def terms_of(self, ids: Ids) -> tuple[np.ndarray, np.ndarray]:
        """The terms of some documents one after another, each in the order it was given: int64 (v,), lengths (m,)."""
        return self._index.terms_of(check.ids(ids, len(self)))

    def table(self, terms: Integers, ids: Ids) -> np.ndarray:
        """What each of some documents has of each term: float32 (m, t), 0 where it lacks it.

        Parameters
        ----------
        ids : integers, shape (m,)
            Each at most once.
        """
        return self._index.table(_terms(terms), check.ids(ids, len(self)))

    def pagerank(
        self,
        ids: Ids,
        seeds: Vector,
        *,
        terms: Integers = (),
        most: float = np.inf,
        damping: float = 0.5,
        steps: int = 8,
    ) -> np.ndarray | None:
        """Personalised PageRank over some documents and the terms they share.

        A walk goes from a document to its terms and from a term to its documents, both in proportion to the rarity of
        the term, ln(n / df), n documents that count; now and then it restarts::

            r <- (1 - damping) s + damping P^T r

        Parameters
        ----------
        ids : integers, shape (m,)
            Each at most once.
        seeds : float64, shape (m,)
            Where it restarts, at least 0; their scale does not matter.
        terms : integers
            Where else it restarts, in proportion to rarity: half of it, if one of them is shared.
        most : float
            A term that more documents hold links nothing, nor does one that a single document holds, or every one.
        damping : float
            In [0, 1]: how likely the walk goes on.
        steps : int

        Returns
        -------
        float64, shape (m,), or None
            How often the walk is at each document; None where no term links. The mass of documents that no term links
            is lost.

        Raises
        ------
        ArrayError
            A seed is below 0.
        """
        ids = check.ids(ids, len(self))
        seeds = check.finite(check.vector(seeds, "seeds", (np.float64,), length=len(ids)), "seeds")
        if (seeds < 0).any():
            raise ArrayError(f"seeds must be at least 0, got {seeds.min()}")
        damping, steps = check.unit(damping, "damping"), check.count(steps, "steps")
        most = int(min(max(most, 0), len(self)))
        if self.backend == "reference":
            held, lengths = self.terms_of(ids)
            return reference.pagerank(
                held, lengths, self.df(held), self._index.live, seeds, _terms(terms), most, damping=damping, steps=steps
            )
        return self._index.pagerank(ids, seeds, _terms(terms), most, damping, steps)

    @in_kind
    def dot(
        self, terms: Integers, weights: Vector, *, ids: Ids | None = None, threads: int | None = None
    ) -> np.ndarray:
        """Dot product of the query with every document, float32 (n,), or with those named by `ids`."""
        return _picked(self._scores(*self._query(terms, weights), None, threads), ids)

    @in_kind
    def bm25(
        self,
        terms: Integers,
        weights: Vector,
        *,
        k1: float = 1.2,
        b: float = 0.75,
        ids: Ids | None = None,
        threads: int | None = None,
    ) -> np.ndarray:
        """BM25 of every document, float32 (n,), or of those named by `ids`; all values must be positive."""
        return _picked(self._scores(*self._query(terms, weights), (k1, b), threads), ids)

    @in_kind
    def search(
        self,
        terms: Integers,
        weights: Vector,
        k: int,
        *,
        mask: Mask | None = None,
        counting: bool = False,
        bm25: bool = False,
        k1: float = 1.2,
        b: float = 0.75,
        threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k best documents by dot product, or by BM25; k as in `dense.topk`.

        Parameters
        ----------
        mask : bool or uint8, shape (n,), optional
            False or 0 hides a document.
        counting : bool
            Whether those that `discount` left out are hidden too.

        Returns
        -------
        scores : float32, shape (k,)
            Best first, padded with -inf.
        ids : int64, shape (k,)
            Ties to the lowest, padded with -1.
        """
        terms, weights = self._query(terms, weights)
        n = len(self)
        k, mask = check.chosen(k, n), check.mask(mask, n)
        parameters = (k1, b) if bm25 else None
        if counting and self.backend in ("reference", "cuda"):
            mask, counting = self._counting(mask, n), False
        if self.backend == "reference":
            scores = self._reference(terms, weights, parameters)[None, :n]
            found, ids = reference_dense.best(scores, min(k, n), mask)
            return padded(found[0].astype(np.float32), ids[0], k)
        function: CompiledSearch = getattr(self._index, f"search_{self.backend}")
        constants, threads = self._constants(parameters), thread_count(threads)
        return padded(*self._call(function, terms, weights, constants, k, mask, counting, threads), k)

    def _counting(self, mask: np.ndarray | None, n: int) -> np.ndarray | None:
        """A mask that hides what does not count too; as it is where everything does."""
        gone = self._index.discounted
        gone = gone[gone < n]
        if not len(gone):
            return mask
        counted = np.ones(n, np.uint8) if mask is None else home(mask).copy()
        counted[gone] = 0
        return DeviceArray.upload(counted) if type(mask) is DeviceArray else counted

    def _query(self, terms: Integers, weights: Vector) -> tuple[np.ndarray, np.ndarray]:
        """The rarest terms first, on the CPU, where lists are looked up, and their weights where they came from."""
        terms = _terms(terms)
        given = check.vector(weights, "weights", (np.float32,), length=len(terms))
        weights = check.finite(home(given), "weights")
        order = np.lexsort((terms, self._index.df(terms)))
        return terms[order], DeviceArray.upload(weights[order]) if type(given) is DeviceArray else weights[order]

    def _scores(
        self, terms: np.ndarray, weights: np.ndarray, parameters: tuple[float, float] | None, threads: int | None
    ) -> np.ndarray:
        if self.backend == "reference":
            return self._reference(terms, weights, parameters).astype(np.float32)
        function: Compiled = getattr(self._index, f"scores_{self.backend}")
        return self._call(function, terms, weights, self._constants(parameters), thread_count(threads))

    def _constants(self, parameters: tuple[float, float] | None) -> tuple[float, float, float] | None:
        if parameters is None:
            return None
        (k1, b), average = self._checked(parameters), self.average_length
        return (k1 + 1, k1 * (1 - b), k1 * b / average if average > 0 else 0.0)

    def _checked(self, parameters: tuple[float, float]) -> tuple[float, float]:
        k1, b = parameters
        if not (k1 >= 0 and 0 <= b <= 1):
            raise ArrayError(f"k1 must be at least 0 and b in [0, 1], got k1={k1}, b={b}")
        if self._index.has_negative:
            raise ArrayError("bm25 needs positive values, and this index holds negative ones; use dot")
        return parameters

    def _reference(self, terms: np.ndarray, weights: np.ndarray, parameters: tuple[float, float] | None) -> np.ndarray:
        lengths, average = self.lengths, self.average_length or 1.0  # before the postings, which may grow meanwhile
        postings = [self.postings(term) for term in terms.tolist()]
        postings = [(docs[docs < len(lengths)], values[docs < len(lengths)]) for docs, values in postings]
        if parameters is None:
            found = reference.dot(postings, weights, len(lengths))
        else:
            k1, b = self._checked(parameters)
            found = reference.bm25(postings, weights, lengths, average=average, k1=k1, b=b)
        check.scores(found)
        return found


def _expect_whole(file: IndexFile, arrays: Mapping[str, np.ndarray]) -> None:
    """Refuse lists that a search could follow out of their arrays: the compiled code trusts them."""
    terms, starts, docs, values, forward, forward_starts = (arrays[name] for name in ARRAYS)
    pairs, documents = len(docs), len(arrays["lengths"])
    for name, bounds, count in (("starts", starts, len(terms)), ("forward_starts", forward_starts, documents)):
        if len(bounds) != count + 1 or bounds[0] != 0 or bounds[-1] != pairs or (np.diff(bounds) < 0).any():
            file.refuse(f"{name} that rise from 0 to {pairs} in {count} steps", "others")
    if not (len(values) == len(forward) == pairs) or (np.diff(terms) <= 0).any() or (len(terms) and terms[0] < 0):
        file.refuse("a value and a place for each posting, and rising terms", "others")
    rising = np.diff(docs.astype(np.int64)) > 0
    rising[starts[(starts > 0) & (starts < pairs)] - 1] = True  # where a list ends and the next begins
    if not rising.all() or (docs >= documents).any() or (forward >= len(terms)).any():
        file.refuse(f"lists of rising documents below {documents}", "others")


def _picked(found: np.ndarray, ids: Ids | None) -> np.ndarray:
    return found if ids is None else home(found)[check.ids(ids, len(found))]


def _repeated(ordered: np.ndarray) -> np.ndarray:
    """Which entries, the first left out, are equal to the one before: bool (n - 1,)."""
    repeated: np.ndarray = ordered[1:] == ordered[:-1]
    return repeated


def _terms(value: Integers) -> np.ndarray:
    array = home(as_array(value, "terms"))
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise ArrayError(f"terms must be integers in one dimension, got {array.dtype} with shape {array.shape}")
    if array.min() < 0 or (array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max):
        raise ArrayError(f"terms must lie in [0, 2^63), got {array.min()} to {array.max()}")
    return np.ascontiguousarray(array, np.int64)
