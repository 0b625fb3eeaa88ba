"""Arrays of a safetensors file, which holds numbers and no code."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from context_graph.errors import EmbeddingFailed

__all__ = ["read"]

MAX_HEADER_BYTES = 100_000_000
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}


def read(file: Path) -> dict[str, np.ndarray]:
    """All arrays of a file by name, as float32.

    Raises
    ------
    EmbeddingFailed
        It is no such file, ends early, or holds another type than floats.
    """
    try:
        data = file.read_bytes()
        (length,) = struct.unpack_from("<Q", data)
        if length > min(MAX_HEADER_BYTES, len(data) - 8):
            raise ValueError(f"a header of {length} bytes in a file of {len(data)}")
        header = json.loads(data[8 : 8 + length])
        return {name: _array(data, 8 + length, told) for name, told in header.items() if name != "__metadata__"}
    except (OSError, struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EmbeddingFailed(f"{file} is no safetensors file that can be read: {error}") from error


def _array(data: bytes, offset: int, told: dict[str, Any]) -> np.ndarray:
    kind, shape = told["dtype"], told["shape"]
    start, end = told["data_offsets"]
    if kind not in _TYPES:
        raise ValueError(f"numbers of type {kind}, expected one of {', '.join(_TYPES)}")
    raw = np.frombuffer(data[offset + start : offset + end], _TYPES[kind])
    if kind == "BF16":
        raw = (raw.astype(np.uint32) << 16).view(np.float32)
    return raw.astype(np.float32).reshape(shape)
