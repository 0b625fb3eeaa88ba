"""Cached arrays of memories in files of fixed spans of ordinals: quick to open, cheap to lose."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from context_graph.errors import StoreError

__all__ = ["SEGMENT_ROWS", "STATE_PART", "Segment", "Segments", "drop"]

SEGMENT_ROWS = 1_024
MAGIC = b"CGSEG\x01\x00\x00"
ALIGNMENT, PAGE = 64, 4_096
"""Where an array begins: a small one on a cache line, others on a page, so that they can be mapped by themselves."""

READ_BYTES = 1 << 20
"""How much of a file is read at a time where it is checked."""

WORD = 1 << 64

STATE_PART = "state"
"""The part, of number 0, that is of all segments: it goes with any of them."""


def drop(home: Path, ordinals: Iterable[int]) -> None:
    """Delete the cached arrays of these memories, of every model: what they held is not to be found any more.

    Raises
    ------
    StoreError
        A file cannot be deleted.
    """
    numbers = {f"{ordinal // SEGMENT_ROWS:08d}" for ordinal in ordinals}
    for pattern in (f"{0:08d}.{STATE_PART}.", *(f"{number}." for number in numbers)):
        for path in (Path(home) / "cache").glob(f"*/{pattern}*"):
            try:
                _discard(path)
            except OSError as error:
                raise StoreError(f"expected to delete {path}, got: {error}; delete the folder {home}/cache") from error


@dataclass(frozen=True, slots=True)
class Segment:
    """A file that was found whole."""

    arrays: dict[str, np.ndarray]
    """Read-only, where they lie in the file."""

    offsets: dict[str, int]
    """Where each begins in the file."""

    file: BinaryIO

    def close(self) -> None:
        """Let go of the file; the arrays stay."""
        self.file.close()


class Segments:
    """The files of one home directory and one model; any of them may vanish or rot, none is ever trusted blindly.

    A file holds named arrays and a check sum; one that fails its check is treated as missing.
    """

    def __init__(self, home: Path, model: str) -> None:
        safe = hashlib.sha256(model.encode()).hexdigest()[:12]
        self.folder = Path(home) / "cache" / safe

    def _path(self, number: int, part: str) -> Path:
        return self.folder / f"{number:08d}.{part}.segment"

    @property
    def nbytes(self) -> int:
        """Bytes of the files of memories' features."""
        with suppress(OSError):
            return sum(path.stat().st_size for path in self.folder.glob("*.features.segment"))
        return 0

    def load(self, number: int, part: str = "features") -> dict[str, np.ndarray] | None:
        """The arrays of a segment, mapped read-only; None where there is no sound file."""
        segment = self.open(number, part)
        if segment is None:
            return None
        segment.close()
        return segment.arrays

    def open(self, number: int, part: str = "features") -> "Segment | None":
        """The same as a file that is still open, whose arrays an index may take over where they lie."""
        path = self._path(number, part)
        try:
            file = path.open("rb")
        except OSError:
            return None
        segment = None
        try:
            segment = _read(file, path.name)
        finally:
            if segment is None:
                file.close()
        return segment

    def save(self, number: int, arrays: dict[str, np.ndarray], part: str = "features") -> None:
        """Write a segment whole or not at all; a full or read-only disk only costs the speed of the next opening.

        Older files of the same kind, `rarity-1280` beside `rarity-2048`, are dropped.
        """
        entries, body = [], bytearray()
        for name, array in arrays.items():
            data = np.ascontiguousarray(array).tobytes()
            body += bytes(-len(body) % (PAGE if len(data) >= PAGE else ALIGNMENT))
            entries.append(
                {"name": name, "dtype": array.dtype.str, "shape": array.shape, "offset": len(body), "bytes": len(data)}
            )
            body += data
        path = self._path(number, part)
        described = {"name": path.name, "bytes": len(body), "sum": _sum(np.frombuffer(body, np.uint8))}
        head = json.dumps(described | {"arrays": entries}).encode()
        top = MAGIC + len(head).to_bytes(8, "little") + hashlib.sha256(head).digest() + head
        try:
            for folder in (self.folder.parent, self.folder):  # with `parents` the one above would be open to others
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(dir=self.folder)  # made with mode 0600
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(top + bytes(_aligned(len(top)) - len(top)))
                    file.write(body)
                if path.is_dir():
                    _discard(path)
                os.replace(name, path)
                for old in self.folder.glob(f"{number:08d}.{part.split('-')[0]}*.segment"):
                    if old != path:
                        old.unlink(missing_ok=True)
            except BaseException:
                os.unlink(name)
                raise
        except OSError:
            return

    def remove(self, ordinal: int) -> None:
        """Forget the segment of a memory, and what was made of it: the memory has changed."""
        number = ordinal // SEGMENT_ROWS
        for path in (*self.folder.glob(f"{number:08d}.*"), *self.folder.glob(f"{0:08d}.{STATE_PART}.*")):
            with suppress(OSError):
                _discard(path)


def _discard(path: Path) -> None:
    """Delete a file, or a folder that stands in its place."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _read(file: BinaryIO, name: str) -> Segment | None:
    """A segment of this name, if the file is one and whole."""
    from context_graph import _core

    try:
        mapped = _core.mapped(file.fileno())  # as mmap.mmap, which would keep the file open
        head_length = int(mapped[8:16].view("<u8")[0])
        if bytes(mapped[:8]) != MAGIC or head_length > len(mapped) - 48:
            return None
        head = bytes(mapped[48 : 48 + head_length])
        if hashlib.sha256(head).digest() != bytes(mapped[16:48]):
            return None
        described = json.loads(head)
        if described["name"] != name:  # whole, and another segment's
            return None
        start = _aligned(48 + head_length)
        body = mapped[start:]
        if len(body) != described["bytes"] or _sum_in(file, start, len(body)) != described["sum"]:
            return None
        arrays, offsets = {}, {}
        for entry in described["arrays"]:
            part = body[entry["offset"] : entry["offset"] + entry["bytes"]]
            arrays[entry["name"]] = part.view(entry["dtype"]).reshape(entry["shape"])
            offsets[entry["name"]] = start + entry["offset"]
        return Segment(arrays, offsets, file)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def _sum(body: np.ndarray) -> int:
    """Sum of the 64-bit words modulo 2^64 and of the words times their places: finds flips, moves and cuts."""
    from context_graph import _core

    plain, placed = _core.sums(body)
    return plain << 64 | placed


def _sum_in(file: BinaryIO, start: int, length: int) -> int:
    """The sum of a part of a file, which is read piece by piece: pages that are looked at where they are mapped would
    count among this process's memory for as long as one array of the file is used."""
    from context_graph import _core

    buffer = np.empty(min(READ_BYTES, length), np.uint8)
    plain = placed = done = 0
    while done < length:
        read = min(os.preadv(file.fileno(), [buffer.data], start + done), length - done)
        if done + read < length:
            read -= read % 8  # a word is not cut in two
        if read == 0:
            raise ValueError("the file has become shorter")
        words, places = _core.sums(buffer[:read])
        plain, placed, done = plain + words, placed + places + done // 8 * words, done + read
    return plain % WORD << 64 | placed % WORD


def _aligned(length: int) -> int:
    return -(-length // PAGE) * PAGE
