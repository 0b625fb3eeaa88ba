"""kg_graph_query: documents by words, with what they are linked to, and the ways between them."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from context_graph.errors import InvalidInput, NotFound
from context_graph.models import Caller
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.nodes import (
    LinkView,
    NodeType,
    NodeView,
    NullableType,
    cached,
    chosen,
    links_in,
    links_out,
    node_view,
    room_for,
)
from context_graph.tools.kg.texts import QUERY_TEXTS
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.knowledge.graph import DocumentGraph
    from context_graph.memory import Memory

__all__ = ["kg_graph_query"]

MAX_RELATIONS = 10
"""Links of a document in one answer, in either direction; kg_get_node tells more."""

PathDirection = Literal["forwards", "backwards", "either"]

NO_WAY = "No way of links joins pathFrom and pathTo, in whatever direction they are followed."
OTHER_WAYS = {
    "backwards": "No links lead from pathFrom to pathTo; path has the way of the links from pathTo, read backwards.",
    "either": "Links lead neither from pathFrom to pathTo nor back; some links of path are followed backwards.",
}
"""What is said of a way that is not along links."""


class KgGraphQueryInput(KgInput):
    problem_texts: ClassVar = QUERY_TEXTS

    query: str
    """Search text."""

    type: Maybe[NodeType] = None
    """Node type."""

    limit: int = Field(10, ge=1, le=100)
    """Most items to return."""

    include_relations: bool = False
    """Add related nodes."""

    near: Maybe[str] = None
    """Id or path: only documents within depth links of it."""

    depth: int = Field(2, ge=1, le=5)
    """Of near: links, in either direction."""

    path_from: Maybe[str] = None
    """Id or path: where a way begins."""

    path_to: Maybe[str] = None
    """Id or path: where the way ends."""


class RelatedNode(NodeView):
    word_count: int
    last_modified: str
    outgoing_links: list[LinkView] | None = None
    incoming_links: list[LinkView] | None = None


class GraphQueryData(KgModel):
    nodes: list[RelatedNode]
    count: int
    query: str
    type: NullableType
    total_available: int
    """How many match."""

    path: list[str] | None = None
    """Paths of the documents of a shortest way; empty where no links join the two."""

    path_direction: PathDirection | None = None
    """How its links are followed: forwards, from pathFrom; backwards, where they lead from pathTo; or either."""


class KgGraphQueryOutput(KgOutput):
    data: GraphQueryData

    def notes(self) -> list[str]:
        if self.data.path == []:
            return [NO_WAY]
        return [OTHER_WAYS[self.data.path_direction]] if self.data.path_direction in OTHER_WAYS else []


@tool(family="kg", title="Kg graph query", tier=2, read_only=True)
def kg_graph_query(memory: "Memory", args: KgGraphQueryInput, caller: Caller) -> KgGraphQueryOutput:
    """Documents by their words, with their links on request; near keeps to the neighbourhood of a document, pathFrom
    and pathTo tell the shortest way between two.
    """
    from context_graph.knowledge.project import graph_of

    if (args.path_from is None) != (args.path_to is None):
        needed = "pathFrom" if args.path_from is None else "pathTo"
        raise InvalidInput(f"pathFrom and pathTo go together; give {needed} too, or neither", field=needed)
    graph = graph_of(memory)
    hit, data = cached(memory, graph, args, GraphQueryData, lambda: _answer(memory, graph, args))
    return KgGraphQueryOutput(success=True, data=data, metadata=KgMetadata(cached=hit, item_count=data.count))


def _answer(memory: "Memory", graph: "DocumentGraph", args: KgGraphQueryInput) -> GraphQueryData:
    places = chosen(memory, graph, args.query or " ", type=args.type)
    if args.near is not None:
        start = _place(graph, args.near)
        within = {start, *graph.neighbourhood(start, args.depth, len(graph.nodes))}
        places = [place for place in places if place in within]
    way: list[str] | None = None
    direction: PathDirection | None = None
    if args.path_from is not None and args.path_to is not None:
        steps, followed = graph.way(_place(graph, args.path_from), _place(graph, args.path_to))
        direction = followed if steps else None
        way = [graph.nodes[place].document.path for place in steps]
    views = []
    for place in places[: args.limit]:
        view = node_view(RelatedNode, graph, place)
        if args.include_relations:
            view.outgoing_links = links_out(graph, place)[:MAX_RELATIONS]
            view.incoming_links = links_in(graph, place)[:MAX_RELATIONS]
        views.append(view)
    views = room_for(views)
    return GraphQueryData(
        nodes=views, count=len(views), query=args.query, type=args.type, total_available=len(places), path=way,
        path_direction=direction,
    )  # fmt: skip


def _place(graph: "DocumentGraph", name: str) -> int:
    place = graph.place_of(id=name)
    place = graph.place_of(path=name) if place is None else place
    if place is None:
        raise NotFound("Node not found", hint=f"no document has the id or path {name[:120]!r}; kg_query tells them")
    return place
