"""The ports of the store: what the package asks of whatever keeps its memories, by what is asked for.

`store/sqlite/` answers them. Who reads takes a `Reader`, which a whole store, a snapshot of it and an open transaction
all are; who writes gets a `Transaction`; who follows the writes of any process takes a `Feed`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from context_graph.models import Author, Edge, EdgeType, Event, Goal, Node, NodeState, Record
from context_graph.store.clock import MAX_STAMP
from context_graph.store.feed import Change
from context_graph.store.records import Pair, Purged, Remade, Restored, Said, Session, Undone, Verification
from context_graph.store.registers import Position, Registers
from context_graph.visibility import Viewer

__all__ = [
    "Edges", "Effects", "Events", "Feed", "Goals", "Maintenance", "Nodes", "Reader", "Records",
    "RegisterRows", "RegisterStore", "Sessions", "Storage", "Transaction", "Vectors", "Writer",
]  # fmt: skip

Kind = TypeVar("Kind", Node, Edge, Goal, Record, Session, Pair)


class Nodes(Protocol):
    """Memories and concepts."""

    def node(self, node_id: str, *, forgotten: bool = False) -> Node:
        """One node."""

    def nodes(self, ids: Iterable[str]) -> list[Node]:
        """The nodes of these ids that exist, in the order given, in every state."""

    def existing(self, ids: Iterable[str]) -> set[str]:
        """Those of some ids that nodes have, in any state."""

    def memories(self, *, after_ordinal: int = -1, limit: int | None = None) -> Iterator[Node]:
        """Memories in all states, in the order they were stored; read in batches, so no lock is held between."""

    def columns(self, names: Sequence[str], after_ordinal: int = -1) -> list[tuple[Any, ...]]:
        """Raw columns of all memories by ordinal: enums as text, booleans as 0 or 1, mappings as JSON text."""

    def columns_of(self, names: Sequence[str], ids: Iterable[str]) -> list[tuple[Any, ...]]:
        """The same of those of some memories that exist, in no order."""

    def oldest_memory(self) -> str | None:
        """The memory of the lowest ordinal."""

    def ordinals_used(self) -> int:
        """How many memories were ever given an ordinal: what the next one gets."""

    def metadata_of_agent(self, agent_id: str, keys: Sequence[str]) -> list[tuple[Any, ...]]:
        """Of each memory that an agent stored, in the order they were stored: id, state, who changed it, what
        supersedes it, and the values of some keys of its metadata.
        """

    def with_metadata(self, text: str) -> list[Node]:
        """The memories whose metadata, as JSON, hold a text; in the order they were stored."""

    def find_by_prefix(self, hex_prefix: str, limit: int = 10) -> list[Node]:
        """Nodes whose id begins with these hex digits, hyphens not counted: what a citation tag names."""

    def concept(self, key: str) -> Node | None:
        """The concept of this name, whatever its case, width and spacing; the oldest where there are several."""

    def concepts_named(self, keys: Iterable[str]) -> dict[str, Node]:
        """The concepts of these names that exist, by the keys as given; the oldest where there are several."""

    def concepts(self, limit: int = 100, order: str = "access_count") -> list[Node]:
        """Live concepts, the highest first (names: the lowest)."""

    def recent(
        self, since: int, limit: int = 100, order: str = "created_at", *, viewer: Viewer, moment: int | None = None
    ) -> list[Node]:
        """Live memories created at or after an instant, the highest first, of those that a viewer may be answered."""

    def superseded(self, node_id: str) -> list[Node]:
        """The nodes that this one supersedes, oldest first."""

    def derived(self, node_id: str) -> list[Node]:
        """The nodes whose content repeats this one's, at whatever remove."""

    def tombstones(
        self, *, since: int = 0, limit: int = 100, states: Iterable[str] = (NodeState.FORGOTTEN,)
    ) -> list[Node]:
        """Forgotten nodes (or quarantined, on request), the latest first."""


