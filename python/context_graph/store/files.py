"""Names on the disk: SQLite and `os.fsync` keep the content of a file safe, this keeps its name safe."""

import os
from pathlib import Path

__all__ = ["make_folder", "synchronise"]


def synchronise(path: Path) -> None:
    """Return once the disk has what the file holds; of a folder, the names in it."""
    if os.name != "posix" and path.is_dir():  # Windows opens no folders
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make a folder, readable by its owner alone, and what is missing above it; a power cut takes none of it away."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in reversed(missing):
        synchronise(path.parent)
