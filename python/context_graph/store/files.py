"""Names on the disk: SQLite and `os.fsync` keep the content of a file safe, this keeps its name safe."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["make_folder", "naming", "synchronise", "write_whole"]


def synchronise(path: Path) -> None:
    """Return once the disk has what the file holds; of a folder, the names in it."""
    if os.name != "posix" and path.is_dir():  # Windows opens no folders
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, readable by its owner alone, that is there as a whole or as it was before."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with naming(path), open(file, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Within it, an error of the disk names a file: that of a write alone says "No space left" and no place."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def make_folder(folder: Path) -> None:
    """Make a folder, readable by its owner alone, and what is missing above it; a power cut takes none of it away."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in reversed(missing):
        synchronise(path.parent)
