"""The folder of an export: the file that marks it as ours, its notes, and nothing that lies outside it."""

import hashlib
import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from context_graph.connectors.markdown.naming import is_safe
from context_graph.connectors.markdown.note import MAX_NOTE_BYTES
from context_graph.errors import InvalidInput, UnusablePath

__all__ = ["MARKER", "Entry", "Vault", "sum_of"]

MARKER = ".context-graph.json"
KIND, VERSION = "context-graph markdown", 1
MAX_MARKER_BYTES = 1 << 28
MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a file since it and the store last agreed.

    Attributes
    ----------
    id : str
        The memory that it stands for.
    was : str
        The id in its front matter, which an import leaves as it is; empty where there is none.
    file, store : str
        Digests of what the file said then, and of what the store said.
    sha256 : str
        Of its bytes.
    """

    id: str
    was: str
    file: str
    store: str
    sha256: str


class Vault:
    """A folder of notes.

    Attributes
    ----------
    store : str
        The store that it was exported from; empty where it is no export.
    entries : dict
        By path.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.store, self.entries = _read(self.folder / MARKER)

    def scan(self) -> tuple[list[str], list[tuple[str, str]]]:
        """The notes of the folder in order, and what is not read with the reason; links are not followed."""
        paths: list[str] = []
        skipped: list[tuple[str, str]] = []
        self._scan(self.folder, "", paths, skipped, 0)
        return sorted(paths), sorted(skipped)

    def _scan(self, folder: Path, at: str, paths: list[str], skipped: list[tuple[str, str]], depth: int) -> None:
        try:
            with os.scandir(folder) as entries:
                items = list(entries)
        except OSError as error:
            skipped.append((at.rstrip("/") or ".", f"unreadable: {error.strerror}"))
            return
        for item in items:
            path = f"{at}{item.name}"
            if item.name.startswith("."):
                continue  # .obsidian, .trash, .git
            if item.is_symlink():
                skipped.append((path, "a link, which is not followed"))
            elif item.is_dir(follow_symlinks=False):
                if depth < MAX_DEPTH:
                    self._scan(folder / item.name, f"{path}/", paths, skipped, depth + 1)
                else:
                    skipped.append((path, "too deep"))
            elif not item.name.lower().endswith(".md"):
                continue
            elif not item.is_file(follow_symlinks=False):
                skipped.append((path, "not a file"))
            elif is_safe(path):
                paths.append(path)
            else:
                skipped.append((path.encode("utf-8", "replace").decode(), "its name is not one for every system"))

    def read(self, path: str) -> bytes:
        """The bytes of a note, one more than is allowed where it has more."""
        try:
            self._see_inside(path)
            handle = os.open(self.folder / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(handle, "rb") as file:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise InvalidInput("it is not a file")
                return file.read(MAX_NOTE_BYTES + 1)
        except OSError as error:
            raise InvalidInput(f"it cannot be read: {error.strerror}") from error

    def write(self, path: str, data: bytes) -> None:
        """Write a note whole or not at all."""
        self._see_inside(path)
        target = self.folder / path
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _put(target, data)

    def remove(self, path: str) -> None:
        """Take a note away, and its folder where that is empty now."""
        self._see_inside(path)
        target = self.folder / path
        target.unlink(missing_ok=True)
        with suppress(OSError):
            if target.parent != self.folder:
                target.parent.rmdir()

    def exists(self, path: str) -> bool:
        """Whether anything is there, or cannot be seen not to be."""
        try:
            (self.folder / path).lstat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            pass
        return True

    def save(self, store: str, entries: dict[str, Entry]) -> None:
        """Note what the files say now; where nothing changed nothing is written."""
        if (store, entries) == (self.store, self.entries):
            return
        files = {path: asdict(entry) for path, entry in sorted(entries.items())}
        marker = {"type": KIND, "version": VERSION, "store": store, "files": files}
        _put(self.folder / MARKER, (json.dumps(marker, ensure_ascii=False, indent=1) + "\n").encode())
        self.store, self.entries = store, dict(entries)

    def _see_inside(self, path: str) -> None:
        """See that no link on the way leads out of the folder."""
        place = self.folder
        for part in path.split("/")[:-1]:
            place = place / part
            if place.is_symlink():
                raise InvalidInput(f"{place} is a link, which is not followed")


def sum_of(data: bytes) -> str:
    """SHA-256 of the bytes of a file."""
    return hashlib.sha256(data).hexdigest()


def _read(path: Path) -> tuple[str, dict[str, Entry]]:
    """The store and the files that a marker names; nothing where there is none."""
    try:
        if path.is_symlink() or not path.is_file():
            return "", {}
        if path.stat().st_size > MAX_MARKER_BYTES:
            raise UnusablePath(f"{path} has more than {MAX_MARKER_BYTES} bytes; export into a new folder", field="path")
        marker = json.loads(path.read_text("utf-8"))
        if marker["type"] != KIND or not isinstance(marker["store"], str):
            raise ValueError("it is another's")
        if not isinstance(marker["version"], int) or marker["version"] > VERSION:
            raise UnusablePath(f"{path} is of a newer version; upgrade this program", field="path")
        return marker["store"], dict(_entries(marker["files"]))
    except InvalidInput:
        raise
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UnusablePath(f"{path} cannot be read ({error}); export into a new folder", field="path") from error


def _entries(files: dict[str, dict[str, Any]]) -> Iterator[tuple[str, Entry]]:
    for path, entry in files.items():
        if not is_safe(path):
            raise ValueError(f"{path[:40]!r} is no path in the folder")
        yield path, Entry(*(str(entry[name]) for name in Entry.__slots__))


def _put(path: Path, data: bytes) -> None:
    partial = path.with_name(f".{secrets.token_hex(8)}.partial")
    try:
        with open(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o600), "wb") as file:
            file.write(data)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
