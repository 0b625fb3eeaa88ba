"""Copies of a store file, made and put back while servers read and write it."""

import os
import secrets
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import apsw

from context_graph.errors import StoreError
from context_graph.store.files import make_folder, synchronise
from context_graph.store.sqlite.connection import connect, translated, waiting

__all__ = ["DAMAGED", "backups", "place", "replace_all", "save", "set_aside"]

FOLDER = "backups"
DAMAGED = ".damaged-"
"""Stands between the name of a store that was found damaged, and the time at which a backup took its place."""


def place(home: Path, kind: str, now: int) -> Path:
    """Where a backup of this kind and moment goes; the name is free, and sorts by time."""
    stamp = datetime.fromtimestamp(now / 1_000_000, UTC).strftime("%Y%m%dT%H%M%SZ")
    wanted = home / FOLDER / f"{stamp}-{kind}.sqlite3"
    number = 1
    while wanted.exists():
        number += 1
        wanted = wanted.with_name(f"{stamp}-{kind}-{number}.sqlite3")
    return wanted


def backups(home: Path) -> list[Path]:
    """The backups inside a home directory, oldest first."""
    return sorted((home / FOLDER).glob("*.sqlite3"))


def set_aside(home: Path) -> list[Path]:
    """Damaged stores that were kept when a backup took their place, with what SQLite had beside them; oldest first."""
    return sorted(home.glob(f"*.sqlite3{DAMAGED}*"))


def save(path: Path, target: Path, *, unchanging: bool = False) -> None:
    """Copy the store as it is at this moment; writers go on meanwhile.

    The copy appears whole or not at all, on the disk before this returns, readable by its owner alone, and
    without the pages that deleted rows have left.

    Parameters
    ----------
    unchanging : bool
        Whether nobody can write the store meanwhile; see `connect`.

    Raises
    ------
    StoreError
        The file exists already, or cannot be written.
    """
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        make_folder(target.parent)
        if target.exists():
            raise StoreError(f"{target} exists already, and a backup never replaces a file; choose another name")
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            with translated(path), closing(connect(path, unchanging=unchanging)) as connection:
                waiting(lambda: connection.execute("VACUUM INTO ?", (str(partial),)))
            synchronise(partial)
            os.link(partial, target)  # unlike a rename, never over a file that came between
        finally:
            with suppress(FileNotFoundError):
                partial.unlink()
        synchronise(target.parent)
    except OSError as error:
        advice = "make that folder writable" if target.parent.name == FOLDER else "choose another place"
        raise StoreError(f"no backup was written to {target}: {error}; {advice}") from error


def replace_all(connection: apsw.Connection, name: str) -> None:
    """Fill every table from the attached store of this name; call inside a transaction.

    Row by row, because SQLite's own way of copying a file takes the lock only once the copy begins: what another
    process wrote between the last backup and then would be lost.
    """
    tables = [table for (table,) in connection.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'")]
    for table in tables:
        columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
        connection.execute(f"DELETE FROM main.{table}")
        connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM {name}.{table}")
