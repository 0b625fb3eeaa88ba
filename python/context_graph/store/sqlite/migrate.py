"""From one format of the store file to the next, in one transaction."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw

from context_graph.names import name_key
from context_graph.store.sqlite.connection import connect, format_of, waiting
from context_graph.store.sqlite.schema import FORMAT, RECORDS

__all__ = ["STEPS", "migrate"]


def _derivations(connection: apsw.Connection) -> None:
    connection.execute("ALTER TABLE nodes ADD COLUMN derived_from TEXT")


def _spellings(connection: apsw.Connection) -> None:
    """Concepts are looked up by the key under which names are met in texts: hyphens and apostrophes do not count."""
    concepts = connection.execute("SELECT id, name, metadata FROM nodes WHERE name_key IS NOT NULL").fetchall()
    for id, name, metadata in concepts:
        named = json.loads(str(metadata)).get("name_key")
        key = name_key(named if isinstance(named, str) else name)
        connection.execute("UPDATE nodes SET name_key = ? WHERE id = ?", (key, id))


def _authors(connection: apsw.Connection) -> None:
    connection.execute("ALTER TABLE events ADD COLUMN author_salt BLOB")
    connection.execute("ALTER TABLE events ADD COLUMN author_hash TEXT")


def _records(connection: apsw.Connection) -> None:
    connection.execute(RECORDS)


STEPS: dict[int, Callable[[apsw.Connection], None]] = {1: _derivations, 2: _spellings, 3: _authors, 4: _records}
"""What leads from a format to the next; events stay as they were written, so old hashes hold."""


def migrate(path: Path) -> None:
    """Bring a store file to the present format; all or nothing, and nothing where another process was first."""
    with closing(connect(path)) as connection:
        waiting(lambda: connection.execute("BEGIN IMMEDIATE"))
        for step in range(format_of(connection) or FORMAT, FORMAT):
            STEPS[step](connection)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT),))
        connection.execute("COMMIT")
