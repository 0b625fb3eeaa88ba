"""Late interaction: each document's best token for each token of the query."""

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels.triton._launch import aot, matrix, tensor

__all__ = ["maxima", "score"]


# One program for one document and BLOCK_Q tokens of the query, for which the document's tokens pass in tiles: each is
# read once a block of the query, whose own pieces come from L1. Products in full float32 ("ieee").
@triton.jit
def maxima_kernel(
    query, tokens, offsets, out, q, d, BLOCK_Q: tl.constexpr, BLOCK_T: tl.constexpr, BLOCK_D: tl.constexpr
):
    document = tl.program_id(0).to(tl.int64)
    query_token = tl.program_id(1) * BLOCK_Q + tl.arange(0, BLOCK_Q)
    best = tl.full((BLOCK_Q,), float("-inf"), tl.float32)
    first = tl.load(offsets + document)
    last = tl.load(offsets + document + 1)
    for start in range(first, last, BLOCK_T):
        token = start + tl.arange(0, BLOCK_T)
        dots = tl.zeros((BLOCK_Q, BLOCK_T), tl.float32)
        for part in range(0, d, BLOCK_D):
            column = part + tl.arange(0, BLOCK_D)
            inside = (column < d)[None, :]
            state = tl.load(
                query + query_token[:, None] * d + column[None, :], (query_token < q)[:, None] & inside, 0.0
            )
            tile = tl.load(tokens + token[:, None] * d + column[None, :], (token < last)[:, None] & inside, 0.0)
            dots = tl.dot(state, tl.trans(tile.to(tl.float32)), dots, input_precision="ieee")
        best = tl.maximum(best, tl.max(tl.where((token < last)[None, :], dots, float("-inf")), 1))
    tl.store(out + document * q + query_token, best, query_token < q)


def maxima(query: torch.Tensor, tokens: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
    """`kernels.maxsim.maxima` of float tokens."""
    query = matrix(query, "query")
    q, d = query.shape
    tokens = tensor(tokens, "tokens", (torch.float32, torch.float16, torch.bfloat16), (None, d))
    offsets = tensor(offsets, "offsets", (torch.int64,), (None,))
    bounds = torch.cat([offsets.new_zeros(1), offsets, offsets.new_full((1,), len(tokens))])
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(tokens) or (bounds.diff() < 0).any():
        raise ArrayError(f"offsets must rise from 0 to the {len(tokens)} tokens, got {offsets.tolist()[:8]}")
    out = torch.empty(len(offsets) - 1, q, device=query.device)
    if out.numel():
        maxima_kernel[(len(out), triton.cdiv(q, 32))](
            query, tokens, offsets, out, q, d, BLOCK_Q=32, BLOCK_T=64, BLOCK_D=16
        )
    if torch.isnan(out).any() or torch.isposinf(out).any():
        raise ArrayError(
            "a score is not finite: a row or query holds NaN or infinity, or the result is too large for float32"
        )
    return out


def score(
    query: torch.Tensor, tokens: torch.Tensor, offsets: torch.Tensor, *, weights: torch.Tensor | None = None
) -> torch.Tensor:
    """`kernels.maxsim.score` of float tokens."""
    best = maxima(query, tokens, offsets)
    empty = (offsets.diff() == 0)[:, None]
    best = best.masked_fill(empty, 0.0)
    total = best.sum(1) if weights is None else best @ tensor(weights, "weights", (torch.float32,), (len(query),))
    return total.masked_fill(empty[:, 0], float("-inf"))


COMPILED = {
    f"maxsim_maxima_{name}": aot(
        maxima_kernel, {"query": "*fp32", "tokens": kind, "offsets": "*i64", "out": "*fp32"}, "q d",
        BLOCK_Q=32, BLOCK_T=64, BLOCK_D=16,
    )
    for name, kind in (("f32", "*fp32"), ("bf16", "*bf16"))
}  # fmt: skip
