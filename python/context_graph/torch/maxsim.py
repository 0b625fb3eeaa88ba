"""Late interaction, with gradients."""

from typing import Any

import torch
from torch import Tensor

from context_graph.kernels import maxsim as kernels
from context_graph.kernels.reference import maxsim as reference
from context_graph.torch._calls import answered, plain

__all__ = ["maxima", "score"]


def maxima(query: Tensor, tokens: Tensor, offsets: Tensor) -> Tensor:
    """`kernels.maxsim.maxima`; a gradient flows to the best token of each pair, the first where several are."""
    if plain(query, tokens):
        found: Any = kernels.maxima(query, tokens, offsets)
        return found
    return _maxima(query, tokens, offsets)


def score(query: Tensor, tokens: Tensor, offsets: Tensor, *, weights: Tensor | None = None) -> Tensor:
    """`kernels.maxsim.score`."""
    if plain(query, tokens) and (weights is None or plain(weights)):
        found: Any = kernels.score(query, tokens, offsets, weights=weights)
        return found
    best = _maxima(query, tokens, offsets)
    empty = (offsets[1:] == offsets[:-1])[:, None]
    best = best.masked_fill(empty, 0.0)
    total = best.sum(-1) if weights is None else best @ weights
    return total.masked_fill(empty[:, 0], float("-inf"))


@torch.library.custom_op("context_graph::maxsim_maxima", mutates_args=())
def _maxima(query: Tensor, tokens: Tensor, offsets: Tensor) -> Tensor:
    return answered(kernels.maxima, reference.maxima, query, tokens, offsets)


@_maxima.register_fake
def _(query: Tensor, tokens: Tensor, offsets: Tensor) -> Tensor:
    return query.new_empty(offsets.shape[0] - 1, query.shape[0])


def _keep(ctx, inputs, output) -> None:
    ctx.save_for_backward(*inputs)


def _backward(ctx, grad: Tensor):
    query, tokens, offsets = ctx.saved_tensors
    count, documents = tokens.shape[0], offsets.shape[0] - 1
    numbers = torch.arange(count, device=tokens.device)
    places = numbers[:, None].expand(count, query.shape[0])
    owner = (torch.searchsorted(offsets, numbers, right=True) - 1)[:, None].expand_as(places)
    dots = tokens @ query.T
    best = dots.new_full((documents, query.shape[0]), float("-inf")).scatter_reduce(0, owner, dots, "amax")
    first = places.where(dots == best.gather(0, owner), count)
    chosen = places.new_full((documents, query.shape[0]), count).scatter_reduce(0, owner, first, "amin")
    grad = grad.where(chosen < count, 0.0)  # an empty document has no best token
    padded = torch.cat([tokens, tokens.new_zeros(1, tokens.shape[1])])
    to_query = (grad[..., None] * padded[chosen]).sum(0)
    to_tokens = torch.zeros_like(padded).index_add(
        0, chosen.reshape(-1), (grad[..., None] * query).reshape(-1, query.shape[1])
    )
    return to_query, to_tokens[:count], None


_maxima.register_autograd(_backward, setup_context=_keep)
