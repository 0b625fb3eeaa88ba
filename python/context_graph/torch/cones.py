"""Entailment cones, with gradients."""

from typing import Any

import torch
from torch import Tensor

from context_graph.kernels import cones as kernels
from context_graph.kernels.reference import cones as reference
from context_graph.torch._calls import answered, plain

__all__ = ["energy"]


def energy(apexes: Tensor, points: Tensor, *, width: float = 0.1) -> Tensor:
    """`kernels.cones.energy`; the gradient is 0 inside the cone, and where apex, point and centre lie on one line."""
    if plain(apexes, points):
        found: Any = kernels.energy(apexes, points, width=width)
        return found
    return _energy(apexes, points, width)


@torch.library.custom_op("context_graph::cones_energy", mutates_args=())
def _energy(apexes: Tensor, points: Tensor, width: float) -> Tensor:
    return answered(kernels.energy, reference.energy, apexes, points, width=width)


@_energy.register_fake
def _(apexes: Tensor, points: Tensor, width: float) -> Tensor:
    return apexes.new_empty(apexes.shape[0])


def _keep(ctx, inputs, output) -> None:
    *tensors, ctx.width = inputs
    ctx.save_for_backward(*tensors, output)


def _backward(ctx, grad: Tensor):
    """The chain rule over n = |x|², g = <w, x> and q = |w|², w = y - x.

    angle = atan2(up, along), up = (1 - n) s, s = √(nq - g²), along = (1 - n) g - nq; aperture = arcsin(K (1 - n) / √n).
    """
    x, y, energies = ctx.saved_tensors
    w = y - x
    n, g, q = ((a * b).sum(-1, keepdim=True) for a, b in ((x, x), (w, x), (w, w)))
    a, square = 1 - n, n * q - g * g
    s = square.clamp(min=0).sqrt()
    outside = (energies[:, None] > 0) & (s > 0)
    s = s.where(outside, 1.0)
    up, along = a * s, a * g - n * q
    whole = (up * up + along * along).where(outside, 1.0)

    def turn(of_up: Tensor, of_along: Tensor) -> Tensor:
        return (along * of_up - up * of_along) / whole

    by_n = turn(a * q / (2 * s) - s, -g - q)
    by_q = turn(a * n / (2 * s), -n)
    by_g = turn(-a * g / s, a)
    sine = ctx.width * a / n.sqrt()
    inside_arcsin = (1 - sine * sine).where(outside, 1.0)
    aperture_by_n = -ctx.width * (1 + n) / (2 * n * n.sqrt()) / inside_arcsin.sqrt()
    scale = grad[:, None].where(outside, 0.0)
    by_w = 2 * by_q * w + by_g * x
    by_x = 2 * (by_n - aperture_by_n) * x + by_g * w - by_w
    zero = torch.zeros_like(x)
    return torch.where(outside, scale * by_x, zero), torch.where(outside, scale * by_w, zero), None


_energy.register_autograd(_backward, setup_context=_keep)
