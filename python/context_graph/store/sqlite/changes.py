"""Row changes, and the one function that folds them into tables.

A change is a JSON object ``{"table", "key", "before", "after"}``. An insert has `before` null and a whole
row in `after`; a delete the reverse; an update names in both only the columns that differ. Writing, undo,
replay and catching up with another process all fold the same changes.
"""

from collections.abc import Container, Iterable
from typing import Any, TypedDict

import apsw

from context_graph.errors import StoreCorrupt
from context_graph.store.sqlite.rows import TABLES, Row, Value, completed

__all__ = ["ChangeRecord", "change_between", "fold", "touched_by"]


class ChangeRecord(TypedDict):
    table: str
    key: list[str]
    before: Row | None
    after: Row | None


def change_between(table: str, key: Iterable[str], before: Row | None, after: Row | None) -> ChangeRecord | None:
    """The change that leads from one row to another; None where they are equal."""
    if before == after:
        return None
    if before is not None and after is not None:
        differing = [column for column in after if before[column] != after[column]]
        before, after = {c: before[c] for c in differing}, {c: after[c] for c in differing}
    return {"table": table, "key": list(key), "before": before, "after": after}


def fold(
    connection: apsw.Connection,
    change: ChangeRecord,
    *,
    whole: bool = False,
    check: bool = False,
    unchecked: Container[str] = (),
) -> None:
    """Bring a change into its table.

    Parameters
    ----------
    whole : bool
        An inserted row has all its columns as they are written today, in their order: it comes from `encode`.
    check : bool
        Compare the before-image with the row first, as replay does; a difference is `StoreCorrupt`.
    unchecked : collection of str
        Columns that are not compared.

    Raises
    ------
    StoreCorrupt
        The row is not what the change says it was before.
    """
    table, before, after = TABLES[change["table"]], change["before"], change["after"]
    key: list[Value] = list(change["key"])
    if check:
        named = dict(zip(table.key, key, strict=True))
        columns = [column for column in before or () if column not in unchecked] or list(table.key)
        found = connection.execute(f"SELECT {', '.join(columns)} FROM {table.name} WHERE {table.where}", key).fetchone()
        expected = None if before is None else tuple((before | named)[column] for column in columns)
        if found != expected:
            raise StoreCorrupt(f"{table.name} {'/'.join(change['key'])} is not what the event says it was before")
    if after is None:
        connection.execute(table.delete, key)
    elif before is None:
        connection.execute(table.insert, list((after if whole else completed(table, after)).values()))
    else:
        assignments = ", ".join(f"{column} = ?" for column in after)
        connection.execute(f"UPDATE {table.name} SET {assignments} WHERE {table.where}", [*after.values(), *key])
    if connection.changes() != 1:
        raise StoreCorrupt(f"{table.name} {'/'.join(change['key'])} was expected to be there and is not")


def touched_by(table: str, key: tuple[str, ...], row: Row) -> list[Any]:
    """The ids under which lineage finds a change of this (whole) row."""
    if table == "edges":
        return [key[0], row["source"], row["target"]]
    if table in ("nodes", "goals", "records"):
        return [key[0]]
    if table == "vectors":
        return [key[0]]
    return list(key) if table == "pairs" else []
