"""Connections to the store file: how they are opened, shared between threads, and how they fail."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

import apsw

from context_graph.errors import (
    ContextGraphError,
    FormatTooNew,
    InvalidInput,
    Refused,
    StoreBusy,
    StoreCorrupt,
    StoreError,
)
from context_graph.locks import Rank, lock
from context_graph.store.sqlite.schema import FORMAT
from context_graph.store.sqlite.wal import LOG_PAGES, WalCheckpoints
from context_graph.store.sqlite.writability import is_same_file

__all__ = [
    "BUSY_MS", "NoWriteConnection", "Readers", "SqliteStatus", "Watcher", "WriteConnection", "connect", "emptied_log",
    "format_of", "rows_of", "sqlite_status", "translated", "waiting",
]  # fmt: skip

T = TypeVar("T")

BUSY_MS = 10_000
MAX_BUSY_MS = 30_000
"""How long a write waits while nothing is written, and how long where others write before it: on a machine with more
work than cores a writer loses its core with the lock in hand, and eight of them may take more than ten seconds."""

READER_CACHE_KIB, WRITER_CACHE_KIB = 2_000, 16_000
"""Pages that a connection keeps. Ids are random, so a write of many memories comes back to pages all over the tables:
with SQLite's own 2,000 it reads them again from the file."""

CHECKPOINT_TRIES, MOMENT_MS = 50, 50
"""How often the log is tried to be emptied at once, and how long each later attempt may keep writers waiting."""

LOOK_EVERY = 50
"""Attempts, about 0.2 s, between two looks for what others have written."""

KEPT_READERS = 8
"""Idle read connections that stay open; more are opened and closed as threads need them."""


@dataclass(frozen=True, slots=True)
class SqliteStatus:
    """Which SQLite is linked, and how far it may be trusted."""

    version: str
    wal_is_safe: bool
    journal_mode: str
    advice: str


def sqlite_status(version: str | None = None) -> SqliteStatus:
    """What doctor reports of the linked SQLite.

    From 3.7.0 to 3.51.2 two connections that write and checkpoint at once can lose committed pages of the
    write-ahead log (the WAL-reset race). Such versions get a rollback journal: slower, and nothing is lost.

    Examples
    --------
    >>> sqlite_status("3.40.1").journal_mode
    'delete'
    """
    version = version or apsw.sqlite_lib_version()
    number = tuple(int(part) for part in version.split(".")[:3])
    repaired = ((3, 44, 6), (3, 50, 7))  # branches that received the repair
    safe = number >= (3, 51, 3) or any(number[:2] == fix[:2] and number >= fix for fix in repaired)
    advice = "" if safe else f"SQLite {version} may lose writes in WAL mode; install apsw >= 3.51.3 for faster writes"
    return SqliteStatus(version, safe, "wal" if safe else "delete", advice)


@contextmanager
def translated(path: Path | str = "the store") -> Iterator[None]:
    """Turn what SQLite raises into the errors of this package.

    Raises
    ------
    StoreBusy
        Another process kept the write lock.
    StoreCorrupt
        The file is damaged.
    StoreError
        SQLite refused for another reason, or the store is closed.
    """
    try:
        yield
    except ContextGraphError:
        raise
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreBusy(
            f"expected the write lock of {path} within {BUSY_MS // 1000} s of the last write of others, and "
            f"{MAX_BUSY_MS // 1000} s in all; another process kept it; try again"
        ) from error
    except apsw.ConnectionClosedError as error:
        raise StoreError(f"the store {path} is closed; open it again") from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreCorrupt(
            f"{path} is damaged ({error}); it was left untouched. context-graph restore lists the backups, "
            "context-graph restore FILE puts one in its place and keeps the damaged file beside it"
        ) from error
    except UnicodeDecodeError as error:
        raise StoreCorrupt(
            f"{path} is damaged (a row holds bytes that are no text: {error.reason}); context-graph verify says where, "
            "context-graph replay makes the tables anew from the log"
        ) from error
    except apsw.Error as error:
        raise StoreError(f"{path}: {error}; nothing was written. Check free space and permissions") from error


