"""kg_query: documents by text, type, status or tag."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgOutput
from context_graph.tools.kg.nodes import NodeStatus, NodeType, NodeView, chosen, contents, node_view, room_for
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
    """Return the text, 16 KB in all."""


class QueryNode(NodeView):
    word_count: int
    outgoing_link_count: int
    incoming_link_count: int
    content: str | None = None


class KgQueryOutput(KgOutput):
    data: list[QueryNode]


@tool(family="kg", title="Kg query", tier=2, read_only=True)
def kg_query(memory: "Memory", args: KgQueryInput, caller: Caller) -> KgQueryOutput:
    """Find documents by words, type, status or tag; all of them, by path, without any. kg_graph_generate reads them."""
    from context_graph.knowledge.project import graph_of

    graph = graph_of(memory)
    places = chosen(memory, graph, args.query, type=args.type, status=args.status, tag=args.tag)[: args.limit]
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
    return KgQueryOutput(success=True, data=views, metadata=KgMetadata(item_count=len(views)))
