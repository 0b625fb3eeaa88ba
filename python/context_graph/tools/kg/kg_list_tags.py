"""kg_list_tags: the tags of the documents."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgOutput
from context_graph.tools.kg.nodes import TagCount, room_for
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_list_tags"]


class KgListTagsInput(KgInput):
    limit: int = Field(100, ge=1)
    """Most items to return."""


class KgListTagsOutput(KgOutput):
    data: list[TagCount]


@tool(family="kg", title="Kg list tags", tier=2, read_only=True)
def kg_list_tags(memory: "Memory", args: KgListTagsInput, caller: Caller) -> KgListTagsOutput:
    """All tags of the documents with how many have each, the most used first; case makes no difference."""
    from context_graph.knowledge.project import graph_of

    tags = [TagCount(tag=tag, count=len(places)) for tag, places in graph_of(memory).tags.items()]
    shown = room_for(tags[: args.limit])
    return KgListTagsOutput(success=True, data=shown, metadata=KgMetadata(item_count=len(shown)))