class Sessions(Protocol):
    """Sessions, and their memories in turn."""

    def session(self, session_id: str) -> Session | None:
        """What is kept of a session, or None where it never wrote."""

    def sessions(self, limit: int = 100) -> list[Session]:
        """Sessions, the last seen first."""

    def session_memories(
        self, session_id: str, limit: int, before_position: int | None = None, *, states: Iterable[str] = ("live",)
    ) -> list[Node]:
        """The last memories of a session before a position, oldest first."""

    def session_after(self, session_id: str, position: int) -> Iterator[Node]:
        """The memories of a session after a position, in all states, oldest first."""

    def session_position(self, session_id: str) -> int:
        """The position that the next memory of this session takes."""

    def last_said(self, session_id: str) -> Said | None:
        """The last live memory of a session, as far as the next one needs it."""

    def in_turn(self, node_ids: Iterable[str], viewer: Viewer) -> list[tuple[str, str]]:
        """Memories that follow each other in their session for a viewer, and that no Temporal edge joins."""


class Edges(Protocol):
    """Edges, and what was retrieved together."""

    def edges(self, node_ids: str | Iterable[str], *, types: Iterable[EdgeType] | None = None) -> list[Edge]:
        """Edges that touch any of these nodes, each once, in the order of their ids."""

    def edges_between(self, node_ids: Iterable[str], *, types: Iterable[EdgeType] | None = None) -> list[Edge]:
        """Edges whose both ends are among these nodes."""

    def edge(self, edge_id: str) -> Edge | None:
        """One edge, or None."""

    def edges_of_ids(self, ids: Iterable[str]) -> list[Edge]:
        """Those of some edges that exist, in the order of their ids."""

    def all_edges(self, *, types: Iterable[EdgeType] | None = None) -> list[Edge]:
        """Every edge, in the order of their ids."""

    def reached(self, node_ids: Iterable[str]) -> list[tuple[str, str, float]]:
        """Source, target and effective weight of the edges that touch these nodes: all a traversal needs."""

    def pairs(self, node_ids: Iterable[str]) -> list[Pair]:
        """How often nodes were retrieved together, for pairs that touch any of these."""


class Vectors(Protocol):
    """Vectors by node, space and model."""

    def vectors(self, node_ids: Iterable[str], space: str) -> dict[str, bytes]:
        """The vectors of these nodes in one space; nodes without one are absent."""

    def vectors_by_ordinal(
        self, space: str, first: int, last: int, *, model: str | None = None
    ) -> list[tuple[int, bytes]]:
        """The vectors of the memories with first <= ordinal <= last that have one in this space, of this model."""

    def vectors_of(
        self, node_ids: Iterable[str], spaces: Iterable[str] | None = None
    ) -> dict[str, list[tuple[str, str, bytes]]]:
        """Space, model and bytes of the vectors of each node that has any, of these spaces alone if any are named."""

    def vector_models(self, node_id: str) -> dict[str, str]:
        """Which model made the vector of a node, by space."""

    def made_by_others(self, space: str, model: str) -> list[str]:
        """Memories whose vector in a space another model made, the latest first; forgotten ones are left out."""


class Goals(Protocol):
    """What the user works towards."""

    def goals(self) -> list[Goal]:
        """All goals, oldest first."""


class Records(Protocol):
    """What is kept under a name and is no memory."""

    def records(self, kind: str) -> list[Record]:
        """The records of a kind, in every state, oldest first."""

    def record(self, id: str) -> Record | None:
        """The record of an id, in any state."""

    def namesake(self, record: Record) -> Record | None:
        """The other live record that has the name of this one among those who share its scope."""


