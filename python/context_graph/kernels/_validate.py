"""Checks before the compiled code; each message names the argument, what was expected, what came, what to do."""

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels._arrays import as_array, bfloat16_bits
from context_graph.kernels._gpu import DeviceArray, home, narrowed, packed

__all__ = [
    "chosen", "count", "curvature", "finite", "ids", "mask", "matrix", "nodes", "of_dtype", "offsets", "output",
    "positive", "real", "same_dim", "scores", "sizes", "stored", "unit", "vector", "whole",
]  # fmt: skip

MIN_CURVATURE = _core.poincare.MIN_CURVATURE
MAX_PADDED = _core.MAX_PADDED
"""Entries of an answer that is padded because k is more than there are."""


def of_dtype(array: np.ndarray, name: str, dtypes: Sequence[Any], source: Any = None) -> None:
    """Refuses other dtypes, and says how to come by a right one from what was `source`, of any library."""
    if not any(array.dtype == dtype for dtype in dtypes):
        wanted = " or ".join(np.dtype(dtype).name for dtype in dtypes)
        way = _cast(array, name, np.dtype(dtypes[0]), array if source is None else source)
        raise ArrayError(f"{name} must have dtype {wanted}, got {array.dtype}; {way}")


def _cast(array: np.ndarray, name: str, dtype: "np.dtype[Any]", source: Any) -> str:
    if dtype.kind in "iu" and array.dtype.kind not in "iub":
        scaled = f"np.rint(255 * {name}).astype(np.uint8) where they lie in [0, 1]"
        return f"a cast would cut its fractions: scale and round them{f', {scaled}' if dtype == np.uint8 else ''}"
    if type(source).__module__.partition(".")[0] == "torch":
        return f"cast it with {name}.to(torch.{dtype.name})"
    if type(source) is DeviceArray:
        return f"cast it to {dtype.name}"
    if hasattr(source, "astype"):
        return f"cast it with {name}.astype(np.{dtype.name})"
    return f"pass np.asarray({name}, np.{dtype.name})"


def matrix(value: Any, name: str, dtypes: Sequence[Any] = (np.float32,), *, dim: int | None = None) -> np.ndarray:
    """Two dimensions, each row contiguous; rows may lie apart. Anything else is copied."""
    array = as_array(value, name)
    of_dtype(array, name, dtypes, value)
    if array.ndim != 2:
        raise ArrayError(f"{name} must have shape (rows, d), got {array.shape}; for one row use {name}[None, :]")
    if dim is not None and array.shape[1] != dim:
        raise ArrayError(f"{name} must have {dim} columns, got shape {array.shape}")
    strides = array.strides
    if (array.shape[1] > 1 and strides[1] != array.itemsize) or strides[0] < 0 or strides[0] % array.itemsize:
        array = packed(array, name)
    return array


def stored(value: Any, name: str, shape: str = "(rows, d)") -> np.ndarray:
    """float32, float16, or bfloat16 as its bits in uint16: two dimensions as `matrix`, or three, contiguous."""
    bits = bfloat16_bits(value)
    dtypes = (np.float32, np.float16) if bits is None else (np.uint16,)
    array = as_array(value, name) if bits is None else bits
    if shape.count(",") == 1:
        return matrix(value if bits is None else array, name, dtypes)
    of_dtype(array, name, dtypes, value)
    if array.ndim != 3:
        raise ArrayError(f"{name} must have shape {shape}, got {array.shape}")
    return packed(array, name)


def vector(value: Any, name: str, dtypes: Sequence[Any], *, length: int | None = None) -> np.ndarray:
    """One dimension, contiguous; a strided one is copied."""
    array = as_array(value, name)
    of_dtype(array, name, dtypes, value)
    if array.ndim != 1:
        raise ArrayError(f"{name} must have one dimension, got shape {array.shape}")
    if length is not None and array.shape[0] != length:
        raise ArrayError(f"{name} must have {length} entries, got {array.shape[0]}")
    return packed(array, name)


def same_dim(queries: np.ndarray, rows: np.ndarray, names: tuple[str, str] = ("queries", "rows")) -> None:
    if queries.shape[1] != rows.shape[1]:
        raise ArrayError(
            f"{names[0]} and {names[1]} must have the same number of columns, "
            f"got {queries.shape[1]} and {rows.shape[1]}"
        )


def finite(array: np.ndarray, name: str) -> np.ndarray:
    """As it is; on a GPU the kernel looks."""
    if type(array) is DeviceArray:
        return array
    if not np.isfinite(array).all():
        raise ArrayError(
            f"{name} must be finite, got NaN or infinity at {np.argwhere(~np.isfinite(array))[0].tolist()}"
        )
    return array


def scores(found: np.ndarray, what: str = "a score", of: str = "a row or query") -> np.ndarray:
    """float32 of what a definition gives in float64; compiled backends refuse what float32 cannot hold."""
    if (np.abs(found) > np.finfo(np.float32).max).any():
        raise ArrayError(f"{what} is not finite: {of} holds numbers whose product or sum float32 cannot hold")
    return found.astype(np.float32)


def mask(value: Any, n: int) -> np.ndarray | None:
    """None, or n bytes of which 0 hides a row."""
    if value is None:
        return None
    return vector(value, "mask", (np.bool_, np.uint8), length=n).view(np.dtype(np.uint8))


def ids(value: Any, n: int) -> np.ndarray:
    """int64 row numbers inside [0, n)."""
    array = home(as_array(value, "ids"))
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise ArrayError(f"ids must be integers in one dimension, got {array.dtype} with shape {array.shape}")
    # as unsigned numbers, those below 0 are beyond n
    if np.maximum.reduce(array.view(np.dtype(np.uint64)) if array.dtype == np.int64 else array) >= n or (
        array.dtype.kind == "i" and array.dtype != np.int64 and array.min() < 0
    ):
        raise ArrayError(f"ids must lie in [0, {n}), got {array.min()} to {array.max()}")
    return array.astype(np.int64, copy=False)


