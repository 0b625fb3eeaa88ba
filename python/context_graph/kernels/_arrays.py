"""Arrays of any library as NumPy arrays without a copy, and answers in the library that asked.

The compiled `_fast` functions take NumPy and torch without coming here; this way serves the
rest, and says what is wrong.
"""

import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels._dispatch import why_not
from context_graph.kernels._gpu import DeviceArray, device_of, inside, on_gpu

__all__ = ["as_array", "bfloat16_bits", "floats", "in_kind", "resident"]

CPU_DEVICES = (1, 3)  # kDLCPU, kDLCUDAHost

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


def as_array(value: Any, name: str) -> np.ndarray:
    """`value` as NumPy sees it: NumPy itself, then DLPack on the CPU, then whatever np.asarray takes.

    A DeviceArray stays one in a call on a GPU, which it can only have come from.
    """
    if type(value) is np.ndarray or (type(value) is DeviceArray and inside()):
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise ArrayError(
            f"{name} must be a plain array, got a masked one, whose mask kernels do not know; "
            f"pass {name}.filled(0) or {name}.data, and hide rows with the argument mask where there is one"
        )
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "__dlpack_device__"):
        return _through_dlpack(value, name)
    if device_of(value) is not None:
        raise ArrayError(f"{name} must be on the CPU, got an array on a GPU; {_ways(name)}")
    return np.asarray(value)


def _ways(name: str) -> str:
    return f"copy it with {name}.cpu() or .get(), or have every array of a call there"


def _through_dlpack(value: Any, name: str) -> np.ndarray:
    if getattr(value, "requires_grad", False):
        raise ArrayError(
            f"{name} must not require a gradient, which kernels do not keep; "
            f"pass {name}.detach(), or use context_graph.torch"
        )
    try:
        device = value.__dlpack_device__()[0]
        if device in CPU_DEVICES:
            return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise ArrayError(f"{name} must be an array that NumPy can read through DLPack, got {error}") from None
    raise ArrayError(f"{name} must be on the CPU, got DLPack device {int(device)}; {_ways(name)}")


def in_kind(function: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
    """Gives NumPy answers back as arrays of the library that the first array belongs to."""

    parameters = signature(function)
    names = tuple(parameters.parameters)
    takes_backend = "backend" in names
    positional = sum(parameter.kind is Parameter.POSITIONAL_OR_KEYWORD for parameter in parameters.parameters.values())

    def bound(arguments: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
        """Arguments by name. Of a call that cannot be, the signature says why."""
        by_name = dict(zip(names, arguments, strict=False))
        if (
            len(arguments) > positional
            or by_name.keys() & options.keys()
            or options.keys() - parameters.parameters.keys()
        ):
            return parameters.bind(*arguments, **options).arguments
        return by_name | options

    @wraps(function)
    def answered(*arguments: Parameters.args, **options: Parameters.kwargs) -> Answer:
        for value in (*arguments[:2], *options.values()):  # the first may be self
            if type(value) is np.ndarray:
                break
            there = device_of(value) is not None
            if there or hasattr(value, "__dlpack__"):
                by_name = bound(arguments, options)
                if _wants_triton(by_name, value, there, takes_backend):
                    return _in_triton(function, by_name)
                result = on_gpu(function, by_name, takes_backend) if there else function(*arguments, **options)
                answer: Answer = _given_back(result, value)
                return answer
        return function(*arguments, **options)

    return answered


def _wants_triton(given: dict[str, Any], value: Any, there: bool, takes_backend: bool) -> bool:
    """By name, or for tensors on a GPU that no CUDA kernel can take here."""
    asked = given.get("backend") or (os.environ.get("CONTEXT_GRAPH_BACKEND") if there else None)
    if asked or not there:
        return asked == "triton"
    if "self" in given:  # an index searches where it keeps its rows
        return False
    return getattr(value, "is_cuda", False) and (why_not("cuda") is not None or not takes_backend)


def _in_triton(function: Callable[..., Answer], arguments: dict[str, Any]) -> Answer:
    """The call as the Triton kernel of the same name takes it: tensors stay where they are."""
    family, name = function.__module__.rpartition(".")[2], function.__name__.removeprefix("_")
    asked = arguments.get("backend")
    if "self" in arguments or asked not in (None, "triton"):
        raise ArrayError(f"{family}.{name} with backend {asked!r} takes arrays on the CPU; copy them with .cpu()")
    kernel = _kernel_in_triton(family, name)
    options = {
        key: value for key, value in arguments.items() if value is not None and key not in ("backend", "threads")
    }
    if unknown := options.keys() - signature(kernel).parameters.keys():
        taken, more = ", ".join(signature(kernel).parameters), ", ".join(sorted(unknown))
        raise BackendUnavailable(
            f"{family}.{name} in Triton takes {taken}, got {more}; leave backend out, or copy the tensors with .cpu()"
        )
    result: Answer = kernel(**options)
    return result


def _kernel_in_triton(family: str, name: str) -> Callable[..., Any]:
    try:
        kernels = import_module(f"context_graph.kernels.triton.{family}")
    except ModuleNotFoundError as error:
        raise BackendUnavailable(
            f"{family}.{name} of tensors on a GPU needs torch and triton ({error}); "
            "pip install 'ultimate-context-graph[cuda]', or copy the tensors with .cpu()"
        ) from None
    if name not in kernels.__all__:
        raise BackendUnavailable(
            f"{family}.{name} has no kernel in Triton; it has {', '.join(kernels.__all__)}; copy tensors with .cpu()"
        )
    kernel: Callable[..., Any] = getattr(kernels, name)
    return kernel


def _given_back(result: Any, first: Any) -> Any:
    if isinstance(result, tuple):
        parts = (_given_back(part, first) for part in result)
        return type(result)(*parts) if hasattr(result, "_fields") else tuple(parts)
    if type(first) is DeviceArray:  # in a call that another made
        return result
    if type(result) is DeviceArray and (own := result.whole) is not None:
        return own
    library = sys.modules[type(first).__module__.partition(".")[0]]
    if not isinstance(result, np.ndarray | DeviceArray) or not hasattr(library, "from_dlpack"):
        return result
    return library.from_dlpack(result)


def bfloat16_bits(value: Any) -> np.ndarray | None:
    """The bits of an array that calls its numbers bfloat16 (ml_dtypes, torch, jax) as uint16; None for other arrays."""
    if type(value) is DeviceArray:
        return value.view(np.dtype(np.uint16)) if value.kind == "B" else None
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
    zeros: np.ndarray = _core.arena(max(size, 1))[:size].view(dtype)
    return zeros.reshape(shape)
