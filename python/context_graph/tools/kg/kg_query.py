"""kg_query: documents by text, type, status or tag."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgOutput
from context_graph.tools.kg.nodes import (
    ListMetadata,
    NodeStatus,
    NodeType,
    NodeView,
    chosen,
    contents,
    next_offset,
    node_view,
    room_for,
    told_of,
)
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_query"]


class KgQueryInput(KgInput):
    query: Maybe[str] = None
    """Search text."""

    type: Maybe[NodeType] = None
    """Node type."""

    status: Maybe[NodeStatus] = None
    """Node status."""

    tag: Maybe[str] = None
    """Tag."""

    limit: int = Field(50, ge=1)
    """Most items to return."""

    include_content: bool = False
    """Add the text, 16 KB in all."""

    offset: int = Field(0, ge=0)
    """Where to go on: a nextOffset."""


class QueryNode(NodeView):
    word_count: int
    outgoing_link_count: int
    incoming_link_count: int
    content: str | None = None


class KgQueryOutput(KgOutput):
    data: list[QueryNode]
    metadata: ListMetadata = Field()

    def notes(self) -> list[str]:
        return told_of("documents", len(self.data), self.metadata.total_available, self.metadata.next_offset)


@tool(family="kg", title="Kg query", tier=2, read_only=True)
def kg_query(memory: "Memory", args: KgQueryInput, caller: Caller) -> KgQueryOutput:
    """Find documents by words, type, status or tag; all of them, by path, without any."""
    from context_graph.knowledge.project import graph_of

    graph = graph_of(memory)
    matching = chosen(memory, graph, args.query, type=args.type, status=args.status, tag=args.tag)
    places = matching[args.offset : args.offset + args.limit]
    views = [
        node_view(
            QueryNode, graph, place,
            outgoing_link_count=len(graph.outgoing[place]), incoming_link_count=len(graph.incoming[place]),
        )
        for place in places
    ]  # fmt: skip
    if args.include_content:
        for view, text in zip(views, contents(graph, places), strict=True):
            view.content = text
    views = room_for(views)
    metadata = ListMetadata(
        item_count=len(views),
        total_available=len(matching),
        next_offset=next_offset(args.offset, len(views), len(matching)),
    )
    return KgQueryOutput(success=True, data=views, metadata=metadata)
