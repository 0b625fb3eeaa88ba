"""kg_list_tags: the tags of the documents."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.kg.envelope import KgInput, KgOutput
from context_graph.tools.kg.nodes import ListMetadata, TagCount, next_offset, room_for, told_of
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_list_tags"]


class KgListTagsInput(KgInput):
    limit: int = Field(100, ge=1)
    """Most items to return."""

    offset: int = Field(0, ge=0)
    """Where to go on: a nextOffset."""


class KgListTagsOutput(KgOutput):
    data: list[TagCount]
    metadata: ListMetadata = Field()

    def notes(self) -> list[str]:
        return told_of("tags", len(self.data), self.metadata.total_available, self.metadata.next_offset)


@tool(family="kg", title="Kg list tags", tier=2, read_only=True)
def kg_list_tags(memory: "Memory", args: KgListTagsInput, caller: Caller) -> KgListTagsOutput:
    """All tags of the documents and how many have each, the most used first."""
    from context_graph.knowledge.project import graph_of

    tags = [TagCount(tag=tag, count=len(places)) for tag, places in graph_of(memory).tags.items()]
    shown = room_for(tags[args.offset : args.offset + args.limit])
    metadata = ListMetadata(
        item_count=len(shown),
        total_available=len(tags),
        next_offset=next_offset(args.offset, len(shown), len(tags)),
    )
    return KgListTagsOutput(success=True, data=shown, metadata=metadata)
