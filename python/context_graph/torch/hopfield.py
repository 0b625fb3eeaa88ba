"""Modern Hopfield retrieval, with gradients."""

from typing import Any

import torch
from torch import Tensor

from context_graph.errors import ArrayError
from context_graph.kernels import hopfield as kernels
from context_graph.kernels.reference import hopfield as reference
from context_graph.torch._calls import answered, plain

__all__ = ["retrieve"]


def retrieve(queries: Tensor, patterns: Tensor, *, beta: float, steps: int = 1) -> tuple[Tensor, Tensor]:
    """States after `steps` updates and the log-sum-exp of the last; `kernels.hopfield.retrieve` without early stop.

    The backward recomputes the softmax from the log-sum-exp and holds (q, n) numbers.
    """
    if plain(queries, patterns):
        found: Any = kernels.retrieve(queries, patterns, beta=beta, steps=steps, tolerance=0.0)
        return found.output, found.lse
    if steps < 1:
        raise ArrayError(f"steps must be 1 or more, got {steps}")
    queries, lse = _update(queries, patterns, beta)
    for _ in range(steps - 1):
        queries, lse = _update(queries, patterns, beta)
    return queries, lse


@torch.library.custom_op("context_graph::hopfield_update", mutates_args=())
def _update(queries: Tensor, patterns: Tensor, beta: float) -> tuple[Tensor, Tensor]:
    output, lse, *_ = answered(kernels.retrieve, reference.retrieve, queries, patterns, beta=beta)
    return output, lse


@_update.register_fake
def _(queries: Tensor, patterns: Tensor, beta: float) -> tuple[Tensor, Tensor]:
    return queries.new_empty(queries.shape), queries.new_empty(queries.shape[0])


def _keep(ctx, inputs, output) -> None:
    queries, patterns, ctx.beta = inputs
    ctx.save_for_backward(queries, patterns, output[1])


def _backward(ctx, grad: Tensor, grad_lse: Tensor):
    queries, patterns, lse = ctx.saved_tensors
    weights = torch.exp(ctx.beta * (queries @ patterns.T) - lse[:, None])
    along = grad @ patterns.T
    scores = weights * (along - (weights * along).sum(-1, keepdim=True) + grad_lse[:, None])
    scores = ctx.beta * scores
    return scores @ patterns, weights.T @ grad + scores.T @ queries, None


_update.register_autograd(_backward, setup_context=_keep)
