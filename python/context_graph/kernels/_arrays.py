"""Any array on the CPU as a NumPy array, without a copy.

Arrays on other devices enter here too once kernels run there: look at the device first, then
take the pointer through DLPack's exchange API, and give the answer back in the caller's namespace.
"""

import sys
from typing import Any

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError

__all__ = ["as_array", "bfloat16_bits", "floats", "resident"]

CPU_DEVICES = (1, 3)  # kDLCPU, kDLCUDAHost


def as_array(value: Any, name: str) -> np.ndarray:
    """`value` as NumPy sees it: NumPy itself, then DLPack on the CPU, then whatever np.asarray takes."""
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "__dlpack_device__"):
        device = value.__dlpack_device__()[0]
        if device not in CPU_DEVICES:
            raise ArrayError(f"{name} must be on the CPU, got DLPack device {int(device)}; copy it with {name}.cpu()")
        return np.from_dlpack(value)
    return np.asarray(value)


def bfloat16_bits(value: Any) -> np.ndarray | None:
    """The bits of an array that calls its numbers bfloat16 (ml_dtypes, torch, jax) as uint16; None for other arrays."""
    if str(getattr(value, "dtype", "")).rpartition(".")[2] != "bfloat16":
        return None
    if type(value).__module__.partition(".")[0] == "torch":
        return as_array(value.view(sys.modules["torch"].uint16), "value")
    return np.asarray(value).view(np.uint16)


def floats(stored: np.ndarray) -> np.ndarray:
    """float32 numbers of float32, float16, or the uint16 that `bfloat16_bits` gives."""
    if stored.dtype == np.uint16:
        return (stored.astype(np.uint32) << 16).view(np.float32)
    return stored.astype(np.float32, copy=False)


def resident(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """A zeroed array that starts on a cache line and, when large, lies on huge pages."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape)) * dtype.itemsize
    return _core.arena(max(size, 1))[:size].view(dtype).reshape(shape)
