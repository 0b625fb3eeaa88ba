"""Nodes and edges as an answer shows them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Self

from context_graph.access import visible_nodes
from context_graph.models import Caller, Edge, Node, to_iso
from context_graph.presentation.wire_model import Id, Moment, WireModel

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["AnnotationView", "EdgeSummary", "Neighborhood", "NodeSummary", "neighborhood"]

SNIPPET = 160  # characters


class AnnotationView(WireModel):
    """A note in the margin of a node."""

    annotation_id: Id
    annotation_type: Literal["correction", "reference", "deprecation", "user_note"]
    annotation: str
    created_at: Moment
    agent_id: str | None = None
    reference_node_id: Id | None = None

    @classmethod
    def of(cls, node: Node) -> list[Self] | None:
        """The notes of a node, oldest first; None where there are none."""
        from context_graph.reading.annotations import annotations_of

        return [
            cls(
                annotation_id=note.id,
                annotation_type=note.type,
                annotation=note.text,
                created_at=to_iso(note.at),
                agent_id=note.by,
                reference_node_id=note.reference,
            )
            for note in annotations_of(node)
        ] or None


class NodeSummary(WireModel):
    """Short view of a node."""

    node_id: Id
    name: str
    content_snippet: str | None = None
    importance: float
    similarity: float | None = None
    johari_quadrant: Literal["open", "blind", "hidden", "unknown"] | None = None
    created_at: Moment | None = None
    last_accessed: Moment | None = None
    access_count: int | None = None
    agent_id: str | None = None
    semantic_cluster: str | None = None

    @classmethod
    def of(cls, node: Node) -> Self:
        content = node.content
        return cls(
            node_id=node.id,
            name=node.name,
            content_snippet=content if len(content) <= SNIPPET else f"{content[: SNIPPET - 1].rstrip()}…",
            importance=node.importance,
            johari_quadrant=str(node.johari_quadrant),  # type: ignore[arg-type]  # one of Johari, which pydantic checks
            created_at=to_iso(node.created_at),
            last_accessed=to_iso(node.last_accessed),
            access_count=node.access_count,
            agent_id=node.agent_id,
            semantic_cluster=node.semantic_cluster,
        )


class NTWeights(WireModel):
    """The three signals that modulate an edge."""

    excitatory: float
    inhibitory: float
    modulatory: float


class EdgeSummary(WireModel):
    """View of an edge."""

    source: Id
    target: Id
    edge_type: Literal["Semantic", "Temporal", "Causal", "Hierarchical", "Relational"]
    weight: float
    confidence: float
    w_eff: float
    """weight * (1 + excitatory - inhibitory + 0.5 modulatory)"""

    nt_weights: NTWeights
    is_amortized_shortcut: bool
    steering_reward: float
    domain: Literal["Code", "Legal", "Medical", "Creative", "Research", "General"]

    @classmethod
    def of(cls, edge: Edge) -> Self:
        from context_graph.graph.edges import effective_weight

        return cls(
            source=edge.source,
            target=edge.target,
            edge_type=str(edge.edge_type),  # type: ignore[arg-type]  # one of EdgeType
            weight=round(edge.weight, 4),
            confidence=round(edge.confidence, 4),
            w_eff=round(effective_weight(edge), 4),
            nt_weights=NTWeights(excitatory=edge.excitatory, inhibitory=edge.inhibitory, modulatory=edge.modulatory),
            is_amortized_shortcut=edge.is_amortized_shortcut,
            steering_reward=round(edge.steering_reward, 4),
            domain=str(edge.domain).capitalize(),  # type: ignore[arg-type]  # one of Domain
        )


class Neighborhood(WireModel):
    """A part of the graph."""

    nodes: list[NodeSummary]
    """The strongest connected first."""

    edges: list[EdgeSummary]
    focal_point: list[Id]
    """Where it starts."""


def neighborhood(
    memory: "Runtime", focus: Sequence[str], caller: Caller, *, hops: int = 2, limit: int = 20
) -> Neighborhood:
    """The graph around some nodes as the caller may see it, the strongest edges first."""
    from context_graph.graph.neighbourhood import around

    neighbourhood = around(memory.store, focus, memory.viewer(caller), hops=hops, limit=limit)
    nodes = visible_nodes(memory, neighbourhood.nodes, caller)
    kept = {node.id for node in nodes}
    edges = [EdgeSummary.of(edge) for edge in neighbourhood.edges if edge.source in kept and edge.target in kept]
    return Neighborhood(
        nodes=[NodeSummary.of(node) for node in nodes],
        edges=sorted(edges, key=lambda edge: (-edge.w_eff, edge.source, edge.target)),
        focal_point=[node_id for node_id in neighbourhood.focus if node_id in kept],
    )
