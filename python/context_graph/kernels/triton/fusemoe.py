"""The gate of a mixture of experts, and the sum of what they make."""

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels.triton._launch import aot, matrix, power_of_two, tensor

__all__ = ["fuse", "gate"]

KINDS = {"laplace": 0, "softmax": 1, "cosine": 2}


# One program a row: all centres beside it, in pieces of the dimensions; then k times the best score left, the lowest id
# first.
@triton.jit
def gate_kernel(
    x, experts, present, weights, ids, d, e, present_row, k, temperature,
    KIND: tl.constexpr, MASKED: tl.constexpr, BLOCK_E: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    expert = tl.arange(0, BLOCK_E)
    scores = tl.zeros((BLOCK_E,), tl.float32)
    own = tl.zeros((BLOCK_E,), tl.float32)
    length = tl.zeros((BLOCK_E,), tl.float32)
    for start in range(0, d, BLOCK_D):
        column = start + tl.arange(0, BLOCK_D)
        inside = (expert < e)[:, None] & (column < d)[None, :]
        centre = tl.load(experts + expert[:, None] * d + column[None, :], inside, 0.0)
        value = tl.load(x + row * d + column, column < d, 0.0)[None, :]
        if KIND == 0:
            scores += tl.sum(tl.where(inside, (value - centre) * (value - centre), 0.0), 1)
        else:
            scores += tl.sum(value * centre, 1)
        if KIND == 2:
            own += tl.sum(centre * centre, 1)
            length += tl.sum(value * value, 1)
    if KIND == 0:
        scores = -tl.sqrt(scores)
    if KIND == 2:
        # Rounded to nearest: approximations would set apart what is equally near, as all are in one dimension.
        both = tl.sqrt_rn(own) * tl.sqrt_rn(length)
        scores = tl.where(both > 0, tl.div_rn(scores, tl.where(both > 0, both, 1.0)), 0.0)
    seen = expert < e
    if MASKED:
        seen = seen & (tl.load(present + row * present_row + expert, seen, 0) != 0)
    left = tl.where(seen, scores, float("-inf"))
    place = tl.arange(0, BLOCK_K)
    top_scores = tl.full((BLOCK_K,), float("-inf"), tl.float32)
    chosen = tl.full((BLOCK_K,), -1, tl.int64)
    for j in range(0, k):
        best = tl.max(left, 0)
        at = tl.min(tl.where(left == best, expert, BLOCK_E), 0)
        top_scores = tl.where(place == j, best, top_scores)
        chosen = tl.where(place == j, at, chosen)
        left = tl.where(expert == at, float("-inf"), left)
    chosen = tl.where(top_scores > float("-inf"), chosen, -1)  # nothing was left
    top = tl.max(top_scores, 0)
    power = tl.where(chosen >= 0, tl.exp((top_scores - tl.where(top > float("-inf"), top, 0.0)) / temperature), 0.0)
    total = tl.sum(power, 0)
    tl.store(weights + row * k + place, power / tl.where(total > 0, total, 1.0), place < k)
    tl.store(ids + row * k + place, chosen, place < k)


# One program for one row and BLOCK_O outputs: the chosen experts one after another. Bound by memory: their matrices.
@triton.jit
def fuse_kernel(
    inputs, projections, bias, ids, weights, out, din, dout, k, input_row, input_expert,
    BIASED: tl.constexpr, BLOCK_O: tl.constexpr, BLOCK_D: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    output = tl.program_id(1) * BLOCK_O + tl.arange(0, BLOCK_O)
    total = tl.zeros((BLOCK_O,), tl.float32)
    for j in range(0, k):
        expert = tl.load(ids + row * k + j)
        if expert >= 0:
            expert_output = tl.zeros((BLOCK_O,), tl.float32)
            for start in range(0, din, BLOCK_D):
                column = start + tl.arange(0, BLOCK_D)
                value = tl.load(inputs + row * input_row + expert * input_expert + column, column < din, 0.0)
                at = projections + (expert * dout + output)[:, None] * din + column[None, :]
                matrix = tl.load(at, (output < dout)[:, None] & (column < din)[None, :], 0.0).to(tl.float32)
                expert_output += tl.sum(matrix * value[None, :], 1)
            if BIASED:
                expert_output += tl.load(bias + expert * dout + output, output < dout, 0.0)
            total += tl.load(weights + row * k + j) * expert_output
    tl.store(out + row * dout + output, total, output < dout)


def gate(
    x: torch.Tensor,
    experts: torch.Tensor,
    *,
    k: int = 4,
    kind: str = "laplace",
    temperature: float = 1.0,
    present: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """`kernels.fusemoe.gate`."""
    if kind not in KINDS:
        raise ArrayError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    x, temperature = matrix(x, "x"), check.positive(temperature, "temperature")
    (n, d), experts = x.shape, matrix(experts, "experts", x.shape[1])
    e, present_row = len(experts), 0
    k = check.chosen(k, e, n)
    missing, k = max(k - e, 0), min(k, e)
    if present is not None:
        shape = (e,) if present.dim() == 1 else (n, e)
        present = tensor(present, "present", (torch.bool, torch.uint8), shape).view(torch.uint8)
        present_row = e if present.dim() == 2 else 0
    weights = torch.zeros(n, k, device=x.device)
    ids = torch.full((n, k), -1, dtype=torch.int64, device=x.device)
    if n and e and k:
        block_e = power_of_two(e, 2)
        gate_kernel[(n,)](
            x, experts, experts if present is None else present, weights, ids, d, e, present_row, k, temperature,
            KIND=KINDS[kind], MASKED=present is not None, BLOCK_E=block_e, BLOCK_D=power_of_two(d, 16, 4096 // block_e),
            BLOCK_K=power_of_two(k, 2),
        )  # fmt: skip
    if not torch.isfinite(weights).all():
        raise ArrayError("x and experts must be finite, got NaN or infinity")
    pad = torch.nn.functional.pad
    return pad(weights, (0, missing)), pad(ids, (0, missing), value=-1)


def fuse(
    inputs: torch.Tensor,
    projections: torch.Tensor,
    ids: torch.Tensor,
    weights: torch.Tensor,
    *,
    bias: torch.Tensor | None = None,
) -> torch.Tensor:
    """`kernels.fusemoe.fuse`."""
    projections = tensor(projections, "projections", (torch.float32, torch.float16, torch.bfloat16), (None,) * 3)
    e, dout, din = projections.shape
    weights = matrix(weights, "weights")
    n, k = weights.shape
    ids = tensor(ids, "ids", (torch.int64,), (n, k))
    inputs = tensor(inputs, "inputs", (torch.float32,), (n, din) if inputs.dim() == 2 else (n, e, din))
    if ids.numel() and (int(ids.min()) < -1 or int(ids.max()) >= e):
        raise ArrayError(f"ids must lie in [-1, {e}), got {int(ids.min())} to {int(ids.max())}")
    if bias is not None:
        bias = matrix(bias, "bias", dout, e)
    out = torch.zeros(n, dout, device=inputs.device)
    if out.numel():
        strides = (din, 0) if inputs.dim() == 2 else (e * din, din)
        fuse_kernel[(n, triton.cdiv(dout, 16))](
            inputs, projections, inputs if bias is None else bias, ids, weights, out, din, dout, k, *strides,
            BIASED=bias is not None, BLOCK_O=16, BLOCK_D=power_of_two(din, 16, 256),
        )  # fmt: skip
    if not torch.isfinite(out).all():
        raise ArrayError("inputs, weights and the chosen projections must be finite, got NaN or infinity")
    return out


COMPILED = {
    "fusemoe_gate": aot(
        gate_kernel,
        {"x": "*fp32", "experts": "*fp32", "present": "*u8", "weights": "*fp32", "ids": "*i64", "temperature": "fp32"},
        "d e present_row k",
        KIND=0, MASKED=True, BLOCK_E=16, BLOCK_D=256, BLOCK_K=4,
    ),
    "fusemoe_fuse": aot(
        fuse_kernel,
        {"inputs": "*fp32", "projections": "*bf16", "bias": "*fp32", "ids": "*i64", "weights": "*fp32", "out": "*fp32"},
        "din dout k input_row input_expert",
        BIASED=True, BLOCK_O=16, BLOCK_D=256,
    ),
}  # fmt: skip
