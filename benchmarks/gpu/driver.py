"""The part of NVIDIA's driver interface that a measurement needs, through ctypes: no package, no toolkit."""

import ctypes
from ctypes import byref, c_char, c_char_p, c_float, c_int, c_size_t, c_uint64, c_void_p
from typing import Any

import numpy as np

__all__ = ["Card", "DriverError", "NoCard"]

PROCESSORS, CLOCK_KHZ, BUS_BITS, L2_BYTES, MAJOR, MINOR = 16, 36, 37, 38, 75, 76
MAX_DYNAMIC_SHARED = 8


class NoCard(RuntimeError):
    """Why nothing can be measured here."""


class DriverError(RuntimeError):
    """A call of the driver that failed, by name."""


class Card:
    """The first card, with its primary context, which the CUDA runtime of our kernels shares."""

    def __init__(self) -> None:
        try:
            self._cuda = ctypes.CDLL("libcuda.so.1")
        except OSError:
            raise NoCard("libcuda.so.1, which comes with NVIDIA's driver, is not here") from None
        device, context, count = c_int(), c_void_p(), c_int()
        try:
            self.call("cuInit", 0)
            self.call("cuDeviceGetCount", byref(count))
        except DriverError as error:
            raise NoCard(str(error)) from None
        if count.value == 0:
            raise NoCard("the driver sees no card")
        self.call("cuDeviceGet", byref(device), 0)
        self._device = device
        self.call("cuDevicePrimaryCtxRetain", byref(context), device)
        self.call("cuCtxSetCurrent", context)
        name = (c_char * 100)()
        self.call("cuDeviceGetName", name, 100, device)
        self.name = name.value.decode()
        self.processors, self.l2_bytes = self.attribute(PROCESSORS), self.attribute(L2_BYTES)
        self.arch = f"sm_{self.attribute(MAJOR)}{self.attribute(MINOR)}"
        # Two transfers a clock, in bytes a second; 0 where the driver does not tell the clock.
        self.peak = 2 * 1000 * self.attribute(CLOCK_KHZ) * self.attribute(BUS_BITS) // 8
        self._flush = self.allocate(4 * max(self.l2_bytes, 1 << 20))
        self._flush_bytes = 4 * max(self.l2_bytes, 1 << 20)

    def call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._cuda, name)(*arguments)
        if status != 0:
            text = c_char_p()
            self._cuda.cuGetErrorName(status, byref(text))
            raise DriverError(f"{name} answered {(text.value or str(status).encode()).decode()}")

    def attribute(self, which: int) -> int:
        value = c_int()
        self.call("cuDeviceGetAttribute", byref(value), which, self._device)
        return value.value

    def allocate(self, nbytes: int) -> c_uint64:
        at = c_uint64()
        self.call("cuMemAlloc_v2", byref(at), c_size_t(max(nbytes, 16)))
        return at

    def free(self, at: c_uint64) -> None:
        self.call("cuMemFree_v2", at)

    def fill(self, at: c_uint64, nbytes: int, pattern: np.ndarray) -> None:
        """The pattern again and again: up once, then doubled where it lies."""
        first = min(nbytes, pattern.nbytes)
        if first == 0:
            return
        self.call("cuMemcpyHtoD_v2", at, c_void_p(pattern.ctypes.data), c_size_t(first))
        done = first
        while done < nbytes:
            more = min(done, nbytes - done)
            self.call("cuMemcpyDtoD_v2", c_uint64(at.value + done), at, c_size_t(more))
            done += more

    def copy(self, to: c_uint64, at: c_uint64, nbytes: int) -> None:
        self.call("cuMemcpyDtoD_v2", to, at, c_size_t(nbytes))

    def load(self, cubin: bytes) -> c_void_p:
        module = c_void_p()
        self.call("cuModuleLoadData", byref(module), c_char_p(cubin))
        return module

    def kernel(self, module: c_void_p, name: str, shared_bytes: int) -> c_void_p:
        function = c_void_p()
        self.call("cuModuleGetFunction", byref(function), module, name.encode())
        if shared_bytes > 32 << 10:  # unasked it has 48 KB, its static arrays among them
            self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, shared_bytes)
        return function

    def time_us(self, function: c_void_p, grid, block, shared_bytes: int, arguments: list[Any], before) -> float:
        """One launch after `before()` and with nothing of ours in the L2 cache."""
        before()
        self.call("cuMemsetD8_v2", self._flush, 0xA5, c_size_t(self._flush_bytes))
        pointers = (c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        start, stop, elapsed = c_void_p(), c_void_p(), c_float()
        self.call("cuEventCreate", byref(start), 0)
        self.call("cuEventCreate", byref(stop), 0)
        self.call("cuEventRecord", start, None)
        self.call("cuLaunchKernel", function, *grid, *block, shared_bytes, None, pointers, None)
        self.call("cuEventRecord", stop, None)
        self.call("cuEventSynchronize", stop)
        self.call("cuEventElapsedTime", byref(elapsed), start, stop)
        self.call("cuEventDestroy_v2", start)
        self.call("cuEventDestroy_v2", stop)
        return 1000 * elapsed.value
