"""The log as auditors read it: which events of which kind, and checkpoints over it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from context_graph.errors import InvalidInput
from context_graph.models import Author, Edge, Event, Goal, Node, Record
from context_graph.runtime.runtime import Runtime
from context_graph.store import (
    EVENT_TYPES,
    GENESIS,
    MAX_STAMP,
    MerkleTree,
    Reader,
    canonical,
    changes_of,
    first_stamp,
    is_emptied,
    note_of,
    written_rows,
)

__all__ = [
    "Audit", "Checkpoint", "checkpoint", "kinds_of", "parents_of", "payload_of", "query", "signature_of", "state_root",
]  # fmt: skip

PAGE = 500
CHANGED = {"nodes": "Node", "records": "Record", "edges": "Edge"}
CHANGES = {f"{what}{how}" for what in CHANGED.values() for how in ("Created", "Updated", "Deleted")}
CHECKPOINT_KIND = "CheckpointCreated"
SHOWN = ("operation", "size", "head", "root", "state_root", "public_key", "name", "tags", "added", "changed", "removed")
"""What of a note is told: no text of a memory stands in it."""

MAX_CHANGES = 50
"""Changed rows in the payload of one event; all are counted."""


@dataclass(frozen=True, slots=True)
class Audit:
    """Events that match, the newest first, and how many there are in all."""

    events: list[Event]
    total: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed checkpoint and the one before it."""

    event: Event
    previous_height: int
    note: Mapping[str, Any]


def kinds_of(event: Event) -> list[str]:
    """The names that auditors know for what an event did, such as NodeCreated."""
    if event.type == "checkpoint":
        return [CHECKPOINT_KIND]
    kinds: dict[str, None] = {}
    for table, change in written_rows(event, *CHANGED):
        deleted = change is not None and (change.deleted or (change.after or {}).get("state") == "forgotten")
        what = "Created" if change is None else "Deleted" if deleted else "Updated"
        kinds[f"{CHANGED[table]}{what}"] = None
    return list(kinds)


def query(
    store: Reader, *, type: str | None = None, since: int | None = None, until: int | None = None, limit: int = 50
) -> Audit:
    """The events of a type (of the log, or as auditors name it) within a span of time.

    What an event did to nodes, records and edges stands in its payload alone: for these names the log is read whole.
    A type that is neither written by this version nor in the log is refused.
    """
    span = {
        "since": 0 if since is None else first_stamp(since),
        "until": MAX_STAMP if until is None else first_stamp(until + 1),
    }
    if type in CHANGES:
        matching = [event for event in _newest_first(store, **span) if type in kinds_of(event)]
        return Audit(matching[:limit], len(matching))
    type = "checkpoint" if type == CHECKPOINT_KIND else type
    if type is not None and type not in EVENT_TYPES and not store.event_count(type):
        names = ", ".join((*EVENT_TYPES, *sorted(CHANGES), CHECKPOINT_KIND))
        raise InvalidInput(f"eventType must be one of {names}; got {type[:40]!r}", field="eventType")
    return Audit(store.events(limit, type=type, **span, parsed=False), store.event_count(type, **span))


def _newest_first(store: Reader, *, since: int, until: int) -> Iterator[Event]:
    before = None
    while events := store.events(PAGE, before, since=since, until=until, parsed=False):
        yield from events
        before = events[-1].seq


def payload_of(event: Event) -> dict[str, Any]:
    """What an event did: which rows it changed and how, never what a memory says."""
    if is_emptied(event):
        return {"purged": True}
    changes = changes_of(event)
    note = note_of(event)
    rows = [
        {
            "table": change.table,
            "key": list(change.key),
            "change": "inserted" if change.inserted else "deleted" if change.deleted else "updated",
        }
        for change in changes[:MAX_CHANGES]
    ]
    return {"note": {name: note[name] for name in SHOWN if name in note}, "changes": rows, "changeCount": len(changes)}


def signature_of(event: Event, checkpoints: Sequence[Event]) -> tuple[int, str] | None:
    """Height and signature of the first checkpoint that covers an event, or that the event is; None where none does.

    Parameters
    ----------
    checkpoints : sequence of Event
        The oldest first.
    """
    for one in checkpoints:
        note = note_of(one)
        if one.seq == event.seq or int(note.get("size", 0)) >= event.seq:
            return int(note["size"]), str(note["signature"])
    return None


def parents_of(event: Event) -> list[str]:
    """The hash of the event before, which its own hash covers."""
    return [] if event.previous_hash == GENESIS else [event.previous_hash]


def state_root(reader: Reader) -> str:
    """The Merkle root over all nodes, edges, goals and records, each as canonical JSON."""
    tree = MerkleTree()
    pages: Iterator[Sequence[Node | Edge | Goal | Record]] = chain(
        reader.scan(Node), reader.scan(Edge), reader.scan(Goal), reader.scan(Record)
    )
    for item in chain.from_iterable(pages):
        tree.add(canonical([type(item).__name__, json.loads(json.dumps(asdict(item), default=list))]))
    return tree.root().hex()


def checkpoint(memory: Runtime, author: Author, name: str | None = None, tags: Sequence[str] = ()) -> Checkpoint:
    """Sign the log so far, with the root of the state that it led to."""
    last = memory.store.events(1, type="checkpoint")
    height = int(note_of(last[0])["size"]) if last else 0

    def described(reader: Reader) -> dict[str, Any]:
        more = {"state_root": state_root(reader)}
        return more | ({"name": name} if name else {}) | ({"tags": list(tags)} if tags else {})

    event = memory.store.checkpoint(author, described)
    memory.committed(event)
    return Checkpoint(event, height, note_of(event))
