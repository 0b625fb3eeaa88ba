"""Exact nearest rows by inner product."""

from collections.abc import Callable

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels.triton._launch import aot, matrix, power_of_two, tensor

__all__ = ["best", "scores", "topk"]

ROW_TYPES = (torch.float32, torch.float16, torch.bfloat16, torch.int8)
MAX_SCORES = 1 << 26  # that `topk` keeps at a time: 256 MB, and twice that for their keys
HIDDEN = tl.constexpr(-(1 << 63))
BLOCK = 1024


# One program for BLOCK_N rows and one query: products are added up lane by lane, and the lanes once, at the end. Bound
# by memory: each row is read once.
@triton.jit
def query_kernel(queries, rows, scale, out, n, d, SCALED: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_N, BLOCK_D), tl.float32)
    for start in range(0, d, BLOCK_D):
        column = start + tl.arange(0, BLOCK_D)
        tile = tl.load(rows + row[:, None] * d + column[None, :], (row < n)[:, None] & (column < d)[None, :], 0)
        total += tile.to(tl.float32) * tl.load(queries + column, column < d, 0.0)[None, :]
    products = tl.sum(total, 1)
    if SCALED:
        products *= tl.load(scale + row, row < n, 0.0)
    tl.store(out + row, products, row < n)


# One program for BLOCK_Q queries and BLOCK_N rows, the queries' blocks of the same rows side by side, so that these
# come from L2. Products in full float32 ("ieee"), without tensor cores: of many queries arithmetic is the bound.
@triton.jit
def batch_kernel(
    queries, rows, scale, out, q, n, d,
    SCALED: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr,
):  # fmt: skip
    blocks = tl.cdiv(q, BLOCK_Q)
    query = (tl.program_id(0) % blocks).to(tl.int64) * BLOCK_Q + tl.arange(0, BLOCK_Q)
    row = (tl.program_id(0) // blocks).to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    products = tl.zeros((BLOCK_Q, BLOCK_N), tl.float32)
    for start in range(0, d, BLOCK_D):
        column = start + tl.arange(0, BLOCK_D)
        inside = (column < d)[None, :]
        state = tl.load(queries + query[:, None] * d + column[None, :], (query < q)[:, None] & inside, 0.0)
        tile = tl.load(rows + row[:, None] * d + column[None, :], (row < n)[:, None] & inside, 0).to(tl.float32)
        products = tl.dot(state, tl.trans(tile), products, input_precision="ieee")
    if SCALED:
        products *= tl.load(scale + row, row < n, 0.0)[None, :]
    tl.store(out + query[:, None] * n + row[None, :], products, (query < q)[:, None] & (row < n)[None, :])


# A key is the score as an integer that sorts alike, above the number of the row, which sorts the other way: no two are
# equal, so any exact selection of the largest takes ties by the lowest id.
@triton.jit
def key_kernel(scores, mask, keys, n, MASKED: tl.constexpr, BLOCK: tl.constexpr):
    blocks = tl.cdiv(n, BLOCK)
    line = (tl.program_id(0) // blocks).to(tl.int64)
    row = (tl.program_id(0) % blocks).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    score = tl.load(scores + line * n + row, row < n, 0.0)
    bits = tl.where(score == 0, 0.0, score).to(tl.int32, bitcast=True)  # -0.0 is 0
    key = (tl.where(bits < 0, bits ^ 0x7FFFFFFF, bits).to(tl.int64) << 32) | (0xFFFFFFFF - row)
    if MASKED:
        key = tl.where(tl.load(mask + row, row < n, 0) != 0, key, HIDDEN)
    tl.store(keys + line * n + row, key, row < n)


def scores(queries: torch.Tensor, rows: torch.Tensor, *, scale: torch.Tensor | None = None) -> torch.Tensor:
    """`kernels.dense.scores`."""
    return _scores(*_inputs(queries, rows, scale))


def topk(
    queries: torch.Tensor,
    rows: torch.Tensor,
    k: int,
    *,
    scale: torch.Tensor | None = None,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """`kernels.dense.topk`."""
    queries, rows, scale = _inputs(queries, rows, scale)
    return best_of_parts(len(queries), len(rows), k, mask, lambda part: _scores(queries[part], rows, scale))


def best(scores: torch.Tensor, k: int, *, mask: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """The k highest of each line, ties to the lowest id; the selection itself is torch's, of keys that differ.

    Parameters
    ----------
    scores : float32, shape (q, n)
        Not NaN; n below 2^32.
    k : int
        May exceed n, as in `kernels.dense.topk`.
    mask : bool or uint8, shape (n,), optional
        False or 0 hides a column.

    Returns
    -------
    scores : float32, shape (q, k)
        Best first, padded with -inf.
    ids : int64, shape (q, k)
        Padded with -1.

    Raises
    ------
    ArrayError
        k is no integer of 0 or more, or an argument has another shape or type than said.
    """
    scores = matrix(scores, "scores")
    q, n = scores.shape
    k = check.chosen(k, n, q)
    if mask is not None:
        mask = tensor(mask, "mask", (torch.bool, torch.uint8), (n,)).view(torch.uint8)
    keys = torch.empty(q, n, dtype=torch.int64, device=scores.device)
    if keys.numel():
        key_kernel[(q * triton.cdiv(n, BLOCK),)](
            scores, scores if mask is None else mask, keys, n, MASKED=mask is not None, BLOCK=BLOCK
        )
    top = keys.topk(min(k, n), dim=1).values
    hidden = top == HIDDEN.value
    ids = torch.where(hidden, 0, 0xFFFFFFFF - (top & 0xFFFFFFFF))
    top_scores = scores.gather(1, ids).masked_fill(hidden, float("-inf"))
    pad = torch.nn.functional.pad
    missing = (0, max(k - n, 0))
    return pad(top_scores, missing, value=float("-inf")), pad(ids.masked_fill(hidden, -1), missing, value=-1)


def best_of_parts(
    q: int, n: int, k: int, mask: torch.Tensor | None, scores_of: Callable[[slice], torch.Tensor]
) -> tuple[torch.Tensor, torch.Tensor]:
    """`best` of q lines of n scores each, of which no more than MAX_SCORES, or one line, are kept at a time."""
    check.chosen(k, n, q)
    size = max(1, MAX_SCORES // max(n, 1))
    parts = [slice(start, start + size) for start in range(0, max(q, 1), size)]
    top_scores, ids = zip(*(best(scores_of(part), k, mask=mask) for part in parts), strict=True)
    return torch.cat(top_scores), torch.cat(ids)


def _inputs(
    queries: torch.Tensor, rows: torch.Tensor, scale: torch.Tensor | None
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
    queries = matrix(queries, "queries")
    rows = tensor(rows, "rows", ROW_TYPES, (None, queries.shape[1]))
    return queries, rows, None if scale is None else tensor(scale, "scale", (torch.float32,), (len(rows),))


def _scores(queries: torch.Tensor, rows: torch.Tensor, scale: torch.Tensor | None) -> torch.Tensor:
    (q, d), n = queries.shape, len(rows)
    out = torch.empty(q, n, device=queries.device)
    scaled = {"scale": queries if scale is None else scale, "SCALED": scale is not None}
    if q == 1 and n:
        block_d = power_of_two(d, 16, 128)
        block_n = 4096 // block_d
        query_kernel[(triton.cdiv(n, block_n),)](
            queries, rows, out=out, n=n, d=d, **scaled, BLOCK_N=block_n, BLOCK_D=block_d
        )
    elif out.numel():
        block_q = power_of_two(q, 16, 64)
        batch_kernel[(triton.cdiv(q, block_q) * triton.cdiv(n, 64),)](
            queries, rows, out=out, q=q, n=n, d=d, **scaled, BLOCK_Q=block_q, BLOCK_N=64, BLOCK_D=16
        )
    if not (torch.isfinite(queries).all() & torch.isfinite(out).all()):
        raise ArrayError(
            "a score is not finite: a row, query or scale holds NaN or infinity, or the result is too large for float32"
        )
    return out


POINTERS = {"queries": "*fp32", "scale": "*fp32", "out": "*fp32"}
KINDS = {"f32": "*fp32", "f16": "*fp16", "bf16": "*bf16", "i8": "*i8"}
COMPILED = {
    f"dense_query_{name}": aot(
        query_kernel, {**POINTERS, "rows": kind}, "n d", SCALED=name == "i8", BLOCK_N=32, BLOCK_D=128
    )
    for name, kind in KINDS.items()
} | {
    f"dense_batch_{name}": aot(
        batch_kernel, {**POINTERS, "rows": kind}, "q n d", SCALED=name == "i8", BLOCK_Q=64, BLOCK_N=64, BLOCK_D=16
    )
    for name, kind in KINDS.items()
} | {
    "dense_keys": aot(key_kernel, {"scores": "*fp32", "mask": "*u8", "keys": "*i64"}, "n", MASKED=True, BLOCK=BLOCK)
}  # fmt: skip
