"""How balanced the whole memory is, measured over the store."""

from typing import TYPE_CHECKING

from context_graph.models import NodeState
from context_graph.nervous.homeostasis import MAX_IMPORTANCE, Balance, is_suspect

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["balance"]


def balance(memory: "Runtime") -> tuple[Balance, list[str]] | None:
    """The balance of all memories, and the ids of those that look like semantic cancer; None where none is live."""
    rows = memory.store.columns(["id", "state", "importance", "importance_by_user"])
    is_live, is_quarantined = str(NodeState.LIVE), str(NodeState.QUARANTINED)  # each look at an enum costs more
    live = [(id, importance, by_user) for id, state, importance, by_user in rows if state == is_live]
    if not live:
        return None
    candidates = [id for id, importance, by_user in live if importance > MAX_IMPORTANCE and not by_user]
    suspects = _suspects(memory, candidates) if candidates else []
    quarantined = sum(state == is_quarantined for _, state, _, _ in rows)
    return Balance.of([importance for _, importance, _ in live], quarantined, len(suspects)), suspects


def _suspects(memory: "Runtime", candidates: list[str]) -> list[str]:
    around: dict[str, set[str]] = {id: set() for id in candidates}
    for edge in memory.store.edges(candidates):
        for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
            if near in around:
                around[near].add(far)
    everyone = memory.store.nodes({id for ends in around.values() for id in ends})
    clusters = {node.id: node.semantic_cluster for node in everyone if node.state == NodeState.LIVE}
    return [
        node.id
        for node in memory.store.nodes(candidates)
        if is_suspect(
            node.importance,
            [cluster for id in around[node.id] if (cluster := clusters.get(id))],
            by_user=node.importance_by_user,
        )
    ]