def nodes(
    value: Any, name: str, n: int, *, length: int | None = None, dtype: Any = np.uint32, there: bool = False
) -> np.ndarray:
    """Node numbers inside [0, n), contiguous; of another integer dtype they are copied.

    On the host, but for those of 32 or 64 bits on a GPU whose kernels look (`there`): these stay, as uint32.
    """
    array = as_array(value, name)
    if there and type(array) is DeviceArray and array.ndim == 1 and length in (None, len(array)):
        if array.dtype in (np.uint32, np.int32):  # below 0 is beyond n
            return packed(array, name).view(np.dtype(np.uint32))
        if array.dtype == np.int64:
            return narrowed(packed(array, name))
    array = home(array)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ArrayError(f"{name} must be integers in one dimension, got {array.dtype} with shape {array.shape}")
    if length is not None and array.shape[0] != length:
        raise ArrayError(f"{name} must have {length} entries, got {array.shape[0]}")
    if array.size and ((array.dtype.kind == "i" and array.min() < 0) or array.max() >= n):
        raise ArrayError(f"{name} must lie in [0, {n}), got {array.min()} to {array.max()}")
    return np.ascontiguousarray(array, dtype)


def output(array: Any, name: str, length: int) -> np.ndarray:
    """A float32 vector to write into: NumPy, contiguous, writable; or on a GPU."""
    if type(array) is DeviceArray:
        vector(array, name, (np.float32,), length=length)
        if not array.contiguous:
            raise ArrayError(f"{name} must be contiguous, got strides {array.strides}; pass a copy")
        return array
    if not isinstance(array, np.ndarray):
        raise ArrayError(f"{name} must be a NumPy array to be written into, got {type(array).__name__}")
    of_dtype(array, name, (np.float32,))
    if array.shape != (length,):
        raise ArrayError(f"{name} must have shape ({length},), got {array.shape}")
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise ArrayError(f"{name} must be contiguous and writable; pass {name}.copy()")
    return array


def unit(value: float, name: str) -> float:
    number = real(value, name)
    if not 0 <= number <= 1:
        raise ArrayError(f"{name} must lie in [0, 1], got {value}")
    return number


def whole(value: Any, name: str) -> int:
    """An integer of any kind; never a rounded number."""
    try:
        return operator.index(value)
    except TypeError:
        raise ArrayError(f"{name} must be an integer, got {value!r}") from None


def real(value: Any, name: str) -> float:
    """A number of any kind, NaN and infinity too."""
    if isinstance(value, str | bytes):
        raise ArrayError(f"{name} must be a number, got {value!r}")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ArrayError(f"{name} must be a number, got {value!r}") from None


def count(value: Any, name: str = "k", *, least: int = 0) -> int:
    number = whole(value, name)
    if number < least:
        raise ArrayError(f"{name} must be {least} or more, got {number}")
    if number >= 2**63:
        raise ArrayError(f"{name} must be below 2^63, got {number}")
    return number


def chosen(value: Any, n: int, lines: int = 1, name: str = "k") -> int:
    """How many of n are asked for, in each of so many lines of the answer; looked at before anything is allocated."""
    k = count(value, name)
    if k > n and k * max(lines, 1) > MAX_PADDED:
        raise ArrayError(
            f"{name} must be at most {n}, which are all, or pad the answer to at most {MAX_PADDED} entries, "
            f"got {k} in each of {lines} lines; pass {name}=min({name}, {n})"
        )
    return k


def curvature(value: float) -> float:
    """Beyond these, c|x - y|² of points near each other leaves float32."""
    number = real(value, "curvature")
    if not MIN_CURVATURE <= number <= 1 / MIN_CURVATURE:
        raise ArrayError(f"curvature must lie in [{MIN_CURVATURE:g}, {1 / MIN_CURVATURE:g}], got {value}")
    return number


def positive(value: float, name: str) -> float:
    number = real(value, name)
    if not (math.isfinite(number) and number > 0):
        raise ArrayError(f"{name} must be finite and above 0, got {value}")
    return number


def sizes(value: Any, name: str, total: int, of: str) -> np.ndarray:
    """int64 lengths of ragged parts, at least 0, that add up to `total`."""
    array = home(as_array(value, name))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ArrayError(f"{name} must be integers in one dimension, got {array.dtype} with shape {array.shape}")
    array = np.ascontiguousarray(array, np.int64)
    if (array < 0).any() or array.sum() != total:
        raise ArrayError(f"{name} must be at least 0 and add up to the {total} {of}, got a sum of {array.sum()}")
    return array


def offsets(value: Any, total: int, of: str, *, there: bool = False) -> np.ndarray:
    """int64 (n + 1,) that rises from 0 to `total`; of int64 on a GPU the kernels look."""
    array = as_array(value, "offsets")
    if there and type(array) is DeviceArray and array.dtype == np.int64 and array.ndim == 1 and len(array):
        return packed(array, "offsets")
    array = home(array)
    if array.dtype.kind not in "iu" or array.ndim != 1 or array.size == 0:
        raise ArrayError(f"offsets must be integers, shape (n + 1,), got {array.dtype} with shape {array.shape}")
    array = np.ascontiguousarray(array, np.int64)
    if array[0] != 0 or array[-1] != total or (array[1:] < array[:-1]).any():
        raise ArrayError(f"offsets must rise from 0 to the {total} {of}, got {array[0]} to {array[-1]}")
    return array
