"""graph://{node_id}: a node with its edges."""

import json
from typing import TYPE_CHECKING, Any

from context_graph.errors import EmbeddingFailed, NodeNotFound
from context_graph.models import Caller, Node, NodeKind, NodeState, to_iso
from context_graph.presentation.visitor import Visitor
from context_graph.resources.registry import Content, Target, resource

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["graph", "named"]

MAX_NEIGHBOURS = 50
EDGE_BYTES = 10_000
EXACT = 1.0


@resource(
    "graph://{node_id}",
    name="graph-node",
    title="A node with its edges",
    mime_type="application/json",
    changes="store",
    options={"embedding": ("0", "1")},
)
def graph(memory: "Runtime", target: Target, visitor: Visitor) -> Content:
    """A memory or concept with all that is known of it, and its strongest edges. By its id, its citation tag, or, of a
    concept, its name. ?embedding=1 adds its vectors, as far as its tier has them.
    """
    from context_graph.presentation.answer_budget import fitting
    from context_graph.presentation.nodes import neighborhood
    from context_graph.safety.display import printable_values

    caller, vectors = visitor.caller, target.options.get("embedding") == "1"
    node = named(memory, target.parameters["node_id"], caller)
    around = neighborhood(memory, [node.id], caller, hops=1, limit=MAX_NEIGHBOURS)
    own = [edge for edge in around.edges if node.id in (edge.source, edge.target)]
    edges = fitting(own, EDGE_BYTES)
    values = {
        **_fields(node, 8_192 if vectors else None),
        **(_vectors(memory, node) if vectors else {}),
        "edges": [edge.model_dump(mode="json", exclude_none=True) for edge in edges],
        "edges_omitted": len(own) - len(edges),
    }
    return Content(json.dumps(printable_values(values), ensure_ascii=False))


def named(memory: "Runtime", reference: str, caller: Caller) -> Node:
    """The node of an id or tag, or the one concept of a name, as far as the caller may see it and it is no suspect."""
    from context_graph.inference.concepts import readings

    memory.catch_up()  # with names that another process has written
    exact = [one.node for one in readings(memory, reference, caller, field="node_id") if one.score == EXACT]
    if not exact:
        raise NodeNotFound(
            f"no node has the id, and no concept exactly the name, {reference[:80]!r}; search_graph finds nodes by "
            "their content, completion/complete names by their beginning"
        )
    node = exact[0]
    if node.state == NodeState.QUARANTINED:
        raise NodeNotFound(f"the memory {reference[:80]!r} is quarantined: {node.state_reason}; it is not shown")
    return node


def _fields(node: Node, max_bytes: int | None) -> dict[str, Any]:
    from context_graph.citations import tag_of
    from context_graph.presentation.answer_budget import CONTENT_BYTES, cut
    from context_graph.presentation.nodes import AnnotationView
    from context_graph.reading.priors import priors_of

    piece, priors = cut(node.content, max_bytes=max_bytes or CONTENT_BYTES), priors_of(node)
    notes = AnnotationView.of(node)
    values = {
        "id": node.id,
        "kind": str(node.kind),
        "name": node.name,
        "citation_tag": tag_of(node.id) if node.kind == NodeKind.MEMORY else None,
        "content": piece.text,
        "next_offset": piece.next_offset,
        "created_at": to_iso(node.created_at),
        "occurred_at": to_iso(node.occurred_at),
        "valid_to": to_iso(node.valid_to) if node.valid_to is not None else None,
        "superseded_by": node.superseded_by,
        "last_accessed": to_iso(node.last_accessed),
        "access_count": node.access_count,
        "importance": round(node.importance, 4),
        "johari_quadrant": str(node.johari_quadrant),
        "utl_state": {name: round(getattr(node, name), 4) for name in ("delta_s", "delta_c", "w_e", "phi")},
        "scope": str(node.scope),
        "domain": str(node.domain),
        "speaker": node.speaker,
        "agent_id": node.agent_id,
        "observer_perspective": node.observer_perspective,
        "semantic_cluster": node.semantic_cluster,
        "domain_priors": [priors.domain, *priors.frames],
        "annotations": [note.model_dump(mode="json", exclude_none=True) for note in notes[-3:]] if notes else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _vectors(memory: "Runtime", node: Node) -> dict[str, Any]:
    """The fused vector of a memory, and that of its assumptions; a concept has only the second."""
    import numpy as np

    from context_graph.reading.priors import priors_of
    from context_graph.retrieval.fused_vectors import vectors

    values: dict[str, Any] = {"assumption_embedding": _numbers(priors_of(node).vector)}
    corpus = memory.corpus
    with corpus.lock:
        row = corpus.row_of.get(node.id)
        if row is not None:
            try:
                values["embedding"] = _numbers(vectors(corpus, np.array([row]), memory.embedder.tier)[0])
            except EmbeddingFailed:
                values["embedding_missing"] = f"the tier {memory.embedder.tier} makes no vector of all spaces together"
    return values


def _numbers(vector: Any) -> list[float]:
    return [round(number, 5) for number in vector.tolist()]
