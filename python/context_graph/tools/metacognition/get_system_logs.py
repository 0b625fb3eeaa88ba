"""get_system_logs: why something was removed, merged, quarantined or dreamed."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.access import shown
from context_graph.models import Caller, Node, NodeState, to_iso
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.tools.base import Id, Instant, Maybe, Moment, NodeRef, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.presentation.activity import Activity, Kind

__all__ = ["get_system_logs"]

KINDS: "tuple[Kind, ...]" = ("quarantine", "prune", "merge", "dream_actions", "adversarial_blocks")


class GetSystemLogsInput(ToolInput):
    log_type: Literal["all", "quarantine", "prune", "merge", "dream_actions", "adversarial_blocks"] = "all"
    """Kind of entry."""

    node_id: Maybe[NodeRef] = None
    """Only entries about this node."""

    since: Maybe[Instant] = None
    """Only later entries."""

    limit: int = Field(20, ge=1, le=100)
    """Most items to return."""


class LogEntry(WireModel):
    timestamp: Moment
    action: str
    node_ids: list[Id]
    reason: str
    """Why."""

    recoverable: bool
    recovery_tool: str | None = None
    reversal_hash: str | None = None
    """What recovery_tool takes."""

    taken_back_at: Moment | None = None
    """When it was undone; absent where it stands."""


class GetSystemLogsOutput(ToolOutput):
    entries: list[LogEntry]
    """The latest first."""

    explanation_for_user: str


@tool(family="metacognition", title="Get system logs", tier=3, read_only=True)
def get_system_logs(memory: "Memory", args: GetSystemLogsInput, caller: Caller) -> GetSystemLogsOutput:
    """Why something was removed, quarantined, merged or changed by a dream, and how it comes back. Use when the user
    asks why a memory is gone or different.
    """
    from context_graph.presentation.activity import activities

    node = None if args.node_id is None else _named(memory, args.node_id, caller)
    kinds = KINDS if args.log_type == "all" else (args.log_type,)
    found = activities(memory, kinds, node=node, since=args.since or 0, limit=args.limit, caller=caller)
    entries = fitting((_entry(one) for one in found), ANSWER_BYTES)
    return GetSystemLogsOutput(entries=entries, explanation_for_user=_explained(entries, len(found), args.log_type))


def _named(memory: "Memory", named: str, caller: Caller) -> Node:
    """The node that is asked about, which may be in the trash."""
    found = memory.store.nodes([named])
    if found and found[0].state == NodeState.FORGOTTEN and may_see(found[0], memory.viewer(caller)):
        return found[0]
    return shown(memory, named, caller)


def _entry(one: "Activity") -> LogEntry:
    return LogEntry(
        timestamp=to_iso(one.at),
        action=one.action,
        node_ids=list(one.node_ids),
        reason=one.reason,
        recoverable=one.reversal_hash is not None,
        recovery_tool="restore_from_hash" if one.reversal_hash else None,
        reversal_hash=one.reversal_hash,
        taken_back_at=None if one.taken_back_at is None else to_iso(one.taken_back_at),
    )


def _explained(entries: list[LogEntry], count: int, kind: str) -> str:
    unlisted = "A text that is refused at once is not stored, so no entry tells of it."
    if not entries:
        return f"Nothing of this kind ({kind.replace('_', ' ')}) was done to memories that you may see. {unlisted}"
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry.action] = counts.get(entry.action, 0) + 1
    told = "; ".join(f"{action}: {times}" for action, times in counts.items())
    back = sum(entry.recoverable for entry in entries)
    more = f" {count - len(entries)} more had no room." if count > len(entries) else ""
    undone = sum(entry.taken_back_at is not None for entry in entries)
    already = f", {undone} {'was' if undone == 1 else 'were'} taken back already" if undone else ""
    return f"The latest {len(entries)} entries: {told}. {back} of them can be taken back{already}.{more} {unlisted}"
