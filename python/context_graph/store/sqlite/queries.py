"""The questions the store answers, the same inside a transaction and outside."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from context_graph.errors import EventNotFound, InvalidInput, NodeNotFound
from context_graph.models import Edge, EdgeType, Event, Goal, Node, NodeState, to_iso
from context_graph.names import name_key
from context_graph.store.chain import GENESIS
from context_graph.store.clock import time_of
from context_graph.store.ports import Kind
from context_graph.store.records import Pair, Said, Session
from context_graph.store.sqlite.log import EVENT, event_of
from context_graph.store.sqlite.rows import TABLES, Value, decode, table_of_kind

__all__ = ["Queries"]

NODES, EDGES = TABLES["nodes"], TABLES["edges"]
BATCH = 1_000
ORDERS = ("created_at", "occurred_at", "last_accessed", "access_count", "importance", "name")
HASH_DIGITS = 8
"""The shortest prefix of an event hash that is looked up."""

SCANNED_BY = {
    "nodes": "ordinal IS NULL, ordinal, id",
    "edges": "id",
    "goals": "created_at, id",
    "sessions": "id",
    "pairs": "first, second",
}
DAY = 86_400_000_000


class Queries(ABC):
    """Reading; `_rows` is the only thing that needs a connection."""

    retention_days: float

    @abstractmethod
    def _rows(self, sql: str, values: Sequence[Value | bytes] = ()) -> list[tuple[Any, ...]]: ...

    def _nodes(self, condition: str, values: Sequence[Value] = ()) -> list[Node]:
        return [decode(NODES, row) for row in self._rows(f"{NODES.select} {condition}", values)]

    # Nodes

    def node(self, node_id: str, *, forgotten: bool = False) -> Node:
        """One node.

        Parameters
        ----------
        forgotten : bool
            Return it also when it is forgotten, which otherwise is `NodeNotFound` with the way to bring it back.
        """
        found = self._nodes("WHERE id = ?", (node_id,))
        if found and (forgotten or found[0].state != NodeState.FORGOTTEN):
            return found[0]
        raise NodeNotFound(self._why_not(node_id))

    def nodes(self, ids: Iterable[str]) -> list[Node]:
        """The nodes of these ids that exist, in the order given, in every state."""
        wanted = list(ids)
        found = {n.id: n for n in self._nodes("WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(wanted),))}
        return [found[id] for id in wanted if id in found]

    def _why_not(self, node_id: str) -> str:
        """What became of a node that is not there, and what to do about it."""
        for type, hash, hlc, payload in self._rows(
            "SELECT e.type, e.hash, e.hlc, e.payload FROM touched t JOIN events e USING (seq)"
            " WHERE t.key = ? AND e.type <> 'effects' ORDER BY seq DESC",
            (node_id,),
        ):
            day = to_iso(time_of(hlc))[:10]
            if type == "purge":
                return f"node {node_id} was permanently deleted on {day}; nothing can bring it back"
            for change in json.loads(payload)["changes"] if payload else ():
                if change["table"] != "nodes" or change["key"] != [node_id]:
                    continue
                after = change["after"]
                if after is None or after.get("state") == NodeState.FORGOTTEN:
                    verb = "taken back" if after is None else "forgotten"
                    until = to_iso(time_of(hlc) + round(self.retention_days * DAY))[:10]
                    return (
                        f"node {node_id} was {verb} on {day}; "
                        f"restore_from_hash('{hash[:16]}') brings it back until {until}"
                    )
        return f"no node has the id {node_id!r}; search_graph finds nodes by their content"

    def memories(self, *, after_ordinal: int = -1, limit: int | None = None) -> Iterator[Node]:
        """Memories in all states, in the order they were stored; read in batches, so no lock is held between."""
        left = limit
        while left is None or left > 0:
            size = BATCH if left is None else min(BATCH, left)
            batch = self._nodes("WHERE ordinal > ? ORDER BY ordinal LIMIT ?", (after_ordinal, size))
            yield from batch
            if len(batch) < size:
                return
            after_ordinal = batch[-1].ordinal if batch[-1].ordinal is not None else after_ordinal
            left = None if left is None else left - size

    def columns(self, names: Sequence[str], after_ordinal: int = -1) -> list[tuple[Any, ...]]:
        """Raw columns of all memories by ordinal: enums as text, booleans as 0 or 1, mappings as JSON text."""
        for name in names:
            if name not in NODES.columns:
                raise InvalidInput(f"nodes have no column {name!r}; columns: {', '.join(NODES.columns)}", field="names")
        if not names:
            raise InvalidInput("expected at least one column name, got none", field="names")
        return self._rows(f"SELECT {', '.join(names)} FROM nodes WHERE ordinal > ? ORDER BY ordinal", (after_ordinal,))

    def columns_of(self, names: Sequence[str], ids: Iterable[str]) -> list[tuple[Any, ...]]:
        """The same of those of some memories that exist, in no order."""
        return self._rows(
            f"SELECT {', '.join(names)} FROM nodes"
            " WHERE ordinal IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )

    def with_metadata(self, text: str) -> list[Node]:
        """The memories whose metadata, as JSON, hold a text; in the order they were stored."""
        return self._nodes("WHERE ordinal IS NOT NULL AND instr(metadata, ?) > 0 ORDER BY ordinal", (text,))

    def find_by_prefix(self, hex_prefix: str, limit: int = 10) -> list[Node]:
        """Nodes whose id begins with these hex digits, hyphens not counted: what a citation tag names."""
        digits = hex_prefix.lower().replace("-", "")
        if not digits or digits.strip("0123456789abcdef"):
            raise InvalidInput(f"expected hex digits, got {hex_prefix[:40]!r}", field="hex_prefix")
        cuts = [digits[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32))]
        prefix = "-".join(cut for cut in cuts if cut)
        return self._nodes("WHERE id >= ? AND id < ? ORDER BY id LIMIT ?", (prefix, prefix + "~", limit))

    def concept(self, key: str) -> Node | None:
        """The concept of this name, whatever its case, width and spacing; the oldest where there are several."""
        found = self._nodes("WHERE name_key = ? ORDER BY created_at, id LIMIT 1", (name_key(key),))
        return found[0] if found else None

    def concepts_named(self, keys: Iterable[str]) -> dict[str, Node]:
        """The concepts of these names that exist, by the keys as given; the oldest where there are several."""
        wanted = {name_key(key): key for key in keys}
        found = self._nodes(
            "WHERE name_key IN (SELECT value FROM json_each(?)) ORDER BY created_at DESC, id DESC",
            (json.dumps(list(wanted)),),
        )
        return {wanted[name_key(str(node.metadata.get("name_key") or node.name))]: node for node in found}

    def concepts(self, limit: int = 100, order: str = "access_count") -> list[Node]:
        """Live concepts, the highest first (names: the lowest)."""
        return self._nodes(f"WHERE name_key IS NOT NULL AND state = 'live' ORDER BY {_order(order)} LIMIT ?", (limit,))

    def session_memories(
        self, session_id: str, limit: int, before_position: int | None = None, *, states: Iterable[str] = ("live",)
    ) -> list[Node]:
        """The last memories of a session before a position, oldest first."""
        before = 2**62 if before_position is None else before_position
        found = self._nodes(
            "WHERE session_id = ? AND position < ? AND ordinal IS NOT NULL"
            " AND state IN (SELECT value FROM json_each(?)) ORDER BY position DESC, ordinal DESC LIMIT ?",
            (session_id, before, json.dumps([str(state) for state in states]), limit),
        )
        return found[::-1]

    def last_said(self, session_id: str) -> Said | None:
        """The last live memory of a session, as far as the next one needs it."""
        found = self._rows(
            "SELECT id, content, speaker FROM nodes WHERE session_id = ? AND ordinal IS NOT NULL AND state = 'live'"
            " ORDER BY position DESC, ordinal DESC LIMIT 1",
            (session_id,),
        )
        return Said(*found[0]) if found else None

    def existing(self, ids: Iterable[str]) -> set[str]:
        """Those of some ids that nodes have, in any state."""
        wanted = json.dumps(list(ids))
        return {
            id for (id,) in self._rows("SELECT id FROM nodes WHERE id IN (SELECT value FROM json_each(?))", (wanted,))
        }

    def session_after(self, session_id: str, position: int) -> Iterator[Node]:
        """The memories of a session after a position, in all states, oldest first."""
        while found := self._nodes(
            "WHERE session_id = ? AND position > ? AND ordinal IS NOT NULL ORDER BY position, ordinal LIMIT 1",
            (session_id, position),
        ):
            yield found[0]
            position = found[0].position

    def session_position(self, session_id: str) -> int:
        """The position that the next memory of this session takes."""
        last = self._rows(
            "SELECT position FROM nodes WHERE session_id = ? AND ordinal IS NOT NULL ORDER BY position DESC LIMIT 1",
            (session_id,),
        )
        return last[0][0] + 1 if last else 0

    def recent(self, since: int, limit: int = 100, order: str = "created_at") -> list[Node]:
        """Live memories created at or after an instant, the highest first."""
        return self._nodes(
            f"WHERE created_at >= ? AND ordinal IS NOT NULL AND state = 'live' ORDER BY {_order(order)} LIMIT ?",
            (since, limit),
        )

    def superseded(self, node_id: str) -> list[Node]:
        """The nodes that this one supersedes, oldest first."""
        return self._nodes("WHERE superseded_by = ? ORDER BY created_at, id", (node_id,))

    def derived(self, node_id: str) -> list[Node]:
        """The nodes whose content repeats this one's, at whatever remove."""
        made = self._nodes("WHERE derived_from IS NOT NULL")
        ids = {node_id}
        while more := {node.id for node in made if node.id not in ids and not ids.isdisjoint(node.derived_from)}:
            ids |= more
        return [node for node in made if node.id in ids]

    def tombstones(
        self, *, since: int = 0, limit: int = 100, states: Iterable[str] = (NodeState.FORGOTTEN,)
    ) -> list[Node]:
        """Forgotten nodes (or quarantined, on request), the latest first."""
        return self._nodes(
            "WHERE state <> 'live' AND state IN (SELECT value FROM json_each(?)) AND coalesce(state_at, 0) >= ?"
            " ORDER BY state_at DESC, id LIMIT ?",
            (json.dumps([str(state) for state in states]), since, limit),
        )

    # Edges, vectors, goals, sessions

    def edges(self, node_ids: str | Iterable[str], *, types: Iterable[EdgeType] | None = None) -> list[Edge]:
        """Edges that touch any of these nodes, each once, in the order of their ids."""
        ids = json.dumps([node_ids] if isinstance(node_ids, str) else list(node_ids))
        # Two index searches instead of an OR; UNION drops the edges found from both ends.
        rows = self._rows(
            f"{EDGES.select} WHERE source IN (SELECT value FROM json_each(?1)) UNION "
            f"{EDGES.select} WHERE target IN (SELECT value FROM json_each(?1)) ORDER BY id",
            (ids,),
        )
        return _typed(rows, types)

    def edges_between(self, node_ids: Iterable[str], *, types: Iterable[EdgeType] | None = None) -> list[Edge]:
        """Edges whose both ends are among these nodes."""
        rows = self._rows(
            f"{EDGES.select} WHERE source IN (SELECT value FROM json_each(?1))"
            " AND +target IN (SELECT value FROM json_each(?1)) ORDER BY id",
            (json.dumps(list(node_ids)),),
        )
        return _typed(rows, types)

    def reached(self, node_ids: Iterable[str]) -> list[tuple[str, str, float]]:
        """Source, target and effective weight of the edges that touch these nodes: all a traversal needs."""
        weight = "weight * (1 + excitatory - inhibitory + 0.5 * modulatory)"
        return self._rows(
            f"SELECT source, target, {weight} FROM edges WHERE source IN (SELECT value FROM json_each(?1)) UNION ALL "
            f"SELECT source, target, {weight} FROM edges WHERE target IN (SELECT value FROM json_each(?1))",
            (json.dumps(list(node_ids)),),
        )

    def in_turn(self, node_ids: Iterable[str], session_id: str, context_id: str | None) -> list[tuple[str, str]]:
        """Memories that follow each other in their session for a viewer, and that no Temporal edge joins.

        They were stored with others between them that are forgotten now, deleted, or of a scope that the viewer does
        not share. Only pairs with one of these memories: ids of the earlier and the later.

        Parameters
        ----------
        session_id, context_id : str
            Of the viewer.
        """
        seen = (
            "{0}.ordinal IS NOT NULL AND {0}.state = 'live' AND ({0}.scope = 'user' OR {0}.session_id = ?2"
            " AND ({0}.scope = 'session' OR {0}.scope = 'context' AND {0}.context_id = ?3))"
        )
        beside = "SELECT {0}(p.position) FROM nodes p WHERE p.session_id = n.session_id AND p.position {1} n.position"
        asked = f"FROM nodes n WHERE n.id IN (SELECT value FROM json_each(?1)) AND {seen.format('n')}"
        rows = self._rows(
            "WITH pairs (session_id, first, second) AS ("
            f"SELECT n.session_id, ({beside.format('max', '<')} AND {seen.format('p')}), n.position {asked} UNION "
            f"SELECT n.session_id, n.position, ({beside.format('min', '>')} AND {seen.format('p')}) {asked})"
            " SELECT DISTINCT a.id, b.id FROM pairs"
            f" JOIN nodes a ON a.session_id = pairs.session_id AND a.position = first AND {seen.format('a')}"
            f" JOIN nodes b ON b.session_id = pairs.session_id AND b.position = second AND {seen.format('b')}"
            " WHERE NOT EXISTS (SELECT 1 FROM edges e WHERE e.source = a.id AND e.target = b.id"
            " AND e.edge_type = 'Temporal') ORDER BY a.session_id, first",
            (json.dumps(list(node_ids)), session_id, context_id),
        )
        return [(a, b) for a, b in rows]

    def edge(self, edge_id: str) -> Edge | None:
        """One edge, or None."""
        rows = self._rows(f"{EDGES.select} WHERE id = ?", (edge_id,))
        return decode(EDGES, rows[0]) if rows else None

    def all_edges(self, *, types: Iterable[EdgeType] | None = None) -> list[Edge]:
        """Every edge, in the order of their ids."""
        return _typed(self._rows(f"{EDGES.select} ORDER BY id"), types)

    def pairs(self, node_ids: Iterable[str]) -> list[Pair]:
        """How often nodes were retrieved together, for pairs that touch any of these."""
        table = TABLES["pairs"]
        rows = self._rows(
            f"{table.select} WHERE first IN (SELECT value FROM json_each(?1)) UNION "
            f"{table.select} WHERE second IN (SELECT value FROM json_each(?1)) ORDER BY first, second",
            (json.dumps(list(node_ids)),),
        )
        return [decode(table, row) for row in rows]

    def vectors(self, node_ids: Iterable[str], space: str) -> dict[str, bytes]:
        """The vectors of these nodes in one space; nodes without one are absent."""
        return dict(
            self._rows(
                "SELECT v.node_id, b.data FROM vectors v JOIN blobs b USING (sha256)"
                " WHERE v.space = ? AND v.node_id IN (SELECT value FROM json_each(?))",
                (space, json.dumps(list(node_ids))),
            )
        )

    def vectors_by_ordinal(
        self, space: str, first: int, last: int, *, model: str | None = None
    ) -> list[tuple[int, bytes]]:
        """The vectors of the memories with first <= ordinal <= last that have one in this space, of this model."""
        return self._rows(
            "SELECT n.ordinal, b.data FROM nodes n CROSS JOIN vectors v ON v.node_id = n.id AND v.space = ?"
            " CROSS JOIN blobs b USING (sha256) WHERE n.ordinal BETWEEN ? AND ? AND (? IS NULL OR v.model = ?)"
            " ORDER BY n.ordinal",
            (space, first, last, model, model),
        )

    def made_by_others(self, space: str, model: str) -> list[str]:
        """Memories whose vector in a space another model made, the latest first; forgotten ones are left out."""
        rows = self._rows(
            "SELECT n.id FROM vectors v JOIN nodes n ON n.id = v.node_id"
            " WHERE v.space = ? AND v.model <> ? AND n.ordinal IS NOT NULL AND n.state <> 'forgotten'"
            " ORDER BY n.ordinal DESC",
            (space, model),
        )
        return [id for (id,) in rows]

    def vectors_of(
        self, node_ids: Iterable[str], spaces: Iterable[str] | None = None
    ) -> dict[str, list[tuple[str, str, bytes]]]:
        """Space, model and bytes of the vectors of each node that has any, of these spaces alone if any are named."""
        found: dict[str, list[tuple[str, str, bytes]]] = {}
        for id, space, model, data in self._rows(
            "SELECT v.node_id, v.space, v.model, b.data FROM vectors v JOIN blobs b USING (sha256) WHERE v.node_id"
            " IN (SELECT value FROM json_each(?)) AND (? OR v.space IN (SELECT value FROM json_each(?)))"
            " ORDER BY v.node_id, v.space",
            (json.dumps(list(node_ids)), int(spaces is None), json.dumps(list(spaces or ()))),
        ):
            found.setdefault(id, []).append((space, model, data))
        return found

    def scan(self, kind: type[Kind]) -> Iterator[list[Kind]]:
        """All nodes, edges, goals, sessions or pairs, in pages; memories come first, as they were stored."""
        table, offset = table_of_kind(kind), 0
        while rows := self._rows(f"{table.select} ORDER BY {SCANNED_BY[table.name]} LIMIT {BATCH} OFFSET {offset}"):
            yield [decode(table, row) for row in rows]
            offset += BATCH

    def ordinals_used(self) -> int:
        """How many memories were ever given an ordinal: what the next one gets."""
        found = self._rows("SELECT value FROM counters WHERE name = 'ordinal'")
        return int(found[0][0]) if found else 0

    def oldest_memory(self) -> str | None:
        """The memory of the lowest ordinal."""
        rows = self._rows("SELECT id FROM nodes WHERE ordinal IS NOT NULL ORDER BY ordinal LIMIT 1")
        return rows[0][0] if rows else None

    def vector_models(self, node_id: str) -> dict[str, str]:
        """Which model made the vector of a node, by space."""
        return dict(self._rows("SELECT space, model FROM vectors WHERE node_id = ? ORDER BY space", (node_id,)))

    def goals(self) -> list[Goal]:
        """All goals, oldest first."""
        table = TABLES["goals"]
        return [decode(table, row) for row in self._rows(f"{table.select} ORDER BY created_at, id")]

    def session(self, session_id: str) -> Session | None:
        """What is kept of a session, or None where it never wrote."""
        table = TABLES["sessions"]
        rows = self._rows(f"{table.select} WHERE id = ?", (session_id,))
        return decode(table, rows[0]) if rows else None

    def sessions(self, limit: int = 100) -> list[Session]:
        """Sessions, the last seen first."""
        table = TABLES["sessions"]
        return [
            decode(table, row) for row in self._rows(f"{table.select} ORDER BY last_seen DESC, id LIMIT ?", (limit,))
        ]

    # Events

    def event(self, hash_prefix: str) -> Event:
        """The event whose hash begins with these hex digits (8 or more)."""
        digits = hash_prefix.lower()
        if len(digits) < HASH_DIGITS or digits.strip("0123456789abcdef"):
            raise InvalidInput(
                f"expected {HASH_DIGITS} or more hex digits of an event hash, got {hash_prefix[:80]!r}", field="hash"
            )
        rows = self._rows(f"{EVENT} WHERE hash >= ? AND hash < ? LIMIT 2", (digits, digits + "~"))
        if not rows:
            raise EventNotFound(f"no event has a hash that begins with {digits[:64]}; check the digits")
        if len(rows) > 1:
            raise InvalidInput(f"several events have a hash that begins with {digits}; give more digits", field="hash")
        return event_of(rows[0])

    def event_at(self, seq: int) -> Event | None:
        """The event with this sequence number, or None."""
        rows = self._rows(f"{EVENT} WHERE seq = ?", (seq,))
        return event_of(rows[0]) if rows else None

    def events(self, limit: int = 100, before_seq: int | None = None, type: str | None = None) -> list[Event]:
        """Events before a sequence number, newest first."""
        before = 2**62 if before_seq is None else before_seq
        if type is None:
            rows = self._rows(f"{EVENT} WHERE seq < ? ORDER BY seq DESC LIMIT ?", (before, limit))
        else:
            rows = self._rows(f"{EVENT} WHERE type = ? AND seq < ? ORDER BY seq DESC LIMIT ?", (type, before, limit))
        return [event_of(row) for row in rows]

    def events_since(self, seq: int, limit: int = 1_000) -> list[Event]:
        """Events after a sequence number, oldest first: how one process learns of another's writes."""
        return [event_of(row) for row in self._rows(f"{EVENT} WHERE seq > ? ORDER BY seq LIMIT ?", (seq, limit))]

    def hash_at(self, seq: int) -> str | None:
        """The hash of the event with this sequence number; None where there is none."""
        rows = self._rows("SELECT hash FROM events WHERE seq = ?", (seq,))
        return rows[0][0] if rows else None

    def lineage(self, node_id: str, limit: int = 100, *, effects: bool = False) -> list[Event]:
        """The last events that changed a node, its edges or its vectors, newest last."""
        rows = self._rows(
            f"{EVENT} WHERE seq IN (SELECT seq FROM touched WHERE key = ?) AND (? OR type <> 'effects')"
            " ORDER BY seq DESC LIMIT ?",
            (node_id, int(effects), limit),
        )
        return [event_of(row) for row in rows[::-1]]

    def head(self) -> tuple[int, str]:
        """Sequence number and hash of the last event; (0, 64 zeros) in an empty store."""
        rows = self._rows("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")
        return rows[0] if rows else (0, GENESIS)


def _order(order: str) -> str:
    if order not in ORDERS:
        raise InvalidInput(f"expected order to be one of {', '.join(ORDERS)}, got {order!r}", field="order")
    return "name, id" if order == "name" else f"{order} DESC, id"


def _typed(rows: list[tuple[Any, ...]], types: Iterable[EdgeType] | None) -> list[Edge]:
    if types is not None:
        wanted = {str(type) for type in types}
        at = EDGES.columns.index("edge_type")
        rows = [row for row in rows if row[at] in wanted]
    return [decode(EDGES, row) for row in rows]
