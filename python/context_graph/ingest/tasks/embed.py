"""Embedding what waits for its vectors: the later chunks of long memories, and what a lesser model has stored."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from context_graph.index.corpus import Corpus
from context_graph.index.loader import unfinished
from context_graph.index.segment_cache import segments_of
from context_graph.index.vector_codec import completed, put_vectors, vectors_of
from context_graph.reading.fingerprints import fingerprint_of
from context_graph.runtime.tasks import Budget, OnChange, OnLoad, Round, task
from context_graph.store import Change

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["embed"]


def _unfinished(memory: "Runtime", corpus: Corpus) -> Iterator[str]:
    return unfinished(memory.store, corpus, memory.embedder)


def _of_lesser_tier(memory: "Runtime", corpus: Corpus, changes: Sequence[Change]) -> Iterator[str]:
    """What a process of a lesser tier has just stored; in a change of models all is embedded anew anyway."""
    if corpus.embedder is not memory.model or memory.model.tier == "base":
        return
    for change in changes:
        new = change.space == "E1" and change.inserted
        if new and memory.store.vector_models(change.id).get("E1") != memory.model.makers["E1"]:
            yield change.id


@task(
    "embed",
    trigger=(OnLoad(_unfinished), OnChange(_of_lesser_tier)),
    budget=Budget(items=1),
    event_type="embedded",
    waiting="memories wait to be embedded",
)
def embed(memory: "Runtime", round: Round) -> None:
    """Embed all of a memory; until then it is found by its words."""
    (node_id,) = round.items
    embedder, node = memory.embedder, memory.store.node(node_id)
    before = memory.store.session_memories(node.session_id, 1, before_position=node.position)
    fingerprint = fingerprint_of(memory.store, embedder, node, before[0] if before else None)
    done = completed(embedder, fingerprint, round.over)
    if done is None:
        return
    semantic, chunks = done
    with round.write() as tx:
        tx.node(node_id)
        whole = replace(fingerprint, semantic=semantic, chunks=chunks, pending=[])
        put_vectors(tx, node_id, vectors_of(node, whole, embedder.makers))
        tx.note.update(nodes=[node_id], chunks=len(chunks))
        if node.ordinal is not None:  # before the commit: a kill in between leaves no cache without these vectors
            segments_of(memory.store, embedder).remove(node.ordinal)
