"""Residue: what purged events changed in rows that remain, kept in the payload of the purge for replay."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apsw

from context_graph.store.sqlite.changes import ChangeRecord
from context_graph.store.sqlite.log_search import AMONG, PAYLOADS, payloads
from context_graph.store.sqlite.logged_changes import LoggedChange, LoggedPayload, read_payload
from context_graph.store.sqlite.queries import Queries
from context_graph.store.sqlite.undo import REVERSIBLE

__all__ = ["COUNTED", "left_of", "purges", "residue_at", "residue_of", "rows_counted", "summed"]

PURGES = "type = 'purge'"

COUNTED = {
    "nodes": {"access_count", "last_accessed"},
    "edges": {"access_count", "last_accessed"},
    "pairs": {"count", "last_seen"},
    "sessions": {"agent_id", "last_seen", "state"},
}
"""What reads change. Of purged counts only the last stays, so before it these columns lead to no exact before-image."""


def residue_of(connection: apsw.Connection) -> dict[int, list[LoggedChange]]:
    """What purged events changed in rows that remain, by their sequence number."""
    found: dict[int, list[LoggedChange]] = {}
    for _, body in connection.execute(f"{PAYLOADS} AND {PURGES}"):
        found.update({int(seq): changes for seq, changes in read_payload(bytes(body)).residue.items()})
    return found


def residue_at(queries: Queries, seq: int) -> list[ChangeRecord]:
    """What one purged event changed in rows that remain."""
    for _, payload in purges(queries, [f'"{seq}":']):
        if str(seq) in payload.residue:
            return [change.parsed() for change in payload.residue[str(seq)]]
    return []


def left_of(queries: Queries, seq: int) -> dict[str, Any] | None:
    """The payload of a purged event as far as undo may take it back; None where nothing of it is left."""
    changes = residue_at(queries, seq)
    return {"changes": changes} if any(change["table"] in REVERSIBLE for change in changes) else None


def purges(queries: Queries, among: Iterable[str]) -> Iterator[tuple[int, LoggedPayload]]:
    """Purges that hold any of some texts, and their payloads."""
    pieces = [text.encode() for text in among]
    for seq, body in payloads(queries, PURGES):
        if any(piece in body for piece in pieces):
            yield seq, read_payload(body)


def summed(connection: apsw.Connection, residue: dict[str, list[LoggedChange]]) -> dict[str, list[LoggedChange]]:
    """A residue without the counts that later counts of the same row in it replace.

    What is read often stands in nearly every event of counted reads, and would be carried from purge to purge.
    """
    replaced: dict[tuple[str, ...], set[str]] = {}
    remaining = dict(residue)
    for seq in sorted(_counts_of_reads(connection, residue), reverse=True):
        changes = []
        for change in residue[str(seq)]:
            record = change.parsed()
            if record["before"] and record["after"]:  # an insert stays: what comes after needs the row
                later = replaced.setdefault((change.table, *change.key), set())
                if later.issuperset(record["after"]):
                    continue
                later.update(record["after"])
            changes.append(change)
        remaining[str(seq)] = changes
    return remaining


def rows_counted(connection: apsw.Connection, residue: Mapping[int, list[LoggedChange]]) -> set[tuple[str, ...]]:
    """Table and key of the rows whose counts a residue holds no longer one by one."""
    counts = _counts_of_reads(connection, residue)
    return {(change.table, *change.key) for seq in counts for change in residue[seq]}


def _counts_of_reads(connection: apsw.Connection, seqs: Iterable[str | int]) -> list[int]:
    given = json.dumps([int(seq) for seq in seqs])
    return [
        seq for (seq,) in connection.execute(f"SELECT seq FROM events WHERE type = 'effects' AND seq {AMONG}", (given,))
    ]
