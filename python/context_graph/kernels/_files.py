"""An index as one file: a header, then its arrays on pages of their own, which are mapped when it is read.

The header is JSON behind a magic line, its length and its CRC-32; nothing in a file is ever executed. A file is written
beside its place and then moved there, so that it is whole or not there.
"""

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError

__all__ = ["PAGE", "IndexFile", "opened", "write"]

PAGE = 4096
"""Where arrays begin, in multiples; a system with larger pages copies instead of mapping."""

MAGIC = b"context-graph index 1\n"
FIXED = len(MAGIC) + 16
"""Bytes before the JSON: the magic line, its length and its CRC-32."""
UNKNOWN = (2**64 - 1, 2**64 - 1)
"""In the place of the sums of an array, as long as any."""

MAX_INDEX_HEADER_BYTES = 1 << 28


class IndexFile:
    """A file that is read: its options, and its arrays as they lie in it.

    Attributes
    ----------
    options : dict
        What the index was made with.
    metadata : dict
        What its owner kept with it.
    descriptor : int
        Of the open file.
    """

    def __init__(self, path: Path, header: Mapping[str, Any], data: np.ndarray, descriptor: int) -> None:
        self.options: dict[str, Any] = header["options"]
        self.metadata: dict[str, Any] = header["metadata"]
        self.descriptor = descriptor
        self._path, self._places, self._data = path, header["arrays"], data

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def offset(self, name: str) -> int:
        """Where an array begins."""
        return int(self._places[name]["offset"])

    def array(self, name: str, dtype: Any, shape: tuple[int, ...] | None = None) -> np.ndarray:
        """An array in place, read-only; it must have this dtype, and this shape or else one dimension."""
        place = self._places.get(name) or self.refuse(f"an array {name!r}", "none")
        dtype, lengths = np.dtype(dtype), tuple(place["shape"])
        if place["dtype"] != dtype.str or (len(lengths) != 1 if shape is None else lengths != shape):
            expected = f"{name} of {dtype.str} and shape {shape or '(any,)'}"
            self.refuse(expected, f"{place['dtype']} and {lengths}")
        first = self.offset(name)
        size = int(np.prod(lengths, dtype=np.int64)) * dtype.itemsize
        if min(lengths) < 0 or first < 0 or first % PAGE or first + size > len(self._data):
            self.refuse(f"{name} within the file's {len(self._data)} bytes", f"{size} bytes at {first}")
        array: np.ndarray = self._data[first : first + size].view(dtype).reshape(lengths)
        return array

    def verify(self) -> None:
        """Read all bytes and compare their sums with those of the day they were written."""
        for name, place in self._places.items():
            array = self.array(name, place["dtype"], tuple(place["shape"]))
            if list(_sums(array)) != place["sums"]:
                self.refuse(f"the bytes of {name} as they were written", "others")

    def refuse(self, expected: str, came: str) -> Any:
        raise ArrayError(f"{self._path} must have {expected}, got {came}; save the index again")


def write(
    path: str | os.PathLike[str],
    kind: str,
    options: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray],
    metadata: Mapping[str, Any],
) -> None:
    """Write a file of this kind, in the place of one that is there.

    Raises
    ------
    ArrayError
        `metadata` is not JSON.
    """
    path, end = Path(path), 0
    places: dict[str, Any] = {}
    for name, array in arrays.items():
        places[name] = {"dtype": array.dtype.str, "shape": array.shape, "offset": end, "sums": UNKNOWN}
        end += -(-array.nbytes // PAGE) * PAGE
    head = {"kind": kind, "options": dict(options), "metadata": dict(metadata), "arrays": places}
    first = len(_json(head)) + PAGE  # offsets get longer by what stands before them: a page is more than they grow
    first = -(-(FIXED + first) // PAGE) * PAGE
    for place in places.values():
        place["offset"] += first
    waiting = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with waiting.open("w+b") as file:
            for name, array in arrays.items():
                file.seek(places[name]["offset"])
                file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
            file.flush()
            for name, array in arrays.items():  # of what was written: others may append to the last block meanwhile
                places[name]["sums"] = _sums_written(file, places[name]["offset"], array.nbytes)
            header = _json(head)
            file.seek(0)
            file.write(MAGIC + len(header).to_bytes(8, "little") + zlib.crc32(header).to_bytes(8, "little") + header)
            file.truncate(first + end)
            file.flush()
            os.fsync(file.fileno())
        waiting.replace(path)
    finally:
        waiting.unlink(missing_ok=True)


@contextmanager
def opened(path: str | os.PathLike[str], kind: str, *, verify: bool) -> Iterator[IndexFile]:
    """A file of this kind. What is mapped of it stays after it is closed or deleted; it must not be changed in place.

    Raises
    ------
    ArrayError
        It is no such file, or not whole.
    """
    path = Path(path)
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        start = file.read(FIXED)
        length = int.from_bytes(start[len(MAGIC) : -8], "little")
        if len(start) < FIXED or not start.startswith(MAGIC) or length > min(size - FIXED, MAX_INDEX_HEADER_BYTES):
            raise ArrayError(
                f"{path} must be a file that Index.save wrote, got another or a part; save the index again"
            )
        header = file.read(length)
        if zlib.crc32(header) != int.from_bytes(start[-8:], "little"):
            raise ArrayError(f"{path} must have the header that was written, got other bytes; save the index again")
        head = json.loads(header)
        if head["kind"] != kind:
            raise ArrayError(f"{path} must hold an index of {kind}, got one of {head['kind']}; load it with that class")
        stored = IndexFile(path, head, _core.mapped(file.fileno()), file.fileno())
        if verify:
            stored.verify()
        yield stored


def _json(head: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(head, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise ArrayError(f"metadata must be JSON, got {error}; keep text, numbers, lists and dicts in it") from None


def _sums_written(file: IO[bytes], offset: int, count: int) -> tuple[int, int]:
    if count == 0:
        return _sums(np.zeros(0, np.uint8))
    return _sums(np.memmap(file, np.uint8, "r", offset, (count,)))


def _sums(array: np.ndarray) -> tuple[int, int]:
    sums: tuple[int, int] = _core.sums(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
    return sums
