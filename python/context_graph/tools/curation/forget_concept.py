"""forget_concept: a node into the trash, or away for good."""

from typing import TYPE_CHECKING, Literal

from pydantic import PrivateAttr

from context_graph.access import shown
from context_graph.citations import tag_of
from context_graph.errors import PermanentDeleteRefused
from context_graph.models import Caller, to_iso
from context_graph.tools.base import Moment, NodeRef, ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["forget_concept"]


class ForgetConceptInput(ToolInput):
    node_id: NodeRef
    """Node to act on."""

    reason: Literal["semantic_cancer", "adversarial_injection", "user_requested", "obsolete"]
    """Why it is removed."""

    cascade_edges: bool = True
    """Also remove the node's edges."""

    soft_delete: bool = True
    """true: to the trash for 30 days; false: for good, only where the person has allowed it in the settings."""


class ForgetConceptOutput(ToolOutput):
    deleted: bool
    soft_deleted: bool
    edges_removed: int
    restore_deadline: Moment | None = None
    """Until when it can come back."""

    reversal_hash: str | None = None
    """restore_from_hash undoes this removal; absent after a permanent deletion."""

    _remains: tuple[str, ...] = PrivateAttr(())

    def notes(self) -> list[str]:
        return [f"Not yet everywhere: {place}." for place in self._remains]


@tool(family="curation", title="Forget concept", tier=1, read_only=False, destructive=True)
def forget_concept(memory: "Memory", args: ForgetConceptInput, caller: Caller) -> ForgetConceptOutput:
    """Remove a node: by default into the trash, from where restore_from_hash brings it back for 30 days. Use for what
    is wrong, outdated or unwanted; search_graph tells node ids.
    """
    from context_graph.ingest.forget import forget

    node = shown(memory, args.node_id, caller)
    if not args.soft_delete and not memory.settings.allow_permanent_deletion:
        raise PermanentDeleteRefused(
            f"permanent deletion over MCP is off here, since any text that an agent reads could ask for it; "
            f"{tag_of(node.id)} was left as it is. The person can run context-graph forget {node.id} --permanently, or "
            "set allow_permanent_deletion = true. soft_delete=true works now and can be undone for "
            f"{memory.settings.undo_retention_days} days"
        )
    gone = forget(
        memory,
        node.id,
        args.reason,
        cascade_edges=args.cascade_edges,
        soft=args.soft_delete,
        caller=caller,
    )
    output = ForgetConceptOutput(
        deleted=True,
        soft_deleted=gone.soft,
        edges_removed=gone.edges_removed,
        restore_deadline=None if gone.restore_deadline is None else to_iso(gone.restore_deadline),
        reversal_hash=gone.reversal_hash,
    )
    output._remains = gone.remains
    return output
