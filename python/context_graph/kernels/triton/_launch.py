"""What every family needs before a launch: tensors that are right, and block sizes."""

from collections.abc import Sequence
from typing import Any

import torch
import triton

from context_graph.errors import ArrayError

__all__ = ["MAX_DIM_IN_REGISTERS", "aot", "matrix", "power_of_two", "tensor"]

MAX_DIM_IN_REGISTERS = 2048
"""Kernels that keep a whole row in registers take no longer ones."""


def tensor(value: Any, name: str, dtypes: Sequence[torch.dtype], shape: tuple[int | None, ...]) -> torch.Tensor:
    """A tensor of one of these types and this shape; None is any length. Another order of its numbers is copied."""
    if not isinstance(value, torch.Tensor):
        raise ArrayError(f"{name} must be a torch tensor beside the others, got {type(value).__name__}")
    if value.dtype not in dtypes:
        wanted = " or ".join(str(dtype).removeprefix("torch.") for dtype in dtypes)
        raise ArrayError(f"{name} must have dtype {wanted}, got {str(value.dtype).removeprefix('torch.')}")
    if value.dim() != len(shape) or any(want not in (None, got) for want, got in zip(shape, value.shape, strict=True)):
        wanted = ", ".join("any" if length is None else str(length) for length in shape)
        raise ArrayError(f"{name} must have shape ({wanted}), got {tuple(value.shape)}")
    return value.detach().contiguous()


def matrix(value: Any, name: str, dim: int | None = None, count: int | None = None) -> torch.Tensor:
    return tensor(value, name, (torch.float32,), (count, dim))


def power_of_two(n: int, least: int = 1, most: int = 1 << 30) -> int:
    """The next power of two, inside [least, most]."""
    return min(max(int(triton.next_power_of_2(max(n, 1))), least), most)


def aot(
    kernel: Any, pointers: dict[str, str], numbers: str = "", **constants: Any
) -> tuple[Any, dict[str, str], dict[str, Any]]:
    """How to compile a kernel without a launch: its pointers' types, its integers, its constants."""
    signature = {**pointers, **dict.fromkeys(numbers.split(), "i32"), **dict.fromkeys(constants, "constexpr")}
    return kernel, {name: signature[name] for name in kernel.arg_names}, constants
