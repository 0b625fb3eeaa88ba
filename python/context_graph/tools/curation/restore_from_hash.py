"""restore_from_hash: a removal, merge, replacement or other curation taken back."""

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
    """Undo handle from the answer of the write, search_tombstones or get_node_lineage."""

    preview: bool = True
    """Only show what would be restored."""


class RestoreFromHashOutput(ToolOutput):
    restored_nodes: list[Id]
    """What came back, or would come back."""

    removed_nodes: list[Id] | None = None
    """What goes with it: nodes that the write had made, such as a merged one."""

    closed_nodes: list[Id] | None = None
    """What is superseded again."""

    restored_edges: int
    """Links that came back or are as before, or would be."""

    removed_edges: int | None = None
    """Links that go with it: those that the write had made, as a dream does."""

    original_operation: Literal["merge", "forget", "annotate", "boost", "manifest", "dream", "supersede", "transform"]
    operation_timestamp: Moment
    success: bool
    """False where nothing can be taken back: then nothing is written, and the hash can be used later."""

    previewed: bool
    """Nothing was changed; call again with preview=false."""

    conflicts: list[str]
    """What was changed since and therefore stays as it is."""

    def notes(self) -> list[str]:
        if not self.success:
            why = "what it wrote was changed again since" if self.conflicts else "all is as it was before that write"
            return [f"Nothing was changed: {why}. The hash stays usable."]
        return (
            ["Preview only: nothing was changed. Call again with preview=false to restore."] if self.previewed else []
        )


@tool(family="curation", title="Restore from hash", tier=2, read_only=False)
def restore_from_hash(memory: "Memory", args: RestoreFromHashInput, caller: Caller) -> RestoreFromHashOutput:
    """Undo a removal, merge, note, boost, supersession or model step by its hash. Previews unless preview=false."""
    from context_graph.ingest.forget import restore

    restored = restore(memory, args.reversal_hash, caller=caller)
    if not _is_visible(memory, args.reversal_hash, restored.node_ids, caller):
        raise ReversalNotFound(
            f"none of your writes has the reversal hash {args.reversal_hash[:64]!r}; search_tombstones and "
            "get_node_lineage name them"
        )
    if not args.preview:
        restored = restore(memory, args.reversal_hash, preview=False, caller=caller)
    return RestoreFromHashOutput(
        restored_nodes=list(restored.restored_ids),
        removed_nodes=list(restored.removed) or None,
        closed_nodes=list(restored.closed) or None,
        restored_edges=restored.edges - restored.removed_edges,
        removed_edges=restored.removed_edges or None,
        original_operation=restored.operation,  # type: ignore[arg-type]  # see presentation.reversals
        operation_timestamp=to_iso(restored.at),
        success=restored.changed,
        previewed=args.preview,
        conflicts=list(restored.conflicts),
    )


def _is_visible(memory: "Memory", hash: str, node_ids: tuple[str, ...], caller: Caller) -> bool:
    """Whether a caller may see all that the undo of a write concerns."""
    from context_graph.store import noted_nodes

    viewer = memory.viewer(caller)
    records = (memory.store.record(id) for id in noted_nodes(memory.store.event(hash), "records"))
    nodes = memory.store.nodes(node_ids)
    return all(may_see(one, viewer) for one in (*nodes, *records) if one is not None)
