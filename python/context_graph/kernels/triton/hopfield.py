"""Modern Hopfield retrieval in one pass over the patterns."""

from typing import Any

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels.hopfield import Retrieved
from context_graph.kernels.triton._launch import MAX_DIM_IN_REGISTERS, aot, matrix, power_of_two, tensor

__all__ = ["retrieve"]

SPLITS = 256  # programs a query, whatever the card: the order of the sums must not depend on it


# One program for one query and one part of the patterns. A tile of rows is read once and used twice: for its scores and
# for the sum that they weigh. Sums are rescaled whenever a larger score comes (online softmax). Bound by memory.
@triton.jit
def part_kernel(
    queries, patterns, mask, part_max, part_sum, part_out, n, d, rows_a_part, scale,
    MASKED: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr,
):  # fmt: skip
    part = tl.program_id(0)
    query = tl.program_id(1)
    column = tl.arange(0, BLOCK_D)
    state = tl.load(queries + query * d + column, column < d, 0.0) * scale
    best = tl.full((1,), float("-inf"), tl.float32)
    total = tl.zeros((1,), tl.float32)
    mixed = tl.zeros((BLOCK_D,), tl.float32)
    first = part * rows_a_part
    last = tl.minimum(first + rows_a_part, n)
    for start in range(first, last, BLOCK_N):
        row = start + tl.arange(0, BLOCK_N)
        seen = row < last
        if MASKED:
            seen = seen & (tl.load(mask + row, seen, 0) != 0)
        at = patterns + row.to(tl.int64)[:, None] * d + column[None, :]
        tile = tl.load(at, seen[:, None] & (column < d)[None, :], 0.0).to(tl.float32)
        scores = tl.where(seen, tl.sum(tile * state[None, :], 1), float("-inf"))
        higher = tl.maximum(best, tl.max(scores, 0))
        base = tl.where(higher == float("-inf"), 0.0, higher)
        weights = tl.exp2(scores - base)
        shrink = tl.exp2(best - base)
        total = total * shrink + tl.sum(weights, 0)
        mixed = mixed * shrink + tl.sum(tile * weights[:, None], 0)
        best = higher
    at = query * tl.num_programs(0) + part
    tl.store(part_max + at + tl.arange(0, 1), best)
    tl.store(part_sum + at + tl.arange(0, 1), total)
    tl.store(part_out + at.to(tl.int64) * d + column, mixed, column < d)


# One program a query joins the parts, in their order.
@triton.jit
def join_kernel(part_max, part_sum, part_out, out, lse, parts, d, BLOCK_D: tl.constexpr):
    query = tl.program_id(0)
    column = tl.arange(0, BLOCK_D)
    best = tl.load(part_max + query * parts)
    for part in range(1, parts):
        best = tl.maximum(best, tl.load(part_max + query * parts + part))
    base = tl.where(best == float("-inf"), 0.0, best)
    total = 0.0
    mixed = tl.zeros((BLOCK_D,), tl.float32)
    for part in range(0, parts):
        at = query * parts + part
        shrink = tl.exp2(tl.load(part_max + at) - base)
        total += shrink * tl.load(part_sum + at)
        mixed += shrink * tl.load(part_out + at.to(tl.int64) * d + column, column < d, 0.0)
    some = total > 0
    mixed = mixed / tl.where(some, total, 1.0)
    tl.store(out + query * d + column, mixed, column < d)
    logged = (base + tl.log2(tl.where(some, total, 1.0))) * 0.6931471805599453
    tl.store(lse + query, tl.where(some, logged, float("-inf")))


def retrieve(
    queries: torch.Tensor,
    patterns: torch.Tensor,
    *,
    beta: float,
    steps: int = 1,
    tolerance: float = 1e-4,
    mask: torch.Tensor | None = None,
) -> Retrieved:
    """`kernels.hopfield.retrieve` without a shortlist."""
    beta, states = check.positive(beta, "beta"), matrix(queries, "queries")
    count, d = states.shape
    patterns = tensor(patterns, "patterns", (torch.float32, torch.float16, torch.bfloat16), (None, d))
    if d > MAX_DIM_IN_REGISTERS:
        raise ArrayError(f"queries must have at most {MAX_DIM_IN_REGISTERS} columns here, got {d}")
    if len(patterns) == 0:
        raise ArrayError("patterns must have at least one row, got none")
    steps = check.count(steps, "steps", least=1)
    if mask is not None:
        mask = tensor(mask, "mask", (torch.bool, torch.uint8), (len(patterns),)).view(torch.uint8)
    lse = torch.zeros(count, device=states.device)
    step_counts = torch.zeros(count, dtype=torch.int64, device=states.device)
    done = torch.zeros(count, dtype=torch.bool, device=states.device)
    for _ in range(steps):
        moved, latest = _step(states, patterns, beta, mask)
        near = (moved - states).norm(dim=1) <= tolerance
        states = torch.where(done[:, None], states, moved)
        lse, step_counts, done = torch.where(done, lse, latest), step_counts + (~done).long(), done | near
        if done.all():
            break
    if not (torch.isfinite(states).all() and not torch.isnan(lse).any()):
        raise ArrayError(
            "a score is not finite: a row or query holds NaN or infinity, or the result is too large for float32"
        )
    found: tuple[Any, ...] = states, lse, step_counts, done, torch.zeros(count, device=states.device)
    return Retrieved(*found)  # annotated with NumPy's arrays, like all answers


def _step(
    states: torch.Tensor, patterns: torch.Tensor, beta: float, mask: torch.Tensor | None
) -> tuple[torch.Tensor, torch.Tensor]:
    (count, d), n = states.shape, len(patterns)
    block_d = power_of_two(d, 16)
    block_n = max(1, 8192 // block_d)
    rows_a_part = triton.cdiv(triton.cdiv(n, SPLITS), block_n) * block_n
    parts = triton.cdiv(n, rows_a_part)
    peak, total = torch.empty(2, count, parts, device=states.device)
    mixed = torch.empty(count, parts, d, device=states.device)
    out, lse = torch.empty_like(states), torch.empty(count, device=states.device)
    if count:
        part_kernel[(parts, count)](
            states, patterns, patterns if mask is None else mask, peak, total, mixed, n, d, rows_a_part,
            beta * 1.4426950408889634, MASKED=mask is not None, BLOCK_N=block_n, BLOCK_D=block_d,
        )  # fmt: skip
        join_kernel[(count,)](peak, total, mixed, out, lse, parts, d, BLOCK_D=block_d)
    return out, lse


PARTS = {"part_max": "*fp32", "part_sum": "*fp32", "part_out": "*fp32"}
COMPILED = {
    f"hopfield_part_{name}": aot(
        part_kernel,
        {"queries": "*fp32", "patterns": kind, "mask": "*u8", **PARTS, "scale": "fp32"},
        "n d rows_a_part",
        MASKED=False, BLOCK_N=4, BLOCK_D=2048,
    )
    for name, kind in (("f32", "*fp32"), ("bf16", "*bf16"))
} | {"hopfield_join": aot(join_kernel, {**PARTS, "out": "*fp32", "lse": "*fp32"}, "parts d", BLOCK_D=2048)}  # fmt: skip
