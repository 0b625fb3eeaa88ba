"""Which way a call takes: straight to the kernels, or through an operator that autograd and the compiler know."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

__all__ = ["answered", "plain"]


def plain(*tensors: Tensor) -> bool:
    """Nobody will ask for a gradient, and nothing is being traced: the operator's 40 microseconds can be saved."""
    if torch.compiler.is_compiling() or any(tensor.dtype == torch.float64 for tensor in tensors):
        return False
    return not (torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors))


def answered(kernel: Callable[..., Any], definition: Callable[..., Any], *tensors: Tensor, **options: Any) -> Any:
    """What the kernel says of float32, and the definition of float64; tensors in, tensors out."""
    if tensors[0].dtype == torch.float64:
        found = definition(*(tensor.detach().numpy() for tensor in tensors), **options)
        if isinstance(found, tuple):
            return tuple(torch.from_numpy(part) for part in found)
        return torch.from_numpy(found)
    return kernel(*(tensor.detach() for tensor in tensors), **options)
