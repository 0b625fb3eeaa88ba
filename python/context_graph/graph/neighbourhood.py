"""The part of the graph around some nodes."""

from collections.abc import Iterable
from dataclasses import dataclass

from context_graph.graph.edges import effective_weight
from context_graph.models import Edge, Node, NodeState
from context_graph.store import Store

__all__ = ["Neighbourhood", "around"]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes, the strongest connected first, and the edges between them."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    focus: tuple[str, ...]


def around(store: Store, focus: Iterable[str], *, hops: int = 2, limit: int = 20) -> Neighbourhood:
    """Follow edges outwards from the focus, strongest first, up to `hops` edges and `limit` nodes.

    A node's strength is the product of min(1, w_eff) along its best path.
    """
    focus = tuple(dict.fromkeys(focus))
    strength = dict.fromkeys(focus, 1.0)
    frontier = list(focus)
    for _ in range(hops):
        reached: dict[str, float] = {}
        for edge in store.edges(frontier):
            for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
                if near in strength and far not in strength:
                    reached[far] = max(reached.get(far, 0.0), strength[near] * min(1.0, effective_weight(edge)))
        frontier = sorted(reached, key=lambda node: (-reached[node], node))[: 4 * limit]
        strength |= {node: reached[node] for node in frontier}
        if not frontier:
            break
    order = sorted(strength, key=lambda node: (-strength[node], node))
    nodes = [node for node in store.nodes(order[: 2 * limit]) if node.state == NodeState.LIVE][:limit]
    kept = {node.id for node in nodes}
    return Neighbourhood(tuple(nodes), tuple(store.edges_between(kept)), tuple(f for f in focus if f in kept))