def connect(path: Path, *, read_only: bool = False, unchanging: bool = False) -> apsw.Connection:
    """A connection with the settings that the promises of the store rest on.

    Parameters
    ----------
    unchanging : bool
        Read the file as it is, without the files beside it that a write-ahead log needs: nobody may write it meanwhile.
    """
    if unchanging:
        uri = f"{path.absolute().as_uri()}?immutable=1"
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    else:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_handler(_patience(path))
    for pragma in (
        # NORMAL loses acknowledged commits of the log at a power cut, FULL those of a rollback journal.
        "synchronous = EXTRA",
        "foreign_keys = ON",
        "trusted_schema = OFF",
        "cell_size_check = ON",
        "secure_delete = ON",
        f"wal_autocheckpoint = {LOG_PAGES}",
        "temp_store = MEMORY",  # sorted memories must not reach a temporary file
        f"query_only = {'ON' if read_only else 'OFF'}",
        f"cache_size = {-(READER_CACHE_KIB if read_only else WRITER_CACHE_KIB)}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _patience(path: Path) -> Callable[[int], bool]:
    """Waits for a lock in short steps: SQLite's own wait grows to 100 ms, and the late comers win."""
    begin = deadline = 0.0
    written: list[tuple[int, int]] = []

    def wait(attempt: int) -> bool:
        nonlocal begin, deadline, written
        if attempt == 0:
            begin, written = monotonic(), []
            deadline = begin + BUSY_MS / 1000
        elif attempt % LOOK_EVERY == 0 and written != (written := _written(path)):
            deadline = min(monotonic() + BUSY_MS / 1000, begin + MAX_BUSY_MS / 1000)
        sleep(0.001 if attempt < 20 else 0.004)
        return monotonic() < deadline

    return wait


def _written(path: Path) -> list[tuple[int, int]]:
    """Size and time of last change of a store and of its write-ahead log: they differ after a write."""
    states = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):  # the log comes and goes
            status = os.stat(file)
            states.append((status.st_size, status.st_mtime_ns))
    return states


def waiting(attempt: Callable[[], T]) -> T:
    """Try again while another connection is in the way: not everything in SQLite waits for the busy handler."""
    deadline = monotonic() + BUSY_MS / 1000
    while True:
        try:
            return attempt()
        except (apsw.BusyError, apsw.LockedError):
            if monotonic() > deadline:
                raise
            sleep(0.01)


def emptied_log(path: Path) -> bool:
    """Empty the write-ahead log, which still holds pages as they were; False where a reader keeps it for `BUSY_MS`.

    SQLite keeps writers out while it waits for readers here. So most of the log is taken into the store beside writers
    first, and what needs their lock is tried again rather than waited for, later for a moment.
    """
    deadline, attempt = monotonic() + BUSY_MS / 1000, 0
    with translated(path), closing(connect(path)) as connection:
        while True:
            connection.set_busy_timeout(0 if attempt < CHECKPOINT_TRIES else MOMENT_MS)
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            if not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]:
                return True
            if monotonic() > deadline:
                return False
            attempt += 1
            sleep(0.01)


def format_of(connection: apsw.Connection) -> int | None:
    """The number of a store's format; None in a file without tables.

    Raises
    ------
    StoreError
        The file holds other tables.
    """
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not names:
        return None
    found = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchall() if "meta" in names else []
    if not found or not str(found[0][0]).isdigit():
        raise StoreError("expected a store of context-graph, the file holds other tables; name another")
    return int(str(found[0][0]))