class Events(Protocol):
    """The log."""

    def event(self, hash_prefix: str) -> Event:
        """The event whose hash begins with these hex digits (8 or more)."""

    def event_at(self, seq: int) -> Event | None:
        """The event with this sequence number, or None."""

    def events(
        self,
        limit: int = 100,
        before_seq: int | None = None,
        type: str | None = None,
        *,
        since: int = 0,
        until: int = MAX_STAMP,
        parsed: bool = True,
    ) -> list[Event]:
        """Events before a sequence number and within a span of stamps, without its end, newest first; their content
        parsed now, or as far as it is asked for.
        """

    def event_count(self, type: str | None = None, *, since: int = 0, until: int = MAX_STAMP) -> int:
        """How many events there are within a span of stamps, without its end; reads none of them."""

    def events_since(self, seq: int, limit: int = 1000) -> list[Event]:
        """Events after a sequence number, oldest first: how one process learns of another's writes."""

    def lineage(self, node_id: str, limit: int = 100, *, effects: bool = False, parsed: bool = True) -> list[Event]:
        """The last events that changed a node, its edges or its vectors, newest last."""

    def hash_at(self, seq: int) -> str | None:
        """The hash of the event with this sequence number; None where there is none."""

    def head(self) -> tuple[int, str]:
        """Sequence number and hash of the last event; (0, 64 zeros) in an empty store."""


class Reader(Nodes, Sessions, Edges, Vectors, Goals, Records, Events, Protocol):
    """Everything that can be read."""

    def scan(self, kind: type[Kind]) -> Iterator[list[Kind]]:
        """All nodes, edges, goals, records, sessions or pairs, in pages; memories come first, as they were stored."""


class Transaction(Reader, Protocol):
    """One write, which reads the state so far: all of it is committed as one event, or nothing."""

    type: str
    """Of the event: what was done."""

    note: dict[str, Any]
    """What the write means, kept in its event; ids rather than quotes."""

    committed: Event | None
    """Set once the write is committed; None where nothing changed and the note is empty."""

    now: int
    """When the write began, in microseconds."""

    author: Author

    follows: int
    """A stamp that the event's own comes after: the latest of what was received from another home."""

    def receive(self, received: Mapping[str, Any]) -> None:
        """Keep in the event which registers it took in from another home."""

    def row(self, table: str, key: Iterable[str]) -> Mapping[str, Any] | None:
        """A row as it stands now."""

    def has(self, item: Node | Edge | Goal | Record | Session | Pair) -> bool:
        """Whether a row of the same key is there."""

    def has_node(self, node_id: str) -> bool:
        """Whether a node is there, in any state."""

    def have_nodes(self, ids: Iterable[str]) -> None:
        """Look up in one go which of some nodes are there."""

    def has_changes(self) -> bool:
        """Whether this write changed anything so far."""

    def put(self, item: Node | Edge | Goal | Record | Session | Pair, *, new: bool = False) -> None:
        """Insert an item, or replace the one with its key."""

    def node_id(self, id: str) -> str:
        """A new id as one of a node of this write: those begin alike, and lie together in the indexes."""

    def edge_id(self, id: str) -> str:
        """A new id as one of an edge of this write: those begin alike, and lie together in the indexes."""

    def put_edges(self, edges: Sequence[Edge]) -> None:
        """Insert edges whose ids were made for them just now, in one pass."""

    def update(self, node_id: str, **columns: Any) -> None:
        """Change some columns of a node, in any state."""

    def update_edge(self, edge_id: str, **columns: Any) -> None:
        """Change some columns of an edge."""

    def remove(self, item: Node | Edge | Goal | Record) -> None:
        """Take a row away; a node goes with its edges, vectors and retrieval pairs."""

    def remove_node(self, node_id: str) -> None:
        """Take a node and all that hangs on it away, each row by a change of its own."""

    def remove_edges(self, node_id: str) -> int:
        """Take all edges of a node away; returns how many there were."""

    def put_vector(self, node_id: str, space: str, model: str, data: bytes) -> None:
        """Keep the vector of a node in one space, replacing an older one."""

    def put_vectors(self, node_id: str, vectors: Mapping[str, tuple[str, bytes]]) -> None:
        """Keep the vectors of a node that has none yet, in one pass: by space, model and bytes."""

    def remove_vector(self, node_id: str, space: str) -> None:
        """Take the vector of a node in one space away; one that is not there is no error."""

    def put_session(self, session_id: str, state: Mapping[str, Any], *, agent_id: str | None = None) -> None:
        """Keep the state of a session, whole; it begins with its first write."""

    def count_pair(self, a: str, b: str, *, times: int = 1, at: int | None = None) -> None:
        """Note that two nodes were retrieved together."""

    def next_ordinal(self) -> int:
        """The ordinal of the next memory: 0, 1, 2, ...; a number once given never comes back."""

    def skip_ordinals(self, count: int) -> None:
        """Give no memory an ordinal below this: those were lost where an export comes from."""

    def touch(self, key: str) -> None:
        """List this event in the lineage of an id that it names without changing a row of it."""

    def step(self) -> AbstractContextManager[None]:
        """All of the block or nothing of it, within this write, which goes on after an error that is caught."""


