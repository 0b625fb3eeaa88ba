"""restore_from_hash: a removal, merge or other curation taken back."""

from typing import TYPE_CHECKING, Literal

from context_graph.errors import ReversalNotFound
from context_graph.models import Caller, to_iso
from context_graph.tools.base import Id, Moment, ToolInput, ToolOutput
from context_graph.tools.registry import tool
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["restore_from_hash"]


class RestoreFromHashInput(ToolInput):
    reversal_hash: str
    """Undo handle from the answer of a curation tool, search_tombstones or get_node_lineage."""

    preview: bool = True
    """Only show what would be restored."""


class RestoreFromHashOutput(ToolOutput):
    restored_nodes: list[Id]
    """What came back, or would come back."""

    restored_edges: int
    original_operation: Literal["merge", "forget", "annotate", "boost", "manifest", "dream"]
    operation_timestamp: Moment
    success: bool
    previewed: bool
    """Nothing was changed; call again with preview=false."""

    conflicts: list[str]
    """What was changed since and therefore stays as it is."""

    def notes(self) -> list[str]:
        return (
            ["Preview only: nothing was changed. Call again with preview=false to restore."] if self.previewed else []
        )


@tool(family="curation", title="Restore from hash", tier=2, read_only=False)
def restore_from_hash(memory: "Memory", args: RestoreFromHashInput, caller: Caller) -> RestoreFromHashOutput:
    """Undo a removal, merge, note or boost by its reversal hash, nodes, edges and vectors alike. Previews by default:
    set preview=false to restore.
    """
    from context_graph.ingest.forget import restore

    restored = restore(memory, args.reversal_hash, caller=caller)
    nodes = memory.store.nodes(restored.node_ids)
    viewer = memory.viewer(caller)
    if not all(may_see(node, viewer) for node in nodes):
        raise ReversalNotFound(
            f"none of your writes has the reversal hash {args.reversal_hash[:64]!r}; search_tombstones and "
            "get_node_lineage name them"
        )
    if not args.preview:
        restored = restore(memory, args.reversal_hash, preview=False, caller=caller)
    return RestoreFromHashOutput(
        restored_nodes=list(restored.node_ids),
        restored_edges=restored.edges,
        original_operation=restored.operation,  # type: ignore[arg-type]  # see OPERATIONS in ingest.forget
        operation_timestamp=to_iso(restored.at),
        success=True,
        previewed=args.preview,
        conflicts=list(restored.conflicts),
    )
