"""Facts as translations: a relation is the step from a head to its tail.

Source: Bordes et al., Translating embeddings for modeling multi-relational data, NeurIPS 2013.
"""

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import in_kind
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._gpu import padded, within
from context_graph.kernels._types import Compiled, CompiledSearch, Mask, Rows
from context_graph.kernels.reference import transe as reference

__all__ = ["nearest", "score"]


def score(
    heads: Rows, relations: Rows, tails: Rows, *, norm: int = 2, backend: str | None = None, threads: int | None = None
) -> np.ndarray:
    """How true each fact is: minus the distance from head + relation to tail, row by row.

    A relation is learned as one step that leads from every head to its tail::

        score(h, r, t) = -|h + r - t|

    Parameters
    ----------
    heads, relations, tails : float32, shape (n, d)
    norm : 1 or 2
        Sum of absolute values, or Euclidean length.
    backend : str, optional
        Default: the fastest usable here.
    threads : int, optional
        Changes the time, never the bits.

    Returns
    -------
    float32, shape (n,)
        At most 0; exactly 0 where tail is head + relation in float32.

    Examples
    --------
    >>> paris, capital_of, france = np.array([[[1, 0]], [[3, 4]], [[1, 0]]], np.float32)
    >>> score(paris, capital_of, france)
    array([-5.], dtype=float32)
    """
    found = _core.transe.score_fast(heads, relations, tails, norm, backend, threads)
    if found is not NotImplemented:
        return found
    return _score(heads, relations, tails, norm, backend, threads)


@in_kind
def _score(
    heads: Rows, relations: Rows, tails: Rows, norm: int, backend: str | None, threads: int | None
) -> np.ndarray:
    norm = _norm(norm)
    chosen = choose(_core.transe, "transe", "score", backend)
    heads, relations, tails = _facts(heads, relations, tails)
    if heads.shape != tails.shape:
        raise ArrayError(f"heads and tails must have the same shape, got {heads.shape} and {tails.shape}")
    if chosen == "reference":
        for name, rows in (("heads", heads), ("relations", relations), ("tails", tails)):
            check.finite(rows, name)
        return _held(heads, relations, tails, norm)
    function: Compiled = getattr(_core.transe, f"score_{chosen}")
    return call(function, heads, relations, tails, norm, thread_count(threads))


@in_kind
def nearest(
    heads: Rows,
    relations: Rows,
    tails: Rows,
    k: int,
    *,
    norm: int = 2,
    mask: Mask | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The k tails that complete each (head, relation) best.

    Every tail is read; nothing is approximated. Ties go to the lowest id.

    Parameters
    ----------
    heads, relations : float32, shape (q, d)
    tails : float32, shape (n, d)
        All entities that may be the answer; rows may lie apart.
    k : int
        May exceed n; an answer padded to more than 2^24 entries is refused.
    norm : 1 or 2
        As in `score`.
    mask : bool or uint8, shape (n,), optional
        False or 0 hides a tail: those known already, for example.
    backend, threads
        As in `score`.

    Returns
    -------
    scores : float32, shape (q, k)
        As `score` gives them, bit by bit; best first, padded with -inf.
    ids : int64, shape (q, k)
        Padded with -1.

    Examples
    --------
    >>> entities = np.array([[0, 0], [1, 0], [1, 1]], np.float32)
    >>> nearest(entities[:1], np.array([[1, 0]], np.float32), entities, 2)[1]
    array([[1, 0]])
    """
    norm = _norm(norm)
    chosen = choose(_core.transe, "transe", "nearest", backend)
    heads, relations, tails = _facts(heads, relations, tails)
    heads, relations = check.finite(heads, "heads"), check.finite(relations, "relations")
    k, mask = check.chosen(k, tails.shape[0], heads.shape[0]), check.mask(mask, tails.shape[0])
    limit = within(k, tails.shape[0], heads)
    if chosen == "reference":
        check.finite(tails, "tails")
        for head, relation in zip(heads, relations, strict=True):
            _held(head, relation, tails, norm)  # of hidden tails too
        found, ids = reference.nearest(heads, relations, tails, limit, norm=norm, mask=mask)
        return padded((found + 0.0).astype(np.float32), ids, k)
    function: CompiledSearch = getattr(_core.transe, f"nearest_{chosen}")
    return padded(*call(function, heads, relations, tails, norm, limit, mask, thread_count(threads)), k)


def _norm(norm: int) -> int:
    if norm not in (1, 2):
        raise ArrayError(f"norm must be 1 or 2, got {norm!r}")
    return int(norm)


def _held(heads: np.ndarray, relations: np.ndarray, tails: np.ndarray, norm: int) -> np.ndarray:
    """The scores of the definition, refused where compiled backends refuse: they add h + r and the sum in float32."""
    check.scores(heads.astype(np.float64) + relations)
    found = reference.score(heads, relations, tails, norm=norm) + 0.0  # no -0.0
    check.scores(found**norm)
    return found.astype(np.float32)


def _facts(heads: Rows, relations: Rows, tails: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    heads, relations, tails = (
        check.matrix(heads, "heads"),
        check.matrix(relations, "relations"),
        check.matrix(tails, "tails"),
    )
    check.same_dim(heads, tails, ("heads", "tails"))
    if heads.shape != relations.shape:
        raise ArrayError(f"heads and relations must have the same shape, got {heads.shape} and {relations.shape}")
    return heads, relations, tails
