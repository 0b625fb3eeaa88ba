"""Stores of any size for the search and opening benchmarks."""

from collections.abc import Sequence

from context_graph.graph.entities import node_name
from context_graph.index.vector_codec import vectors_of
from context_graph.memory import Memory
from context_graph.models import Node
from context_graph.reading.fingerprints import fingerprint_of

__all__ = ["fill"]

BATCH = 500


def fill(memory: Memory, texts: Sequence[str]) -> None:
    """Store texts 500 to a transaction, with their real vectors and without edges.

    `remember` writes one event for each; that is what the store benchmark times. Search and opening read the
    same rows either way, and 100,000 of them are made in minutes.
    """
    author = memory.author(memory.caller)
    position = memory.store.session_position(memory.caller.session_id)
    for start in range(0, len(texts), BATCH):
        with memory.store.write("created", author) as tx:
            for text in texts[start : start + BATCH]:
                moment = memory.clock()
                node = Node(
                    id=memory.new_id(), ordinal=tx.next_ordinal(), name=node_name(text), content=text,
                    created_at=moment, occurred_at=moment, valid_from=moment, last_accessed=moment,
                    session_id=memory.caller.session_id,
                    position=position, semantic_cluster="c1",
                )  # fmt: skip
                position += 1
                tx.put(node)
                fingerprint = fingerprint_of(
                    memory.store, memory.embedder, node, None
                )  # with the names in it, which links follow
                for space, (maker, data) in vectors_of(node, fingerprint, memory.embedder.makers).items():
                    tx.put_vector(node.id, space, maker, data)
            tx.note.update(operation="created", count=min(BATCH, len(texts) - start))
