"""What of the log agents may take back by its hash."""

from typing import TYPE_CHECKING

from context_graph.models import Event, NodeState

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["came_removed", "curation_of", "removal_of"]

CURATION = {
    "forgotten": "forget", "merged": "merge", "related": "merge", "annotated": "annotate", "boosted": "boost",
    "manifest": "manifest", "dreamed": "dream", "extracted": "annotate",
}  # fmt: skip
"""Writes that are nothing but curation, and the words for them; `related` stands for a merge that was not made."""

REMOVALS = ("forgotten", "manifest")
MAX_REMOVAL_LINEAGE = 100
"""Of a node that are looked through for its removal, the latest."""


def curation_of(event: Event) -> str | None:
    """The word for a write that agents may take back; None for any other.

    Beside curation these are the step of a model, what replaced one memory by another, and the undo of curation.
    A write of several memories at once is none of them: it would go as a whole.
    """
    from context_graph.store import note_of

    if event.type == "undo":
        return CURATION.get(str(note_of(event).get("type")))
    if event.type in ("created", "reinforced"):
        return "supersede" if _supersedes(event) else None
    if note_of(event).get("operation") == "model_changed":
        return "transform"
    return CURATION.get(event.type)


def _supersedes(event: Event) -> bool:
    """Whether a write of one memory put it in the place of another."""
    from context_graph.store import noted_nodes, written_rows

    if len(noted_nodes(event)) + len(noted_nodes(event, "reinforced")) > 1:
        return False
    changes = (change for _, change in written_rows(event, "nodes") if change is not None and change.after is not None)
    return any(change.after and change.after.get("superseded_by") for change in changes)


def came_removed(memory: "Runtime", node_id: str) -> bool:
    """Whether a node was in the trash when it came into this store, as by an import: no write here removed it."""
    from context_graph.store import change_of

    for event in memory.store.lineage(node_id, limit=MAX_REMOVAL_LINEAGE):
        own = change_of(event, "nodes", node_id)
        if own is not None and own.inserted:
            return (own.after or {}).get("state") == NodeState.FORGOTTEN
    return False


def removal_of(memory: "Runtime", node_id: str) -> Event | None:
    """The last removal of a node; where others that it was linked with went, that is none."""
    from context_graph.store import change_of

    for event in reversed(memory.store.lineage(node_id, limit=MAX_REMOVAL_LINEAGE)):
        own = change_of(event, "nodes", node_id) if event.type in REMOVALS else None
        if own is not None and (own.after or {}).get("state") == NodeState.FORGOTTEN:
            return event
    return None
