"""Which way a call takes: straight to the kernels, or through an operator that autograd and the compiler know."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from context_graph.kernels import cuda_stream

__all__ = ["answered", "plain"]


def plain(*tensors: Tensor) -> bool:
    """Nobody will ask for a gradient, and nothing is being traced: the operator's 40 microseconds can be saved."""
    if torch.compiler.is_compiling() or any(tensor.dtype == torch.float64 for tensor in tensors):
        return False
    return not (torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors))


def answered(kernel: Callable[..., Any], definition: Callable[..., Any], *tensors: Tensor, **options: Any) -> Any:
    """What the kernel says of float32, and the definition of float64; tensors in, tensors out, where the first lies."""
    tensors = tuple(tensor.detach() for tensor in tensors)
    options = {name: value.detach() if isinstance(value, Tensor) else value for name, value in options.items()}
    if tensors[0].dtype == torch.float64:
        found = definition(*map(_home, tensors), **{name: _home(value) for name, value in options.items()})
        return _each(found, lambda part: torch.from_numpy(part).to(tensors[0].device))
    if tensors[0].is_cuda and torch.cuda.is_current_stream_capturing():
        with cuda_stream(check=False):  # a graph can not wait for checks
            return kernel(*tensors, **options)
    return kernel(*tensors, **options)


def _home(value: Any) -> Any:
    return value.cpu().numpy() if isinstance(value, Tensor) else value


def _each(found: Any, change: Callable[[Any], Tensor]) -> Any:
    return tuple(change(part) for part in found) if isinstance(found, tuple) else change(found)