class WriteConnection:
    """The one connection that writes, for one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = lock(Rank.WRITER, "WriteConnection._lock")
        self._owner: int | None = None
        self._connection = connect(path)
        self._wal = WalCheckpoints(path)
        self._wal.watch(self._connection)
        self._file = os.stat(path)

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The connection, without a transaction.

        Raises
        ------
        Refused
            This thread has a write open.
        StoreBusy
            Another thread kept the writer.
        """
        if self._owner == threading.get_ident():
            raise Refused("this thread already has a write open; finish it before beginning another")
        if not self._lock.acquire(timeout=BUSY_MS / 1000):
            raise StoreBusy(f"another thread kept the writer of {self.path} for {BUSY_MS // 1000} s; try again")
        self._owner = threading.get_ident()
        try:
            with translated(self.path):
                yield self._connection
        finally:
            self._owner = None
            self._lock.release()

    @contextmanager
    def transaction(self, *, beside: Path | None = None) -> Iterator[apsw.Connection]:
        """All of the block, or nothing: also other readers see no part of it before the end.

        Parameters
        ----------
        beside : Path, optional
            Another store that the block may read under the name ``beside``.
        """
        with self.alone() as connection, _attached(connection, beside):
            try:
                connection.execute("BEGIN IMMEDIATE")  # a deferred one fails at once when its snapshot is old
                self._same_format(connection)
                yield connection
                self._same_file()  # what is committed to a deleted file is gone with this process
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _same_format(self, connection: apsw.Connection) -> None:
        found = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchall()
        if found != [(str(FORMAT),)]:  # a newer program has migrated the file under this one
            raise FormatTooNew(
                f"{self.path} has format {found[0][0] if found else 'none'} now, this process writes format {FORMAT}; "
                "upgrade ultimate-context-graph here and start it anew"
            )

    def _same_file(self) -> None:
        if not is_same_file(self.path, self._file):
            raise StoreError(
                f"{self.path} was deleted, moved or replaced while it was open; nothing was written. "
                "Put it back, or start this process anew"
            )

    def close(self) -> None:
        with self._lock:
            self._wal.close()
            self._connection.close()


class NoWriteConnection:
    """In the place of a writer where the file cannot be written.

    Parameters
    ----------
    why : str
        What the disk said.
    """

    def __init__(self, path: Path, why: str) -> None:
        self.path, self._why = path, why

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """Always refused.

        Raises
        ------
        StoreError
            Always: the store was opened for reading alone.
        """
        raise StoreError(
            f"{self.path} cannot be written ({self._why}), so it was opened for reading alone; nothing was written. "
            "Make its disk and folder writable and start anew, or copy the folder and name the copy as home"
        )
        yield

    @contextmanager
    def transaction(self, *, beside: Path | None = None) -> Iterator[apsw.Connection]:
        """Always refused."""
        with self.alone() as connection:
            yield connection

    def close(self) -> None:
        """Nothing is open."""


@contextmanager
def _attached(connection: apsw.Connection, path: Path | None) -> Iterator[None]:
    if path is None:
        yield
        return
    connection.execute("ATTACH ? AS beside", (str(path),))
    try:
        yield
    finally:
        connection.execute("DETACH beside")


class Readers:
    """A pool of connections that cannot write and never wait for the write lock."""

    def __init__(self, path: Path, *, unchanging: bool = False) -> None:
        self.path, self._unchanging = path, unchanging
        self._idle: list[apsw.Connection] = []
        self._closed = False

    @contextmanager
    def lend(self) -> Iterator[apsw.Connection]:
        """A connection for this thread alone, until the block ends.

        Raises
        ------
        StoreError
            The store is closed.
        """
        if self._closed:
            raise StoreError(f"the store {self.path} is closed; open it again")
        with translated(self.path):
            try:
                connection = self._idle.pop()  # list.pop and append are atomic
            except IndexError:
                connection = connect(self.path, read_only=True, unchanging=self._unchanging)
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if self._closed or len(self._idle) >= KEPT_READERS:
                    connection.close()
                else:
                    self._idle.append(connection)

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().close()


class Watcher:
    """A connection that only notices commits: SQLite counts those made through other connections."""

    def __init__(self, path: Path, *, unchanging: bool = False) -> None:
        self._path = path
        self._lock = lock(Rank.LEAF, "Watcher._lock")
        self._connection = connect(path, read_only=True, unchanging=unchanging)

    def version(self) -> int:
        """A number that differs from the last one when anything was committed between."""
        with self._lock, translated(self._path):
            return int(str(self._connection.execute("PRAGMA data_version").fetchall()[0][0]))

    def close(self) -> None:
        with self._lock:
            self._connection.close()


def rows_of(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """All rows at once: a statement left half read would keep its snapshot, and hold up the log.

    Raises
    ------
    InvalidInput
        A value is no valid Unicode, or no integer of 64 bits.
    """
    try:
        return connection.execute(sql, values).fetchall()
    except (UnicodeEncodeError, OverflowError) as error:
        raise InvalidInput(f"expected valid Unicode text and 64-bit integers, got: {error}") from error
