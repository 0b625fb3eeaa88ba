"""Hebbian learning on edges that are listed by source and target."""

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels.triton._launch import aot, tensor

__all__ = ["update"]

RULES = {"plain": 0, "soft": 1, "oja": 2}
BLOCK = 1024


# Each edge is owned by one lane: no atomics, the same bits every time. Bound by memory and gathers: 16 bytes an edge.
@triton.jit
def update_kernel(
    weights, sources, targets, pre, post, m, rate, decay, least, most, RULE: tl.constexpr, BLOCK: tl.constexpr
):
    edge = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = edge < m
    weight = tl.load(weights + edge, inside, 0.0)
    before = tl.load(pre + tl.load(sources + edge, inside, 0), inside, 0.0)
    after = tl.load(post + tl.load(targets + edge, inside, 0), inside, 0.0)
    if RULE == 2:
        gain = (rate * after) * (before - after * weight)
    else:
        gain = (rate * before) * after
        if RULE == 1:
            gain = gain * (1.0 - weight)
    learned = (weight + gain) - decay * weight
    learned = tl.where(learned < least, least, learned)
    learned = tl.where(learned > most, most, learned)
    tl.store(weights + edge, learned, inside)


def update(
    weights: torch.Tensor,
    sources: torch.Tensor,
    targets: torch.Tensor,
    pre: torch.Tensor,
    post: torch.Tensor,
    *,
    rule: str = "soft",
    rate: float = 0.1,
    decay: float = 0.0,
    least: float = 0.0,
    most: float = 1.0,
) -> torch.Tensor:
    """`kernels.hebbian.update`, in place, of edges given by their sources and targets, int32 or int64."""
    if rule not in RULES:
        raise ArrayError(f"rule must be one of {', '.join(RULES)}, got {rule!r}")
    if not isinstance(weights, torch.Tensor) or not weights.is_contiguous():
        raise ArrayError("weights must be a contiguous torch tensor to be written into")
    tensor(weights, "weights", (torch.float32,), (None,))
    sources = tensor(sources, "sources", (torch.int32, torch.int64), (len(weights),))
    targets = tensor(targets, "targets", (torch.int32, torch.int64), (len(weights),))
    pre = tensor(pre, "pre", (torch.float32,), (None,))
    post = tensor(post, "post", (torch.float32,), (len(pre),))
    if not (torch.isfinite(pre).all() and torch.isfinite(post).all()):
        raise ArrayError("pre and post must be finite, one holds NaN or infinity; no weight was changed")
    if len(weights):
        update_kernel[(triton.cdiv(len(weights), BLOCK),)](
            weights, sources, targets, pre, post, len(weights), rate, decay, least, most, RULE=RULES[rule], BLOCK=BLOCK
        )
    return weights


COMPILED = {
    f"hebbian_update_{rule}": aot(
        update_kernel,
        {"weights": "*fp32", "sources": "*i32", "targets": "*i32", "pre": "*fp32", "post": "*fp32"}
        | dict.fromkeys(("rate", "decay", "least", "most"), "fp32"),
        "m", RULE=number, BLOCK=BLOCK,
    )
    for rule, number in RULES.items()
}  # fmt: skip
