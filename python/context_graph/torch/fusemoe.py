"""The gate of a mixture of experts and the sum of what they make, with gradients."""

from typing import Any

import torch
from torch import Tensor

from context_graph.kernels import fusemoe as kernels
from context_graph.kernels.reference import fusemoe as reference
from context_graph.torch._calls import answered, plain

__all__ = ["fuse", "gate"]


def gate(
    x: Tensor,
    experts: Tensor,
    *,
    k: int = 4,
    kind: str = "laplace",
    temperature: float = 1.0,
    present: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """`kernels.fusemoe.gate`; the gradient flows to the experts that were kept, not through the choice."""
    if plain(x, experts):
        found: Any = kernels.gate(x, experts, k=k, kind=kind, temperature=temperature, present=present)
        return found
    return _gate(x, experts, k, kind, temperature, present)


def fuse(inputs: Tensor, projections: Tensor, ids: Tensor, weights: Tensor, *, bias: Tensor | None = None) -> Tensor:
    """`kernels.fusemoe.fuse` of inputs (n, din); its backward holds (n, k, din) and (n, k, dout) numbers."""
    if plain(inputs, projections, weights) and (bias is None or plain(bias)):
        found: Any = kernels.fuse(inputs, projections, ids, weights, bias=bias)
        return found
    return _fuse(inputs, projections, ids, weights, bias)


@torch.library.custom_op("context_graph::fusemoe_gate", mutates_args=())
def _gate(
    x: Tensor, experts: Tensor, k: int, kind: str, temperature: float, present: Tensor | None
) -> tuple[Tensor, Tensor]:
    weights, ids = answered(
        kernels.gate, reference.gate, x, experts, k=k, kind=kind, temperature=temperature, present=present
    )
    return weights, ids


@_gate.register_fake
def _(
    x: Tensor, experts: Tensor, k: int, kind: str, temperature: float, present: Tensor | None
) -> tuple[Tensor, Tensor]:
    return x.new_empty(x.shape[0], k), x.new_empty(x.shape[0], k, dtype=torch.int64)


def _keep_gate(ctx, inputs, output) -> None:
    x, experts, _, ctx.kind, ctx.temperature, _ = inputs
    weights, ids = output
    ctx.mark_non_differentiable(ids)
    ctx.save_for_backward(x, experts, weights, ids)


def _backward_gate(ctx, grad: Tensor, _):
    x, experts, weights, ids = ctx.saved_tensors
    scores = weights * (grad - (weights * grad).sum(-1, keepdim=True)) / ctx.temperature
    scores = scores[..., None].where(ids[..., None] >= 0, 0.0)
    chosen_experts, own = experts[ids.clamp(min=0)], x[:, None, :]
    if ctx.kind == "laplace":
        gap = own - chosen_experts
        length = gap.norm(dim=-1, keepdim=True)
        away = torch.where(length > 0, gap / length.where(length > 0, 1.0), 0.0)
        to_x, to_kept = -scores * away, scores * away
    elif ctx.kind == "softmax":
        to_x, to_kept = scores * chosen_experts, scores * own
    else:
        sizes = own.norm(dim=-1, keepdim=True), chosen_experts.norm(dim=-1, keepdim=True)
        some = (sizes[0] > 0) & (sizes[1] > 0)
        x_size, kept_size = (size.where(some, 1.0) for size in sizes)
        cosine = (own * chosen_experts).sum(-1, keepdim=True) / (x_size * kept_size)
        scores = scores.where(some, 0.0)
        to_x = scores * (chosen_experts / kept_size - cosine * own / x_size) / x_size
        to_kept = scores * (own / x_size - cosine * chosen_experts / kept_size) / kept_size
    return to_x.sum(1), _added(experts, ids, to_kept), None, None, None, None


def _added(like: Tensor, ids: Tensor, parts: Tensor) -> Tensor:
    """Parts (n, k, ...) added up by expert."""
    shape = (-1, *like.shape[1:])
    return torch.zeros_like(like).index_add(0, ids.clamp(min=0).reshape(-1), parts.reshape(shape))


@torch.library.custom_op("context_graph::fusemoe_fuse", mutates_args=())
def _fuse(inputs: Tensor, projections: Tensor, ids: Tensor, weights: Tensor, bias: Tensor | None) -> Tensor:
    return answered(kernels.fuse, reference.fuse, inputs, projections, ids, weights, bias=bias)


@_fuse.register_fake
def _(inputs: Tensor, projections: Tensor, ids: Tensor, weights: Tensor, bias: Tensor | None) -> Tensor:
    return inputs.new_empty(inputs.shape[0], projections.shape[1])


def _keep_fuse(ctx, inputs, output) -> None:
    ctx.save_for_backward(*inputs)


def _backward_fuse(ctx, grad: Tensor):
    inputs, projections, ids, weights, bias = ctx.saved_tensors
    weights = weights.where(ids >= 0, 0.0)
    matrices = projections[ids.clamp(min=0)]  # (n, k, dout, din)
    made = (matrices @ inputs[:, None, :, None])[..., 0]
    if bias is not None:
        made = made + bias[ids.clamp(min=0)]
    sent = weights[..., None] * grad[:, None, :]
    to_inputs = (sent[:, :, None, :] @ matrices)[:, :, 0].sum(1)
    to_weights = (made * grad[:, None, :]).sum(-1).where(ids >= 0, 0.0)
    to_projections = _added(projections, ids, sent[..., :, None] * inputs[:, None, None, :])
    to_bias = None if bias is None else _added(bias, ids, sent)
    return to_inputs, to_projections, None, to_weights, to_bias


_gate.register_autograd(_backward_gate, setup_context=_keep_gate)
_fuse.register_autograd(_backward_fuse, setup_context=_keep_fuse)
