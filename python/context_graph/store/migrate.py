"""From one format of the store file to the next, in one transaction."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw

from context_graph.store.connection import connect, format_of, waiting
from context_graph.store.schema import FORMAT

__all__ = ["STEPS", "migrate"]


def _derivations(connection: apsw.Connection) -> None:
    connection.execute("ALTER TABLE nodes ADD COLUMN derived_from TEXT")


STEPS: dict[int, Callable[[apsw.Connection], None]] = {1: _derivations}
"""What leads from a format to the next; events stay as they were written, so old hashes hold."""


def migrate(path: Path) -> None:
    """Bring a store file to the present format; all or nothing, and nothing where another process was first."""
    with closing(connect(path)) as connection:
        waiting(lambda: connection.execute("BEGIN IMMEDIATE"))
        for step in range(format_of(connection) or FORMAT, FORMAT):
            STEPS[step](connection)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT),))
        connection.execute("COMMIT")
