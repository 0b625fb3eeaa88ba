"""What the functions of every family take: arrays, named by what is in them.

An answer is annotated as NumPy's array, which it is for arrays of NumPy. For those of another library it is that
library's; `context_graph.torch` is annotated with tensors.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

__all__ = ["Array", "Compiled", "CompiledSearch", "Ids", "Integers", "Mask", "Output", "Rows", "Vector"]


class _DLPack(Protocol):
    """On the CPU or a GPU: torch, jax, CuPy."""

    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, Any]: ...


class _CudaArray(Protocol):
    """On a GPU: Numba, and what else has no DLPack."""

    def __len__(self) -> int: ...
    @property
    def __cuda_array_interface__(self) -> Any: ...


class _NumPyArray(Protocol):
    """On the CPU: what np.asarray asks for its numbers."""

    def __array__(self) -> np.ndarray: ...


Array: TypeAlias = np.ndarray | _DLPack | _CudaArray | _NumPyArray
"""Any array; what dtype it must have is the function's to say, a list of Python's floats never has float32."""

Rows: TypeAlias = Array
"""Two dimensions, each row one thing."""

Vector: TypeAlias = Array
"""One dimension, a number for each row or each dimension."""

Mask: TypeAlias = Array | Sequence[bool]
"""One dimension of bool or uint8: False or 0 hides a row."""

Integers: TypeAlias = Array | Sequence[int]
"""One dimension of integers: offsets, lengths, terms."""

Ids: TypeAlias = Integers
"""Numbers of rows, documents or nodes."""

Output: TypeAlias = np.ndarray | _CudaArray
"""Written in place, so never a copy: NumPy's own, or on a GPU."""

Compiled: TypeAlias = Callable[..., np.ndarray]
"""A function of `_core`, found by the name of its backend."""

CompiledSearch: TypeAlias = Callable[..., tuple[np.ndarray, np.ndarray]]
"""The same where the answer is scores and ids."""
