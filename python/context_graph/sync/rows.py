"""Between entries and rows: what was received becomes a row only where a line of an export might have said it."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from context_graph.connectors.jsonl.format import read
from context_graph.errors import InvalidInput
from context_graph.models import Edge, Goal, Node, NodeKind, Record
from context_graph.sync.batch import Entry
from context_graph.sync.outgoing import SHARED_RECORDS

if TYPE_CHECKING:
    from context_graph.store import Transaction

__all__ = ["Item", "checked_row", "new_row", "rows_here"]

Item = Node | Edge | Goal | Record

LINE = {"nodes": "node", "edges": "edge", "goals": "goal", "records": "record"}
"""By table, what a line of an export calls a row of it."""


def checked_row(table: str, columns: dict[str, Any]) -> Item:
    """A row of untrusted columns.

    Raises
    ------
    InvalidInput
        A column holds what none of such a row can.
    """
    if table == "records" and columns.get("kind") not in SHARED_RECORDS:
        raise InvalidInput(f"records of the kind {columns.get('kind')!r:.40} stay on their machine")
    ordinal = columns.get("ordinal")
    line = {"type": LINE[table], **columns}
    if table == "nodes":
        line["ordinal"] = 0 if columns.get("kind") == NodeKind.MEMORY else None
    item = read(line)
    assert isinstance(item, Node | Edge | Goal | Record)
    return replace(item, ordinal=ordinal) if isinstance(item, Node) else item


def new_row(entry: Entry) -> Item:
    """The row that a whole entry stands for; a memory has no ordinal yet."""
    columns = entry.columns | entry.birth | {"id": entry.id}
    if entry.table in ("nodes", "edges"):
        columns["last_accessed"] = columns["created_at"]
    return checked_row(entry.table, columns)


def rows_here(tx: "Transaction", table: str, ids: Collection[str]) -> Iterable[Item]:
    """Those of some rows that there are."""
    if table == "nodes":
        return tx.nodes(ids)
    if table == "edges":
        return tx.edges_of_ids(ids)
    if table == "goals":
        return [goal for goal in tx.goals() if goal.id in ids]
    return [record for kind in SHARED_RECORDS for record in tx.records(kind) if record.id in ids]