class RegisterRows(Protocol):
    """Which write each register of a row comes from, and what is known of other homes, while nobody changes it."""

    def catch_up(self, reader: Any) -> None:
        """Fold what was written since, as a snapshot or an open transaction has it."""

    def registers(self, table: str, ids: Iterable[str]) -> dict[str, Registers]:
        """Registers of rows by their ids, of rows that have gone too."""

    def all_registers(self, table: str) -> dict[str, Registers]:
        """Registers of all rows of a table that are there."""

    def page(self, after: Position, limit: int, *, without: str = "") -> list[tuple[Position, str]]:
        """Rows whose registers were written after a position, in order, each with its registers as JSON.

        Parameters
        ----------
        without : str
            A peer: rows that stand as it told them are left out.
        """

    def purged(self, ids: Iterable[str]) -> set[str]:
        """Those of some ids that were deleted for good, here or elsewhere."""

    def all_purged(self) -> list[str]:
        """All of these, in order."""

    def purged_since(self, seq: int) -> bool:
        """Whether anything was deleted for good after an event."""

    def held(self, table: str, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        """What came from another home and cannot be a row yet, by the ids that it has."""

    def held_edges(self, nodes: Iterable[str], limit: int) -> list[tuple[str, str, str]]:
        """Id and ends of edges that wait for an end: those of some nodes, and others up to a limit."""

    def version(self) -> list[int]:
        """Numbers that change with any register."""

    def first_use(self, nonce: str, now: int, oldest: int, limit: int) -> bool:
        """Whether a nonce was not used before; those from before a moment are forgotten."""

    def cursor(self, peer: str) -> list[Any] | None:
        """How far a peer's log was taken in; None before the first time."""

    def set_cursor(self, peer: str, cursor: Sequence[Any]) -> None:
        """Note how far it was."""

    def tell_back(self, peer: str) -> None:
        """Tell a peer again what it told: its log is another one, so it may have lost that."""

    def files(self, peer: str) -> set[str]:
        """Files of a peer in a shared folder that were taken in."""

    def set_files(self, peer: str, names: Iterable[str]) -> None:
        """Note which these are."""

    def state(self, peer: str) -> dict[str, Any]:
        """What is noted of a peer."""

    def set_state(self, peer: str, state: Mapping[str, Any]) -> None:
        """Note it."""


class RegisterStore(Protocol):
    """Registers of all rows, folded from the log."""

    def opened(self) -> AbstractContextManager[RegisterRows]:
        """The rows, for one thread of one process. Take a snapshot of the store inside the block, never before it."""


class Effects(Protocol):
    """The queue of what reads leave behind."""

    @property
    def pending(self) -> int:
        """Reads whose effects are not written yet."""

    def add(
        self,
        author: Author,
        *,
        nodes: Iterable[str] = (),
        edges: Iterable[str] = (),
        pairs: Iterable[tuple[str, str]] = (),
        state: Mapping[str, Any] | None = None,
        at: int | None = None,
    ) -> None:
        """Queue the effects of one read; never waits for the store."""

    def flush(self) -> bool:
        """Write what is queued as one event; True where there was something."""


class Writer(Protocol):
    """Writes, each of which is one event."""

    @property
    def effects(self) -> Effects:
        """What reads leave behind, written together."""

    def write(self, type: str, author: Author) -> AbstractContextManager[Transaction]:
        """One event: all that the block changes through `tx`, or nothing where it raises."""

    def reading_to_write(self) -> AbstractContextManager[Reader]:
        """What is stored, for whoever writes next: no other thread of this process writes until the block ends."""

    def lease(self, name: str) -> AbstractContextManager[bool]:
        """Whether this is the only holder of a lease among all processes, for as long as the block lasts."""

    def undo(self, event_hash_or_prefix: str, author: Author, *, preview: bool = False) -> Undone:
        """Take an event back by an event of its own; undoing that one redoes it."""

    def purge(self, node_id: str, author: Author, *, remade: Remade | None = None) -> Purged:
        """Delete a node permanently: from tables, log, caches and the backups of this home. Nothing brings it back."""

    def purge_rows(self, node_id: str, author: Author, *, remade: Remade | None = None) -> Purged:
        """The first half of `purge`: from tables and log, in a transaction of milliseconds."""

    def purge_copies(self, purged: Purged, author: Author, *, remade: Remade | None = None) -> Purged:
        """The second half: from caches, from the write-ahead log and from backups, while others read and write."""


class Feed(Events, Protocol):
    """What any process has written since."""

    def data_version(self) -> int:
        """A number that changes when any process, this one included, has committed; costs microseconds."""

    def residue(self, seq: int) -> tuple[Change, ...]:
        """What an event changed in rows that remain, where a purge has taken away its content."""


class Maintenance(Protocol):
    """Proofs, copies and checks of the whole."""

    @property
    def engine(self) -> dict[str, str]:
        """The engine that keeps the data, by name, and its version."""

    def counts(self) -> dict[str, int]:
        """How much the store holds, by kind, and the bytes of its files.

        `memories` and `concepts` are those that are not forgotten, `quarantined` memories among them; `forgotten`
        memories stand beside them. `live_memories` are neither, and `nodes` are all rows.
        """

    def verify(self) -> Verification:
        """Check the chain of hashes, and that replaying the log gives exactly these tables."""

    def checkpoint(self, author: Author, describe: Callable[[Reader], Mapping[str, Any]] | None = None) -> Event:
        """Sign the log so far: its head and the Merkle root over all event hashes; `describe` adds to its note."""

    def prove(self, event_hash: str, *, content: bool = False) -> dict[str, Any]:
        """Proof that the last checkpoint covers an event; anyone can check it without the store."""

    def prove_growth(self, older_hash: str, newer_hash: str | None = None) -> dict[str, Any]:
        """Proof that the log of one checkpoint is the beginning of that of another (the last one by default)."""

    def backup(self, target: Path | None = None) -> Path:
        """Copy the store as it is now, into the home's `backups` or to a file that does not exist yet."""

    def backups(self) -> list[Path]:
        """The backups in the home directory, oldest first."""

    def verify_backups(self) -> dict[Path, str]:
        """What is wrong with each backup in the home directory; an empty text where it is sound."""

    def restore(self, source: Path, author: Author) -> Restored:
        """Make the store what a backup is; what it was before is kept as a backup of its own."""

    def replay(self) -> Verification:
        """Make the tables anew from the log, in one transaction; what they were is kept as a backup."""


class Storage(Reader, Writer, Feed, Maintenance, Protocol):
    """The store of one home directory: all that a memory asks of it."""

    home: Path
    unwritable: str
    """Why it can only be read; empty where it can be written."""

    @property
    def registers(self) -> RegisterStore:
        """Which write each register of a row comes from."""

    @property
    def note(self) -> str:
        """What to say of a store that can only be read; empty of any other."""

    @property
    def write_problem(self) -> str:
        """Why a write would fail, or may; empty where nothing speaks against it. Costs microseconds."""

    @property
    def lost(self) -> bool:
        """Whether the file was deleted, moved or replaced while it was open: what is read is no longer on the disk."""

    def snapshot(self) -> AbstractContextManager[Reader]:
        """Several reads of one moment, whatever is written meanwhile."""

    def close(self) -> None:
        """Write the effects still queued and let go of the file; closing twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
