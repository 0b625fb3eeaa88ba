"""get_node_lineage: what happened to a node, and by whom."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.access import shown
from context_graph.models import Caller, Event, to_iso
from context_graph.tools.base import Id, Moment, NodeRef, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["get_node_lineage"]

Operation = Literal["created", "merged", "annotated", "consolidated", "boosted", "forgotten", "restored"]
REVERSIBLE = ("forgotten", "merged", "related", "annotated", "boosted", "manifest", "dreamed")
"""Events that restore_from_hash takes back."""

COUNTED = 1_000
"""Events of one node that are numbered; a concept may be touched by more."""

OPERATIONS: dict[str, tuple[Operation, str]] = {
    "reinforced": ("annotated", "the same was said again; its rationale was added"),
    "forgotten": ("forgotten", "put into the trash"),
    "merged": ("merged", "joined with nodes that say the same"),
    "related": ("annotated", "linked with a node that says the same under other assumptions, instead of a merge"),
    "annotated": ("annotated", "a note was put beside it"),
    "boosted": ("boosted", "its importance was changed"),
    "dreamed": ("consolidated", "consolidated by a dream"),
    "read": ("annotated", "its file was read, once what reads it was installed"),
    "embedded": ("consolidated", "the rest of its long text was embedded"),
}


class GetNodeLineageInput(ToolInput):
    node_id: NodeRef
    """Node to act on."""

    limit: int = Field(50, ge=1, le=100)
    """Most items to return, the latest."""


class Version(WireModel):
    version: int
    timestamp: Moment
    operation: Operation
    agent_id: str | None = None
    summary: str
    reversal_hash: str | None = None
    """restore_from_hash takes a removal, merge or other curation back."""


class GetNodeLineageOutput(ToolOutput):
    node_id: Id
    versions: list[Version]
    """Oldest first."""


@tool(family="metacognition", title="Get node lineage", tier=2, read_only=True)
def get_node_lineage(memory: "Memory", args: GetNodeLineageInput, caller: Caller) -> GetNodeLineageOutput:
    """How a node changed over time: created, annotated, linked, superseded, forgotten, restored; when and by which
    agent. Use to judge how far a memory can be trusted.
    """
    id = shown(memory, args.node_id, caller).id
    events = memory.store.lineage(id, COUNTED)
    versions = [_version(number, event, id) for number, event in enumerate(events, 1)]
    return GetNodeLineageOutput(node_id=id, versions=versions[-args.limit :])


def _version(number: int, event: Event, node_id: str) -> Version:
    from context_graph.store import time_of

    operation, summary = _operation(event, node_id)
    return Version(
        version=number,
        timestamp=to_iso(time_of(event.hlc)),
        operation=operation,
        agent_id=event.author.agent_id,
        summary=summary,
        reversal_hash=event.hash[:16] if event.type in REVERSIBLE or operation == "forgotten" else None,
    )


def _operation(event: Event, node_id: str) -> tuple[Operation, str]:
    """The contract's word for an event, and what it did in other words."""
    from context_graph.store import changes_of, note_of, noted_nodes

    if event.type in REVERSIBLE[1:] and node_id not in {*noted_nodes(event), *noted_nodes(event, "sources")}:
        return "annotated", "a link of it was changed when another node was curated"
    if event.type == "manifest":
        return _by_manifest(event, node_id)
    if event.type in OPERATIONS:
        return OPERATIONS[event.type]
    own = next((change for change in changes_of(event, "nodes") if change.id == node_id), None)
    if event.type == "undo":
        if own is not None and (own.after or {}).get("state") == "forgotten":
            return "forgotten", "its restoration was taken back"
        return "restored", f"an event of type {note_of(event).get('type', 'unknown')} was undone"
    if own is not None and own.inserted:
        return "created", "stored"
    if node_id in noted_nodes(event, "reinforced"):
        return OPERATIONS["reinforced"]
    if own is not None and "superseded_by" in own.columns:
        return "annotated", "superseded by a newer memory"
    return "annotated", "linked with another memory" if event.type == "created" else f"changed by {event.type}"


def _by_manifest(event: Event, node_id: str) -> tuple[Operation, str]:
    """What the user's edits of manifest.md did to a node."""
    from context_graph.store import noted_nodes

    for role, operation in (("forgotten", OPERATIONS["forgotten"]), ("merged", OPERATIONS["merged"])):
        if node_id in noted_nodes(event, role):
            return operation[0], f"{operation[1]}, as the user's manifest says"
    return "annotated", "a note was put beside it, as the user's manifest says"
