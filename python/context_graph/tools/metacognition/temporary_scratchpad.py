"""temporary_scratchpad: an agent's working notes, which end by themselves."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr

from context_graph.errors import InvalidInput
from context_graph.instants import MINUTE_US
from context_graph.models import Caller, to_iso
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.tools.base import AgentId, Id, Maybe, Moment, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import built, tool

if TYPE_CHECKING:
    from context_graph.ingest.scratchpad import Item, Pad
    from context_graph.memory import Memory

__all__ = ["temporary_scratchpad"]


class TemporaryScratchpadInput(ToolInput):
    action: Literal["store", "retrieve", "clear"] = Field(json_schema_extra={"default": "store"})
    """store, retrieve or clear."""

    content: Maybe[str] = Field(None, max_length=4096)
    """Thought to store (needed for action=store)."""

    session_id: Id
    """Required: isolates the scratchpad per session."""

    agent_id: AgentId
    """Required: isolates the scratchpad per agent."""

    privacy: Literal["private", "team", "shared"] = "private"
    """Who may read it: this agent, agents of the same session, or every agent of the graph."""

    tags: Maybe[list[str]] = Field(None, max_length=5)
    """Labels; of retrieve, only notes with one of them."""

    auto_commit_threshold: float = Field(0.6, ge=0.3, le=0.9)
    """Items above this importance are committed to the graph by the dream phase."""


class ScratchItem(WireModel):
    id: str
    content: str
    """The thought."""

    delta_s: float
    """How new it was beside the memories of then."""

    created_at: Moment
    tags: list[str]
    """Labels."""

    importance: float
    """delta_s times arousal: above auto_commit_threshold a dream commits it."""

    auto_commit_threshold: float
    privacy: Literal["private", "team", "shared"]
    agent_id: str
    expires_at: Moment


class TemporaryScratchpadOutput(ToolOutput):
    scratchpad_id: Id
    items_count: int
    """What you may read, also what had no room in this answer."""

    items: list[ScratchItem]
    """The latest, oldest first; after clear, none."""

    ttl_minutes: int
    """Until the last of them ends; of an empty scratchpad, how long a note lasts."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="metacognition", title="Temporary scratchpad", tier=2, read_only=False)
def temporary_scratchpad(memory: "Memory", args: TemporaryScratchpadInput, caller: Caller) -> TemporaryScratchpadOutput:
    """Working notes of one agent in one session, kept for an hour outside the graph and its log. Use for thoughts that
    may turn out wrong; what lasts belongs into store_memory.
    """
    from context_graph.ingest import scratchpad

    tags = args.tags or []
    if args.action == "store":
        if args.content is None or not args.content.strip():
            raise InvalidInput("content is needed for action=store: the thought to keep", field="content")
        pad = scratchpad.store(
            memory, args.content, caller, privacy=args.privacy, tags=tags, threshold=args.auto_commit_threshold
        )  # fmt: skip
        output = _told(memory, pad)
        output._notes += _stored(pad)
        return output
    if args.action == "retrieve":
        return _told(memory, scratchpad.read(memory, caller, tags=tags))
    count = scratchpad.clear(memory, caller)
    output = _told(memory, scratchpad.read(memory, caller))
    output.items, output.items_count = [], 0
    output._notes = [f"Gone: {count} of your own notes; those of other agents stay."]
    return output


def _told(memory: "Memory", pad: "Pad") -> TemporaryScratchpadOutput:
    from context_graph.ingest.scratchpad import TTL_MINUTES

    latest = fitting((_view(item) for item in reversed(pad.items)), ANSWER_BYTES)
    left = max((item.expires_at() - memory.clock() for item in pad.items), default=TTL_MINUTES * MINUTE_US)
    output = TemporaryScratchpadOutput(
        scratchpad_id=pad.id,
        items_count=len(pad.items),
        items=latest[::-1],
        ttl_minutes=max(1, -(-left // MINUTE_US)),
    )
    if len(latest) < len(pad.items):
        output._notes.append(f"{len(pad.items) - len(latest)} older notes had no room; ask for them by tags.")
    return output


def _view(item: "Item") -> ScratchItem:
    return ScratchItem(
        id=item.id,
        content=item.content,
        delta_s=round(item.delta_s, 4),
        created_at=to_iso(item.created_at),
        tags=list(item.tags),
        importance=round(item.importance, 4),
        auto_commit_threshold=item.threshold,
        privacy=item.privacy,
        agent_id=item.agent_id,
        expires_at=to_iso(item.expires_at()),
    )


def _stored(pad: "Pad") -> list[str]:
    item = pad.items[-1]
    told = [f"Replaced before storing: {', '.join(pad.redactions)}."] if pad.redactions else []
    if item.importance > item.threshold and built(["trigger_dream"]):
        told.append("New enough for the graph: trigger_dream with apply=true commits it, where that comes in time.")
    return [*told, "This is no memory: it ends by itself, and no search finds it."]
