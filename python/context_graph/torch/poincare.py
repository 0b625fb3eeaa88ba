"""Distances in the Poincaré ball, with gradients."""

from typing import Any

import torch
from torch import Tensor

from context_graph.kernels import poincare as kernels
from context_graph.kernels.reference import poincare as reference
from context_graph.torch._calls import answered, plain

__all__ = ["distance", "distances"]


def distance(x: Tensor, y: Tensor, *, curvature: float = 1.0) -> Tensor:
    """`kernels.poincare.distance`; the gradient is 0 where the rows are equal."""
    if plain(x, y):
        found: Any = kernels.distance(x, y, curvature=curvature)
        return found
    return _distance(x, y, curvature)


def distances(queries: Tensor, rows: Tensor, *, curvature: float = 1.0) -> Tensor:
    """`kernels.poincare.distances`; its backward holds (q, n, d) numbers."""
    if plain(queries, rows):
        found: Any = kernels.distances(queries, rows, curvature=curvature)
        return found
    return _distances(queries, rows, curvature)


@torch.library.custom_op("context_graph::poincare_distance", mutates_args=())
def _distance(x: Tensor, y: Tensor, curvature: float) -> Tensor:
    return answered(kernels.distance, reference.distance, x, y, curvature=curvature)


@torch.library.custom_op("context_graph::poincare_distances", mutates_args=())
def _distances(queries: Tensor, rows: Tensor, curvature: float) -> Tensor:
    return answered(kernels.distances, reference.distances, queries, rows, curvature=curvature)


@_distance.register_fake
def _(x: Tensor, y: Tensor, curvature: float) -> Tensor:
    return x.new_empty(x.shape[0])


@_distances.register_fake
def _(queries: Tensor, rows: Tensor, curvature: float) -> Tensor:
    return queries.new_empty(queries.shape[0], rows.shape[0])


def _keep(ctx, inputs, output) -> None:
    *tensors, ctx.curvature = inputs
    ctx.save_for_backward(*tensors)


def _slopes(x: Tensor, y: Tensor, c: float) -> tuple[Tensor, Tensor]:
    """How the distance of rows that broadcast changes with each of them."""
    gap = x - y
    slack_x, slack_y = (1 - c * (z * z).sum(-1, keepdim=True) for z in (x, y))
    length = gap.norm(dim=-1, keepdim=True)
    room = (slack_x * slack_y).sqrt()
    apart = torch.where(length > 0, gap / length.where(length > 0, 1.0), 0.0) / room
    key = c**0.5 * length / room
    bend = (1 + key * key).rsqrt()
    return 2 * bend * (apart + c**0.5 * key * x / slack_x), 2 * bend * (c**0.5 * key * y / slack_y - apart)


def _backward(ctx, grad: Tensor):
    x, y = ctx.saved_tensors
    slope_x, slope_y = _slopes(x, y, ctx.curvature)
    return grad[:, None] * slope_x, grad[:, None] * slope_y, None


def _backward_all(ctx, grad: Tensor):
    queries, rows = ctx.saved_tensors
    slope_x, slope_y = _slopes(queries[:, None, :], rows[None, :, :], ctx.curvature)
    return (grad[..., None] * slope_x).sum(1), (grad[..., None] * slope_y).sum(0), None


_distance.register_autograd(_backward, setup_context=_keep)
_distances.register_autograd(_backward_all, setup_context=_keep)
