"""The file system as SQLite sees it, with a tap that hears of every call before it happens and may refuse it."""

import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

__all__ = ["Tap", "tapped"]

_numbers = itertools.count()


class Tap:
    """Hears of the calls on files of one folder; a method that raises refuses the call. Base of what tests inject."""

    def open(self, name: str, flags: int) -> None: ...

    def read(self, file: "TappedFile", amount: int, offset: int) -> None: ...

    def write(self, file: "TappedFile", data: bytes, offset: int) -> None: ...

    def truncate(self, file: "TappedFile", size: int) -> None: ...

    def sync(self, file: "TappedFile") -> None:
        """The real file is never synced: tests cut no real power, and the machine's disk is slow."""

    def delete(self, name: str, sync_folder: bool) -> None: ...


class TappedFile(apsw.VFSFile):
    """A file of the real file system."""

    def __init__(self, tap: Tap, path: Path, name: str | apsw.URIFilename, flags: list[int]) -> None:
        self.tap = tap
        self.name = path.name
        self.syncs_folder = bool(flags[0] & apsw.SQLITE_OPEN_CREATE) and bool(
            flags[0] & (apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL)
        )
        """SQLite's unix files sync their folder at the first sync of a journal that may be new, and only then."""

        super().__init__("unix", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self.tap.read(self, amount, offset)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.tap.write(self, bytes(data), offset)
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self.tap.truncate(self, size)
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        self.tap.sync(self)

    def excepthook(self, *error: object) -> bool:
        """Refused calls that SQLite chooses to ignore are nobody's concern."""
        return True


class _TappedVFS(apsw.VFS):
    def __init__(self, tap: Tap, folder: Path) -> None:
        self.tap = tap
        self.folder = folder
        super().__init__(f"tapped-{next(_numbers)}", "unix", makedefault=True)

    def _inside(self, name: str | apsw.URIFilename | None) -> Path | None:
        if name is None:
            return None
        path = Path(name if isinstance(name, str) else name.filename())
        return path if path.parent == self.folder else None

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = self._inside(name)
        if path is None:
            return apsw.VFSFile("unix", name, flags)
        self.tap.open(path.name, flags[0])
        return TappedFile(self.tap, path, name, flags)

    def xDelete(self, name: str, sync_folder: bool) -> None:
        if (path := self._inside(name)) is not None:
            self.tap.delete(path.name, sync_folder)
        super().xDelete(name, sync_folder)

    def excepthook(self, *error: object) -> bool:
        return True


@contextmanager
def tapped(tap: Tap, folder: Path) -> Iterator[None]:
    """Within the block, every SQLite file of the folder is opened under the tap: it is the process's default VFS."""
    vfs = _TappedVFS(tap, folder)
    complain = sys.unraisablehook

    def ignore(what: object) -> None:
        if not isinstance(what.exc_value, apsw.Error):
            complain(what)

    sys.unraisablehook = ignore  # where SQLite goes on after a refused call, Python has an exception left over
    try:
        yield
    finally:
        sys.unraisablehook = complain
        vfs.unregister()
