"""The part of the graph around some nodes."""

from collections.abc import Iterable
from dataclasses import dataclass

from context_graph.graph.edges import effective_weight, in_turn
from context_graph.models import Edge, Node, NodeState
from context_graph.store import Reader
from context_graph.visibility import Viewer

__all__ = ["Neighbourhood", "around"]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes, the strongest connected first, and the edges between them."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    focus: tuple[str, ...]


def around(store: Reader, focus: Iterable[str], viewer: Viewer, *, hops: int = 2, limit: int = 20) -> Neighbourhood:
    """Follow edges outwards from the focus, strongest first, up to `hops` edges and `limit` nodes.

    A node's strength is the product of min(1, w_eff) along its best path. Where memories of a session between two
    others are hidden from the viewer, these two are joined as if they had followed each other at once.

    Parameters
    ----------
    viewer : Viewer
        What they may not see is read through; to leave it out of the answer is the caller's part.
    """
    focus = tuple(dict.fromkeys(focus))
    strength = dict.fromkeys(focus, 1.0)
    frontier = list(focus)
    for _ in range(hops):
        reached: dict[str, float] = {}
        for edge in (*store.edges(frontier), *_in_turn(store, frontier, viewer)):
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
    joined = [edge for edge in _in_turn(store, kept, viewer) if {edge.source, edge.target} <= kept]
    edges = (*store.edges_between(kept), *joined)
    return Neighbourhood(tuple(nodes), edges, tuple(f for f in focus if f in kept))


def _in_turn(store: Reader, node_ids: Iterable[str], viewer: Viewer) -> list[Edge]:
    pairs = store.in_turn(node_ids, viewer)
    nodes = {node.id: node for node in store.nodes({id for pair in pairs for id in pair})}
    return [in_turn(nodes[a], nodes[b]) for a, b in pairs if a in nodes and b in nodes]
