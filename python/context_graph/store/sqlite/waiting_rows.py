"""New rows of a write that go into their tables together, when something asks for these or the write ends."""

from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import Any

import apsw

from context_graph.models import Node
from context_graph.store.sqlite.rows import TABLES, Row, Value, decode

__all__ = ["ORDINAL", "WAITING", "WaitingRows"]

WAITING = {
    "blobs": "INSERT OR IGNORE INTO blobs VALUES (?, ?)",
    "vectors": TABLES["vectors"].insert,
    "edges": TABLES["edges"].insert,
    "nodes": TABLES["nodes"].insert,
}
"""Tables whose new rows wait, and how these are inserted."""

KEYS = {"vectors": itemgetter(0, 1), "edges": itemgetter(0)}
"""By what the rows go in: what is near in the index is then written together."""

ORDINAL = ("counters", ("ordinal",))
"""Table and key of the row that says which ordinal the next memory takes."""

NODES = TABLES["nodes"]
SESSION, PLACE, NAME = (NODES.columns.index(column) for column in ("session_id", "ordinal", "name_key"))

Tuples = list[Sequence[Value | bytes]]


class WaitingRows:
    """All of a write go in at once, and no savepoint keeps a copy of the pages that they change.

    Attributes
    ----------
    ordinal : dict or None
        The row of `ORDINAL`, where it has changed and was not written yet.
    """

    def __init__(self) -> None:
        self._rows: dict[str, Tuples] = {table: [] for table in WAITING}
        self.ordinal: Row | None = None

    def add(self, table: str, rows: Sequence[Sequence[Value | bytes]]) -> None:
        """Have rows wait: all columns of each, in their order."""
        self._rows[table] += rows

    def concern(self, sql: str) -> bool:
        """Whether a statement may ask for a table of which rows wait."""
        of_ordinal = self.ordinal is not None and ORDINAL[0] in sql
        return of_ordinal or any(rows and table in sql for table, rows in self._rows.items())

    def write(self, connection: apsw.Connection) -> None:
        """Bring all of them into their tables."""
        for table, rows in self._rows.items():
            if rows:
                if table in KEYS:
                    rows.sort(key=KEYS[table])
                connection.executemany(WAITING[table], rows)
                rows.clear()
        if self.ordinal is not None:
            connection.execute("INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)", [*self.ordinal.values()])
            self.ordinal = None

    def __bool__(self) -> bool:
        return self.ordinal is not None or any(self._rows.values())

    def copy(self) -> dict[str, Tuples]:
        """What waits now, for `restore`."""
        return {table: rows.copy() for table, rows in self._rows.items()}

    def restore(self, rows: dict[str, Tuples], ordinal: Row | None) -> None:
        """Have the rows of a `copy` wait, and no others."""
        self._rows, self.ordinal = rows, ordinal

    def has_memory_of(self, session_id: str) -> bool:
        """Whether a memory of a session waits."""
        return any(row[SESSION] == session_id and row[PLACE] is not None for row in self._rows["nodes"])

    def concepts(self, name_keys: Collection[str]) -> list[Node]:
        """The concepts of some names that wait."""
        rows: list[Any] = [row for row in self._rows["nodes"] if row[NAME] in name_keys]
        return [decode(NODES, row) for row in rows]
