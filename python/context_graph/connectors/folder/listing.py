"""Which files of a folder are worth reading: what git or a .gitignore leaves out, what is hidden or built."""

import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.connectors.folder.parts import Skipped, Survey
from context_graph.connectors.folder.readers import READERS
from context_graph.connectors.folder.readers.registry import suffix_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["BUILT", "is_hidden", "text_files", "unwanted"]

BUILT = {"node_modules", "__pycache__", "build", "dist", "target", "venv", "env", "vendor", "site-packages"}
LOCKS = {
    "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "composer.lock", "packages.lock.json",
    "yarn.lock", "Pipfile.lock",
}  # fmt: skip
MAX_IGNORE_BYTES = 1_000_000
GIT_S = 60.0
"""How long git may look at a folder: a pipe in the place of a file that it reads would hold it for ever."""

NO_TRANSPORT = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0"}
"""A repository may lack objects and name the program that fetches them (core.sshCommand); it is never run."""


def text_files(done: Survey) -> Iterator[str]:
    """The files of a folder that are worth reading, in order; what is left out is noted with its reason."""
    folders: dict[str, str] = {}
    for path in sorted(_listed(done)):
        if reason := unwanted(done.source, path, folders):
            done.skipped.append(Skipped(path, reason))
        elif os.path.lexists(f"{done.source}/{path}"):  # git lists what was deleted and is not staged
            yield path


def unwanted(root: Path, path: str, folders: dict[str, str]) -> str | None:
    """Why a file is left out, before it is read; None where it is wanted, or not there any more.

    Parameters
    ----------
    folders : dict
        By folder where it is without links, with a stroke at its end; those that are looked up are added.
    """
    if any(map(is_hidden, path.split("/"))):
        return "hidden or built"
    inside = str(root) if str(root) == "/" else f"{root}/"
    place = inside + path  # pathlib takes several times as long, and there may be many files
    try:
        status = os.lstat(place)
        is_link = stat.S_ISLNK(status.st_mode)
        if is_link:
            status = os.stat(place)
        if stat.S_ISDIR(status.st_mode):
            return "a link to a folder" if is_link else "a repository of its own"
        if not stat.S_ISREG(status.st_mode):
            return "not a file"
        if not _without_links(place, is_link, folders).startswith(inside):
            return "outside the folder"
    except FileNotFoundError:
        return "a broken link" if os.path.islink(place) else None
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        return f"unreadable: {getattr(error, 'strerror', None) or error}"
    reader = READERS.get(suffix_of(path))
    if reader is None:
        return "unknown kind"
    if path.rpartition("/")[2] in LOCKS:
        return "a lock file"
    return f"too large: at most {reader.max_bytes:,} bytes are read" if status.st_size > reader.max_bytes else None


def _without_links(place: str, is_link: bool, folders: dict[str, str]) -> str:
    """Where a file really is; only a link is followed by itself, of others the folder is looked up once."""
    if is_link:
        return os.path.realpath(place)
    folder, _, name = place.rpartition("/")
    if folder not in folders:
        folders[folder] = os.path.join(os.path.realpath(folder or "/"), "")
    return folders[folder] + name


def _listed(done: Survey) -> Iterator[str]:
    """The files below a folder; whole folders that are left out are noted."""
    listed = _git(done.source, "--cached", "--others") if _in_checkout(done.source) else None
    if listed:
        ignored = _git(done.source, "--others", "--ignored", "--directory") or ()
        done.skipped.extend(Skipped(path.rstrip("/"), "ignored by git") for path in ignored)
        yield from dict.fromkeys(listed)  # a file in conflict is listed several times
        return

    def unreadable(error: OSError) -> None:
        path = Path(error.filename or done.source).relative_to(done.source).as_posix()
        done.skipped.append(Skipped(path, f"unreadable: {error.strerror}"))

    rules = _Ignored(done)
    for top, folders, files in os.walk(done.source, onerror=unreadable):
        below = Path(top).relative_to(done.source)
        begin = "" if below == Path() else f"{below.as_posix()}/"
        if ".gitignore" in files:
            rules.read(below)
        for name in sorted(folders):
            path = begin + name
            if is_hidden(name):
                done.skipped.append(Skipped(path, "hidden or built"))
            elif (Path(top) / name).is_symlink():
                done.skipped.append(Skipped(path, "a link to a folder"))
            elif rules.cover(f"{path}/"):
                done.skipped.append(Skipped(path, "ignored by git"))
            else:
                continue
            folders.remove(name)
        for name in files:
            path = begin + name
            if rules.cover(path):
                done.skipped.append(Skipped(path, "ignored by git"))
            else:
                yield path


class _Ignored:
    """The .gitignore files of a folder that git does not look after, each for what lies below it."""

    def __init__(self, done: Survey) -> None:
        self._done = done
        self._specs: dict[str, GitIgnoreSpec] = {}

    def read(self, below: Path) -> None:
        """Take in the rules of one folder, after those of the folders above it."""
        path = (below / ".gitignore").as_posix()
        try:
            from pathspec import GitIgnoreSpec
        except ImportError:
            self._done.notes[path] = "documents"
            return
        try:
            file = self._done.source / path
            if not file.is_file() or file.stat().st_size > MAX_IGNORE_BYTES:
                return
            lines = file.read_text("utf-8", errors="replace").splitlines()
        except OSError:
            return
        rules = []
        for line in lines:
            try:
                GitIgnoreSpec.from_lines([line])
            except ValueError:  # no pattern; git passes over it too
                continue
            rules.append(line)
        self._specs[below.as_posix()] = GitIgnoreSpec.from_lines(rules)

    def cover(self, path: str) -> bool:
        """Whether a file, or a folder that ends in a slash, is left out: the nearest rules that speak of it decide."""
        if not self._specs:
            return False
        folder = path.rstrip("/").rpartition("/")[0]
        while True:
            spec = self._specs.get(folder or ".")
            if spec is not None:
                result = spec.check_file(path[len(folder) + 1 if folder else 0 :])
                if result.include is not None:
                    return bool(result.include)
            if not folder:
                return False
            folder = folder.rpartition("/")[0]


def _in_checkout(source: Path) -> bool:
    return any((folder / ".git").exists() for folder in (source, *source.parents))


def _git(source: Path, *which: str) -> list[str] | None:
    """What git lists of a folder; None where it lists nothing, as for want of git."""
    # The configuration of a repository may name a program that git would run to hear of changes.
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(source), "ls-files", "-z", "--exclude-standard", *which]
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, stdin=subprocess.DEVNULL, timeout=GIT_S,
            env=os.environ | NO_TRANSPORT,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    names = os.fsdecode(done.stdout).split("\0")
    return [name for name in names if name] if done.returncode == 0 else None


def is_hidden(name: str) -> bool:
    """Whether a file or folder of this name is left out, with all that it holds."""
    return name.startswith(".") or name in BUILT
