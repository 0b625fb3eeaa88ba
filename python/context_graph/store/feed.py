"""What a committed event says: the rows that it changed, and what its note names."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from context_graph.models import Event
from context_graph.store.payload import Payload

__all__ = [
    "Change", "change_of", "changes_of", "is_emptied", "note_of", "noted_nodes", "read_changes", "written_rows",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """One changed row of one table.

    Attributes
    ----------
    table : str
        nodes, edges, vectors, goals, records, sessions, pairs or counters.
    key : tuple of str
        What names the row: the id of a node, edge, goal, record or session, (node id, space) of a vector, both ids of
        a pair.
    before, after : mapping or None
        Column to value, as SQLite keeps it. An insert has a whole row in `after` alone, a delete one in `before`
        alone; an update has in both only the columns that differ.
    """

    table: str
    key: tuple[str, ...]
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None

    @property
    def id(self) -> str:
        """The first part of the key: of a vector the node that has it, else the row's own id."""
        return self.key[0]

    @property
    def space(self) -> str | None:
        """Of a vector, its space; None of other rows."""
        return self.key[1] if self.table == "vectors" else None

    @property
    def inserted(self) -> bool:
        return self.before is None

    @property
    def deleted(self) -> bool:
        return self.after is None

    @property
    def columns(self) -> Collection[str]:
        """The columns that it writes; none of a deleted row."""
        return () if self.after is None else self.after.keys()

    def concerns(self, column: str) -> bool:
        """Whether the row has gone, or this column is written."""
        return self.after is None or column in self.after


def read_changes(records: Iterable[Mapping[str, Any]], tables: Sequence[str] = ()) -> tuple[Change, ...]:
    """Changes from their JSON form, in their order; of these tables alone where any is named."""
    return tuple(
        Change(record["table"], tuple(record["key"]), record["before"], record["after"])
        for record in records
        if not tables or record["table"] in tables
    )


def changes_of(event: Event, *tables: str) -> tuple[Change, ...]:
    """What an event changed, in the order of the writes; nothing where its content was purged.

    Parameters
    ----------
    tables : str
        Only changes of these; by default of all.
    """
    return read_changes((event.payload or {}).get("changes", ()), tables)


def change_of(event: Event, table: str, id: str) -> Change | None:
    """What an event changed first of one row; None where nothing, or where its content was purged."""
    if isinstance(event.payload, Payload):
        record = event.payload.record(table, id)
        return None if record is None else read_changes([record])[0]
    return next((change for change in changes_of(event, table) if change.id == id), None)


def written_rows(event: Event, *tables: str) -> Iterator[tuple[str, Change | None]]:
    """Of each changed row of these tables, in the order of the writes, its table and how it changed: None for a row
    that was inserted, whose columns nobody asks for here. Where the content is not parsed yet, the first insert into
    each table stands for all.
    """
    if isinstance(event.payload, Payload):
        for table, record in event.payload.records(tables):
            yield table, None if record is None else read_changes([record])[0]
    else:
        yield from ((change.table, None if change.inserted else change) for change in changes_of(event, *tables))


def is_emptied(event: Event) -> bool:
    """Whether a later purge took the content of an event away; `Store.residue` has what is left of it."""
    return event.payload is None


def note_of(event: Event) -> Mapping[str, Any]:
    """What its writer noted of an event, as it stands in the log; empty where its content was purged."""
    note: Mapping[str, Any] = (event.payload or {}).get("note", {})
    return note


def noted_nodes(event: Event, role: str = "nodes") -> tuple[str, ...]:
    """Ids of the nodes that an event names as those it is about, or in another role, such as "reinforced"."""
    return tuple(note_of(event).get(role, ()))
