"""Vectors of what was received: made here of the text, so that it is found at once and nobody else's are believed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_graph.index.vector_codec import completed, put_vectors, vectors_of
from context_graph.models import Node, NodeKind
from context_graph.reading.fingerprints import fingerprint_of
from context_graph.sync.batch import Entry
from context_graph.sync.rows import new_row

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Transaction

__all__ = ["Vectors", "embedded", "text_of", "vectors_here"]


@dataclass(frozen=True, slots=True)
class Vectors:
    """Of one memory, and what they were made of: content, name and speaker."""

    text: tuple[str, str, str | None]
    made: dict[str, tuple[str, bytes]]

    def put(self, tx: "Transaction", node_id: str, *, fresh: bool) -> None:
        """Write them, in the place of older ones where the memory is not new."""
        if fresh:
            tx.put_vectors(node_id, self.made)
        else:
            put_vectors(tx, node_id, self.made)


def text_of(node: Node) -> tuple[str, str, str | None]:
    """What of a memory its vectors are made of."""
    return node.content, node.name, node.speaker


def embedded(memory: "Runtime", entries: Iterable[Entry]) -> dict[str, Vectors]:
    """Vectors of the memories among some entries that are not here yet, or say something else here."""
    memories = [new_row(entry) for entry in entries if entry.columns["kind"] == NodeKind.MEMORY]
    nodes = {node.id: node for node in memories if isinstance(node, Node)}
    there = {node.id: text_of(node) for node in memory.store.nodes(nodes)}
    last: dict[str, Node] = {}
    found: dict[str, Vectors] = {}
    for node in sorted(nodes.values(), key=lambda node: (node.session_id, node.position)):
        if there.get(node.id) != text_of(node):
            found[node.id] = vectors_here(memory, node, last.get(node.session_id))
            last[node.session_id] = node
    return found


def vectors_here(memory: "Runtime", node: Node, previous: Node | None = None) -> Vectors:
    """Vectors of a memory as this home makes them, with the one before it in its session as far as it is known."""
    if previous is None:
        earlier = memory.store.session_memories(node.session_id, 1, before_position=node.position)
        previous = earlier[0] if earlier else None
    fingerprint = fingerprint_of(memory.store, memory.embedder, node, previous)
    done = completed(memory.embedder, fingerprint)
    assert done is not None
    whole = replace(fingerprint, semantic=done[0], chunks=done[1], pending=[])
    return Vectors(text_of(node), vectors_of(node, whole, memory.embedder.makers))
