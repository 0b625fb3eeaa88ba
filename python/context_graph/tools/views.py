"""Nodes and edges as an answer shows them, to those who may see them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, Self

from context_graph.errors import NodeNotFound
from context_graph.models import Edge, Node, NodeKind, NodeState, Scope, to_iso
from context_graph.tools.base import Id, Moment, WireModel

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["EdgeSummary", "Neighborhood", "NodeSummary", "neighborhood", "shown", "visible", "visible_nodes"]

SNIPPET = 160  # characters
READ_AT_ONCE = 16


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
            johari_quadrant=str(node.johari_quadrant),
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
            edge_type=str(edge.edge_type),
            weight=round(edge.weight, 4),
            confidence=round(edge.confidence, 4),
            w_eff=round(effective_weight(edge), 4),
            nt_weights=NTWeights(excitatory=edge.excitatory, inhibitory=edge.inhibitory, modulatory=edge.modulatory),
            is_amortized_shortcut=edge.is_amortized_shortcut,
            steering_reward=round(edge.steering_reward, 4),
            domain=str(edge.domain).capitalize(),
        )


class Neighborhood(WireModel):
    """A part of the graph."""

    nodes: list[NodeSummary]
    """The strongest connected first."""

    edges: list[EdgeSummary]
    focal_point: list[Id]
    """Where it starts."""


def visible(memory: "Memory", node: Node, session: str | None) -> bool:
    """Whether a caller may see a node: its own session's and conversation's, and what is for all."""
    if node.scope == Scope.USER:
        return True
    mine = node.session_id == (session or memory.session_id)
    return mine and (node.scope == Scope.SESSION or node.context_id == memory.context_id)


def visible_nodes(memory: "Memory", nodes: Iterable[Node], session: str | None) -> list[Node]:
    """Those a caller may see; a concept counts as seen where a memory that the caller may see leads to it."""
    nodes = list(nodes)
    concepts = _seen_concepts(memory, [node.id for node in nodes if node.kind == NodeKind.CONCEPT], session)
    return [
        node
        for node in nodes
        if (node.id in concepts if node.kind == NodeKind.CONCEPT else visible(memory, node, session))
    ]


def _seen_concepts(memory: "Memory", concepts: list[str], session: str | None) -> set[str]:
    """The concepts that a visible memory leads to; a few memories of each are read at a time, mostly one is enough."""
    around: dict[str, list[str]] = {concept: [] for concept in concepts}
    for edge in memory.store.edges(concepts):
        for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
            if near in around and far not in around:
                around[near].append(far)
    seen: set[str] = set()
    while open_ones := {concept: ends for concept, ends in around.items() if ends and concept not in seen}:
        batch = {end for ends in open_ones.values() for end in ends[:READ_AT_ONCE]}
        nodes = memory.store.nodes(batch)
        may = {node.id for node in nodes if _live_memory(node) and visible(memory, node, session)}
        for concept, ends in open_ones.items():
            if may.intersection(ends[:READ_AT_ONCE]):
                seen.add(concept)
            around[concept] = ends[READ_AT_ONCE:]
    return seen


def shown(memory: "Memory", node_id: str, session: str | None) -> Node:
    """A node that the caller may see; another's is as unknown as one that does not exist."""
    node = memory.store.node(node_id)
    if not visible_nodes(memory, [node], session):
        raise NodeNotFound(f"no node has the id {node_id!r}; search_graph finds nodes by their content")
    return node


def neighborhood(
    memory: "Memory", focus: Sequence[str], session: str | None, *, hops: int = 2, limit: int = 20
) -> Neighborhood:
    """The graph around some nodes as the caller may see it, the strongest edges first."""
    from context_graph.graph.neighbourhood import around

    found = around(
        memory.store, focus, session_id=session or memory.session_id, context_id=memory.context_id, hops=hops,
        limit=limit,
    )  # fmt: skip
    nodes = visible_nodes(memory, found.nodes, session)
    kept = {node.id for node in nodes}
    edges = [EdgeSummary.of(edge) for edge in found.edges if edge.source in kept and edge.target in kept]
    return Neighborhood(
        nodes=[NodeSummary.of(node) for node in nodes],
        edges=sorted(edges, key=lambda edge: (-edge.w_eff, edge.source, edge.target)),
        focal_point=[node_id for node_id in found.focus if node_id in kept],
    )


def _live_memory(node: Node) -> bool:
    return node.kind == NodeKind.MEMORY and node.state == NodeState.LIVE
