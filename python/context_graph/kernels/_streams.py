"""Which CUDA stream calls of this thread run on, and whether they wait to report what is wrong with the numbers."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels._tensors import current_stream, is_tensor

__all__ = ["LEGACY", "cuda_stream", "current", "end", "following", "given", "on", "start", "stream_of"]

LEGACY = 1
"""The legacy default stream, as DLPack and __cuda_array_interface__ number it; 2 is the one of each thread."""


class _Thread(local):
    given: int | None = None
    stream = LEGACY
    check = True


_thread = _Thread()


@contextmanager
def cuda_stream(stream: Any = None, *, check: bool = True) -> Iterator[None]:
    """Calls of this thread on this CUDA stream, and without checks that wait for it.

    Without it a call runs on the current stream of the library its first array is of (torch, CuPy), or the one that
    ``__cuda_array_interface__`` names, else on the legacy default stream. What other streams write into its arrays
    comes first in any case.

    Parameters
    ----------
    stream : int, or a stream of torch, CuPy or anything with ``__cuda_stream__``, optional
        The address of a cudaStream_t of the device that the arrays lie on; 0 and 1 are the legacy default stream, 2 the
        one of each thread. None: the stream that a call would take by itself.
    check : bool
        True: a call waits for its work once, at its end, and raises what the kernels found. False: where all arrays lie
        on the GPU it returns at once, so that calls queue up, overlap with the host and can be captured into a CUDA
        graph. NaN, points outside the ball and ids out of range are then not reported, and answers to them mean
        nothing; an error of the device shows in a later call.

    Raises
    ------
    ArrayError
        `stream` is no stream.

    Examples
    --------
    >>> with cuda_stream(check=False):
    ...     pass
    """
    address = _address(stream)
    before = _thread.given, _thread.check
    _thread.given, _thread.check = before[0] if address is None else address, bool(check)
    try:
        with on(_thread.given or _thread.stream):
            yield
    finally:
        _thread.given, _thread.check = before


def given() -> int | None:
    """The stream that `cuda_stream` names; None where arrays decide."""
    return _thread.given


def current() -> int:
    """The stream that calls of this thread run on now."""
    return _thread.stream


@contextmanager
def on(stream: int) -> Iterator[None]:
    """With this stream in use, and the checks that `cuda_stream` asked for."""
    before = start(stream)
    try:
        yield
    finally:
        end(before)


def start(stream: int) -> tuple[int, tuple[int, bool]]:
    """Puts this stream in use, with the checks that `cuda_stream` asked for; gives what `end` puts back."""
    before = _thread.stream
    was = _core.use_stream(stream, _thread.check)
    _thread.stream = stream
    return before, was


def end(before: tuple[int, tuple[int, bool]]) -> None:
    """What was in use before `start`."""
    _thread.stream = before[0]
    _core.use_stream(*before[1])


@contextmanager
def following() -> Iterator[None]:
    """The rest of a call that has waited and reported: kernels that find nothing wrong, in the order of the stream."""
    was = _core.use_stream(_thread.stream, False)
    try:
        yield
    finally:
        _core.use_stream(*was)


def stream_of(array: Any, device: int) -> int | None:
    """The stream that an array's own library uses now, or that may still write it; None where nothing says."""
    if type(array) is _core.DeviceArray:
        return array.stream
    if is_tensor(array):
        return current_stream(device)
    library = sys.modules.get(type(array).__module__.partition(".")[0])
    streams: Any = getattr(library, "cuda", None)
    if hasattr(streams, "current_stream"):  # torch
        return int(streams.current_stream(device).cuda_stream) or LEGACY
    if hasattr(streams, "get_current_stream"):  # CuPy
        return int(streams.get_current_stream().ptr) or LEGACY
    if hasattr(array, "__dlpack__"):
        return None
    named = getattr(array, "__cuda_array_interface__", {}).get("stream")
    return None if named is None else int(named)


def _address(stream: Any) -> int | None:
    if stream is None:
        return None
    if hasattr(stream, "__cuda_stream__"):
        stream = stream.__cuda_stream__()[1]
    for name in ("cuda_stream", "ptr"):
        stream = getattr(stream, name, stream)
    if not isinstance(stream, int) or stream < 0:
        raise ArrayError(
            f"stream must be a CUDA stream or its address, got {stream!r}; pass torch.cuda.Stream(), "
            "cupy.cuda.Stream() or the cudaStream_t as an int"
        )
    return stream or LEGACY
