"""Purge: content leaves the tables, the log and the files, and the chain of hashes still verifies."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import apsw

from context_graph.errors import NodeNotFound
from context_graph.models import Edge, Node, NodeKind
from context_graph.store.chain import canonical
from context_graph.store.records import Remade
from context_graph.store.sqlite.agent_names import agents_in, agents_of, is_named, unname, without_names
from context_graph.store.sqlite.changes import ChangeRecord
from context_graph.store.sqlite.log_search import AMONG, LogSearch, payloads
from context_graph.store.sqlite.logged_changes import LoggedChange, LoggedPayload, read_payload, sides_of
from context_graph.store.sqlite.queries import Queries
from context_graph.store.sqlite.residue import purges, summed
from context_graph.store.sqlite.transaction import Transaction

__all__ = ["look", "purge"]

VECTOR = "node_id = ? AND space = ?"


@dataclass(frozen=True, slots=True)
class _Doomed:
    """What a purge takes away.

    Attributes
    ----------
    nodes : list of Node
        The node and what was derived from it, as far as they are in the tables.
    edges : list of Edge
        Those that end at them now.
    led : set of str
        Ids of edges that were led to them, or away, from other nodes.
    events : dict
        Payloads of the events that lose theirs, by sequence number.
    agents : set of str
        Agents that have no other memory.
    """

    nodes: list[Node]
    edges: list[Edge]
    led: set[str]
    events: dict[int, LoggedPayload]
    gone: "_Gone"
    agents: set[str]


def look(queries: Queries, node_id: str, remade: Remade | None = None) -> LogSearch:
    """What a purge would read of the whole log, read without the write lock."""
    looked = LogSearch(queries.head())
    doomed = _doomed(queries, node_id, remade or {}, looked)
    blobs = _blobs_of(queries, doomed.gone)
    blobs |= {sha for payload in doomed.events.values() for sha in payload.head["blobs"]}
    looked.holding(queries, (sha.encode() for sha in blobs))
    return looked


def purge(
    tx: Transaction,
    node_id: str,
    remade: Remade | None = None,
    looked: LogSearch | None = None,
    agents: Iterable[str] = (),
) -> dict[str, Any]:
    """Remove a node and every trace of its content; returns the counts, the ids and the ordinals removed.

    What was derived from it goes with it. Events that held it lose payload and salt. What they changed in other
    rows is carried in the payload of the purge as ``residue``, so that replay still arrives at the same tables.
    Of agents that have no other memory the names go as well: events by them lose their author, and are listed in
    the payload as ``unnamed``. What they had taken in from other homes is carried as ``synced``, what
    earlier purges took away as ``earlier``.

    Parameters
    ----------
    agents : iterable of str
        More agents whose names go, unless they have a memory here.
    """
    connection = tx.connection
    looked = looked or LogSearch()
    looked.still_leads_here(tx)
    doomed = _doomed(tx, node_id, remade or {}, looked, agents)
    events, gone = doomed.events, doomed.gone
    residue: dict[str, list[LoggedChange]] = {}
    synced: dict[str, Any] = {}
    earlier_purges: dict[str, Any] = {}
    blobs = _blobs_of(tx, gone)
    unnamed, uncounted = unname(connection, doomed.agents)
    if tx.author.agent_id in doomed.agents:
        tx.author = replace(tx.author, agent_id=None)
    for seq, payload in events.items():
        for earlier, changes in {str(seq): payload.changes, **payload.residue}.items():
            residue[earlier] = [without_names(change, doomed.agents) for change in changes if not gone.holds(change)]
        head = payload.head
        unnamed |= {*head.get("unnamed", ())}
        earlier_purges |= head.get("earlier", {})
        if head["note"].get("operation") == "purged":
            earlier_purges[str(seq)] = head["note"]["nodes"]
        for earlier, received in {str(seq): head.get("sync"), **head.get("synced", {})}.items():
            if received:
                synced[earlier] = _received_of_others(received, gone, doomed.agents)
        blobs.update(head["blobs"])
    residue = summed(connection, residue)
    for edge in doomed.edges:
        if edge.id in doomed.led:  # the log keeps how it came here, so it says how it goes
            tx.remove(edge)
    vectors = _delete(connection, gone)
    connection.executemany("UPDATE events SET payload = NULL, salt = NULL WHERE seq = ?", [(s,) for s in events])
    blobs_of_remade = set()
    for id, space in gone.vectors:
        model, data = (remade or {})[id, space]
        tx.put_vector(id, space, model, data)
        blobs_of_remade.add(hashlib.sha256(data).hexdigest())
    unused = _unused(tx, blobs, residue, looked) - blobs_of_remade
    connection.executemany("DELETE FROM blobs WHERE sha256 = ?", [(sha,) for sha in unused])
    ids = sorted(gone.nodes)
    for id in ids:
        tx.touch(id)
    counts = {"edges": len(doomed.edges), "vectors": vectors, "blobs": len(unused), "events": len(events)}
    removed = [node_id, *(id for id in ids if id != node_id)]
    tx.note.update(operation="purged", nodes=removed, **counts)
    tx.residue = residue
    tx.extra = {"unnamed": sorted(unnamed)} if unnamed else {}
    tx.extra |= ({"synced": synced} if synced else {}) | ({"earlier": earlier_purges} if earlier_purges else {})
    ordinals = {node.ordinal for node in doomed.nodes} | {
        node.ordinal for node in tx.nodes(id for id, _ in gone.vectors)
    }
    names = {"agents": tuple(sorted(doomed.agents)), "named": uncounted}
    return {"node_ids": tuple(removed), "ordinals": ordinals - {None}, **counts, **names}


def _doomed(queries: Queries, node_id: str, remade: Remade, looked: LogSearch, agents: Iterable[str] = ()) -> _Doomed:
    wanted = _derived(queries, {node_id}, looked)
    events = dict(_events_touching(queries, wanted))
    rows = queries.nodes(wanted)
    agent_names = [name for name in agents if is_named(queries, name, looked)]
    if not events and not _has_row(queries, node_id) and not agent_names:
        raise NodeNotFound(queries._why_not(node_id))
    quotes = _quotes(*(text for node in rows for text in (node.content, node.rationale)))
    for payload in events.values():  # a node taken back by undo, or edited: older texts are content as well
        quotes += [q for c in payload.all_changes() if c.table == "nodes" and c.key[0] in wanted for q in _texts_of(c)]
    doomed = wanted | _own_concepts(queries, wanted, events)
    events |= dict(_events_touching(queries, doomed - wanted))
    events |= _events_quoting(queries, doomed, quotes, looked)

    edges = queries.edges(doomed)
    led = _led(events)
    touching = {edge.id for edge in edges} | _edges_of(events, doomed)
    gone = _Gone(doomed, touching - led, _stale(queries, remade, doomed))
    events |= {
        seq: payload
        for seq, payload in _events_touching(queries, {id for id, _ in gone.vectors})
        if any(gone.holds(change) for change in payload.all_changes())
    }
    events |= {
        seq: payload  # an edge that changed only its weight is named in a residue without its ends
        for seq, payload in purges(queries, gone.keys)
        if any(gone.holds(change) for change in payload.all_changes())
    }
    names, naming = agents_of(queries, doomed, {*agent_names, *agents_in(rows, events, doomed)}, looked)
    return _Doomed(rows, edges, led, events | naming, gone, names)


@dataclass(frozen=True, slots=True)
class _Gone:
    """Which rows a purge takes out of tables and events."""

    nodes: set[str]
    edges: set[str]
    vectors: set[tuple[str, str]]
    """Of nodes that stay."""

    @property
    def keys(self) -> set[str]:
        """Ids that stand in a change of any of them."""
        return self.nodes | self.edges | {id for id, _ in self.vectors}

    def holds(self, change: LoggedChange) -> bool:
        if change.table == "edges":
            return change.key[0] in self.edges
        if change.table == "vectors" and change.key in self.vectors:
            return True
        return not self.nodes.isdisjoint(change.key)


def _received_of_others(received: dict[str, Any], gone: _Gone, agents: set[str]) -> dict[str, Any]:
    """What an event took in from another home, without what goes."""
    keys = gone.nodes | gone.edges
    waiting = []
    for entry in received["held"]:
        ends = entry["registers"].get("ends", {"values": {}})["values"]
        if entry["id"] in keys or not gone.nodes.isdisjoint((ends.get("source"), ends.get("target"))):
            continue
        state = entry["registers"].get("state", {"values": {}})["values"]
        if state.get("state_by") in agents:
            state["state_by"] = None
        waiting.append(entry)
    rows = [row for row in received["rows"] if row[1] not in keys]
    return received | {"rows": rows, "held": waiting}


def _stale(queries: Queries, remade: Remade, doomed: set[str]) -> set[tuple[str, str]]:
    """The vectors that a remade one replaces by something else."""
    stale = set()
    for (id, space), (_, data) in remade.items():
        kept = queries._rows(f"SELECT sha256 FROM vectors WHERE {VECTOR}", (id, space))
        if id not in doomed and kept and kept[0][0] != hashlib.sha256(data).hexdigest():
            stale.add((id, space))
    return stale


def _blobs_of(queries: Queries, gone: _Gone) -> set[str]:
    """The blobs of all vectors that go."""
    ids = json.dumps(sorted(gone.nodes))
    blobs = {sha for (sha,) in queries._rows(f"SELECT sha256 FROM vectors WHERE node_id {AMONG}", (ids,))}
    for key in gone.vectors:
        blobs |= {sha for (sha,) in queries._rows(f"SELECT sha256 FROM vectors WHERE {VECTOR}", key)}
    return blobs


def _delete(connection: apsw.Connection, gone: _Gone) -> int:
    """Take the rows out of the tables; returns how many vectors of removed nodes there were."""
    ids = json.dumps(sorted(gone.nodes))
    connection.execute(f"DELETE FROM vectors WHERE node_id {AMONG}", (ids,))
    vectors = connection.changes()
    for key in gone.vectors:
        connection.execute(f"DELETE FROM vectors WHERE {VECTOR}", key)
    ends = {"edges": ("source", "target"), "pairs": ("first", "second"), "nodes": ("id",), "records": ("id",)}
    for table, columns in ends.items():
        for column in columns:
            connection.execute(f"DELETE FROM {table} WHERE {column} {AMONG}", (ids,))
    return vectors


def _derived(queries: Queries, ids: set[str], looked: LogSearch) -> set[str]:
    """These nodes and all that was ever derived from them, at whatever remove."""
    sources = [
        (id, json.loads(text))
        for id, text in queries._rows("SELECT id, derived_from FROM nodes WHERE derived_from IS NOT NULL")
    ]
    for _, body in looked.holding(queries, [b'"derived_from":"']):
        for change in read_payload(body).all_changes():
            sources += [
                (change.key[0], json.loads(str(side["derived_from"])))
                for side in sides_of(change.parsed())
                if side.get("derived_from")
            ]
    found = set(ids)
    while more := {id for id, of in sources if id not in found and not found.isdisjoint(of)}:
        found |= more
    return found


def _texts_of(change: LoggedChange) -> list[str]:
    sides = sides_of(change.parsed())
    return [q for side in sides for q in _quotes(str(side.get("content", "")), str(side.get("rationale", "")))]


QUOTE_LETTERS = 12
"""Shorter texts ("yes") stand in too many notes to be called a quotation."""


def _quotes(*texts: str) -> list[str]:
    return [text for text in texts if len(text) >= QUOTE_LETTERS]


def _has_row(queries: Queries, id: str) -> bool:
    """Whether a node or a record is there: all events that changed it may have been emptied by another purge."""
    return bool(
        queries._rows("SELECT id FROM nodes WHERE id = ?1 UNION ALL SELECT id FROM records WHERE id = ?1", (id,))
    )


def _events_touching(queries: Queries, ids: Iterable[str]) -> Iterator[tuple[int, LoggedPayload]]:
    touching = f"type <> 'purge' AND seq IN (SELECT seq FROM touched WHERE key {AMONG})"
    return ((seq, read_payload(body)) for seq, body in payloads(queries, touching, (json.dumps(sorted(ids)),)))


def _events_quoting(queries: Queries, ids: set[str], quotes: list[str], looked: LogSearch) -> dict[int, LoggedPayload]:
    """Events that name a purged id, or whose note repeats its text, without having changed its rows."""
    names = [id.encode() for id in ids]
    texts = [canonical(quote)[1:-1] for quote in dict.fromkeys(quotes)]
    quoting = {}
    for seq, body in looked.holding(queries, [*names, *texts]):
        payload = read_payload(body)
        if any(name in body for name in names) or any(text in canonical(payload.head["note"]) for text in texts):
            quoting[seq] = payload
    return quoting


def _own_concepts(queries: Queries, ids: set[str], events: dict[int, LoggedPayload]) -> set[str]:
    """Concepts that no other memory, present or forgotten, was ever joined to: their names quote these."""
    near = {end for edge in queries.edges(ids) for end in (edge.source, edge.target)}
    for payload in events.values():
        for change in payload.all_changes():
            near.update(change.key if change.table == "nodes" else _ends(change))
    concepts = [node for node in queries.nodes(near - ids) if node.kind == NodeKind.CONCEPT]
    return {node.id for node in concepts if not _has_others(queries, node.id, ids)}


def _has_others(queries: Queries, concept_id: str, ids: set[str]) -> bool:
    def is_one_memory(ends: set[str]) -> bool:
        return any(node.kind == NodeKind.MEMORY for node in queries.nodes(ends - ids - {concept_id}))

    if is_one_memory({end for edge in queries.edges(concept_id) for end in (edge.source, edge.target)}):
        return True  # as nearly always; a name of many memories has many events
    joined = (_ends(change) for _, p in _events_touching(queries, [concept_id]) for change in p.all_changes())
    return is_one_memory({end for ends in joined if concept_id in ends for end in ends})


def _ends(change: LoggedChange) -> list[str]:
    if change.table != "edges":
        return []
    before, after = sides_of(change.parsed())
    return [str((after or before)[end]) for end in ("source", "target") if end in (after or before)]


def _edges_of(events: dict[int, LoggedPayload], doomed: set[str]) -> set[str]:
    """Edges that ever touched these nodes, also those removed since."""
    return {
        record["key"][0]
        for record in _edge_changes(events)
        for row in sides_of(record)
        if row.get("source") in doomed or row.get("target") in doomed
    }


def _led(events: dict[int, LoggedPayload]) -> set[str]:
    """Edges that were led from one node to another: their past is that of other nodes too, so it stays in the log."""
    return {
        record["key"][0]
        for record in _edge_changes(events)
        if record["before"] and record["after"] and not {"source", "target"}.isdisjoint(record["after"])
    }


def _edge_changes(events: dict[int, LoggedPayload]) -> Iterator[ChangeRecord]:
    changes = (change for payload in events.values() for change in payload.all_changes())
    return (change.parsed() for change in changes if change.table == "edges")


def _unused(queries: Queries, blobs: set[str], residue: dict[str, list[LoggedChange]], looked: LogSearch) -> set[str]:
    """Of these blobs, those that no event could bring back; each vector that there is stands in one."""
    bodies = b"".join(change.body for changes in residue.values() for change in changes)
    left = {sha for sha in blobs if sha.encode() not in bodies}
    for _, body in looked.holding(queries, (sha.encode() for sha in blobs)):
        left = {sha for sha in left if sha.encode() not in body}
    return left
