"""forget_concept: a node into the trash, or away for good."""

from typing import TYPE_CHECKING, Literal

from pydantic import PrivateAttr

from context_graph.access import shown, visible_nodes
from context_graph.citations import tag_of
from context_graph.errors import PermanentDeleteRefused
from context_graph.models import Caller, to_iso
from context_graph.tools.base import Id, Moment, NodeRef, ToolInput, ToolOutput
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

    reopened_nodes: list[Id] | None = None
    """Memories that it alone had superseded: they hold again, until this removal is undone."""

    closed_nodes: list[Id] | None = None
    """Memories that it had superseded and that stay closed: restore_concept reopens one."""

    _remains: tuple[str, ...] = PrivateAttr(())

    def notes(self) -> list[str]:
        notes = [f"Not yet everywhere: {place}." for place in self._remains]
        if self.reopened_nodes:
            notes.append(f"It had superseded {_tags(self.reopened_nodes)}, which holds again.")
        if self.closed_nodes:
            notes.append(
                f"It had superseded {_tags(self.closed_nodes)}, which stays closed; "
                f"restore_concept(node_id='{self.closed_nodes[0]}') reopens it if it holds again."
            )
        return notes


def _tags(node_ids: list[Id]) -> str:
    return " ".join(tag_of(id) for id in node_ids)


@tool(family="curation", title="Forget concept", tier=1, read_only=False, destructive=True)
def forget_concept(memory: "Memory", args: ForgetConceptInput, caller: Caller) -> ForgetConceptOutput:
    """Remove a node: by default into the trash; restore_from_hash brings it back for 30 days. Use for what is wrong,
    outdated or unwanted; what it had superseded holds again, unless obsolete. search_graph tells node ids.
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
    output.reopened_nodes = _named(memory, gone.reopened, caller)
    output.closed_nodes = _named(memory, gone.closed, caller)
    output._remains = gone.remains
    return output


def _named(memory: "Memory", node_ids: tuple[str, ...], caller: Caller) -> list[Id] | None:
    """Those of some memories that the caller may see; None where there is none."""
    return [node.id for node in visible_nodes(memory, memory.store.nodes(node_ids), caller)] or None
