"""All that is asked of the store, the same inside a transaction and outside."""

from collections.abc import Iterator

from context_graph.models import Goal, NodeState, Record, Scope
from context_graph.store.ports import Kind
from context_graph.store.sqlite.queries.base import BATCH
from context_graph.store.sqlite.queries.edges import EdgeQueries
from context_graph.store.sqlite.queries.events import EventQueries
from context_graph.store.sqlite.queries.nodes import NodeQueries
from context_graph.store.sqlite.queries.sessions import SessionQueries
from context_graph.store.sqlite.queries.vectors import VectorQueries
from context_graph.store.sqlite.rows import TABLES, Value, decode, table_of_kind

__all__ = ["Queries"]

SCANNED_BY = {
    "nodes": "ordinal IS NULL, ordinal, id",
    "edges": "id",
    "goals": "created_at, id",
    "records": "created_at, id",
    "sessions": "id",
    "pairs": "first, second",
}


class Queries(NodeQueries, SessionQueries, EdgeQueries, VectorQueries, EventQueries):
    """What a store, a snapshot and a transaction answer."""

    def goals(self) -> list[Goal]:
        """All goals, oldest first."""
        table = TABLES["goals"]
        return [decode(table, row) for row in self._rows(f"{table.select} ORDER BY created_at, id")]

    def records(self, kind: str) -> list[Record]:
        """The records of a kind, in every state, oldest first."""
        table = TABLES["records"]
        rows = self._rows(f"{table.select} WHERE kind = ? ORDER BY created_at, id", (kind,))
        return [decode(table, row) for row in rows]

    def record(self, id: str) -> Record | None:
        """The record of an id, in any state."""
        table = TABLES["records"]
        rows = self._rows(f"{table.select} WHERE id = ?", (id,))
        return decode(table, rows[0]) if rows else None

    def namesake(self, record: Record) -> Record | None:
        """The other live record that has the name of this one among those who share its scope."""
        table = TABLES["records"]
        condition = "kind = ? AND name = ? AND scope = ? AND state = ? AND id <> ?"
        values: list[Value] = [record.kind, record.name, record.scope, NodeState.LIVE, record.id]
        if record.scope != Scope.USER:
            condition, values = f"{condition} AND session_id = ?", [*values, record.session_id]
        if record.scope == Scope.CONTEXT:
            condition, values = f"{condition} AND context_id IS ?", [*values, record.context_id]
        rows = self._rows(f"{table.select} WHERE {condition} LIMIT 1", values)
        return decode(table, rows[0]) if rows else None

    def scan(self, kind: type[Kind]) -> Iterator[list[Kind]]:
        """All nodes, edges, goals, records, sessions or pairs, in pages; memories come first, as they were stored."""
        table, offset = table_of_kind(kind), 0
        while rows := self._rows(f"{table.select} ORDER BY {SCANNED_BY[table.name]} LIMIT {BATCH} OFFSET {offset}"):
            yield [decode(table, row) for row in rows]
            offset += BATCH
