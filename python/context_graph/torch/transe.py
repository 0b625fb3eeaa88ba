"""Facts as translations, with gradients."""

from typing import Any

import torch
from torch import Tensor

from context_graph.kernels import transe as kernels
from context_graph.kernels.reference import transe as reference
from context_graph.torch._calls import answered, plain

__all__ = ["score"]


def score(heads: Tensor, relations: Tensor, tails: Tensor, *, norm: int = 2) -> Tensor:
    """`kernels.transe.score`; the gradient is 0 where the tail is met exactly."""
    if plain(heads, relations, tails):
        found: Any = kernels.score(heads, relations, tails, norm=norm)
        return found
    return _score(heads, relations, tails, norm)


@torch.library.custom_op("context_graph::transe_score", mutates_args=())
def _score(heads: Tensor, relations: Tensor, tails: Tensor, norm: int) -> Tensor:
    return answered(kernels.score, reference.score, heads, relations, tails, norm=norm)


@_score.register_fake
def _(heads: Tensor, relations: Tensor, tails: Tensor, norm: int) -> Tensor:
    return heads.new_empty(heads.shape[0])


def _keep(ctx, inputs, output) -> None:
    *tensors, ctx.norm = inputs
    ctx.save_for_backward(*tensors, output)


def _backward(ctx, grad: Tensor):
    heads, relations, tails, scores = ctx.saved_tensors
    left = heads + relations - tails
    direction = left.sign() if ctx.norm == 1 else _over(left, -scores[:, None])
    step = -grad[:, None] * direction
    return step, step, -step, None


def _over(vector: Tensor, length: Tensor) -> Tensor:
    return torch.where(length > 0, vector / length.where(length > 0, 1.0), 0.0)


_score.register_autograd(_backward, setup_context=_keep)
