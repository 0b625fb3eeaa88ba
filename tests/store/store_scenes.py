"""What the tests of the store write and look at."""

import itertools
import uuid
from collections.abc import Callable
from pathlib import Path

from context_graph.models import Author, Edge, EdgeType, Node, NodeKind, Record
from context_graph.store import Storage, Store

NOON = 1_795_262_400_000_000
AUTHOR = Author(session_id="s1", agent_id="tester", context_id="c1")


class Clock:
    """Stands still until moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now


def _sqlite(home: Path, clock: Clock, new_id: Callable[[], str]) -> Storage:
    return Store.open(home, clock=clock, new_id=new_id, flush_seconds=None)


STORES: dict[str, Callable[[Path, Clock, Callable[[], str]], Storage]] = {"sqlite": _sqlite}
"""What answers the ports of the store: each opens one, or opens it again."""


def ids(seed: int = 0) -> Callable[[], str]:
    """UUIDs in a fixed sequence."""
    counter = itertools.count(seed << 64)
    return lambda: str(uuid.uuid5(uuid.NAMESPACE_OID, str(next(counter))))


def memory(id: str, ordinal: int | None, content: str = "The cat sat on the mat.", **columns) -> Node:
    """A memory with times that do not matter."""
    given = {"name": content[:60], "session_id": "s1"} | columns
    return Node(
        id=id, ordinal=ordinal, content=content, created_at=NOON, occurred_at=NOON, valid_from=NOON,
        last_accessed=NOON, **given,
    )  # fmt: skip


def concept(id: str, name: str, **columns) -> Node:
    return memory(id, None, name, kind=NodeKind.CONCEPT, **columns)


def edge(id: str, source: str, target: str, **columns) -> Edge:
    """An edge with times that do not matter."""
    given = {"edge_type": EdgeType.SEMANTIC, "weight": 0.5, "confidence": 0.9} | columns
    return Edge(id=id, source=source, target=target, created_at=NOON, last_accessed=NOON, **given)


def record(id: str, name: str, **columns) -> Record:
    """A record with times that do not matter."""
    given = {"kind": "model", "session_id": "s1", "agent_id": "tester", "data": {"weight": 0.5}} | columns
    return Record(id=id, name=name, created_at=NOON, updated_at=NOON, **given)


def remember(store: Store, id: str, content: str = "The cat sat on the mat.", **columns):
    """Store one memory as an agent would; returns its event."""
    with store.write("created", AUTHOR) as tx:
        tx.put(memory(id, tx.next_ordinal(), content, **columns))
        tx.put_vector(id, "E1", "static-1", content.encode() * 3)
        tx.note.update(operation="created", nodes=[id])
    return tx.committed


def link(store: Store, id: str, source: str, target: str, **columns):
    with store.write("linked", AUTHOR) as tx:
        tx.put(edge(id, source, target, **columns))
    return tx.committed


def forget(store: Store, id: str):
    """Forget softly, with cascade; returns the event whose hash brings it back."""
    with store.write("forgotten", AUTHOR) as tx:
        tx.update(id, state="forgotten", state_reason="test", state_at=tx.now, state_by="user")
        tx.remove_edges(id)
    return tx.committed


def tables(store: Store) -> dict[str, list[tuple]]:
    """Every projection table, whole."""
    names = ("nodes", "edges", "vectors", "goals", "records", "sessions", "pairs", "counters")
    return {name: sorted(store._rows(f"SELECT * FROM {name}"), key=repr) for name in names}
