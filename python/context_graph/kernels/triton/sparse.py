"""Documents scored by the posting lists of a query's terms."""

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels.triton._launch import aot, tensor

__all__ = ["bm25", "dot"]

WINDOW = 4096
BLOCK = 1024


@triton.jit
def lower_bound(docs, first, last, limit):
    while first < last:
        middle = (first + last) // 2
        if tl.load(docs + middle).to(tl.int64) < limit:
            first = middle + 1
        else:
            last = middle
    return first


# One program owns WINDOW documents, whose sums stay in L1 and L2. The terms come one after another with a barrier
# between, and within one term a document has one posting: no atomics, and a sum grows in the order of the terms. Bound
# by memory: 8 bytes a posting, read once.
@triton.jit
def scores_kernel(
    docs, values, starts, stops, weights, lengths, out, n, terms, gain, flat, slope,
    BM25: tl.constexpr, WINDOW: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * WINDOW
    limit = tl.minimum(first + WINDOW, n)
    for term in range(0, terms):
        stop = tl.load(stops + term)
        begin = lower_bound(docs, tl.load(starts + term), stop, first)
        end = lower_bound(docs, begin, stop, limit)
        weight = tl.load(weights + term)
        for start in range(begin, end, BLOCK):
            posting = start + tl.arange(0, BLOCK)
            doc = tl.load(docs + posting, posting < end, -1).to(tl.int64)
            own = (doc >= first) & (doc < limit)  # a list that does not rise must not lead out of the window
            share = tl.load(values + posting, own, 0.0)
            if BM25:
                whole = share + (flat + slope * tl.load(lengths + doc, own, 0.0))
                some = tl.div_rn(share * gain, tl.where(share > 0, whole, 1.0))
                share = tl.where(share >= 0, some, float("nan"))
            tl.store(out + doc, tl.load(out + doc, own, 0.0) + weight * share, own)
        tl.debug_barrier()


def dot(
    docs: torch.Tensor, values: torch.Tensor, starts: torch.Tensor, stops: torch.Tensor, weights: torch.Tensor, n: int
) -> torch.Tensor:
    """sum_t w_t x_t for each of n documents: bit by bit what `kernels.sparse.Index.dot` gives for terms in its order.

    Parameters
    ----------
    docs : int32, int64 or uint32, shape (p,)
        Posting lists, of these and perhaps other terms, as `kernels.sparse.Index.to_arrays` gives them; each ascends.
    values : float32, shape (p,)
    starts, stops : int64, shape (t,)
        The list of term t: ``starts[t]`` to ``stops[t]``, in the order in which shares are added.
    weights : float32, shape (t,)
    n : int
        Documents, below 2^31. Postings of others count nowhere.

    Returns
    -------
    float32, shape (n,)

    Raises
    ------
    ArrayError
        A list leads out of `docs`, or a sum is not finite.
    """
    return _scores(docs, values, starts, stops, weights, None, torch.Size((n,)), (0.0, 0.0, 0.0))


def bm25(
    docs: torch.Tensor,
    values: torch.Tensor,
    starts: torch.Tensor,
    stops: torch.Tensor,
    weights: torch.Tensor,
    lengths: torch.Tensor,
    *,
    average: float,
    k1: float = 1.2,
    b: float = 0.75,
) -> torch.Tensor:
    """sum_t w_t x_t (k1 + 1) / (x_t + k1 (1 - b + b length / average)), as `kernels.sparse.Index.bm25` gives it.

    Parameters
    ----------
    docs, values, starts, stops, weights
        As in `dot`; values at least 0.
    lengths : float32, shape (n,)
        Sum of each document's values.
    average : float
        Their mean, over the documents that count.

    Returns
    -------
    float32, shape (n,)

    Raises
    ------
    ArrayError
        A value is below 0, k1 or b is out of range, or as in `dot`.
    """
    if not (k1 >= 0 and 0 <= b <= 1):
        raise ArrayError(f"k1 must be at least 0 and b in [0, 1], got k1={k1}, b={b}")
    lengths = tensor(lengths, "lengths", (torch.float32,), (None,))
    constants = (k1 + 1, k1 * (1 - b), k1 * b / average if average > 0 else 0.0)
    return _scores(docs, values, starts, stops, weights, lengths, lengths.shape, constants)


def _scores(
    docs: torch.Tensor,
    values: torch.Tensor,
    starts: torch.Tensor,
    stops: torch.Tensor,
    weights: torch.Tensor,
    lengths: torch.Tensor | None,
    shape: torch.Size,
    constants: tuple[float, float, float],
) -> torch.Tensor:
    docs = tensor(docs, "docs", (torch.int32, torch.int64, torch.uint32), (None,))
    values = tensor(values, "values", (torch.float32,), (len(docs),))
    starts = tensor(starts, "starts", (torch.int64,), (None,))
    stops = tensor(stops, "stops", (torch.int64,), (len(starts),))
    weights = tensor(weights, "weights", (torch.float32,), (len(starts),))
    if not ((starts >= 0) & (starts <= stops) & (stops <= len(docs))).all():
        raise ArrayError(
            f"starts and stops must rise inside [0, {len(docs)}], got {starts.tolist()[:8]} to {stops.tolist()[:8]}"
        )
    out = torch.zeros(shape, device=docs.device)
    if len(out):
        scores_kernel[(triton.cdiv(len(out), WINDOW),)](
            docs.view(torch.int32) if docs.dtype == torch.uint32 else docs, values, starts, stops, weights,
            values if lengths is None else lengths, out, len(out), len(starts), *constants,
            BM25=lengths is not None, WINDOW=WINDOW, BLOCK=BLOCK,
            enable_fp_fusion=False,  # multiplication and addition apart, as on the CPU
        )  # fmt: skip
    if not torch.isfinite(out).all():
        raise ArrayError(
            "a score is not finite: a weight or a value holds NaN or infinity, or a value of bm25 is below 0"
        )
    return out


COMPILED = {
    f"sparse_{name}": aot(
        scores_kernel,
        {"docs": "*i32", "starts": "*i64", "stops": "*i64"}
        | dict.fromkeys(("values", "weights", "lengths", "out"), "*fp32")
        | dict.fromkeys(("gain", "flat", "slope"), "fp32"),
        "n terms", BM25=name == "bm25", WINDOW=WINDOW, BLOCK=BLOCK,
    )
    for name in ("dot", "bm25")
}  # fmt: skip
