"""Vectors of what was received: made here of the text, so that it is found at once and nobody else's are believed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_graph.index.vector_codec import completed, put_vectors, vectors_of
from context_graph.models import Node, NodeKind
from context_graph.reading.analysis import AnalyzedText
from context_graph.reading.fingerprints import fingerprint_of, given_name, spoken
from context_graph.sync.batch import Entry
from context_graph.sync.rows import new_row

if TYPE_CHECKING:
    from context_graph.embed.ahead import Ahead
    from context_graph.runtime import Runtime
    from context_graph.store import Transaction

__all__ = ["Vectors", "embedded", "text_of", "vectors_here"]


@dataclass(frozen=True, slots=True)
class Vectors:
    """Of one memory.

    Attributes
    ----------
    text : tuple
        What they were made of: content, name and speaker.
    entry, node : Entry and Node, optional
        What told of the memory, and the row that it stands for, which is checked.
    """

    text: tuple[str, str, str | None]
    made: dict[str, tuple[str, bytes]]
    entry: Entry | None = None
    node: Node | None = None

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
    """Vectors of the memories among some whole entries that are not here yet, or say something else here."""
    rows = [(entry, new_row(entry)) for entry in entries if entry.registers["made"][1]["kind"] == NodeKind.MEMORY]
    nodes = {node.id: (entry, node) for entry, node in rows if isinstance(node, Node)}
    there = {node.id: text_of(node) for node in memory.store.nodes(nodes)}
    new = [(entry, node) for entry, node in nodes.values() if there.get(node.id) != text_of(node)]
    new.sort(key=lambda row: (row[1].session_id, row[1].position))
    last: dict[str, Node | None] = {}
    windows: list[tuple[Entry, Node, Node | None]] = []
    for entry, node in new:
        if node.session_id not in last:
            last[node.session_id] = _before(memory, node)
        windows.append((entry, node, last[node.session_id]))
        last[node.session_id] = node
    ahead = memory.embedder.ahead(
        (AnalyzedText(node.content, name, node.speaker, node.metadata).said, node.speaker, name, spoken(previous))
        for _, node, previous in windows
        for name in [given_name(node)]
    )
    return {
        node.id: replace(_made(memory, node, previous, ahead), entry=entry, node=node)
        for entry, node, previous in windows
    }


def vectors_here(memory: "Runtime", node: Node) -> Vectors:
    """Vectors of a memory as this home makes them, with the one before it in its session as far as it is known."""
    return _made(memory, node, _before(memory, node), None)


def _before(memory: "Runtime", node: Node) -> Node | None:
    earlier = memory.store.session_memories(node.session_id, 1, before_position=node.position)
    return earlier[0] if earlier else None


def _made(memory: "Runtime", node: Node, previous: Node | None, ahead: "Ahead | None") -> Vectors:
    fingerprint = fingerprint_of(memory.store, memory.embedder, node, previous, ahead=ahead)
    done = completed(memory.embedder, fingerprint)
    assert done is not None
    whole = replace(fingerprint, semantic=done[0], chunks=done[1], pending=[])
    return Vectors(text_of(node), vectors_of(node, whole, memory.embedder.makers))
