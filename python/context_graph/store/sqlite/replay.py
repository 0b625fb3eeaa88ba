"""Replay: the tables of a store, made from its events alone."""

from typing import Any

import apsw

from context_graph.errors import StoreCorrupt
from context_graph.store.sqlite.changes import ChangeRecord, fold, touched_by
from context_graph.store.sqlite.logged_changes import LoggedPayload, read_payload
from context_graph.store.sqlite.residue import COUNTED, residue_of, rows_counted
from context_graph.store.sqlite.rows import TABLES
from context_graph.store.sqlite.schema import PROJECTIONS

__all__ = ["rebuild", "replay"]


def replay(source: apsw.Connection, copy: apsw.Connection, unlisted: list[str]) -> tuple[int | None, str]:
    """Fold all events of `source` into the empty `copy`; returns where and why that failed, or (None, '').

    Parameters
    ----------
    unlisted : list of str
        Is given the changes that the index of events by row does not list: lineage and purge would miss them.
    """
    copy.execute(PROJECTIONS)
    residue = residue_of(source)
    counted = rows_counted(source, residue)
    for seq, body in source.execute("SELECT seq, payload FROM events ORDER BY seq"):
        if body is None and seq not in residue:
            return seq, "the payload is missing, and no purge says that it was removed"
        try:
            payload = LoggedPayload(changes=residue[seq]) if body is None else read_payload(bytes(body))
            keys: set[Any] = _named(payload.head.get("note", {}))
            for change in (logged.parsed() for logged in payload.changes):
                keys |= _touched(copy, change)
                named = (change["table"], *change["key"])
                fold(copy, change, check=True, unchecked=COUNTED[named[0]] if named in counted else ())
                keys |= _touched(copy, change)
        except StoreCorrupt as error:
            return seq, str(error)
        except (apsw.Error, KeyError, TypeError, ValueError) as error:
            return seq, f"the changes cannot be folded: {error!r}"
        for key in sorted(keys, key=str):
            if not source.execute("SELECT 1 FROM touched WHERE key = ? AND seq = ?", (key, seq)).fetchall():
                unlisted.append(f"touched: event {seq} is not listed under {key}")
    return None, ""


def rebuild(connection: apsw.Connection) -> None:
    """Empty the tables and fold all events into them again; call inside a transaction.

    Raises
    ------
    StoreCorrupt
        An event cannot be replayed; the tables stay as they were.
    """
    for table in TABLES:
        connection.execute(f"DELETE FROM {table}")
    seq, reason = replay(connection, connection, [])
    if seq is not None:
        raise StoreCorrupt(f"event {seq} cannot be replayed: {reason}; the tables were left as they are")


def _touched(copy: apsw.Connection, change: ChangeRecord) -> set[Any]:
    """Under which keys the index must list an event for this change, as the row is now."""
    table, key = change["table"], tuple(change["key"])
    if table != "edges":
        return set(touched_by(table, key, {}))
    ends = copy.execute("SELECT source, target FROM edges WHERE id = ?", key).fetchall()
    return set(touched_by(table, key, dict(zip(("source", "target"), ends[0], strict=True)))) if ends else set()


def _named(note: dict[str, Any]) -> set[Any]:
    """What an undo or a purge touches besides the rows it changes."""
    if note.get("operation") == "undo":
        return {note["undoes"]}
    return set(note.get("nodes", ())) if note.get("operation") == "purged" else set()
