"""A change of models: which memories another model embedded, and their vectors made anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_graph.embed import Embedder
from context_graph.memory.cache import segments_of
from context_graph.memory.embedding import completed, fingerprint_of, put_vectors, vectors_of
from context_graph.memory.loading import behind
from context_graph.models import Node, NodeState
from context_graph.retrieval.features import OCCASIONAL
from context_graph.store import Store

if TYPE_CHECKING:
    from context_graph.memory.memory import Memory

__all__ = ["RENEWED_AT_ONCE", "Standing", "answering", "renew", "standing"]

RENEWED_AT_ONCE = 16
"""Memories of one event: some seconds of a model's work, all that an interruption loses."""

MOST_BEHIND = 0.05
"""Share of memories without vectors of a model up to which it answers, and finds those by their words."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a change of models is.

    Attributes
    ----------
    left : int
        Memories that the model of the settings has not embedded.
    waits : bool
        Whether answers come from the base tier until it has.
    """

    left: int
    total: int
    model: str
    waits: bool

    @property
    def note(self) -> str:
        """For a person or an agent; empty where there is nothing to say."""
        if not self.waits:
            return ""
        return (
            f"{self.total - self.left} of {self.total} memories are embedded anew by {self.model}; until all are, "
            "answers come from the base tier"
        )


def answering(store: Store, model: Embedder) -> Embedder:
    """Who answers: the model of the settings, or the base tier until that has embedded nearly all.

    The base tier can answer from any store: what it lacks is made of the texts, at once and without a model.
    """
    if model.tier == "base":
        return model
    left = len(behind(store, model.makers, main=True))
    return model if left <= MOST_BEHIND * store.counts()["memories"] else Embedder("base")


def standing(memory: "Memory") -> Standing:
    """How far the model of the settings is with the memories of this store."""
    left = len(behind(memory.store, memory.model.makers))
    total = sum(state != NodeState.FORGOTTEN for (state,) in memory.store.columns(["state"]))
    return Standing(left, total, memory.model.model, memory.embedder is not memory.model)


def renew(memory: "Memory", node_ids: Sequence[str], stop: Callable[[], bool] = lambda: False) -> int:
    """Embed memories with the model of the settings, as one event; returns of how many vectors were written.

    What another process has embedded meanwhile, or was changed, is left as it is.
    """
    model, found = memory.model, dict[str, tuple[Node, Mapping[str, tuple[str, bytes]]]]()
    for node in memory.store.nodes(node_ids):
        made_by = memory.store.vector_models(node.id)
        if all(made_by.get(space, model.makers[space]) == model.makers[space] for space in ("E1", "E12", *OCCASIONAL)):
            continue
        before = memory.store.session_memories(node.session_id, 1, before_position=node.position)
        fingerprint = fingerprint_of(memory, node, before[0] if before else None, embedder=model)
        done = completed(model, fingerprint, stop)
        if done is None or stop():
            break  # what is embedded is kept
        whole = replace(fingerprint, semantic=done[0], chunks=done[1], pending=[])
        found[node.id] = node, vectors_of(node, whole, model.makers)
    if not found:
        return 0
    with memory.store.write("embedded", memory.author()) as tx:
        same = {node.id for node in tx.nodes(found) if node.content == found[node.id][0].content}
        for node_id in found.keys() & same:
            node, vectors = found[node_id]
            put_vectors(tx, node_id, vectors)
            if node.ordinal is not None:  # before the commit: a kill in between leaves no cache without these vectors
                segments_of(memory.store, model).remove(node.ordinal)
        tx.note.update(operation="embedded", nodes=sorted(same))
    memory.committed(tx.event)
    return len(same)
