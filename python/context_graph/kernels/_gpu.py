"""Arrays on a GPU, seen where they lie: which device, its address and layout, and the call of a CUDA kernel there."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import _tensors
from context_graph.kernels._dispatch import why_not
from context_graph.kernels._streams import LEGACY, current, end, given, start, stream_of

__all__ = [
    "DeviceArray",
    "device_of",
    "entered",
    "home",
    "inside",
    "name_of",
    "on_gpu",
    "packed",
    "padded",
    "room",
    "using",
    "within",
]

DeviceArray = _core.DeviceArray

CUDA_DEVICES = (2, 13)  # kDLCUDA, kDLCUDAManaged
PLAIN = frozenset((type(None), bool, int, float, str, np.ndarray))  # what most arguments are, and lies on no device
UNREADABLE = (BufferError, RuntimeError, TypeError, ValueError)

_calls = local()


def device_of(value: Any) -> int | None:
    """The number of the CUDA device an array lies on; None for all other things."""
    kind = type(value)
    if kind in PLAIN:
        return None
    if kind is DeviceArray:
        return int(value.device)
    if _tensors.is_tensor(value):
        return int(value.device.index)
    ask = getattr(value, "__dlpack_device__", None)
    try:
        if ask is not None:
            place, number = ask()
            return int(number) if place in CUDA_DEVICES else None
        address = value.__cuda_array_interface__["data"][0]
    except (AttributeError, KeyError, *UNREADABLE):
        return None
    try:
        return _core.device_of(address) if address and why_not("cuda") is None else 0
    except ValueError as error:
        raise ArrayError(
            f"__cuda_array_interface__ must give an address on a device, got {address:#x} ({error})"
        ) from None


def inside() -> bool:
    """Whether this thread is in a call of `on_gpu`, where a DeviceArray may be passed on."""
    return getattr(_calls, "depth", 0) > 0


@contextmanager
def using(device: int | None) -> Iterator[None]:
    """With this CUDA device in use; None changes nothing."""
    if device is None:
        yield
        return
    before = _core.use_device(device)
    try:
        yield
    finally:
        _core.use_device(before)


class entered:  # a context manager, in fewer steps than a generator takes
    """In a call on this device; gives what makes a DeviceArray of an array there, and leaves other things alone.

    It runs on the stream of `cuda_stream`, else of the first of its arrays that has one. Answers to torch's tensors are
    allocated by torch where that is torch's current stream too, in whose order torch gives memory away.
    """

    def __init__(self, device: int, arrays: list[Any]) -> None:
        self._device, self._arrays = device, arrays

    def __enter__(self) -> Callable[..., Any]:
        device, first = self._device, self._arrays[0] if self._arrays else None
        self._device_before = _core.use_device(device)
        try:
            self._depth = getattr(_calls, "depth", 0)
            stream = current() if self._depth > 0 else given() or _first_stream(device, self._arrays)
            self._stream_before = start(stream)
        except BaseException:
            _core.use_device(self._device_before)
            raise
        self._torchs = _tensors.is_tensor(first) and _tensors.current_stream(device) == stream
        if self._torchs:
            self._allocator_before = _core.use_allocator(_tensors.allocator(device))
        _calls.depth = self._depth + 1
        return _seen

    def __exit__(self, *_: object) -> None:
        _calls.depth = self._depth
        if self._torchs:
            _core.use_allocator(self._allocator_before)
        end(self._stream_before)
        _core.use_device(self._device_before)


def _first_stream(device: int, arrays: list[Any]) -> int:
    return next((stream for array in arrays if (stream := stream_of(array, device)) is not None), LEGACY)


def on_gpu(function: Callable[..., Any], arguments: dict[str, Any], takes_backend: bool) -> Any:
    """The call by its CUDA kernel: arrays stay where they are, and so do its answers, as DeviceArrays."""
    kept_on = getattr(arguments["self"], "device", None) if "self" in arguments else None
    if kept_on is None:
        _expect_cuda(function, arguments, takes_backend)
    places = _places(arguments)
    device = next(iter(places.values()))
    if kept_on not in (None, device):
        raise ArrayError(
            f"{name_of(function)} takes arrays on CUDA device {kept_on}, where rows are kept, got {device}"
        )
    reason = why_not("cuda")
    if reason is not None:
        raise BackendUnavailable(
            f"{name_of(function)} of arrays on a GPU needs backend 'cuda', not usable here ({reason}); "
            "copy the arrays with .cpu() or .get()"
        )
    with entered(device, [arguments[name] for name in places]) as seen:
        views = {name: seen(arguments[name], name) for name in places}
        options = {} if kept_on is not None else {"backend": "cuda"}
        return _left(
            function(**{**arguments, **views, **options}), {id(view): arguments[name] for name, view in views.items()}
        )


def name_of(function: Callable[..., Any]) -> str:
    """Of a public function, with its family."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__.removeprefix('_')}"


