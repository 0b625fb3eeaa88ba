"""Memories of an older version get what this one makes of a text besides."""

from typing import TYPE_CHECKING

from context_graph.embed import OPTIONAL, lexical, optional_in
from context_graph.embed.languages import ENGLISH, language_of
from context_graph.index.batch import form_of, with_form
from context_graph.index.corpus import Corpus
from context_graph.index.loader import unreviewed
from context_graph.index.segment_cache import segments_of
from context_graph.index.vector_codec import put_vectors, vectors_of
from context_graph.reading.fingerprints import fingerprint_of
from context_graph.runtime.tasks import Budget, OnLoad, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["review"]

REVIEWED_AT_ONCE = 256
"""Memories of one event: enough for few events, few enough to leave between two."""


def _unreviewed(memory: "Runtime", corpus: Corpus) -> list[str]:
    return unreviewed(memory.store)


@task(
    "review",
    trigger=OnLoad(_unreviewed),
    budget=Budget(items=REVIEWED_AT_ONCE),
    event_type="embedded",
    waiting="memories wait to be embedded",
)
def review(memory: "Runtime", round: Round) -> None:
    """Look through memories of an older version.

    Most texts are English and hold nothing that an older version did not see: only what is read off their form changes
    for them.
    """
    vectors_by_node, reformed = {}, set()
    of_text = {id for id, encoder in OPTIONAL.items() if encoder.of_text}
    makers = memory.embedder.makers
    for node in memory.store.nodes(round.items):
        if round.over():
            return
        before = memory.store.session_memories(node.session_id, 1, before_position=node.position)
        if optional_in(node.content) or language_of(node.content) != ENGLISH:
            made_by = memory.store.vector_models(node.id)
            if any(made_by.get(space) != makers[space] for space in ("E1", "E12")):
                continue  # a server with that model will look at it
            fingerprint = fingerprint_of(memory.store, memory.embedder, node, before[0] if before else None)
            vectors_by_node[node.id] = vectors_of(node, fingerprint, makers)
            if fingerprint.pending:
                memory.background.plan("embed", [node.id])
        elif words := memory.store.vectors([node.id], "E6"):
            formed = with_form(words[node.id], form_of(node.content))
            vectors_by_node[node.id] = {"E6": (lexical.MAKER, formed)}
            if formed != words[node.id]:
                reformed.add(node.id)
    if not vectors_by_node:
        return
    with round.write() as tx:
        for node_id, vectors in vectors_by_node.items():
            ordinal = tx.node(node_id).ordinal
            stale = of_text & tx.vector_models(node_id).keys() - vectors.keys()
            if len(vectors) > 1:
                put_vectors(tx, node_id, vectors)
            else:
                tx.put_vector(node_id, "E6", *vectors["E6"])
                for space in stale:
                    tx.remove_vector(node_id, space)
            if (stale or len(vectors) > 1 or node_id in reformed) and ordinal is not None:
                segments_of(memory.store, memory.embedder).remove(ordinal)
        tx.note.update(nodes=list(vectors_by_node))
