"""Where notices wait until a worker has stored them: one file each, whole or not there at all."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = [
    "ATTEMPTS", "attempted", "busy", "lease", "put", "reject", "rejected", "released", "spool_of", "stem_of", "sweep",
    "waiting", "write",
]  # fmt: skip

ATTEMPTS = 5
"""Workers that may end while they have an event in hand, before it is moved aside."""

LEFT_OVER_SECONDS = 3_600


def spool_of(home: Path) -> Path:
    """The folder in a home, both made where they are missing; for their owner alone."""
    folder = home / "spool"
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def put(home: Path, text: str) -> Path:
    """Write one event, durably; a name tells when it came and how many workers ended over it."""
    folder = spool_of(home)
    path = folder / f"{time.time_ns():020d}-{os.urandom(4).hex()}.0.json"
    write(path, text)
    return path


def write(path: Path, text: str) -> None:
    """A file that is there as a whole or not at all, for its owner alone."""
    partial = path.with_name(f".{path.name}.{os.urandom(4).hex()}.partial")
    file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(file, "w", encoding="utf-8") as open_file:
            open_file.write(text)
            open_file.flush()
            os.fsync(open_file.fileno())
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise


def waiting(home: Path) -> list[Path]:
    """The notices that wait, oldest first."""
    try:
        names = os.listdir(home / "spool")
    except FileNotFoundError:
        return []
    return [home / "spool" / name for name in sorted(names) if name.endswith(".json") and not name.startswith(".")]


def attempted(path: Path) -> tuple[Path, int]:
    """Take an event in hand: its name counts that, so that a worker it kills leaves a trace. Returns the count."""
    stem, count = _counted(path)
    return path.rename(path.with_name(f"{stem}.{count + 1}.json")), count + 1


def released(path: Path) -> Path:
    """Put an event back that is not to blame for what went wrong."""
    stem, count = _counted(path)
    return path.rename(path.with_name(f"{stem}.{max(0, count - 1)}.json"))


def stem_of(path: Path) -> str:
    """The name of an event, which stays when it is taken in hand."""
    return _counted(path)[0]


def _counted(path: Path) -> tuple[str, int]:
    stem, _, count = path.name.removesuffix(".json").rpartition(".")
    return (stem, int(count)) if stem and count.isdecimal() else (path.name.removesuffix(".json"), 0)


def reject(path: Path, reason: str) -> Path:
    """Move an event aside, with the reason beside it; nothing looks at it again by itself."""
    folder = path.parent / "rejected"
    folder.mkdir(mode=0o700, exist_ok=True)
    target = folder / path.name
    write(target.with_suffix(".reason.txt"), " ".join(reason.split()) + "\n")
    return path.rename(target)


def rejected(home: Path) -> list[Path]:
    """The notices that were moved aside."""
    return sorted((home / "spool" / "rejected").glob("*.json"))


@contextmanager
def lease(home: Path, *, patience_s: float = 0.0) -> Iterator[bool]:
    """The right to store what waits, for one process at a time; False where another has it.

    Parameters
    ----------
    patience_s : float
        How long to wait for it.
    """
    file = os.open(spool_of(home) / ".lease", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        deadline = time.monotonic() + patience_s
        while not (held := _locked(file, fcntl.LOCK_EX)) and time.monotonic() < deadline:
            time.sleep(0.05)
        yield held
    finally:
        os.close(file)


def busy(home: Path) -> bool:
    """Whether a process has the lease: it looks at the spool once more after it has let go, so none need be started."""
    file = os.open(spool_of(home) / ".lease", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        return not _locked(file, fcntl.LOCK_SH)
    finally:
        os.close(file)


def _locked(file: int, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def sweep(home: Path) -> None:
    """Remove what hooks left behind that were killed while they wrote."""
    for path in spool_of(home).glob(".*.partial"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > LEFT_OVER_SECONDS:
                path.unlink()
