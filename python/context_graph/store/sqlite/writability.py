"""Whether writing works, as far as that can be told without a write."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from context_graph.errors import StoreBusy, StoreError

__all__ = ["Writability", "is_same_file"]

MIN_FREE_BYTES = 1 << 20
"""Less than a write of some memories takes, with what SQLite needs beside it."""

EFFECTS = "effects"


def is_same_file(path: Path, opened: os.stat_result) -> bool:
    """Whether the file that was opened is still the one of this name: what is written to another one is lost."""
    try:
        return os.path.samestat(os.stat(path), opened)
    except OSError:
        return False


class Writability:
    """What is known of writing to one open store.

    Parameters
    ----------
    unwritable : str
        Why the store was opened for reading alone; empty where it can be written.
    """

    def __init__(self, path: Path, unwritable: str) -> None:
        self._path, self._unwritable = path, unwritable
        self._opened = os.stat(path)
        self._failures: dict[bool, str] = {}
        """How the last write ended, where it failed; by whether it was one of effects, which are small and may fit."""

    @property
    def lost(self) -> bool:
        """Whether the file was deleted, moved or replaced while it was open."""
        return not is_same_file(self._path, self._opened)

    @contextmanager
    def watched(self, type: str) -> Iterator[None]:
        """Within it one event is written; a failure is remembered until a write succeeds."""
        try:
            yield
        except StoreBusy:  # others write, so writing works
            raise
        except StoreError as error:
            self._failures[type == EFFECTS] = str(error)
            raise

    def succeeded(self, type: str) -> None:
        """An event of this type was committed."""
        self._failures.pop(True, None)
        if type != EFFECTS:
            self._failures.clear()

    def problem(self) -> str:
        """Why a write would fail, or may; empty where nothing speaks against it."""
        if self._unwritable:
            return f"{self._path} cannot be written ({self._unwritable})"
        if self.lost:
            return (
                f"{self._path} was deleted, moved or replaced while it was open: nothing new is kept; put it back, "
                "or start this process anew"
            )
        for path in (self._path.parent, self._path):
            if not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
                return f"{path} may no longer be written: nothing new is kept; make it writable"
        return self._little_room() or next((f"the last write failed: {why}" for why in self._failures.values()), "")

    def _little_room(self) -> str:
        try:
            disk = os.statvfs(self._path)
        except OSError:
            return ""
        free = disk.f_bavail * disk.f_frsize
        if not disk.f_blocks or free >= MIN_FREE_BYTES:  # some file systems do not say how large they are
            return ""
        return f"the disk of {self._path} has {free // 1_000} KB left: writes fail, or soon will; make room"
