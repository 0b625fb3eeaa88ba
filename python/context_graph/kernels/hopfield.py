"""Modern Hopfield retrieval: from a part or a blurred copy back to what was stored.

Source: Ramsauer et al., Hopfield networks is all you need, ICLR 2021.
"""

import math
from typing import NamedTuple

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import floats, in_kind
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._gpu import packed
from context_graph.kernels._types import Compiled, Mask, Rows
from context_graph.kernels.reference import dense as reference_dense
from context_graph.kernels.reference import hopfield as reference

__all__ = ["Retrieved", "beta_for", "energy", "retrieve"]


class Retrieved(NamedTuple):
    """What `retrieve` found, one entry a query."""

    output: np.ndarray
    """float32, shape (q, d): the state reached."""

    lse: np.ndarray
    """float32, shape (q,): log of the sum of exp(beta * score) at the last step; -inf where all patterns are hidden."""

    steps: np.ndarray
    """int64, shape (q,): updates made."""

    converged: np.ndarray
    """bool, shape (q,): whether the last update moved the state by at most `tolerance`."""

    dropped: np.ndarray
    """float32, shape (q,): no more than this share of the softmax lies outside the shortlist; 0 without one."""


@in_kind
def retrieve(
    queries: Rows,
    patterns: Rows,
    *,
    beta: float,
    steps: int = 1,
    tolerance: float = 1e-4,
    mask: Mask | None = None,
    shortlist: int | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> Retrieved:
    """Move each query to the mixture of the patterns it resembles.

    One update weighs every pattern by its score and mixes them::

        xi' = X^T softmax(beta X xi)

    With a large beta the result is the one pattern that wins; with a small one an average of many.

    Parameters
    ----------
    queries : float32, shape (q, d)
    patterns : float32, float16 or bfloat16, shape (n, d)
        At least one; rows may lie apart. 16 bits are half the memory to read; bfloat16 comes from ml_dtypes or torch.
    beta : float
        Inverse temperature, above 0, for scores as they are: with unit rows and many patterns, values below 8 retrieve
        an average of all. `beta_for` says how large it has to be.
    steps : int
        Updates at most, 1 or more.
    tolerance : float
        A query stops once an update moves it by no more than this length.
    mask : bool or uint8, shape (n,), optional
        False or 0 hides a pattern.
    shortlist : int, optional
        Softmax over so many best scores only, ties to the lowest id; `dropped` bounds what that leaves out.
    backend : str, optional
        Default: the fastest usable here.
    threads : int, optional
        Changes the time, never the bits.

    Returns
    -------
    Retrieved
        output, lse, steps, converged, dropped. Zeros and an lse of -inf where all patterns are hidden, never NaN.

    Raises
    ------
    ArrayError
        `tolerance` is below 0, `shortlist` below 1, or an argument has another shape or type than said.

    Notes
    -----
    The patterns are read once a step. Rows that together hold less than 2^-26 of the softmax are not mixed in.

    Examples
    --------
    >>> patterns = np.eye(3, dtype=np.float32)
    >>> retrieve(np.array([[0.9, 0.3, 0.0]], np.float32), patterns, beta=30, steps=5).output.round(3)
    array([[1., 0., 0.]], dtype=float32)
    """
    chosen = choose(_core.hopfield, "hopfield", "retrieve", backend)
    queries, patterns, beta, mask = _inputs(queries, patterns, beta, mask)
    steps = check.count(steps, "steps", least=1)
    if not tolerance >= 0:
        raise ArrayError(f"tolerance must be 0 or more, got {tolerance}")
    if shortlist is not None and check.whole(shortlist, "shortlist") < 1:
        raise ArrayError(f"shortlist must be 1 or more, or None for all patterns, got {shortlist}")
    if chosen == "reference":
        check.scores(beta * reference_dense.scores(queries, check.finite(floats(patterns), "patterns")))
        output, lse, step_counts, converged, dropped = reference.retrieve(
            queries,
            check.finite(floats(patterns), "patterns"),
            beta=beta,
            steps=steps,
            tolerance=tolerance,
            mask=mask,
            shortlist=shortlist,
        )
        output, lse, dropped = (array.astype(np.float32) for array in (output, lse, dropped))
        return Retrieved(output, lse, step_counts, converged, dropped)
    kept = min(shortlist or 0, patterns.shape[0])
    function = getattr(_core.hopfield, f"retrieve_{chosen}")
    found = call(function, queries, patterns, beta, steps, tolerance, mask, kept, thread_count(threads))
    return Retrieved(*found)


@in_kind
def energy(
    queries: Rows,
    patterns: Rows,
    *,
    beta: float,
    mask: Mask | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """How far each query is from rest; an update of `retrieve` never raises it.

    With M the length of the longest pattern and n the patterns that `mask` leaves::

        E(xi) = -lse(beta X xi) / beta + |xi|² / 2 + ln(n) / beta + M² / 2

    Parameters
    ----------
    queries, patterns, beta, mask, backend, threads
        As in `retrieve`.

    Returns
    -------
    float32, shape (q,)
        At least 0 up to rounding; infinite where all patterns are hidden.

    Examples
    --------
    >>> patterns = np.eye(2, dtype=np.float32)
    >>> energy(patterns[:1], patterns, beta=100).round(4)
    array([0.0069], dtype=float32)
    """
    chosen = choose(_core.hopfield, "hopfield", "energy", backend)
    queries, patterns, beta, mask = _inputs(queries, patterns, beta, mask)
    if chosen == "reference":
        numbers = check.finite(floats(patterns), "patterns")
        check.scores(beta * reference_dense.scores(queries, numbers))
        return reference.energy(queries, numbers, beta=beta, mask=mask).astype(np.float32)
    function: Compiled = getattr(_core.hopfield, f"energy_{chosen}")
    return call(function, queries, patterns, beta, mask, thread_count(threads))


def beta_for(n: int, *, gap: float, weight: float = 0.9) -> float:
    """The beta at which a pattern that leads all n - 1 others by `gap` in score gets at least `weight` of the softmax.

    ln((n - 1) weight / (1 - weight)) / gap: it grows with the logarithm of the number of patterns.

    Raises
    ------
    ArrayError
        `n` is below 2, or `weight` lies outside (1 / n, 1): a pattern that leads has more than 1 / n at any beta.

    Examples
    --------
    >>> round(beta_for(1_000_000, gap=0.8), 3)
    20.016
    """
    if n < 2 or not 1 / n < weight < 1:
        raise ArrayError(f"beta_for needs n of 2 or more and 1 / n < weight < 1, got n={n} and weight={weight}")
    return math.log((n - 1) * weight / (1 - weight)) / check.positive(gap, "gap")


def _inputs(
    queries: Rows, patterns: Rows, beta: float, mask: Mask | None
) -> tuple[np.ndarray, np.ndarray, float, np.ndarray | None]:
    queries = packed(check.finite(check.matrix(queries, "queries"), "queries"), "queries")
    patterns = check.stored(patterns, "patterns")
    check.same_dim(queries, patterns, ("queries", "patterns"))
    if patterns.shape[0] == 0:
        raise ArrayError(f"patterns must have at least one row, got shape {patterns.shape}")
    return queries, patterns, check.positive(beta, "beta"), check.mask(mask, patterns.shape[0])
