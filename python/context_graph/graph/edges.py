"""How strongly an edge conducts: its weight under the three modulating signals."""

from context_graph.models import Domain, Edge, EdgeType, Node

__all__ = ["CONFIDENCE", "PROFILES", "TEMPORAL_WEIGHT", "effective_weight", "in_turn", "profile"]

TEMPORAL_WEIGHT = 0.5
"""Of the edge from a memory to the next one of its session."""

CONFIDENCE = {"explicit": 0.9, "temporal": 0.8, "extracted": 0.6, "mentions": 0.6, "dream": 0.5, "hedged": 0.4}
"""By origin (design 6); a semantic edge carries its calibrated similarity."""

PROFILES: dict[EdgeType, tuple[float, float, float]] = {
    EdgeType.SEMANTIC: (0.2, 0.1, 0.1),
    EdgeType.TEMPORAL: (0.1, 0.1, 0.0),
    EdgeType.CAUSAL: (0.4, 0.0, 0.2),
    EdgeType.HIERARCHICAL: (0.3, 0.0, 0.1),
    EdgeType.RELATIONAL: (0.2, 0.1, 0.2),
}
"""Where learning starts: (excitatory, inhibitory, modulatory) of a new edge."""

DOMAIN_SHIFT: dict[Domain, dict[EdgeType, float]] = {
    Domain.CODE: {EdgeType.HIERARCHICAL: 0.2, EdgeType.CAUSAL: 0.1},
    Domain.MEDICAL: {EdgeType.CAUSAL: 0.3},
    Domain.LEGAL: {EdgeType.HIERARCHICAL: 0.2},
    Domain.RESEARCH: {EdgeType.CAUSAL: 0.2},
    Domain.CREATIVE: {EdgeType.SEMANTIC: 0.2},
}
"""Added to the excitatory part where a domain leans on that kind of connection."""


def profile(edge_type: EdgeType, domain: Domain) -> tuple[float, float, float]:
    """Starting signals of an edge: (excitatory, inhibitory, modulatory), each in [0, 1]."""
    excitatory, inhibitory, modulatory = PROFILES[edge_type]
    return min(1.0, excitatory + DOMAIN_SHIFT.get(domain, {}).get(edge_type, 0.0)), inhibitory, modulatory


def effective_weight(edge: Edge) -> float:
    """w_eff = weight (1 + excitatory - inhibitory + 0.5 modulatory), in [0, 2.5] (seed 001 4.3)."""
    return edge.weight * (1 + edge.excitatory - edge.inhibitory + 0.5 * edge.modulatory)


def in_turn(before: Node, after: Node) -> Edge:
    """The Temporal edge between memories that follow each other for who looks; as `remember` would have made it."""
    excitatory, inhibitory, modulatory = profile(EdgeType.TEMPORAL, after.domain)
    return Edge(
        id=f"{before.id}>{after.id}", source=before.id, target=after.id, edge_type=EdgeType.TEMPORAL,
        weight=TEMPORAL_WEIGHT, confidence=CONFIDENCE["temporal"], excitatory=excitatory, inhibitory=inhibitory,
        modulatory=modulatory, steering_reward=after.steering_reward, domain=after.domain, origin="temporal",
        created_at=after.created_at, last_accessed=after.created_at,
    )  # fmt: skip
