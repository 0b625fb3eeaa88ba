"""The C interface as Python calls: arrays in, new arrays out; what it refuses is a `Refused`."""

import ctypes
from ctypes import Structure, c_char_p, c_double, c_float, c_int, c_int64, c_void_p
from typing import Any

import numpy as np

ELEMENTS = {"float32": 0, "float16": 1, "uint16": 2, "int8": 3}  # bfloat16 as its bits


class Refused(Exception):
    """A status other than CGK_OK, with the library's words."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(f"{status}: {words}")
        self.status, self.words = status, words


class Struct(Structure):
    """A struct of the C headers, made of NumPy arrays, numbers and other structs; it keeps them alive."""

    def __init__(self, *values: Any) -> None:
        super().__init__(*(pointer(value) for value in values))
        self.kept = values


def struct(name: str, **fields: Any) -> type[Struct]:
    return type(name, (Struct,), {"_fields_": list(fields.items())})


Rows = struct("Rows", data=c_void_p, n=c_int64, d=c_int64, stride=c_int64, element=c_int)
Documents = struct("Documents", tokens=c_void_p, offsets=c_void_p, n=c_int64)
Settings = struct("Settings", beta=c_double, steps=c_int64, tolerance=c_double, shortlist=c_int64)
Result = struct("Result", output=c_void_p, lse=c_void_p, steps=c_void_p, converged=c_void_p, dropped=c_void_p)
Inputs = struct("Inputs", data=c_void_p, n=c_int64, row_stride=c_int64, expert_stride=c_int64)
Projections = struct("Projections", data=c_void_p, experts=c_int64, dout=c_int64, din=c_int64, element=c_int)
Edges = struct("Edges", offsets=c_void_p, targets=c_void_p, n=c_int64)
Rule = struct("Rule", kind=c_int, rate=c_float, decay=c_float, min_weight=c_float, max_weight=c_float, normalise=c_int)
Query = struct("Query", terms=c_void_p, weights=c_void_p, n=c_int64)
Bm25 = struct("Bm25", k1=c_double, b=c_double)


def pointer(value: Any) -> Any:
    """What ctypes passes for it: the address of an array or a struct."""
    if isinstance(value, np.ndarray):
        return value.ctypes.data
    return ctypes.addressof(value) if isinstance(value, Structure) else value


def rows(array: np.ndarray) -> Struct:
    """A cgk_rows of a matrix, in place."""
    n, d = array.shape
    return Rows(array, n, d, array.strides[0] if n and d else 0, ELEMENTS[array.dtype.name])


class Library:
    """Calls by the names of the header without cgk_; numbers are int64 and double unless they are of ctypes."""

    def __init__(self, shared: ctypes.CDLL) -> None:
        self._function = shared.function
        self._function.restype, self._function.argtypes = c_void_p, [c_char_p]

    def plain(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function whose result is no status."""
        address = self._function(f"cgk_{name}".encode())
        assert address, f"no function cgk_{name}"
        values = [as_argument(value) for value in arguments]
        return ctypes.CFUNCTYPE(result, *map(type, values))(address)(*values)

    def call(self, name: str, *arguments: Any) -> None:
        status = self.plain(name, c_int, *arguments)
        if status:
            raise Refused(status, self.plain("message", c_char_p).decode())


def as_argument(value: Any) -> Any:
    if value is None or isinstance(value, np.ndarray | Structure):
        return c_void_p(pointer(value))
    if isinstance(value, bool | int | np.integer):
        return c_int64(int(value))
    return c_double(value) if isinstance(value, float) else value


__all__ = [
    "Bm25", "Documents", "Edges", "Inputs", "Library", "Projections", "Query", "Refused", "Result", "Rows", "Rule",
    "Settings", "rows",
]  # fmt: skip
