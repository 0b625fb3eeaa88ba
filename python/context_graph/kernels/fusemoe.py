"""A mixture of experts: a gate that chooses the few that are near, and their weighted sum.

Source: Han et al., FuseMoE: mixture-of-experts transformers for fleximodal fusion, NeurIPS 2024.
"""

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import as_array, floats, in_kind
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._gpu import DeviceArray, home, packed, padded
from context_graph.kernels._types import Compiled, CompiledSearch, Mask, Rows
from context_graph.kernels.reference import fusemoe as reference

__all__ = ["fuse", "gate"]

KINDS = {"laplace": 0, "softmax": 1, "cosine": 2}  # cg::fusemoe::Kind


def gate(
    x: Rows,
    experts: Rows,
    *,
    k: int = 4,
    kind: str = "laplace",
    temperature: float = 1.0,
    present: Mask | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The k experts for each row, and how much each counts.

    The Laplace gate of FuseMoE goes by the distance to an expert's centre, not squared, so a far
    centre fades slowly and no expert takes everything::

        score_e = -|x - W_e|,  weights = softmax(score / temperature) over the k best

    Parameters
    ----------
    x : float32, shape (n, d)
    experts : float32, shape (e, d)
        The centres W.
    k : int
        May exceed e; an answer padded to more than 2^24 entries is refused.
    kind : "laplace", "softmax" or "cosine"
        Minus the distance, the inner product, or the cosine (0 where a row is zero).
    temperature : float
        Above 0; small ones sharpen the weights, the choice stays.
    present : bool or uint8, shape (e,) or (n, e), optional
        False or 0: absent, left out before the choice.
    backend : str, optional
        Default: the fastest usable here.
    threads : int, optional
        Changes the time, never the bits.

    Returns
    -------
    weights : float32, shape (n, k)
        Best first; each row adds up to 1, or to 0 where no expert is present. Padded with 0.
    ids : int64, shape (n, k)
        Ties to the lowest id; padded with -1.

    Notes
    -----
    Distances come from differences: |x|² + |w|² - 2<x, w> would lose a near centre.

    Examples
    --------
    >>> weights, ids = gate(np.array([[0.0, 0.0]], np.float32), np.array([[3, 4], [1, 0], [0, 1]], np.float32), k=2)
    >>> weights, ids
    (array([[0.5, 0.5]], dtype=float32), array([[1, 2]]))
    """
    found = _core.fusemoe.gate_fast(x, experts, k, KINDS.get(kind, -1), temperature, present, backend, threads)
    if found is not NotImplemented:
        return found
    return _gate(x, experts, k, kind, temperature, present, backend, threads)


@in_kind
def _gate(
    x: Rows,
    experts: Rows,
    k: int,
    kind: str,
    temperature: float,
    present: Mask | None,
    backend: str | None,
    threads: int | None,
) -> tuple[np.ndarray, np.ndarray]:
    chosen = choose(_core.fusemoe, "fusemoe", "gate", backend)
    if kind not in KINDS:
        raise ArrayError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    x, experts = check.finite(check.matrix(x, "x"), "x"), check.finite(check.matrix(experts, "experts"), "experts")
    check.same_dim(x, experts, ("x", "experts"))
    k, temperature = check.chosen(k, len(experts), len(x)), check.positive(temperature, "temperature")
    limit, present = min(k, len(experts)), _present(present, len(x), len(experts))
    if chosen == "reference":
        check.scores(_sums(x, experts, kind))
        weights, ids = reference.gate(x, experts, k=limit, kind=kind, temperature=temperature, present=present)
        return padded(weights.astype(np.float32), ids, k, 0)
    function: CompiledSearch = getattr(_core.fusemoe, f"gate_{chosen}")
    found = call(function, x, experts, limit, KINDS[kind], temperature, present, thread_count(threads))
    return padded(*found, k, 0)


@in_kind
def fuse(
    inputs: Rows,
    projections: Rows,
    ids: Rows,
    weights: Rows,
    *,
    bias: Rows | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """What the chosen experts make of each row, added up::

        out_i = sum over j of weights[i, j] * (P_{ids[i, j]} x_i + b_{ids[i, j]})

    Parameters
    ----------
    inputs : float32, shape (n, din) or (n, e, din)
        One row for all experts, or one for each.
    projections : float32, float16 or bfloat16, shape (e, dout, din)
        The matrices P. Only those of chosen experts are read, once for a whole batch.
    ids : int64, shape (n, k)
        -1 is nothing, as `gate` pads.
    weights : float32, shape (n, k)
    bias : float32, shape (e, dout), optional
    backend, threads
        As in `gate`.

    Returns
    -------
    float32, shape (n, dout)
        Experts are added in rising order, so a batch gives the bits of its rows; on "cuda" one of 8 rows and more
        may differ from single rows in the last bits, never by the rows beside.

    Raises
    ------
    ArrayError
        `inputs` and `ids` differ in number of rows, `bias` is not (e, dout), or an argument has another shape or type
        than said.

    Examples
    --------
    >>> projections = np.array([[[1, 0]], [[0, 1]]], np.float32)
    >>> fuse(np.array([[5, 7]], np.float32), projections, np.array([[1, 0]]), np.array([[0.75, 0.25]], np.float32))
    array([[6.5]], dtype=float32)
    """
    chosen = choose(_core.fusemoe, "fusemoe", "fuse", backend)
    projections = check.stored(projections, "projections", "(e, dout, din)")
    inputs = _inputs(inputs, *projections.shape)
    weights = check.finite(check.matrix(weights, "weights"), "weights")
    ids = _ids(ids, weights.shape, len(projections))
    if len(inputs) != len(ids):
        raise ArrayError(f"inputs and ids must have the same number of rows, got {len(inputs)} and {len(ids)}")
    if bias is not None:
        bias = packed(check.finite(check.matrix(bias, "bias"), "bias"), "bias")
        if bias.shape != projections.shape[:2]:
            raise ArrayError(f"bias must have shape (e, dout) = {projections.shape[:2]}, got {bias.shape}")
    if chosen == "reference":
        numbers = floats(projections)
        for expert in np.unique(ids[ids >= 0]):
            check.finite(numbers[expert], f"projections[{expert}]")
        inputs, of = check.finite(inputs, "inputs"), "an input or a chosen expert"
        check.scores(reference.outputs(inputs, numbers, ids, bias=bias), "an output", of)
        return check.scores(reference.fuse(inputs, numbers, ids, weights, bias=bias), "an output", of)
    function: Compiled = getattr(_core.fusemoe, f"fuse_{chosen}")
    return call(function, inputs, projections, bias, ids, packed(weights, "weights"), thread_count(threads))


def _sums(x: np.ndarray, experts: np.ndarray, kind: str) -> np.ndarray:
    """What a gate adds up, in float64; compiled backends refuse where float32 cannot hold it, hidden experts too."""
    if kind == "laplace":
        return reference.scores(x, experts) ** 2
    if kind == "softmax":
        return reference.scores(x, experts, kind=kind)
    return np.concatenate([(rows.astype(np.float64) ** 2).sum(axis=1) for rows in (x, experts)])


def _present(value: Mask | None, n: int, e: int) -> np.ndarray | None:
    if value is None:
        return None
    array = as_array(value, "present")
    if array.dtype not in (np.bool_, np.uint8) or array.shape not in ((e,), (n, e)):
        raise ArrayError(
            f"present must be bool or uint8 with shape {(e,)} or {(n, e)}, got {array.dtype} with {array.shape}"
        )
    return packed(array, "present").view(np.dtype(np.uint8))


def _inputs(value: Rows, e: int, dout: int, din: int) -> np.ndarray:
    array = as_array(value, "inputs")
    check.of_dtype(array, "inputs", (np.float32,), value)
    if array.ndim not in (2, 3) or array.shape[1:] not in ((din,), (e, din)):
        raise ArrayError(f"inputs must have shape (n, {din}) or (n, {e}, {din}), got {array.shape}")
    return packed(array, "inputs")


def _ids(value: Rows, shape: tuple[int, ...], e: int) -> np.ndarray:
    source = as_array(value, "ids")
    if type(source) is DeviceArray and source.dtype == np.int64 and source.shape == shape:  # the kernels look
        return packed(source, "ids")
    array = home(source)
    if array.dtype.kind not in "iu" or array.shape != shape:
        raise ArrayError(f"ids must be integers with the shape of weights, {shape}, got {array.dtype} {array.shape}")
    if array.size and (array.min() < -1 or array.max() >= e):
        raise ArrayError(f"ids must lie in [-1, {e}), got {array.min()} to {array.max()}")
    return np.ascontiguousarray(array, np.int64)
