"""restore_concept: a forgotten node, or one whose successor is gone, brought back by its id."""

from typing import TYPE_CHECKING

from pydantic import PrivateAttr

from context_graph.citations import tag_of
from context_graph.errors import NodeNotFound, ReversalNotFound
from context_graph.models import Caller, Node, NodeState
from context_graph.presentation.reversals import came_removed, removal_of
from context_graph.tools.base import Id, ToolInput, ToolOutput
from context_graph.tools.registry import tool
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["restore_concept"]


class RestoreConceptInput(ToolInput):
    node_id: Id
    """Node to act on."""


class RestoreConceptOutput(ToolOutput):
    restored: bool
    """False where it was neither in the trash nor superseded by what is gone: then nothing was changed."""

    node_id: Id
    restored_edges: int
    reversal_hash: str | None = None
    """Of the restoring: `context-graph undo` takes it back."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="curation", title="Restore concept", tier=3, read_only=False)
def restore_concept(memory: "Memory", args: RestoreConceptInput, caller: Caller) -> RestoreConceptOutput:
    """Bring a node back by its id: a forgotten one with its edges, or one whose successor was forgotten.
    search_tombstones names it; restore_from_hash previews.
    """
    from context_graph.ingest.forget import bring_back, restore

    nodes = memory.store.nodes([args.node_id])
    if not nodes or not may_see(nodes[0], memory.viewer(caller)):
        raise NodeNotFound(f"no node has the id {args.node_id!r}; search_tombstones finds what is in the trash")
    if nodes[0].state != NodeState.FORGOTTEN:
        return _reopened(memory, nodes[0], caller)
    removal = removal_of(memory, args.node_id)
    if removal is None and came_removed(memory, args.node_id):
        hash = bring_back(memory, args.node_id, caller)
        return RestoreConceptOutput(restored=True, node_id=args.node_id, restored_edges=0, reversal_hash=hash)
    if removal is None or removal.type != "forgotten":
        raise ReversalNotFound(
            f"{args.node_id} was not put into the trash by a removal of its own; get_node_lineage shows what happened "
            "to it, restore_from_hash takes that back"
        )
    restored = restore(memory, removal.hash, preview=False, caller=caller)
    return RestoreConceptOutput(
        restored=True,
        node_id=args.node_id,
        restored_edges=restored.edges - restored.removed_edges,
        reversal_hash=restored.reversal_hash,
    )


def _reopened(memory: "Memory", node: Node, caller: Caller) -> RestoreConceptOutput:
    """A node that is there: where it was superseded by what is gone, it holds again."""
    from context_graph.ingest.reopening import reopen, standing_successor

    hash = reopen(memory, node.id, caller)
    output = RestoreConceptOutput(
        restored=hash is not None, node_id=node.id, restored_edges=0, reversal_hash=hash
    )  # fmt: skip
    successor = None if hash else standing_successor(memory.store, node)
    if hash is not None:
        output._notes = ["It was closed, and holds again: what had superseded it is gone."]
    elif successor is not None and may_see(successor, memory.viewer(caller)):
        output._notes = [
            f"It is not in the trash, but superseded by {tag_of(successor.id)}: nothing was changed. forget_concept "
            "of that reopens it, and get_node_lineage names the write that superseded it."
        ]
    else:
        output._notes = ["It is not in the trash: nothing was changed."]
    return output
