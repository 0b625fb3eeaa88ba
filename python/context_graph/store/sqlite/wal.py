"""Moves what the write-ahead log holds into the store, beside whoever writes."""

import threading
from contextlib import closing
from pathlib import Path

import apsw

__all__ = ["LOG_PAGES", "MAX_LOG_PAGES", "WalCheckpoints"]

LOG_PAGES = 4_000
"""16 MB of log, from which on it is moved; SQLite's own 4 MB cost more in all, as a page is written many times."""

MAX_LOG_PAGES = 4 * LOG_PAGES
"""From which on the writer does it itself and waits: readers of old pages, or a slow disk, let the log grow to here."""


class WalCheckpoints:
    """A thread that moves the log, which begins with the first one that is long.

    A commit that did it itself would wait for a pass over the log and two more calls of fsync. It is as safe: what is
    committed stands in the log, on the disk, until it stands in the store, on the disk too.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wanted, self._closed = threading.Event(), False
        self._thread: threading.Thread | None = None

    def watch(self, connection: apsw.Connection) -> None:
        """Hear of the commits of a connection, in the place of SQLite's own checkpoints."""
        connection.set_wal_hook(self._committed)

    def _committed(self, connection: apsw.Connection, name: str, pages: int) -> int:
        if pages >= MAX_LOG_PAGES:
            self._move(connection)
        elif pages >= LOG_PAGES:
            self._begin()
            self._wanted.set()
        return apsw.SQLITE_OK

    def _begin(self) -> None:
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="context-graph-wal", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # there may be no more threads: what was committed is, and the writer moves the log
                return
            self._thread = thread

    def _run(self) -> None:
        while self._wanted.wait() and not self._closed:
            self._wanted.clear()
            try:
                with closing(apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
                    connection.execute("PRAGMA synchronous = EXTRA")
                    self._move(connection)
            except apsw.Error:  # the file is locked, or gone: the next long log asks again
                continue

    def _move(self, connection: apsw.Connection) -> None:
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.Error:  # as SQLite, which tries again after another commit: the log holds everything
            return

    def close(self) -> None:
        """End the thread, once it has done what it is at."""
        self._closed = True
        self._wanted.set()
        if self._thread is not None:
            self._thread.join()
