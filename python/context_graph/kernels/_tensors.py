"""torch's tensors on a GPU: seen without DLPack, and answers in memory of torch's own.

DLPack takes some ten microseconds a tensor, each way, and many calls take no longer on the device. Answers from torch's
allocator are what its CUDA graphs and `torch.compile` expect.
"""

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from context_graph import _core

__all__ = ["allocator", "current_stream", "is_tensor", "seen"]

DeviceArray = _core.DeviceArray

LEGACY = 1

KINDS = {
    "float32": "f4", "float64": "f8", "float16": "f2", "bfloat16": "B2", "bool": "b1", "uint8": "u1", "int8": "i1",
    "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "int64": "i8", "uint64": "u8",
}  # fmt: skip


@cache
def _kinds() -> tuple[dict[Any, tuple[str, int]], dict[tuple[str, int], Any]]:
    """torch's dtypes as kind and bytes, and back."""
    torch = sys.modules["torch"]
    there = {getattr(torch, name): (kind[0], int(kind[1])) for name, kind in KINDS.items() if hasattr(torch, name)}
    return there, {kind: dtype for dtype, kind in there.items()}


def is_tensor(value: Any) -> bool:
    """Whether it is a plain tensor on a GPU; a subclass says what it is by DLPack."""
    torch = sys.modules.get("torch")
    return torch is not None and type(value) is getattr(torch, "Tensor", None) and value.is_cuda


def current_stream(device: int) -> int:
    """torch's current stream on a device, as DLPack numbers it."""
    torch = sys.modules["torch"]
    raw: Callable[[int], int] | None = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    stream = raw(device) if raw is not None else torch.cuda.current_stream(device).cuda_stream
    return int(stream) or LEGACY


def seen(tensor: Any) -> DeviceArray | None:
    """The tensor by its address; None where only DLPack can say what it is, or why it cannot be read."""
    kind = _kinds()[0].get(tensor.dtype)
    if kind is None or tensor.requires_grad or tensor.is_neg() or tensor.layout is not sys.modules["torch"].strided:
        return None
    return DeviceArray.seen(tensor.data_ptr(), tensor.shape, tensor.stride(), *kind, tensor.device.index, tensor)


@cache
def allocator(device: int) -> Callable[[str, int, tuple[int, ...]], Any]:
    """What makes an empty tensor on a device, of a kind, bytes an item and a shape."""
    empty, dtypes = sys.modules["torch"].empty, _kinds()[1]
    return lambda kind, item, shape: empty(shape, dtype=dtypes[kind, item], device=device)
