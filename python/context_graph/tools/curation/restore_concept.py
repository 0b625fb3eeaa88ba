"""restore_concept: a forgotten node brought back by its id."""

from typing import TYPE_CHECKING

from context_graph.errors import NodeNotFound, ReversalNotFound
from context_graph.models import Caller, NodeState
from context_graph.tools.base import Id, ToolInput, ToolOutput
from context_graph.tools.registry import tool
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["restore_concept"]

MAX_EVENTS = 100
"""Of the node that are looked through for its removal, the last ones."""


class RestoreConceptInput(ToolInput):
    node_id: Id
    """Node to act on."""


class RestoreConceptOutput(ToolOutput):
    restored: bool
    """False where it was not in the trash: then nothing was changed."""

    node_id: Id
    restored_edges: int
    reversal_hash: str | None = None
    """Of the restoring: `context-graph undo` takes it back."""

    def notes(self) -> list[str]:
        return [] if self.restored else ["It is not in the trash: nothing was changed."]


@tool(family="curation", title="Restore concept", tier=3, read_only=False)
def restore_concept(memory: "Memory", args: RestoreConceptInput, caller: Caller) -> RestoreConceptOutput:
    """Bring a forgotten node back by its id, with its edges and vectors; search_tombstones names it. Where you have the
    hash of the removal, restore_from_hash previews first.
    """
    from context_graph.ingest.forget import restore

    nodes = memory.store.nodes([args.node_id])
    if not nodes or not may_see(nodes[0], memory.viewer(caller)):
        raise NodeNotFound(f"no node has the id {args.node_id!r}; search_tombstones finds what is in the trash")
    if nodes[0].state != NodeState.FORGOTTEN:
        return RestoreConceptOutput(restored=False, node_id=args.node_id, restored_edges=0)
    events = memory.store.lineage(args.node_id, limit=MAX_EVENTS)
    removal = next((event for event in reversed(events) if event.type == "forgotten"), None)
    if removal is None:
        raise ReversalNotFound(
            f"{args.node_id} was not put into the trash by a removal of its own; get_node_lineage shows what happened "
            "to it, restore_from_hash takes that back"
        )
    restored = restore(memory, removal.hash, preview=False, caller=caller)
    return RestoreConceptOutput(
        restored=True, node_id=args.node_id, restored_edges=restored.edges, reversal_hash=restored.reversal_hash
    )
