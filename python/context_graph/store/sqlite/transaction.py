"""One write: changes fold into the tables as they are made, and leave together as one event."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import apsw

from context_graph.errors import InvalidInput, NameTaken, NodeNotFound, NotFound, Refused
from context_graph.models import Author, Edge, Event, Goal, Node, NodeKind, NodeState, Record
from context_graph.names import name_key
from context_graph.store.chain import canonical
from context_graph.store.records import Pair, Said, Session
from context_graph.store.sqlite import log
from context_graph.store.sqlite.changes import ChangeRecord, change_between, fold, touched_by
from context_graph.store.sqlite.connection import rows_of
from context_graph.store.sqlite.logged_changes import LoggedChange, with_residue
from context_graph.store.sqlite.queries import Queries
from context_graph.store.sqlite.rows import (
    TABLES,
    Row,
    Table,
    Value,
    decode,
    encode,
    encode_column,
    encode_edges,
    key_of,
    table_of,
    with_name_key,
)
from context_graph.store.sqlite.session_ends import SessionEnds
from context_graph.store.sqlite.waiting_rows import ORDINAL, WAITING, WaitingRows

__all__ = ["Transaction"]

T = TypeVar("T")
Key = tuple[str, tuple[str, ...]]
NODE_PREFIX_CHARS, EDGE_PREFIX_CHARS = 3, 8
"""Characters that the ids of a write's nodes and of its edges have in common, random as well: so few of nodes that
citation tags, which are the beginnings of ids, stay apart, and so many of edges that two writes do."""

MAX_COUNTED = 2**31 - 1
"""Where counts of reads stop: an import takes no more."""


class Transaction(Queries):
    """What `Store.write` hands out; all of `Queries` reads the state so far.

    Attributes
    ----------
    note : dict
        The meaning of this write, kept in the event: ``{"operation": "created", "nodes": [...]}``. Name ids
        in it rather than quote content; a purge removes only the notes it can recognise.
    committed : Event or None
        Set once the write is committed; None where nothing changed and the note is empty.
    follows : int
        A stamp that the event's own comes after: the latest of what was received from another home.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        *,
        type: str,
        author: Author,
        now: int,
        new_id: Callable[[], str],
        retention_days: float,
    ) -> None:
        self.type = type
        self.author = author
        self.now = now
        self.note: dict[str, Any] = {}
        self.committed: Event | None = None
        self.extra: dict[str, Any] = {}  # what else the payload carries, as what came from another home
        self.residue: dict[str, list[LoggedChange]] | None = None  # of a purge
        self.follows = 0
        self.retention_days = retention_days
        self._connection: apsw.Connection | None = connection
        self._new_id = new_id
        self._before: dict[Key, Row | None] = {}
        self._current: dict[Key, Row | None] = {}
        self._saved = False
        self._replaced: list[tuple[Key, Row | None]] | None = None
        """Rows of `_current` that the step in progress has changed, as they were before each change."""

        self._blobs: dict[str, None] = {}
        self._touched: dict[Any, None] = {}  # sets that keep their order: a step that fails takes back what it added
        self._nodes_there: set[str] = set()
        self._ends = SessionEnds()
        self._nodes_begin = self._edges_begin = ""
        self._waiting, self._reads_whole = WaitingRows(), True

    @property
    def connection(self) -> apsw.Connection:
        """Open for as long as the block: past its end, a statement would be a write without an event. No row waits.

        Raises
        ------
        Refused
            The write has ended.
        """
        connection = self._save()
        if self._waiting:
            self._waiting.write(connection)
        return connection

    def _open(self) -> apsw.Connection:
        """The connection, for statements about tables of which no row can wait."""
        if self._connection is None:
            raise Refused("this write has ended; begin another with store.write(...)")
        return self._connection

    def _save(self) -> apsw.Connection:
        """The connection, for what changes a row: of the step in progress, all of it can be taken back."""
        connection = self._open()
        if self._replaced is not None and not self._saved:
            connection.execute("SAVEPOINT step")
            self._saved = True
        return connection

    def end(self) -> None:
        """Let go of the connection; what still waits belongs to a write that failed."""
        self._connection = None

    def _rows(self, sql: str, values: Sequence[Value | bytes] = ()) -> list[tuple[Any, ...]]:
        concerned = self._reads_whole and self._waiting.concern(sql)
        return rows_of(self.connection if concerned else self._open(), sql, values)

    def _stored(self, read: Callable[[Any], T], asked: Any) -> T:
        """What a query answers without the rows that wait, for whoever knows these."""
        self._reads_whole = False
        try:
            return read(asked)
        finally:
            self._reads_whole = True

    @contextmanager
    def step(self) -> Iterator[None]:
        """All of the block or nothing of it, within this write, which goes on after an error that is caught."""
        grown: list[dict[Any, Any]] = [self._before, self._current, self._blobs, self._touched]
        sizes, waiting = [*map(len, grown)], self._waiting.copy()
        replaced: list[tuple[Key, Row | None]] = []
        self._replaced, self._saved = replaced, False
        try:
            yield
        except BaseException:
            for key, row in reversed(replaced):
                self._current[key] = row
            for each, size in zip(grown, sizes, strict=True):
                while len(each) > size:
                    each.popitem()
            self._nodes_there, self._ends = set(), SessionEnds()
            if self._saved:
                self._open().execute("ROLLBACK TO step")
                self._open().execute("RELEASE step")
            # those that were written within the step have been taken back with it
            self._waiting.restore(waiting, self._current.get(ORDINAL))
            raise
        finally:
            self._replaced = None
        if self._saved:
            self._open().execute("RELEASE step")

    # Rows

    def row(self, table: str, key: Iterable[str]) -> Row | None:
        """A row as it stands now."""
        row_key: Key = (table, tuple(key))
        if row_key not in self._current:
            described = TABLES[table]
            select = f"{described.select} WHERE {described.where}"
            rows = self._stored(partial(self._rows, select), row_key[1])  # all that wait are in `_current`
            self._current[row_key] = dict(zip(described.columns, rows[0], strict=True)) if rows else None
        return self._current[row_key]

    def set_row(self, table: str, key: Iterable[str], after: Row | None) -> None:
        """Change one row; every write comes through here, so nothing changes without a before-image."""
        row_key: Key = (table, tuple(key))
        now = self.row(*row_key)
        change = change_between(table, row_key[1], now, after)
        if change is None:
            return
        fold(self.connection if table in WAITING else self._save(), change, whole=True)
        if table == "nodes":
            self._ends.follow(now, after)
        self._before.setdefault(row_key, now)
        self._set_current(row_key, after)
        for row in (now, after):
            if row is not None:
                self._touched.update(dict.fromkeys(touched_by(table, row_key[1], row)))

    def _set_current(self, key: Key, row: Row | None) -> None:
        if self._replaced is not None and key in self._current:
            self._replaced.append((key, self._current[key]))
        self._current[key] = row

    def touch(self, key: str) -> None:
        """List this event in the lineage of an id that it names without changing a row of it."""
        self._touched[key] = None

    # Nodes, edges, goals, records

    def session_position(self, session_id: str) -> int:
        """The position that the next memory of this session takes."""
        return self._ends.position(session_id, partial(self._of_session, super().session_position))

    def last_said(self, session_id: str) -> Said | None:
        """The last live memory of a session, as far as the next one needs it."""
        if self.session_position(session_id) == 0:  # nothing was said in it: one look tells both
            return None
        return self._ends.last_said(session_id, partial(self._of_session, super().last_said))

    def _of_session(self, read: Callable[[str], T], session_id: str) -> T:
        return read(session_id) if self._waiting.has_memory_of(session_id) else self._stored(read, session_id)

    def next_ordinal(self) -> int:
        """The ordinal of the next memory: 0, 1, 2, ...; a number once given never comes back."""
        row = self.row(*ORDINAL)
        value = int(row["value"] or 0) if row else 0
        self._count_ordinals(value + 1)
        return value

    def skip_ordinals(self, count: int) -> None:
        """Give no memory an ordinal below this: those were lost where an export comes from."""
        self._count_ordinals(count)

    def _count_ordinals(self, count: int) -> None:
        """Keep what the next ordinal is; its row is written once, when something asks for it or the write ends."""
        self._before.setdefault(ORDINAL, self.row(*ORDINAL))
        self._waiting.ordinal = {"name": "ordinal", "value": count}
        self._set_current(ORDINAL, self._waiting.ordinal)

    def has(self, item: Node | Edge | Goal | Record | Session | Pair) -> bool:
        """Whether a row of the same key is there."""
        table = table_of(item)
        return self.row(table.name, [str(getattr(item, column)) for column in table.key]) is not None

    def nodes(self, ids: Iterable[str]) -> list[Node]:
        """The nodes of these ids that exist, in the order given, in every state; read where this write has not them."""
        wanted = list(ids)
        rows = {id: row for id in wanted if (row := self._current.get(("nodes", (id,)))) is not None}
        nodes = {id: decode(TABLES["nodes"], tuple(row.values())) for id, row in rows.items()}
        if len(nodes) < len(wanted):
            nodes |= {node.id: node for node in self._stored(super().nodes, [id for id in wanted if id not in rows])}
            self._nodes_there.update(nodes)
        return [nodes[id] for id in wanted if id in nodes]

    def columns_of(self, names: Sequence[str], ids: Iterable[str]) -> list[tuple[Any, ...]]:
        """The same of those of some memories that exist, in no order."""
        wanted = list(ids)
        rows = {id: row for id in wanted if (row := self._current.get(("nodes", (id,)))) is not None}
        columns = [tuple(row[name] for name in names) for row in rows.values() if row["ordinal"] is not None]
        others = [id for id in wanted if id not in rows]
        if not others:
            return columns
        stored = self._stored(partial(super().columns_of, ["id", *names]), others)
        self._nodes_there.update(row[0] for row in stored)
        return columns + [row[1:] for row in stored]

    def concepts_named(self, keys: Iterable[str]) -> dict[str, Node]:
        """The concepts of these names that exist, by the keys as given; the oldest where there are several."""
        wanted = {name_key(key): key for key in keys}
        concepts = self._stored(super().concepts_named, wanted.values())
        self._nodes_there.update(node.id for node in concepts.values())
        for node in self._waiting.concepts(wanted):
            key = wanted[name_key(str(node.metadata.get("name_key") or node.name))]
            if key not in concepts or (node.created_at, node.id) < (concepts[key].created_at, concepts[key].id):
                concepts[key] = node
        return concepts

    def has_node(self, node_id: str) -> bool:
        """Whether a node is there, in any state."""
        known: Key = ("nodes", (node_id,))
        if known in self._current:
            return self._current[known] is not None
        if node_id not in self._nodes_there:
            self._nodes_there |= self._stored(self.existing, [node_id])
        return node_id in self._nodes_there

    def have_nodes(self, ids: Iterable[str]) -> None:
        """Look up in one go which of some nodes are there."""
        unknown = [id for id in ids if id not in self._nodes_there and ("nodes", (id,)) not in self._current]
        if unknown:
            self._nodes_there |= self._stored(self.existing, unknown)

    def put(self, item: Node | Edge | Goal | Record | Session | Pair, *, new: bool = False) -> None:
        """Insert an item, or replace the one with its key.

        Parameters
        ----------
        new : bool
            Its id was made for it just now, so nothing has it.

        Raises
        ------
        InvalidInput
            A memory has no ordinal, or another node has one.
        NameTaken
            A live record of this kind has the name.
        """
        table = table_of(item)
        row = encode(item)
        if isinstance(item, Node) and (item.kind == NodeKind.MEMORY) != (item.ordinal is not None):
            raise InvalidInput(
                f"expected an ordinal from tx.next_ordinal() for memories alone, got {item.kind} with {item.ordinal}",
                field="ordinal",
            )
        if isinstance(item, Edge):
            self._check_ends(item)
        if isinstance(item, Record) and item.state == NodeState.LIVE and self.namesake(item) is not None:
            raise NameTaken(
                f"{item.kind.capitalize()} already exists: {item.name!r:.80}; choose another name, or change the "
                "one that has it",
                field="name",
            )
        if new and isinstance(item, Node):
            self._insert(table, [row])
            self._ends.follow(None, row)
            return
        key = key_of(table, row)
        if new:
            self._current.setdefault((table.name, key), None)
        self.set_row(table.name, key, row)

    def node_id(self, id: str) -> str:
        """A new id as one of a node of this write: those begin alike, and lie together in the indexes.

        Where all are random, each row changes pages of its own, and these are most of what a write writes.
        """
        self._nodes_begin = self._nodes_begin or id[:NODE_PREFIX_CHARS]
        return self._nodes_begin + id[NODE_PREFIX_CHARS:]

    def edge_id(self, id: str) -> str:
        """A new id as one of an edge of this write: those begin alike, as its nodes do."""
        self._edges_begin = self._edges_begin or self.node_id(id)[:EDGE_PREFIX_CHARS]
        return self._edges_begin + id[EDGE_PREFIX_CHARS:]

    def put_edges(self, edges: Sequence[Edge]) -> None:
        """Insert edges whose ids were made for them just now, in one pass."""
        for edge in edges:
            self._check_ends(edge)
        self._insert(TABLES["edges"], encode_edges(edges))

    def _insert(self, table: Table, rows: Sequence[Row]) -> None:
        """Add rows that are not there, all columns in their order; they wait for whoever asks for their table."""
        self._waiting.add(table.name, [tuple(row.values()) for row in rows])
        for row in rows:
            known: Key = (table.name, key_of(table, row))
            self._before.setdefault(known, None)
            self._set_current(known, row)
            self._touched.update(dict.fromkeys(touched_by(table.name, known[1], row)))

    def _check_ends(self, edge: Edge) -> None:
        for end in (edge.source, edge.target):
            if not self.has_node(end):
                raise NodeNotFound(f"edge {edge.id} needs both its ends: {self._why_not(end)}")

    def update(self, node_id: str, **columns: Any) -> None:
        """Change some columns of a node, in any state.

        Raises
        ------
        NodeNotFound
            No node has the id.
        """
        row = self.row("nodes", (node_id,))
        if row is None:
            raise NodeNotFound(self._why_not(node_id))
        self.set_row("nodes", (node_id,), with_name_key(_with(row, "nodes", columns)))

    def update_edge(self, edge_id: str, **columns: Any) -> None:
        """Change some columns of an edge.

        Raises
        ------
        NotFound
            No edge has the id.
        NodeNotFound
            A new end is not there.
        """
        row = self.row("edges", (edge_id,))
        if row is None:
            raise NotFound(f"no edge has the id {edge_id!r}; store.edges(node_id) lists those of a node")
        for end in ("source", "target"):
            if end in columns and self.row("nodes", (columns[end],)) is None:
                raise NodeNotFound(f"edge {edge_id} needs both its ends: {self._why_not(columns[end])}")
        self.set_row("edges", (edge_id,), _with(row, "edges", columns))

    def remove(self, item: Node | Edge | Goal | Record) -> None:
        """Take a row away; a node goes with its edges, vectors and retrieval pairs.

        Raises
        ------
        NotFound
            It is not there, or no more.
        """
        table = table_of(item)
        if self.row(table.name, (item.id,)) is None:
            raise NotFound(f"no {type(item).__name__.lower()} has the id {item.id!r}; it may be removed already")
        if isinstance(item, Node):
            self.remove_node(item.id)
        else:
            self.set_row(table.name, (item.id,), None)

    def remove_node(self, node_id: str) -> None:
        """Take a node and all that hangs on it away, each row by a change of its own."""
        self.remove_edges(node_id)
        for (space,) in self._rows("SELECT space FROM vectors WHERE node_id = ? ORDER BY space", (node_id,)):
            self.set_row("vectors", (node_id, space), None)
        for pair in self.pairs([node_id]):
            self.set_row("pairs", (pair.first, pair.second), None)
        self.set_row("nodes", (node_id,), None)

    def remove_edges(self, node_id: str) -> int:
        """Take all edges of a node away; returns how many there were."""
        found = self.edges(node_id)
        for edge in found:
            self.set_row("edges", (edge.id,), None)
        return len(found)

    # Vectors, sessions, effects

    def put_vector(self, node_id: str, space: str, model: str, data: bytes) -> None:
        """Keep the vector of a node in one space, replacing an older one."""
        row = self._vector(node_id, space, model, data)
        self.connection.execute(WAITING["blobs"], (row["sha256"], bytes(data)))
        self.set_row("vectors", (node_id, space), row)

    def put_vectors(self, node_id: str, vectors: Mapping[str, tuple[str, bytes]]) -> None:
        """Keep the vectors of a node that has none yet, in one pass: by space, model and bytes."""
        rows = [self._vector(node_id, space, *made) for space, made in vectors.items()]
        blobs = [(row["sha256"], bytes(data)) for row, (_, data) in zip(rows, vectors.values(), strict=True)]
        self._waiting.add("blobs", blobs)
        self._insert(TABLES["vectors"], rows)

    def _vector(self, node_id: str, space: str, model: str, data: bytes) -> Row:
        if not self.has_node(node_id):
            raise NodeNotFound(f"a vector needs its node: {self._why_not(node_id)}")
        sha256 = hashlib.sha256(data).hexdigest()
        self._blobs[sha256] = None
        row: Row = {"node_id": node_id, "space": space, "model": model, "sha256": sha256}
        for column in ("space", "model"):
            row[column] = encode_column(TABLES["vectors"], column, row[column])
        return row

    def remove_vector(self, node_id: str, space: str) -> None:
        """Take the vector of a node in one space away; one that is not there is no error."""
        self.set_row("vectors", (node_id, space), None)

    def put_session(self, session_id: str, state: Mapping[str, Any], *, agent_id: str | None = None) -> None:
        """Keep the state of a session, whole; it begins with its first write."""
        known = self.row("sessions", (session_id,))
        agent_id = agent_id or self.author.agent_id
        row: Row = {
            "id": session_id,
            "agent_id": agent_id if agent_id is not None else (known or {}).get("agent_id"),
            "started_at": known["started_at"] if known else self.now,
            "last_seen": self.now,
            "state": canonical(dict(state)).decode(),
        }
        self.set_row("sessions", (session_id,), row)

    def count_pair(self, a: str, b: str, *, times: int = 1, at: int | None = None) -> None:
        """Note that two nodes were retrieved together."""
        first, second = sorted((a, b))
        row = self.row("pairs", (first, second))
        count, last_seen = (int(row["count"] or 0), int(row["last_seen"] or 0)) if row else (0, 0)
        count, last_seen = min(count + times, MAX_COUNTED), max(last_seen, self.now if at is None else at)
        after: Row = {"first": first, "second": second, "count": count, "last_seen": last_seen}
        self.set_row("pairs", (first, second), after)

    # The event

    def receive(self, received: Mapping[str, Any]) -> None:
        """Keep in the event which registers it took in from another home: the log tells where each comes from."""
        self.extra["sync"] = dict(received)

    def changes(self) -> list[ChangeRecord]:
        """What this write changed so far, each row once, in the order first touched."""
        found = (
            change_between(table, key, before, self._current[table, key])
            for (table, key), before in self._before.items()
        )
        return [change for change in found if change is not None]

    def has_changes(self) -> bool:
        """Whether this write changed anything so far."""
        return bool(self.changes())

    def seal(self) -> Event | None:
        """Append the event of this write; None where there is nothing to say."""
        changes = self.changes()
        if not changes and not self.note:
            return None
        payload: Mapping[str, Any] = {
            "note": self.note, "changes": changes, "blobs": sorted(self._blobs), **self.extra
        }  # fmt: skip
        if self.residue is not None:
            payload = with_residue(payload, self.residue)
        return log.append(
            self.connection, type=self.type, author=self.author, payload=payload, touched=self._touched,
            now=self.now, new_id=self._new_id, after=self.follows,
        )  # fmt: skip


def _with(row: Row, table: str, columns: Mapping[str, Any]) -> Row:
    if "id" in columns:
        raise InvalidInput(f"the id of a row of {table} stays; put a new one instead", field="id")
    return row | {column: encode_column(TABLES[table], column, value) for column, value in columns.items()}
