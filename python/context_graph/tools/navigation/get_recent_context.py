"""get_recent_context: what was stored or found lately."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.instants import MINUTE_US
from context_graph.models import Caller, Node, to_iso
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.presentation.nodes import NodeSummary
from context_graph.tools.base import Id, Maybe, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool
from context_graph.visibility import answers

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["get_recent_context"]

MAX_RECENT = 1_000
KEYS = {
    "recency": lambda node: (-node.created_at, node.id),
    "importance": lambda node: (-node.importance, node.id),
    "access_count": lambda node: (-node.access_count, node.id),
}
ORDERS = {"recency": "created_at", "importance": "importance", "access_count": "access_count"}


class GetRecentContextInput(ToolInput):
    session_id: Maybe[Id] = None
    """Only memories of this session; omit for those of all sessions that you may see."""

    lookback_minutes: int = Field(60, ge=1, le=1440)
    """How far back to look."""

    limit: int = Field(10, ge=1, le=50)
    """Most items to return."""

    sort_by: Literal["recency", "importance", "access_count"] = "recency"
    """Order of the result."""


class TimeRange(WireModel):
    since: str = Field(alias="from")
    until: str = Field(alias="to")


class GetRecentContextOutput(ToolOutput):
    nodes: list[NodeSummary]
    time_range: TimeRange

    def notes(self) -> list[str]:
        return [] if self.nodes else ["Nothing in this time. Widen lookback_minutes, or ask with inject_context."]


@tool(family="navigation", title="Get recent context", tier=2, read_only=True)
def get_recent_context(memory: "Memory", args: GetRecentContextInput, caller: Caller) -> GetRecentContextOutput:
    """What was stored or found lately, for when there is nothing to search for: picking up work after a break, or the
    start of a session.
    """
    until = memory.clock()
    since = until - args.lookback_minutes * MINUTE_US
    found = [*_stored(memory, args, caller, since), *_focus(memory, caller, since)]
    nodes = {node.id: node for node in found if _wanted(memory, args, caller, node)}
    chosen = sorted(nodes.values(), key=KEYS[args.sort_by])[: args.limit]
    return GetRecentContextOutput(
        nodes=fitting((NodeSummary.of(node) for node in chosen), ANSWER_BYTES),
        time_range=TimeRange.model_validate({"from": to_iso(since), "to": to_iso(until)}),
    )


def _stored(memory: "Memory", args: GetRecentContextInput, caller: Caller, since: int) -> list[Node]:
    """Memories stored in the time asked for: a few first, more where too many of those are of other sessions."""
    for size in (2 * args.limit, MAX_RECENT):
        found = memory.store.recent(since, size, ORDERS[args.sort_by], viewer=memory.viewer(caller))
        wanted = [node for node in found if _wanted(memory, args, caller, node)]
        if len(wanted) >= args.limit or len(found) < size:
            break
    return wanted


def _focus(memory: "Memory", caller: Caller, since: int) -> list[Node]:
    """Older memories that this session's searches returned in the time asked for."""
    state = memory.session(caller.session_id)
    return memory.store.nodes(state.focus) if state.last_seen >= since else []


def _wanted(memory: "Memory", args: GetRecentContextInput, caller: Caller, node: Node) -> bool:
    own = args.session_id is None or node.session_id == args.session_id
    return own and answers(node, memory.viewer(caller))
