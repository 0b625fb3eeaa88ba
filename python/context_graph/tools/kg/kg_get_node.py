"""kg_get_node: one document, whole."""

from typing import TYPE_CHECKING, Any

from pydantic import Field

from context_graph.errors import InvalidInput, NotFound
from context_graph.models import Caller
from context_graph.presentation.answer_budget import CONTENT_BYTES, cut
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgOutput
from context_graph.tools.kg.nodes import LinkView, NodeView, links_in, links_out, next_links, node_view
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_get_node"]


class KgGetNodeInput(KgInput):
    id: Maybe[str] = None
    """Node id."""

    path: Maybe[str] = None
    """Node path, instead of id."""

    offset: int = Field(0, ge=0)
    """Where to go on: a nextOffset."""

    links_offset: int = Field(0, ge=0)
    """Where to go on: a nextLinksOffset."""


class NodeData(NodeView):
    content: str
    next_offset: int | None = None
    """Where the content goes on, where it was cut."""

    frontmatter: dict[str, Any]
    outgoing_links: list[LinkView]
    """At most 50."""

    incoming_links: list[LinkView]
    """At most 50."""

    outgoing_link_count: int
    """Of all of them."""

    incoming_link_count: int
    """Of all of them."""

    next_links_offset: int | None = None
    """Where the links go on, where they were cut."""

    word_count: int
    last_modified: str
    """When the graph took the document in as it is."""


class KgGetNodeOutput(KgOutput):
    data: NodeData

    def notes(self) -> list[str]:
        node = self.data
        if node.next_links_offset is None:
            return []
        return [
            f"{len(node.outgoing_links)} of {node.outgoing_link_count} links from it and {len(node.incoming_links)} of "
            f"{node.incoming_link_count} to it: call again with linksOffset={node.next_links_offset} for the next."
        ]


@tool(family="kg", title="Kg get node", tier=2, read_only=True)
def kg_get_node(memory: "Memory", args: KgGetNodeInput, caller: Caller) -> KgGetNodeOutput:
    """One document by its id or its path below the project: text, front matter, and the links from it and to it."""
    from context_graph.knowledge.project import graph_of

    graph = graph_of(memory)
    if not args.id and not args.path:
        raise InvalidInput("Either id or path required", field="id", hint="kg_query tells ids and paths")
    place = graph.place_of(id=args.id or None, path=args.path)
    if place is None:
        raise NotFound(
            "Node not found",
            hint=f"no document has the {'id' if args.id else 'path'} {(args.id or args.path or '')[:120]!r}; "
            "kg_query and kg_search_nodes tell ids and paths",
        )
    document = graph.nodes[place].document
    piece = cut(document.text, offset=args.offset, max_bytes=CONTENT_BYTES // 2)
    return KgGetNodeOutput(
        success=True,
        data=node_view(
            NodeData, graph, place,
            content=piece.text,
            next_offset=piece.next_offset,
            frontmatter=dict(document.frontmatter),
            outgoing_links=links_out(graph, place, args.links_offset),
            incoming_links=links_in(graph, place, args.links_offset),
            outgoing_link_count=len(graph.outgoing[place]),
            incoming_link_count=len(graph.incoming[place]),
            next_links_offset=next_links(graph, place, args.links_offset),
        )
    )  # fmt: skip
