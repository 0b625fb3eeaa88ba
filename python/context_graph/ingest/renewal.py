"""A change of models: vectors of memories that another model embedded are made anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from context_graph.embed import OPTIONAL
from context_graph.index.segment_cache import segments_of
from context_graph.index.vector_codec import completed, put_vectors, vectors_of
from context_graph.models import Node
from context_graph.reading.fingerprints import fingerprint_of

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["RENEWED_AT_ONCE", "renew"]

RENEWED_AT_ONCE = 16
"""Memories of one event: some seconds of a model's work, all that an interruption loses."""


def renew(memory: "Runtime", node_ids: Sequence[str], stop: Callable[[], bool] = lambda: False) -> int:
    """Embed memories with the model of the settings, as one event; returns of how many vectors were written.

    What another process has embedded meanwhile, or was changed, is left as it is.
    """
    model, embedded = memory.model, dict[str, tuple[Node, Mapping[str, tuple[str, bytes]]]]()
    for node in memory.store.nodes(node_ids):
        made_by = memory.store.vector_models(node.id)
        if all(made_by.get(space, model.makers[space]) == model.makers[space] for space in ("E1", "E12", *OPTIONAL)):
            continue
        before = memory.store.session_memories(node.session_id, 1, before_position=node.position)
        fingerprint = fingerprint_of(memory.store, model, node, before[0] if before else None)
        done = completed(model, fingerprint, stop)
        if done is None or stop():
            break  # what is embedded is kept
        whole = replace(fingerprint, semantic=done[0], chunks=done[1], pending=[])
        embedded[node.id] = node, vectors_of(node, whole, model.makers)
    if not embedded:
        return 0
    with memory.store.write("embedded", memory.author(memory.caller)) as tx:
        same = {node.id for node in tx.nodes(embedded) if node.content == embedded[node.id][0].content}
        for node_id in embedded.keys() & same:
            node, vectors = embedded[node_id]
            put_vectors(tx, node_id, vectors)
            if node.ordinal is not None:  # before the commit: a kill in between leaves no cache without these vectors
                segments_of(memory.store, model).remove(node.ordinal)
        tx.note.update(operation="embedded", nodes=sorted(same))
    memory.committed(tx.committed)
    return len(same)
