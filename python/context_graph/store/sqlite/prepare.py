"""What happens to a store file before anything else: it is made, checked, or brought to the present format."""

import os
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import apsw

from context_graph.errors import FormatTooNew, StoreCorrupt, StoreError
from context_graph.store import last
from context_graph.store.files import make_folder
from context_graph.store.sqlite import backup, migrate
from context_graph.store.sqlite.connection import connect, format_of, sqlite_status, translated, waiting
from context_graph.store.sqlite.schema import FORMAT, LOG, PROJECTIONS, UNUSED

__all__ = ["NAME", "Prepared", "format_at", "has_store", "prepare", "prepared", "refuse_lost"]

NAME = "graph.sqlite3"
EFFECTIVE = os.access in os.supports_effective_ids

MAKING_SECONDS = 1.0
"""How long a file may be empty while another process makes it."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A store file that can be opened.

    Attributes
    ----------
    unwritable : str
        Why it can only be read; empty where it can be written.
    unchanging : bool
        Of one that can only be read, whether it must be read without the files of its write-ahead log.
    """

    path: Path
    unwritable: str = ""
    unchanging: bool = False


def prepare(home: Path, *, now: int) -> Prepared:
    """Create or check the store file of `home`; both are readable by their owner alone.

    A file of an older format is copied to `backups/` and then migrated; one of a newer format is left alone.

    Parameters
    ----------
    now : int
        Microseconds; names the backup.

    Raises
    ------
    StoreError
        The folder cannot be made or written.
    StoreCorrupt
        The file is empty or gone, and a memory was in it.
    """
    path = home / NAME
    refuse_lost(home)
    try:
        make_folder(home)
        if path.exists() or not any(home.iterdir()):
            home.chmod(0o700)  # an existing directory that holds other things keeps its mode
        _make(path)
    except OSError as error:
        if _readable(path):
            return _to_be_read(path, _in_words(error, home))
        why = _in_words(error, home)
        raise StoreError(f"expected a writable directory at {home}, got: {why}; choose another home") from error
    with translated(path):
        found = waiting(lambda: _prepare(path))  # changing the journal mode does not wait for the busy handler
        if found < FORMAT:
            backup.save(path, backup.place(home, f"format-{found}", now))
            migrate.migrate(path)
    return Prepared(path)


def _in_words(error: OSError, home: Path) -> str:
    """Why a home cannot be written, without the number of the error and the path that are named beside it."""
    file = next((path for path in (home, *home.parents) if path.is_file()), None)
    if file is not None:
        return "it is a file" if file == home else f"{file} is a file"
    return error.strerror or str(error)


def has_store(home: Path) -> bool:
    """Whether a home directory has a store file, sound or not; nothing is made."""
    try:
        os.lstat(home / NAME)
    except FileNotFoundError:
        return False
    except OSError:  # opening it says why it cannot be looked at
        pass
    return True


def refuse_lost(home: Path) -> None:
    """See that a store that is empty or not there never held a memory: no empty one begins in the place of another.

    A file of 0 bytes is a new one, and a process that ended before it wrote leaves it so; one that held a memory was
    truncated. To SQLite both are an empty store, and it deletes the write-ahead log of the second.

    Raises
    ------
    StoreCorrupt
        What lies beside it says that a memory was in it.
    """
    path = home / NAME
    if not _holds_nothing(path):
        return
    signs = _signs_of_memory(path)
    deadline = monotonic() + MAKING_SECONDS  # another process may be making it, beside what a former store left
    while signs and _holds_nothing(path):
        if monotonic() > deadline:
            raise StoreCorrupt(_lost(path, signs))
        sleep(0.01)


def _lost(path: Path, signs: list[str]) -> str:
    """What happened to a store that held a memory, and what to do."""
    empty = _is_empty(path)
    what = "has 0 bytes" if empty else "is gone"
    fate = "it was truncated, and was left untouched" if empty else "it was removed, or did not come along in a copy"
    away = " and ".join([*([path.name] if empty else []), *signs])
    return (
        f"{path} {what}, and {signs[0]} beside it says that a memory was in it: {fate}. context-graph restore lists "
        f"the backups, context-graph restore FILE puts one in its place; to begin an empty memory, move {away} away"
    )