def _expect_cuda(function: Callable[..., Any], given: dict[str, Any], takes_backend: bool) -> None:
    """That no backend of the CPU was asked for, and no index that keeps its rows there."""
    asked = given.get("backend") or os.environ.get("CONTEXT_GRAPH_BACKEND") or "cuda"
    if "self" in given or asked != "cuda" or not takes_backend:
        why = ", where it keeps its own" if "self" in given else f" with backend {asked!r}" if asked != "cuda" else ""
        raise ArrayError(f"{name_of(function)} takes arrays on the CPU{why}; copy them with .cpu() or .get()")


def _places(given: dict[str, Any]) -> dict[str, int]:
    """The arrays of a call with the device that they all lie on."""
    places = {name: device for name, value in given.items() if (device := device_of(value)) is not None}
    first, place = next(iter(places.items()))
    for name, value in given.items():
        device = places.get(name)
        if device == place or (device is None and not _is_array(value)):
            continue
        where = "the CPU" if device is None else f"CUDA device {device}"
        raise ArrayError(
            f"{name} must be on CUDA device {place} like {first}, got {where}; "
            f"copy {name} there, or {first} to where {name} is"
        )
    return places


def _is_array(value: Any) -> bool:
    """Of what lies on no device."""
    return isinstance(value, np.ndarray) or (type(value) not in PLAIN and hasattr(value, "__dlpack_device__"))


def _seen(value: Any, name: str = "array") -> Any:
    """An array there by its address, ordered after what writes it; other things as they are."""
    if type(value) is DeviceArray:
        if value.stream is not None:
            _core.order_after(value.stream)
        return value
    if _tensors.is_tensor(value) and (array := _tensors.seen(value)) is not None:
        if (writes := _tensors.current_stream(array.device)) != current():
            _core.order_after(writes)
        return array
    if device_of(value) is None:
        return value
    if getattr(value, "requires_grad", False):
        raise ArrayError(
            f"{name} must not require a gradient, which kernels do not keep; "
            f"pass {name}.detach(), or use context_graph.torch"
        )
    try:
        if hasattr(value, "__dlpack__"):
            return DeviceArray.from_dlpack(value.__dlpack__(stream=current()))
        return _interfaced(value.__cuda_array_interface__, value)
    except (AttributeError, KeyError, *UNREADABLE) as error:
        raise ArrayError(f"{name} must be readable by DLPack or __cuda_array_interface__, got {error}") from None


def _interfaced(interface: dict[str, Any], owner: Any) -> DeviceArray:
    dtype = np.dtype(interface["typestr"])
    if dtype.byteorder == ">" or dtype.kind not in "fiub" or interface.get("mask") is not None:
        raise TypeError(f"numbers of type {interface['typestr']!r}, or a mask")
    address = interface["data"][0]
    if interface.get("stream") is not None:
        _core.order_after(interface["stream"])
    device = _core.device_of(address) if address else 0
    return DeviceArray(address, interface["shape"], interface.get("strides"), dtype, device, owner)


def _left(result: Any, arguments: dict[int, Any]) -> Any:
    """Answers on the device; what is an argument itself, written in place, as the caller's object."""
    if isinstance(result, tuple):
        parts = (_left(part, arguments) for part in result)
        return type(result)(*parts) if hasattr(result, "_fields") else tuple(parts)
    if isinstance(result, np.ndarray):
        return DeviceArray.upload(np.ascontiguousarray(result))
    return arguments.get(id(result), result)


def packed(array: np.ndarray, name: str) -> np.ndarray:
    """Contiguous: itself, or a copy where it lies."""
    if type(array) is not DeviceArray:
        return np.ascontiguousarray(array)
    try:
        return array if array.contiguous else array.packed()
    except ValueError:
        raise ArrayError(
            f"{name} must have contiguous rows on a GPU, got strides {array.strides} of {array.itemsize} bytes each; "
            f"pass {name}.contiguous() or cupy.ascontiguousarray({name})"
        ) from None


def within(k: int, n: int, like: np.ndarray) -> int:
    """How many of n to ask a kernel for; on a GPU it pads by itself."""
    return k if type(like) is DeviceArray else min(k, n)


def padded(found: np.ndarray, ids: np.ndarray, k: int, worst: float = -np.inf) -> tuple[np.ndarray, np.ndarray]:
    """A choice of fewer than k with `worst` and -1 behind it, where it lies."""
    return _filled(found, k, worst), _filled(ids, k, -1)


def _filled(chosen: np.ndarray, k: int, value: float) -> np.ndarray:
    if (count := chosen.shape[-1]) == k:
        return chosen
    here = home(chosen)
    longer = np.full((*here.shape[:-1], k), value, here.dtype)
    longer[..., :count] = here
    return DeviceArray.upload(longer) if type(chosen) is DeviceArray else longer


def narrowed(nodes: Any) -> DeviceArray:
    """int64 node numbers on a GPU as uint32, where they lie; what does not fit becomes 2^32 - 1."""
    narrow: DeviceArray = nodes.narrow()
    return narrow


def home(array: np.ndarray) -> np.ndarray:
    """On the host, to be looked at: a copy of what lies on a device."""
    return array.numpy() if type(array) is DeviceArray else array


def room(like: np.ndarray, length: int) -> np.ndarray:
    """float32 (length,) to be written, where `like` lies."""
    if type(like) is DeviceArray:
        return DeviceArray.empty([length], np.dtype(np.float32))
    return np.empty(length, np.float32)
