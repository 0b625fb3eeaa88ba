"""kg_graph_stats: the graph of the documents in numbers."""

from typing import TYPE_CHECKING

from context_graph.models import Caller, to_iso
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.nodes import TagCount, cached
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.knowledge.graph import DocumentGraph
    from context_graph.memory import Memory

__all__ = ["kg_graph_stats"]

TOP = 10


class KgGraphStatsInput(KgInput):
    detailed: bool = False
    """Add the breakdown."""


class Connected(KgModel):
    id: str
    links: int
    """Edges in either direction."""

    path: str
    degree_centrality: float
    """Edges over the other documents."""


class Central(KgModel):
    id: str
    path: str
    page_rank: float


class GraphStatsData(KgModel):
    total_nodes: int
    total_edges: int
    average_links_per_node: float
    orphan_nodes: int
    nodes_by_type: dict[str, int] | None = None
    nodes_by_status: dict[str, int] | None = None
    most_connected: list[Connected] | None = None
    top_tags: list[TagCount] | None = None
    total_tags: int | None = None
    last_generated: str | None = None
    last_updated: str | None = None
    version: str | None = None
    """Hash of the documents: another one after every change."""

    density: float | None = None
    """Edges among all pairs that could have one."""

    components: int | None = None
    """Parts that no link joins."""

    largest_component: int | None = None
    most_central: list[Central] | None = None
    """By PageRank."""

    broken_links: int | None = None
    """As the last run found them."""

    passages: dict[str, str] | None = None
    """By folder, whether its passages are memories."""


class KgGraphStatsOutput(KgOutput):
    data: GraphStatsData


@tool(family="kg", title="Kg graph stats", tier=2, read_only=True)
def kg_graph_stats(memory: "Memory", args: KgGraphStatsInput, caller: Caller) -> KgGraphStatsOutput:
    """Documents and links in numbers; detailed adds components, density, the most connected and central documents,
    tags and broken links.
    """
    from context_graph.knowledge.project import graph_of

    graph = graph_of(memory)
    hit, data = cached(memory, graph, args, GraphStatsData, lambda: _measured(graph, args.detailed))
    if args.detailed:
        _add_runs(memory, data)
    return KgGraphStatsOutput(success=True, data=data, metadata=KgMetadata(cached=hit))


def _measured(graph: "DocumentGraph", detailed: bool) -> GraphStatsData:
    data = GraphStatsData(
        total_nodes=len(graph.nodes),
        total_edges=len(graph.pairs),
        average_links_per_node=round(len(graph.pairs) / max(1, len(graph.nodes)), 4),
        orphan_nodes=len(graph.orphans),
    )
    if not detailed:
        return data
    by_degree = (-graph.degree).argsort(kind="stable")[:TOP]
    by_rank = (-graph.page_rank).argsort(kind="stable")[:TOP]
    return data.model_copy(
        update={
            "nodes_by_type": graph.by_type,
            "nodes_by_status": graph.by_status,
            "most_connected": [
                Connected(
                    id=graph.nodes[place].id,
                    links=int(graph.degree[place]),
                    path=graph.nodes[place].document.path,
                    degree_centrality=round(float(graph.degree_centrality[place]), 6),
                )
                for place in by_degree
            ],
            "most_central": [
                Central(
                    id=graph.nodes[place].id,
                    path=graph.nodes[place].document.path,
                    page_rank=round(float(graph.page_rank[place]), 6),
                )
                for place in by_rank
            ],
            "top_tags": [TagCount(tag=tag, count=len(places)) for tag, places in list(graph.tags.items())[:TOP]],
            "total_tags": len(graph.tags),
            "version": graph.hash[:16],
            "density": round(graph.density, 8),
            "components": len(graph.components),
            "largest_component": len(graph.components[0]) if graph.components else 0,
        }
    )


def _add_runs(memory: "Memory", data: GraphStatsData) -> None:
    """What the last runs found; no hash of the documents covers it, so it is never from the cache."""
    from context_graph.knowledge.project import trees

    runs = [entry.value for entry in trees(memory)]
    data.last_generated = to_iso(max(run.generated_at for run in runs))
    data.last_updated = to_iso(max(run.updated_at for run in runs))
    data.broken_links = sum(max(run.broken_count, len(run.broken)) for run in runs)
    data.passages = {run.folder: run.passages or "not asked for" for run in runs}
