"""A memory in the trash, as it is shown: what it said, who removed it and why, and how it comes back."""

from typing import TYPE_CHECKING

from context_graph.instants import DAY_US
from context_graph.models import Caller, Event, Node, to_iso
from context_graph.presentation.reversals import came_removed, removal_of
from context_graph.presentation.wire_model import Id, Moment, WireModel

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Tombstone", "tombstone_of"]


class Tombstone(WireModel):
    node_id: Id
    original_content: str
    deletion_reason: str
    deleted_at: Moment
    deleted_by: str
    """Agent id, 'user', or which session an agent without a name was in; 'system' where a merge was taken back."""

    recoverable: bool
    explanation: str
    reversal_hash: str | None = None
    """For restore_from_hash; none of what was in the trash already when it was imported, which restore_concept brings
    back."""


def tombstone_of(memory: "Runtime", node: Node, content: str, caller: Caller) -> Tombstone:
    """A forgotten node with as much of its content as is to be shown."""
    at = node.state_at or 0
    deadline = at + memory.settings.undo_retention_days * DAY_US
    in_time, removal = memory.clock() <= deadline, removal_of(memory, node.id)
    reversal = removal.hash[:16] if removal is not None and in_time else None
    by_id = removal is None and in_time and came_removed(memory, node.id)
    if reversal or by_id:
        how = f"recovery is possible until {to_iso(deadline)[:10]}{', by restore_concept' if by_id else ''}"
    elif in_time:
        how = "undoing that needs context-graph undo"
    else:
        how = f"the time for recovery ended on {to_iso(deadline)[:10]}"
    return Tombstone(
        node_id=node.id,
        original_content=content,
        deletion_reason=node.state_reason or "unknown",
        deleted_at=to_iso(at),
        deleted_by=_remover(memory, node, removal, caller),
        recoverable=reversal is not None or by_id,
        explanation=f"{node.name!r} was removed as {node.state_reason}; {how}",
        reversal_hash=reversal,
    )


def _remover(memory: "Runtime", node: Node, removal: Event | None, caller: Caller) -> str:
    """Who removed a node; of an agent without a name, whether it was in this session: another's is not named."""
    if node.state_by and (node.state_by != "system" or removal is None):
        return node.state_by
    if removal is None:
        return "an agent without a name"
    if removal.author.agent_id:
        return removal.author.agent_id
    here = removal.author.session_id == memory.author(caller).session_id
    return f"an agent without a name in {'this' if here else 'another'} session"
