"""kg_search_nodes: documents by words, with the passage that shows why."""

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.nodes import (
    NodeStatus,
    NodeType,
    NodeView,
    NullableStatus,
    NullableType,
    cached,
    chosen,
    node_view,
    room_for,
)
from context_graph.tools.kg.texts import QUERY_TEXTS
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_search_nodes"]


class KgSearchNodesInput(KgInput):
    problem_texts: ClassVar = QUERY_TEXTS

    query: str
    """Search text."""

    type: Maybe[NodeType] = None
    """Node type."""

    status: Maybe[NodeStatus] = None
    """Node status."""

    limit: int = Field(20, ge=1, le=100)
    """Most items to return."""


class FoundNode(NodeView):
    description: str
    word_count: int
    last_modified: str
    snippet: str
    """The passage with the most words of the query."""


class Filters(KgModel):
    type: NullableType
    status: NullableStatus


class SearchNodesData(KgModel):
    nodes: list[FoundNode]
    count: int
    query: str
    filters: Filters


class KgSearchNodesOutput(KgOutput):
    data: SearchNodesData


@tool(family="kg", title="Kg search nodes", tier=2, read_only=True)
def kg_search_nodes(memory: "Memory", args: KgSearchNodesInput, caller: Caller) -> KgSearchNodesOutput:
    """Documents by their words (BM25), the best first, each with the passage that shows why. search_graph finds by
    meaning too.
    """
    from context_graph.knowledge.project import graph_of
    from context_graph.knowledge.search import snippet

    graph = graph_of(memory)

    def search() -> SearchNodesData:
        places = chosen(memory, graph, args.query or " ", type=args.type, status=args.status)[: args.limit]
        views = [
            node_view(FoundNode, graph, place, snippet=snippet(graph.nodes[place].document.text, args.query))
            for place in places
        ]
        views = room_for(views)
        filters = Filters(type=args.type, status=args.status)
        return SearchNodesData(nodes=views, count=len(views), query=args.query, filters=filters)

    hit, data = cached(memory, graph, args, SearchNodesData, search)
    return KgSearchNodesOutput(success=True, data=data, metadata=KgMetadata(cached=hit, item_count=data.count))
