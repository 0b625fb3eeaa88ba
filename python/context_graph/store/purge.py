"""Purge: content leaves the tables, the log and the files, and the chain of hashes still verifies."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import apsw

from context_graph.errors import NodeNotFound
from context_graph.models import Event, NodeKind
from context_graph.store.rows import canonical
from context_graph.store.transaction import Transaction
from context_graph.store.undo import REVERSIBLE

__all__ = ["Purged", "purge", "left_of", "residue_of", "truncate_log"]


@dataclass(frozen=True, slots=True)
class Purged:
    """What a permanent deletion removed.

    Attributes
    ----------
    node_ids : tuple of str
        The node, and the concepts that only it had mentioned.
    events : int
        Events whose payload and salt are gone; their hashes remain as the receipt.
    files_clean : bool
        False while another process still reads the write-ahead log, which keeps old pages until it ends.
    """

    event: Event
    node_ids: tuple[str, ...]
    edges: int
    vectors: int
    blobs: int
    events: int
    files_clean: bool = True


def purge(tx: Transaction, node_id: str) -> dict[str, Any]:
    """Remove a node and every trace of its content; returns the counts and the ids removed.

    Events that held it lose payload and salt. What they changed in other rows is carried in the payload of
    the purge as ``residue``, so that replay still arrives at the same tables.
    """
    connection = tx.connection
    row = tx.row("nodes", (node_id,))
    quotes = _quotes(str(row["content"]), str(row["rationale"])) if row else []
    events = _events_touching(tx, [node_id])
    if row is None and not events:
        raise NodeNotFound(tx._why_not(node_id))
    for payload in events.values():  # a node taken back by undo, or edited: older texts are content as well
        quotes += [q for c in _all_changes(payload) if c["key"] == [node_id] for q in _texts_of(c)]
    doomed = {node_id, *_own_concepts(tx, node_id, events)}
    events |= _events_touching(tx, doomed - {node_id})
    events |= _events_quoting(connection, doomed, quotes)

    edges = tx.edges(doomed)
    gone = {edge.id for edge in edges} | _edges_of(events, doomed)
    events |= {
        seq: payload  # an edge that changed only its weight is named in a residue without its ends
        for seq, payload in _purges(connection)
        if any(_concerns(change, doomed, gone) for change in _all_changes(payload))
    }
    residue: dict[str, list[Any]] = {}
    blobs: set[str] = set()
    for seq, payload in events.items():
        for earlier, changes in {str(seq): payload["changes"], **payload.get("residue", {})}.items():
            residue[earlier] = [change for change in changes if not _concerns(change, doomed, gone)]
        blobs.update(payload["blobs"])
    marks = ", ".join("?" * len(doomed))
    ids = sorted(doomed)
    blobs.update(sha for (sha,) in tx._rows(f"SELECT sha256 FROM vectors WHERE node_id IN ({marks})", ids))
    connection.execute(f"DELETE FROM vectors WHERE node_id IN ({marks})", ids)
    vectors = connection.changes()
    for column in ("source", "target"):
        connection.execute(f"DELETE FROM edges WHERE {column} IN ({marks})", ids)
    for column in ("first", "second"):
        connection.execute(f"DELETE FROM pairs WHERE {column} IN ({marks})", ids)
    connection.execute(f"DELETE FROM nodes WHERE id IN ({marks})", ids)
    connection.executemany("UPDATE events SET payload = NULL, salt = NULL WHERE seq = ?", [(s,) for s in events])
    unused = _unused(connection, blobs, canonical(residue))
    connection.executemany("DELETE FROM blobs WHERE sha256 = ?", [(sha,) for sha in unused])
    for id in ids:
        tx.touch(id)
    counts = {"edges": len(edges), "vectors": vectors, "blobs": len(unused), "events": len(events)}
    tx.note.update(operation="purged", node=node_id, concepts=len(doomed) - 1, **counts)
    return {"node_ids": (node_id, *sorted(doomed - {node_id})), "residue": residue, **counts}


def residue_of(connection: apsw.Connection) -> dict[int, list[Any]]:
    """What purged events changed in rows that remain, by their sequence number."""
    found: dict[int, list[Any]] = {}
    for _, payload in _purges(connection):
        found.update({int(seq): changes for seq, changes in payload["residue"].items()})
    return found


def left_of(connection: apsw.Connection, seq: int) -> dict[str, Any] | None:
    """The payload of a purged event as far as undo may take it back; None where nothing of it is left."""
    changes = residue_of(connection).get(seq, [])
    return {"changes": changes} if any(change["table"] in REVERSIBLE for change in changes) else None


def truncate_log(connection: apsw.Connection) -> bool:
    """Empty the write-ahead log, which still holds pages as they were; False where a reader keeps it."""
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]
    return not busy


def _purges(connection: apsw.Connection) -> list[tuple[int, Any]]:
    rows = connection.execute("SELECT seq, payload FROM events WHERE type = 'purge' AND payload IS NOT NULL")
    return [(seq, json.loads(payload)) for seq, payload in rows]


def _all_changes(payload: dict[str, Any]) -> list[Any]:
    return payload["changes"] + [change for changes in payload.get("residue", {}).values() for change in changes]


def _texts_of(change: Any) -> list[str]:
    sides = (change["before"] or {}, change["after"] or {})
    return [q for side in sides for q in _quotes(side.get("content", ""), side.get("rationale", ""))]


QUOTE_LETTERS = 12
"""Shorter texts ("yes") stand in too many notes to be called a quotation."""


def _quotes(*texts: str) -> list[str]:
    return [text for text in texts if len(text) >= QUOTE_LETTERS]


def _events_touching(tx: Transaction, ids: Iterable[str]) -> dict[int, Any]:
    rows = tx._rows(
        "SELECT seq, payload FROM events WHERE payload IS NOT NULL AND type <> 'purge' AND seq IN"
        " (SELECT seq FROM touched WHERE key IN (SELECT value FROM json_each(?)))",
        (json.dumps(sorted(ids)),),
    )
    return {seq: json.loads(payload) for seq, payload in rows}


def _events_quoting(connection: apsw.Connection, ids: set[str], quotes: list[str]) -> dict[int, Any]:
    """Events that name a purged id, or whose note repeats its text, without having changed its rows."""
    names = [id.encode() for id in ids]
    texts = [canonical(quote)[1:-1] for quote in dict.fromkeys(quotes)]
    found = {}
    for seq, body in connection.execute("SELECT seq, payload FROM events WHERE payload IS NOT NULL"):
        if any(name in body for name in names):
            found[seq] = json.loads(body)
        elif any(text in body for text in texts):
            payload = json.loads(body)
            note = canonical(payload["note"])
            if any(text in note for text in texts):
                found[seq] = payload
    return found


def _own_concepts(tx: Transaction, node_id: str, events: dict[int, Any]) -> set[str]:
    """Concepts that no other memory, present or forgotten, was ever joined to: their names quote this one."""
    near = {end for edge in tx.edges(node_id) for end in (edge.source, edge.target)}
    for payload in events.values():
        for change in _all_changes(payload):
            near.update(change["key"] if change["table"] == "nodes" else _ends(change))
    near.discard(node_id)
    return {n.id for n in tx.nodes(near) if n.kind == NodeKind.CONCEPT and not _has_others(tx, n.id, node_id)}


def _has_others(tx: Transaction, concept_id: str, node_id: str) -> bool:
    ends = {end for edge in tx.edges(concept_id) for end in (edge.source, edge.target)}
    for payload in _events_touching(tx, [concept_id]).values():
        for change in _all_changes(payload):
            joined = _ends(change)
            if concept_id in joined:
                ends.update(joined)
    return any(node.kind == NodeKind.MEMORY for node in tx.nodes(ends - {concept_id, node_id}))


def _ends(change: Any) -> list[str]:
    row = change["after"] or change["before"]
    return [row[end] for end in ("source", "target") if end in row] if change["table"] == "edges" else []


def _edges_of(events: dict[int, Any], doomed: set[str]) -> set[str]:
    """Edges that ever touched these nodes, also those removed since or led elsewhere."""
    return {
        change["key"][0]
        for payload in events.values()
        for change in _all_changes(payload)
        if change["table"] == "edges"
        for row in (change["before"] or {}, change["after"] or {})
        if row.get("source") in doomed or row.get("target") in doomed
    }


def _concerns(change: Any, doomed: set[str], edges: set[str]) -> bool:
    if change["table"] == "edges":
        return change["key"][0] in edges
    return not doomed.isdisjoint(change["key"])


def _unused(connection: apsw.Connection, blobs: set[str], residue: bytes) -> set[str]:
    """Of these blobs, those that no vector has and no event could bring back."""
    left = {sha for sha in blobs if sha.encode() not in residue}
    left -= {sha for sha in left if connection.execute("SELECT 1 FROM vectors WHERE sha256 = ?", (sha,)).fetchall()}
    if left:
        for (body,) in connection.execute("SELECT payload FROM events WHERE payload IS NOT NULL"):
            left = {sha for sha in left if sha.encode() not in body}
            if not left:
                break
    return left
