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
    next_offset,
    node_view,
    room_for,
    told_of,
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

    offset: int = Field(0, ge=0)
    """Where to go on: a nextOffset."""


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
    total_available: int
    """How many match."""

    next_offset: int | None = None
    """Where the list goes on, where it was cut."""


class KgSearchNodesOutput(KgOutput):
    data: SearchNodesData

    def notes(self) -> list[str]:
        return told_of("documents", self.data.count, self.data.total_available, self.data.next_offset)


@tool(family="kg", title="Kg search nodes", tier=2, read_only=True)
def kg_search_nodes(memory: "Memory", args: KgSearchNodesInput, caller: Caller) -> KgSearchNodesOutput:
    """Documents by their words (BM25), the best first, each with the passage that shows why. search_graph finds by
    meaning too.
    """
    from context_graph.knowledge.project import graph_of
    from context_graph.knowledge.search import snippet

    graph = graph_of(memory)

    def search() -> SearchNodesData:
        matching = chosen(memory, graph, args.query or " ", type=args.type, status=args.status)
        views = [
            node_view(FoundNode, graph, place, snippet=snippet(graph.nodes[place].document.text, args.query))
            for place in matching[args.offset : args.offset + args.limit]
        ]
        views = room_for(views)
        filters = Filters(type=args.type, status=args.status)
        return SearchNodesData(
            nodes=views, count=len(views), query=args.query, filters=filters, total_available=len(matching),
            next_offset=next_offset(args.offset, len(views), len(matching)),
        )  # fmt: skip

    hit, data = cached(memory, graph, args, SearchNodesData, search)
    return KgSearchNodesOutput(success=True, data=data, metadata=KgMetadata(cached=hit, item_count=data.count))