def _signs_of_memory(path: Path) -> list[str]:
    """What lies beside a store that was written to."""
    log = path.with_name(f"{path.name}-wal")
    signs = {
        last.NAME: last.noted(path.parent) is not None,
        log.name: log.is_file() and not _is_empty(log),
        backup.FOLDER: bool(backup.backups(path.parent)),
    }
    return [name for name, there in signs.items() if there]


def _holds_nothing(path: Path) -> bool:
    return _is_empty(path) or not os.path.lexists(path)


def _is_empty(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size == 0
    except OSError:
        return False


def _readable(path: Path) -> bool:
    """Whether there is a store, this user's own or in this very folder, that may be read."""
    try:
        ours = not path.is_symlink() or path.stat().st_uid == os.geteuid()
        return ours and path.is_file() and path.stat().st_size > 0 and os.access(path, os.R_OK, effective_ids=EFFECTIVE)
    except OSError:
        return False


def _to_be_read(path: Path, why: str) -> Prepared:
    """A store on a disk that cannot be written: beside a write-ahead log, SQLite wants a file that it cannot make."""
    log = path.with_name(f"{path.name}-wal")
    with translated(path):
        for unchanging in (False, True):
            try:
                with closing(connect(path, read_only=True, unchanging=unchanging)) as connection:
                    version = _known(connection, path)
                break
            except (apsw.CantOpenError, apsw.ReadOnlyError) as error:
                if unchanging or (log.exists() and log.stat().st_size > 0):
                    raise StoreError(
                        f"{path} cannot be written ({why}), and its last writes lie in {log.name}, which cannot be "
                        "read so; make the disk writable, or copy the folder and name the copy as home"
                    ) from error
    if version != FORMAT:
        raise StoreError(
            f"{path} cannot be written ({why}) and has format {version}, which must be brought to format {FORMAT} "
            "first; make the disk writable, or copy the folder and name the copy as home"
        )
    return Prepared(path, why, unchanging)


def _make(path: Path) -> None:
    """Create the file where there is none, with the mode that -wal and -shm take from it.

    One that exists is not opened: closing any descriptor of a file drops all locks that this process has on it, also
    those of another open store, and other processes would then believe that it is closed.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    if not path.is_file() or not os.access(path, os.R_OK | os.W_OK, effective_ids=EFFECTIVE):
        raise PermissionError(f"{path.name} is no file that can be read and written")
    if path.is_symlink() and path.stat().st_uid != os.geteuid():
        raise PermissionError(f"{path} is a link to a file of another user; link the folder, or copy the file here")
    path.chmod(0o600)


def format_at(home: Path) -> int | None:
    """The format of the store in a home directory, which stays as it is; None where there is no store."""
    path = home / NAME
    refuse_lost(home)
    if not path.is_file() or not path.stat().st_size:
        return None
    with translated(path), closing(connect(path, read_only=True)) as connection:
        return format_of(connection)


def prepared(copy: Path, source: Path) -> None:
    """Bring a copy of a store to the present format; the file it was copied from is its backup.

    Parameters
    ----------
    source : Path
        That file, which an error names.

    Raises
    ------
    StoreError
        The copy is no store of this package.
    """
    with closing(connect(copy)) as connection:
        if _known(connection, source) is None:
            raise StoreError(f"expected a backup made by context-graph backup, {source} is empty; choose another file")
    migrate.migrate(copy)


def _prepare(path: Path) -> int:
    """Make the tables where there are none; returns the format of the file."""
    with closing(connect(path)) as connection:
        version = _known(connection, path)
        mode = sqlite_status().journal_mode
        if connection.execute("PRAGMA journal_mode").fetchone() != (mode,):
            connection.execute(f"PRAGMA journal_mode = {mode}")
        if version is None:
            connection.execute("BEGIN IMMEDIATE")
            version = _known(connection, path)  # another process may have been first
            if version is None:
                connection.execute(LOG + PROJECTIONS)
                connection.execute("INSERT INTO meta VALUES ('format', ?)", (str(FORMAT),))
                version = FORMAT
            connection.execute("COMMIT")
        elif version == FORMAT:
            connection.execute(UNUSED)
        return version


def _known(connection: apsw.Connection, path: Path) -> int | None:
    found = format_of(connection)
    if found is not None and found > FORMAT:
        raise FormatTooNew(
            f"{path} has format {found}, this version reads up to {FORMAT}; upgrade ultimate-context-graph"
        )
    return found
