"""kg_stats: how many documents and links there are."""

from typing import TYPE_CHECKING

from context_graph.models import Caller
from context_graph.tools.kg.envelope import KgInput, KgModel, KgOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_stats"]


class KgStatsInput(KgInput):
    pass


class StatsData(KgModel):
    total_nodes: int
    total_edges: int
    """Pairs of documents that a link joins."""

    orphan_nodes: int
    """Documents that no link joins with another."""

    avg_links_per_node: float
    """Edges over documents."""

    nodes_by_type: dict[str, int]
    nodes_by_status: dict[str, int]


class KgStatsOutput(KgOutput):
    data: StatsData


@tool(family="kg", title="Kg stats", tier=2, read_only=True)
def kg_stats(memory: "Memory", args: KgStatsInput, caller: Caller) -> KgStatsOutput:
    """How many documents and links the graph has, by type and status. kg_graph_stats tells more."""
    from context_graph.knowledge.project import graph_of

    graph = graph_of(memory)
    return KgStatsOutput(
        success=True,
        data=StatsData(
            total_nodes=len(graph.nodes),
            total_edges=len(graph.pairs),
            orphan_nodes=len(graph.orphans),
            avg_links_per_node=round(len(graph.pairs) / max(1, len(graph.nodes)), 4),
            nodes_by_type=graph.by_type,
            nodes_by_status=graph.by_status,
        ),
    )
