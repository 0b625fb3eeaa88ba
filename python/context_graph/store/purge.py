"""Purge: content leaves the tables, the log and the files, and the chain of hashes still verifies."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import apsw

from context_graph.errors import NodeNotFound
from context_graph.models import Event, NodeKind
from context_graph.store.rows import canonical
from context_graph.store.transaction import Transaction
from context_graph.store.undo import REVERSIBLE

__all__ = ["Purged", "Remade", "left_of", "purge", "residue_of", "truncate_log"]


Remade = Mapping[tuple[str, str], tuple[str, bytes]]
"""By node id and space: the model and the bytes of a vector that no longer reflects what is purged."""

VECTOR = "node_id = ? AND space = ?"


@dataclass(frozen=True, slots=True)
class Purged:
    """What a permanent deletion removed.

    Attributes
    ----------
    node_ids : tuple of str
        The node, what was derived from it, and the concepts that only they had mentioned.
    ordinals : set of int
        Of the memories that were removed or lost a vector.
    events : int
        Events whose payload and salt are gone; their hashes remain as the receipt.
    files_clean : bool
        False while another process still reads the write-ahead log, which keeps old pages until it ends.
    unclean_backups : tuple of str
        Backups in the home directory that could not be changed, and may still hold it.
    """

    event: Event
    node_ids: tuple[str, ...]
    ordinals: set[int]
    edges: int
    vectors: int
    blobs: int
    events: int
    files_clean: bool = True
    unclean_backups: tuple[str, ...] = ()


def purge(tx: Transaction, node_id: str, remade: Remade | None = None) -> dict[str, Any]:
    """Remove a node and every trace of its content; returns the counts, the ids and the ordinals removed.

    What was derived from it goes with it. Events that held it lose payload and salt. What they changed in other
    rows is carried in the payload of the purge as ``residue``, so that replay still arrives at the same tables.
    """
    connection = tx.connection
    wanted = _derived(tx, {node_id})
    events = _events_touching(tx, wanted)
    if tx.row("nodes", (node_id,)) is None and not events:
        raise NodeNotFound(tx._why_not(node_id))
    rows = [row for id in wanted if (row := tx.row("nodes", (id,)))]
    quotes = _quotes(*(str(row[column]) for row in rows for column in ("content", "rationale")))
    for payload in events.values():  # a node taken back by undo, or edited: older texts are content as well
        quotes += [
            q for c in _all_changes(payload) if c["table"] == "nodes" and c["key"][0] in wanted for q in _texts_of(c)
        ]
    doomed = wanted | _own_concepts(tx, wanted, events)
    events |= _events_touching(tx, doomed - wanted)
    events |= _events_quoting(connection, doomed, quotes)

    edges = tx.edges(doomed)
    gone = _Gone(doomed, {edge.id for edge in edges} | _edges_of(events, doomed), _stale(tx, remade or {}, doomed))
    events |= {
        seq: payload
        for seq, payload in _events_touching(tx, {id for id, _ in gone.vectors}).items()
        if any(gone.holds(change) for change in _all_changes(payload))
    }
    events |= {
        seq: payload  # an edge that changed only its weight is named in a residue without its ends
        for seq, payload in _purges(connection)
        if any(gone.holds(change) for change in _all_changes(payload))
    }
    residue: dict[str, list[Any]] = {}
    blobs: set[str] = set()
    for seq, payload in events.items():
        for earlier, changes in {str(seq): payload["changes"], **payload.get("residue", {})}.items():
            residue[earlier] = [change for change in changes if not gone.holds(change)]
        blobs.update(payload["blobs"])
    vectors, old = _delete(connection, gone)
    blobs |= old
    connection.executemany("UPDATE events SET payload = NULL, salt = NULL WHERE seq = ?", [(s,) for s in events])
    for id, space in gone.vectors:
        tx.put_vector(id, space, *(remade or {})[id, space])
    unused = _unused(connection, blobs, canonical(residue))
    connection.executemany("DELETE FROM blobs WHERE sha256 = ?", [(sha,) for sha in unused])
    ids = sorted(doomed)
    for id in ids:
        tx.touch(id)
    counts = {"edges": len(edges), "vectors": vectors, "blobs": len(unused), "events": len(events)}
    removed = [node_id, *(id for id in ids if id != node_id)]
    tx.note.update(operation="purged", nodes=removed, **counts)
    ordinals = {row["ordinal"] for row in rows} | {
        row["ordinal"] for id, _ in gone.vectors if (row := tx.row("nodes", (id,)))
    }
    return {"node_ids": tuple(removed), "ordinals": ordinals - {None}, "residue": residue, **counts}


@dataclass(frozen=True, slots=True)
class _Gone:
    """Which rows a purge takes out of tables and events."""

    nodes: set[str]
    edges: set[str]
    vectors: set[tuple[str, str]]
    """Of nodes that stay."""

    def holds(self, change: Any) -> bool:
        if change["table"] == "edges":
            return change["key"][0] in self.edges
        if change["table"] == "vectors" and tuple(change["key"]) in self.vectors:
            return True
        return not self.nodes.isdisjoint(change["key"])


def _stale(tx: Transaction, remade: Remade, doomed: set[str]) -> set[tuple[str, str]]:
    """The vectors that a remade one replaces by something else."""
    stale = set()
    for (id, space), (_, data) in remade.items():
        # Not by tx.row, which would remember the row that is about to be deleted beside the transaction.
        kept = tx._rows(f"SELECT sha256 FROM vectors WHERE {VECTOR}", (id, space))
        if id not in doomed and kept and kept[0][0] != hashlib.sha256(data).hexdigest():
            stale.add((id, space))
    return stale


def _delete(connection: apsw.Connection, gone: _Gone) -> tuple[int, set[str]]:
    """Take the rows out of the tables; returns how many vectors of removed nodes there were, and all their blobs."""
    ids = json.dumps(sorted(gone.nodes))
    among = "IN (SELECT value FROM json_each(?))"
    blobs = {sha for (sha,) in connection.execute(f"SELECT sha256 FROM vectors WHERE node_id {among}", (ids,))}
    connection.execute(f"DELETE FROM vectors WHERE node_id {among}", (ids,))
    vectors = connection.changes()
    for key in gone.vectors:
        blobs |= {sha for (sha,) in connection.execute(f"SELECT sha256 FROM vectors WHERE {VECTOR}", key)}
        connection.execute(f"DELETE FROM vectors WHERE {VECTOR}", key)
    for table, columns in (("edges", ("source", "target")), ("pairs", ("first", "second")), ("nodes", ("id",))):
        for column in columns:
            connection.execute(f"DELETE FROM {table} WHERE {column} {among}", (ids,))
    return vectors, blobs


def _derived(tx: Transaction, ids: set[str]) -> set[str]:
    """These nodes and all that was ever derived from them, at whatever remove."""
    sources = [
        (id, json.loads(text))
        for id, text in tx._rows("SELECT id, derived_from FROM nodes WHERE derived_from IS NOT NULL")
    ]
    for (body,) in tx.connection.execute("SELECT payload FROM events WHERE payload IS NOT NULL"):
        if b'"derived_from":"' in body:
            for change in _all_changes(json.loads(body)):
                for side in (change["before"] or {}, change["after"] or {}):
                    if side.get("derived_from"):
                        sources.append((change["key"][0], json.loads(side["derived_from"])))
    found = set(ids)
    while more := {id for id, of in sources if id not in found and not found.isdisjoint(of)}:
        found |= more
    return found


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


def _own_concepts(tx: Transaction, ids: set[str], events: dict[int, Any]) -> set[str]:
    """Concepts that no other memory, present or forgotten, was ever joined to: their names quote these."""
    near = {end for edge in tx.edges(ids) for end in (edge.source, edge.target)}
    for payload in events.values():
        for change in _all_changes(payload):
            near.update(change["key"] if change["table"] == "nodes" else _ends(change))
    concepts = [node for node in tx.nodes(near - ids) if node.kind == NodeKind.CONCEPT]
    return {node.id for node in concepts if not _has_others(tx, node.id, ids)}


def _has_others(tx: Transaction, concept_id: str, ids: set[str]) -> bool:
    ends = {end for edge in tx.edges(concept_id) for end in (edge.source, edge.target)}
    for payload in _events_touching(tx, [concept_id]).values():
        for change in _all_changes(payload):
            joined = _ends(change)
            if concept_id in joined:
                ends.update(joined)
    return any(node.kind == NodeKind.MEMORY for node in tx.nodes(ends - ids - {concept_id}))


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
