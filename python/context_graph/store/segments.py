"""Cached arrays of memories in files of fixed spans of ordinals: quick to open, cheap to lose."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from context_graph.errors import StoreError

__all__ = ["SEGMENT_ROWS", "Segments", "drop"]

SEGMENT_ROWS = 1_024
MAGIC = b"CGSEG\x01\x00\x00"
ALIGNMENT = 64


def drop(home: Path, ordinals: Iterable[int]) -> None:
    """Delete the cached arrays of these memories, of every model: what they held is not to be found any more."""
    for number in {ordinal // SEGMENT_ROWS for ordinal in ordinals}:
        for path in (Path(home) / "cache").glob(f"*/{number:08d}.*"):
            try:
                _discard(path)
            except OSError as error:
                raise StoreError(f"expected to delete {path}, got: {error}; delete the folder {home}/cache") from error


class Segments:
    """The files of one home directory and one model; any of them may vanish or rot, none is ever trusted blindly.

    A file holds named arrays and a check sum; one that fails its check is treated as missing.
    """

    def __init__(self, home: Path, model: str) -> None:
        safe = hashlib.sha256(model.encode()).hexdigest()[:12]
        self.folder = Path(home) / "cache" / safe

    def _path(self, number: int, part: str) -> Path:
        return self.folder / f"{number:08d}.{part}.segment"

    def load(self, number: int, part: str = "features") -> dict[str, np.ndarray] | None:
        """The arrays of a segment, mapped read-only; None where there is no sound file."""
        try:
            mapped = np.memmap(self._path(number, part), np.uint8, "r")
        except (OSError, ValueError):
            return None
        try:
            head_length = int(mapped[8:16].view("<u8")[0])
            if bytes(mapped[:8]) != MAGIC or head_length > len(mapped) - 48:
                return None
            head = bytes(mapped[48 : 48 + head_length])
            if hashlib.sha256(head).digest() != bytes(mapped[16:48]):
                return None
            described = json.loads(head)
            if described["name"] != self._path(number, part).name:  # whole, and another segment's
                return None
            body = mapped[_aligned(48 + head_length) :]
            if len(body) != described["bytes"] or _sum(body) != described["sum"]:
                return None
            return {
                entry["name"]: body[entry["offset"] : entry["offset"] + entry["bytes"]]
                .view(entry["dtype"])
                .reshape(entry["shape"])
                for entry in described["arrays"]
            }
        except (ValueError, KeyError, TypeError, IndexError):
            return None

    def save(self, number: int, arrays: dict[str, np.ndarray], part: str = "features") -> None:
        """Write a segment whole or not at all; a full or read-only disk only costs the speed of the next opening.

        Older files of the same kind, `rarity-1280` beside `rarity-2048`, are dropped.
        """
        entries, parts, offset = [], [], 0
        for name, array in arrays.items():
            data = np.ascontiguousarray(array).tobytes()
            entries.append(
                {"name": name, "dtype": array.dtype.str, "shape": array.shape, "offset": offset, "bytes": len(data)}
            )
            padding = -len(data) % ALIGNMENT
            parts += [data, b"\0" * padding]
            offset += len(data) + padding
        body = b"".join(parts)
        path = self._path(number, part)
        described = {"name": path.name, "bytes": len(body), "sum": _sum(np.frombuffer(body, np.uint8))}
        head = json.dumps(described | {"arrays": entries}).encode()
        top = MAGIC + len(head).to_bytes(8, "little") + hashlib.sha256(head).digest() + head
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(dir=self.folder)  # made with mode 0600
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(top + b"\0" * (_aligned(len(top)) - len(top)) + body)
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

    def remove(self, number: int) -> None:
        """Forget a segment: its memories changed."""
        for path in self.folder.glob(f"{number:08d}.*"):
            with suppress(OSError):
                _discard(path)


def _discard(path: Path) -> None:
    """Delete a file, or a folder that stands in its place."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _sum(body: np.ndarray) -> int:
    """Sum of the 64-bit words modulo 2^64 and of their running sums: finds flips, moves and cuts at memory speed."""
    words = body.view("<u8")
    weights = np.arange(1, len(words) + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        return int(words.sum(dtype=np.uint64)) << 64 | int((words * weights).sum(dtype=np.uint64))


def _aligned(length: int) -> int:
    return -(-length // ALIGNMENT) * ALIGNMENT
