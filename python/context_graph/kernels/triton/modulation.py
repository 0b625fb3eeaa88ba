"""Edges under neurotransmitters: what they weigh, and one step along them."""

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels.triton._launch import aot, tensor

__all__ = ["effective_weight", "flow"]

SIGNALS = (torch.float32, torch.uint8)
BLOCK = 1024


# Bound by memory: 20 bytes an edge, 11 where signals are bytes, whose bracket is an exact integer.
@triton.jit
def weigh_kernel(base, excitatory, inhibitory, modulatory, out, n, BYTES: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    b = tl.load(base + at, at < n, 0.0)
    e = tl.load(excitatory + at, at < n, 0)
    i = tl.load(inhibitory + at, at < n, 0)
    m = tl.load(modulatory + at, at < n, 0)
    if BYTES:
        gain = 510 + 2 * e.to(tl.int32) - 2 * i.to(tl.int32) + m.to(tl.int32)
        factor = gain.to(tl.float32) * 0.00196078431372549
    else:
        factor = ((1.0 + e) - i) + 0.5 * m
    tl.store(out + at, b * factor, at < n)


# One program a node: its incoming edges in pieces, their products added in one fixed tree a piece. Bound by gathers.
@triton.jit
def flow_kernel(offsets, sources, weights, activation, out, BLOCK: tl.constexpr):
    node = tl.program_id(0)
    first = tl.load(offsets + node)
    last = tl.load(offsets + node + 1)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(first, last, BLOCK):
        edge = start + tl.arange(0, BLOCK)
        source = tl.load(sources + edge, edge < last, 0)
        total += tl.load(weights + edge, edge < last, 0.0) * tl.load(activation + source, edge < last, 0.0)
    tl.store(out + node, tl.sum(total, 0))


def effective_weight(
    base: torch.Tensor, excitatory: torch.Tensor, inhibitory: torch.Tensor, modulatory: torch.Tensor
) -> torch.Tensor:
    """`kernels.modulation.effective_weight`."""
    base = tensor(base, "base", (torch.float32,), (None,))
    excitatory = tensor(excitatory, "excitatory", SIGNALS, (len(base),))
    inhibitory = tensor(inhibitory, "inhibitory", (excitatory.dtype,), (len(base),))
    modulatory = tensor(modulatory, "modulatory", (excitatory.dtype,), (len(base),))
    out = torch.empty_like(base)
    if len(base):
        weigh_kernel[(triton.cdiv(len(base), BLOCK),)](
            base, excitatory, inhibitory, modulatory, out, len(base),
            BYTES=excitatory.dtype == torch.uint8, BLOCK=BLOCK,
        )  # fmt: skip
    if not torch.isfinite(out).all():
        raise ArrayError(
            "an effective weight is not finite: an input holds NaN or infinity, or the result is too large for float32"
        )
    return out


def flow(offsets: torch.Tensor, sources: torch.Tensor, weights: torch.Tensor, activation: torch.Tensor) -> torch.Tensor:
    """What each node receives: the sum of weight times activation of the source, over its incoming edges.

    Parameters
    ----------
    offsets : int64, shape (n + 1,)
        Edges that lead to node t: ``offsets[t]`` to ``offsets[t + 1]``.
    sources : int32 or int64, shape (m,)
    weights : float32, shape (m,)
    activation : float32, shape (n,)
    """
    offsets = tensor(offsets, "offsets", (torch.int64,), (None,))
    weights = tensor(weights, "weights", (torch.float32,), (None,))
    sources = tensor(sources, "sources", (torch.int32, torch.int64), (len(weights),))
    activation = tensor(activation, "activation", (torch.float32,), (len(offsets) - 1,))
    out = torch.empty_like(activation)
    if len(out):
        flow_kernel[(len(out),)](offsets, sources, weights, activation, out, BLOCK=32)
    return out


COMPILED = {
    f"modulation_weigh_{name}": aot(
        weigh_kernel,
        {"base": "*fp32", "excitatory": kind, "inhibitory": kind, "modulatory": kind, "out": "*fp32"},
        "n", BYTES=name == "u8", BLOCK=BLOCK,
    )
    for name, kind in (("f32", "*fp32"), ("u8", "*u8"))
} | {
    "modulation_flow": aot(
        flow_kernel,
        {"offsets": "*i64", "sources": "*i32", "weights": "*fp32", "activation": "*fp32", "out": "*fp32"},
        BLOCK=32,
    )
}  # fmt: skip
