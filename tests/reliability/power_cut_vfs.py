"""A disk that loses power: what a folder of SQLite files holds afterwards, at the worst that disks are known to do.

Until a file is synced, any of its writes may be lost, whole or by sectors, in any order; so may truncations. Until
a folder is synced, the names made and taken away in it may be as at any moment since. What a sync has returned for
stays. Bytes beside those written are not harmed (SQLite's "powersafe overwrite", which it assumes on Linux).
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import apsw
import pytest
from tapped_vfs import Tap, TappedFile, tapped

__all__ = ["Disk", "PowerCut", "powered"]

SECTOR = 512
SHARES = (0.0, 0.1, 0.5, 0.9, 1.0)
"""Of what was not synced, how much a cut leaves; drawn anew for each cut."""


class PowerCut(apsw.IOError):
    """Every call on the disk fails from the cut on."""


class _Content:
    """What one file holds: the bytes that are safe, and what was done to them since."""

    def __init__(self, durable: bytes = b"") -> None:
        self.durable = durable
        self.pending: list[tuple[int, bytes] | int] = []  # a write at an offset, or a truncation to a size

    def sync(self) -> None:
        self.durable = self.left(Random(0), 1.0)
        self.pending = []

    def left(self, random: Random, share: float) -> bytes:
        """The bytes after a cut that each unsynced sector survives with probability `share`."""
        data = bytearray(self.durable)
        for change in self.pending:
            if isinstance(change, int):
                if random.random() < share:
                    del data[change:]
                    data += bytes(change - len(data))
                continue
            offset, written = change
            start = offset
            while start < offset + len(written):
                end = min(start - start % SECTOR + SECTOR, offset + len(written))
                if random.random() < share:
                    data += bytes(max(0, end - len(data)))
                    data[start:end] = written[start - offset : end - offset]
                start = end
        return bytes(data)


class Disk(Tap):
    """Keeps account of one folder, whose files are safe at the beginning.

    Parameters
    ----------
    cut_at : int, optional
        The call that the power is cut in: writes, truncations, syncs, creations and deletions count, reads do not.
    """

    def __init__(self, folder: Path, cut_at: int | None = None) -> None:
        self.folder = folder
        self.cut_at = cut_at
        self.calls = 0
        self.off = False
        self._names = {path.name: _Content(path.read_bytes()) for path in folder.glob("graph.sqlite3*")}
        self._past: dict[str, list[_Content | None]] = {}
        """By name, what it stood for at each moment since the folder was synced."""

        self._settled = {path.name for path in folder.glob("*")}
        self.folder_is_safe = folder.exists()
        """Whether the folder's own name survives."""

    def _call(self) -> None:
        self._alive()
        self.calls += 1
        if self.calls == self.cut_at:
            self.off = True
            raise PowerCut("the power was cut")

    def _alive(self) -> None:
        if self.off:
            raise PowerCut("there is no power")

    def _name(self, name: str, content: _Content | None) -> None:
        self._past.setdefault(name, [self._names.get(name)])
        self._past[name].append(content)
        if content is None:
            self._names.pop(name, None)
        else:
            self._names[name] = content

    def open(self, name: str, flags: int) -> None:
        self._alive()
        if name not in self._names and (flags & apsw.SQLITE_OPEN_CREATE or (self.folder / name).exists()):
            self._name(name, _Content())
            self._call()

    def read(self, file: TappedFile, amount: int, offset: int) -> None:
        self._alive()

    def write(self, file: TappedFile, data: bytes, offset: int) -> None:
        self._alive()
        self._names[file.name].pending.append((offset, data))
        self._call()

    def truncate(self, file: TappedFile, size: int) -> None:
        self._alive()
        self._names[file.name].pending.append(size)
        self._call()

    def sync(self, file: TappedFile) -> None:
        self._call()
        self._names[file.name].sync()
        if file.syncs_folder:
            file.syncs_folder = False
            self.sync_folder()

    def delete(self, name: str, sync_folder: bool) -> None:
        self._alive()
        if name in self._names:
            self._name(name, None)
            self._call()
        if sync_folder:
            self.sync_folder()

    def sync_folder(self) -> None:
        """Names are safe from here on, also of files that SQLite knows nothing of."""
        self._past = {}
        self._settled = {path.name for path in self.folder.glob("*")}

    def lose_power(self, random: Random, left: Path) -> None:
        """Put what survives into the folder `left`; it may not even exist."""
        self.off = True
        share = random.choice(SHARES)
        if not self.folder_is_safe and random.random() < 0.5:
            return
        left.mkdir()
        for name in self._names.keys() | self._past.keys():
            content = random.choice(self._past.get(name) or [self._names.get(name)])
            if content is not None:
                (left / name).write_bytes(content.left(random, share))
        for path in self.folder.glob("*"):
            if path.is_dir():  # backups: no account is kept of them
                shutil.copytree(path, left / path.name)
            elif not path.name.startswith("graph.sqlite3") and (path.name in self._settled or random.random() < 0.5):
                (left / path.name).write_bytes(path.read_bytes())
        if random.random() < 0.5:  # shared memory is never synced: it may hold anything
            (left / "graph.sqlite3-shm").write_bytes(random.randbytes(32_768))


@contextmanager
def powered(disk: Disk) -> Iterator[Disk]:
    """Run SQLite on the disk; Python's own `os.fsync` of a folder counts too."""
    real = os.fsync

    def fsync(descriptor: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if path == disk.folder:
            disk.sync_folder()
        elif path == disk.folder.parent:
            disk.folder_is_safe = True
        real(descriptor)

    with pytest.MonkeyPatch.context() as patch, tapped(disk, disk.folder):
        patch.setattr(os, "fsync", fsync)
        yield disk
