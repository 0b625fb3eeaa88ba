"""kg_search_tags: documents by their tags."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.nodes import NodeView, cached, is_within, node_view, room_for, tag_key
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_search_tags"]


class KgSearchTagsInput(KgInput):
    tags: list[str] = Field(min_length=1)
    """Tags; project finds project/alpha."""

    match_all: bool = False
    """All of them, not any."""

    limit: int = Field(20, ge=1, le=100)
    """Most items to return."""


class TaggedNode(NodeView):
    matched_tags: list[str]
    last_modified: str


class SearchTagsData(KgModel):
    nodes: list[TaggedNode]
    count: int
    tags: list[str]
    match_all: bool
    total_matching: int


class KgSearchTagsOutput(KgOutput):
    data: SearchTagsData


@tool(family="kg", title="Kg search tags", tier=2, read_only=True)
def kg_search_tags(memory: "Memory", args: KgSearchTagsInput, caller: Caller) -> KgSearchTagsOutput:
    """Documents that have any, or all, of some tags, those with the most of them first. kg_list_tags tells the tags."""
    from context_graph.knowledge.project import graph_of

    graph = graph_of(memory)

    def search() -> SearchTagsData:
        wanted = {tag_key(tag) for tag in args.tags}
        matched: dict[int, list[str]] = {}
        keys_of: dict[int, set[str]] = {}
        for tag, places in graph.tags.items():
            if keys := {key for key in wanted if is_within(tag, key)}:
                for place in places:
                    matched.setdefault(place, []).append(tag)
                    keys_of.setdefault(place, set()).update(keys)
        fit = [place for place, keys in keys_of.items() if not args.match_all or keys == wanted]
        fit.sort(key=lambda place: (-len(keys_of[place]), place))
        views = [node_view(TaggedNode, graph, place, matched_tags=matched[place]) for place in fit[: args.limit]]
        views = room_for(views)
        return SearchTagsData(
            nodes=views, count=len(views), tags=args.tags, match_all=args.match_all, total_matching=len(fit)
        )

    hit, data = cached(memory, graph, args, SearchTagsData, search)
    return KgSearchTagsOutput(success=True, data=data, metadata=KgMetadata(cached=hit, item_count=data.count))
