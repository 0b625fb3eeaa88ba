"""What happened to a node, in words: created, noted, superseded, forgotten, brought back."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from context_graph.access import visible_nodes
from context_graph.citations import tag_of
from context_graph.display import Row
from context_graph.instants import Microseconds, to_datetime
from context_graph.models import NodeState
from context_graph.presentation.reversals import curation_of
from context_graph.safety.quoting import inline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_graph.models import Caller, Event
    from context_graph.runtime import Runtime
    from context_graph.store import Change

__all__ = ["Operation", "Version", "history"]

Operation = Literal["created", "merged", "annotated", "consolidated", "boosted", "forgotten", "restored"]
ABOUT_NODES = ("forgotten", "merged", "related", "annotated", "boosted", "manifest", "dreamed", "extracted")
"""Events that name the nodes that they are about; of others they may change the links and the validity."""

COUNTED = 1_000
"""Events of one node that are numbered; a concept may be touched by more."""

OPERATIONS: dict[str, tuple[Operation, str]] = {
    "reinforced": ("annotated", "the same was said again; its rationale was added"),
    "forgotten": ("forgotten", "put into the trash"),
    "merged": ("merged", "joined with nodes that say the same"),
    "related": ("annotated", "linked with a node that says the same under other assumptions, instead of a merge"),
    "annotated": ("annotated", "a note was put beside it"),
    "boosted": ("boosted", "its importance was changed"),
    "released": ("restored", "let out of quarantine: it is found and told"),
    "edited": ("annotated", "its name, tags or importance were edited in a file"),
    "dreamed": ("consolidated", "consolidated by a dream"),
    "read": ("annotated", "its file was read, once what reads it was installed"),
    "extracted": ("annotated", "a language model was asked about it; what its text bears is marked as proposed"),
    "embedded": ("consolidated", "the rest of its long text was embedded"),
}


@dataclass(frozen=True, slots=True)
class Version(Row):
    """One write that changed a node.

    Attributes
    ----------
    number : int
        The first is 1.
    hash : str
        Names the write in the log; `undo` takes it.
    curated : bool
        Whether agents may take it back, too: a removal, a merge or other curation.
    """

    number: int
    at: Microseconds
    operation: Operation
    agent_id: str | None
    summary: str
    hash: str
    curated: bool

    INSTANTS = ("at",)

    @property
    def time(self) -> datetime:
        """When it was written, in UTC."""
        return to_datetime(self.at)

    def row(self) -> dict[str, Any]:
        return {
            "number": self.number, "time": self.time, "operation": self.operation, "summary": self.summary,
            "agent": self.agent_id, "hash": self.hash[:16],
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"Version({self.number}, {self.time:%Y-%m-%d %H:%M}, {self.operation!r}, hash={self.hash[:16]!r})"


def history(memory: "Runtime", node_id: str, *, caller: "Caller | None" = None) -> list[Version]:
    """What changed a node, its links or its vectors, oldest first; reading is not told.

    Parameters
    ----------
    caller : Caller, optional
        Who asks: what took the place of the node is named where they may see it.
    """
    from context_graph.store import change_of, time_of

    events = memory.store.lineage(node_id, COUNTED, parsed=False)
    changes = [change_of(event, "nodes", node_id) for event in events]
    tags = _successor_tags(memory, changes, caller or memory.caller)
    versions = []
    for number, (event, own) in enumerate(zip(events, changes, strict=True), 1):
        operation, summary = _operation(event, node_id, own, tags)
        curated = curation_of(event) is not None
        at = time_of(event.hlc)
        versions.append(Version(number, at, operation, event.author.agent_id, summary, event.hash, curated))
    return versions


def _successor_tags(memory: "Runtime", changes: "list[Change | None]", caller: "Caller") -> dict[str, str]:
    """By id the tags of what took the place of a node at any time, as far as the caller may see it."""
    sides = [side for change in changes if change is not None for side in (change.before, change.after) if side]
    ids = dict.fromkeys(str(side["superseded_by"]) for side in sides if side.get("superseded_by"))
    return {node.id: tag_of(node.id) for node in visible_nodes(memory, memory.store.nodes(ids), caller)}


def _operation(event: "Event", node_id: str, own: "Change | None", tags: "Mapping[str, str]") -> tuple[Operation, str]:
    """The contract's word for an event, and what it did in other words."""
    from context_graph.store import noted_nodes

    if event.type == "undo":
        return _undone(event, own, tags)
    concerned = {*noted_nodes(event), *noted_nodes(event, "sources")}
    if event.type in ABOUT_NODES and node_id not in concerned and not _is_removed(own):
        return _beside(event, own, tags)
    if event.type == "manifest":
        return _by_manifest(event, node_id)
    if event.type == "reopened":
        if own is not None and (own.before or {}).get("state") == NodeState.FORGOTTEN:
            return "restored", "brought back from the trash in which it came here"
        return "restored", f"{_reopened(own, tags)} and is gone"
    replaced = _replaced(own, tags)
    if event.type == "annotated" and replaced:
        return "annotated", f"{OPERATIONS['annotated'][1]}; {replaced}"
    if event.type == "reinforced" and replaced and node_id not in concerned:
        return "annotated", replaced
    if event.type == "boosted":
        return "boosted", _boosted(event, own)
    if event.type in OPERATIONS:
        return OPERATIONS[event.type]
    if own is not None and own.inserted:
        return "created", "stored"
    if node_id in noted_nodes(event, "reinforced"):
        return OPERATIONS["reinforced"]
    if replaced:
        return "annotated", replaced
    return "annotated", "linked with another memory" if event.type == "created" else f"changed by {event.type}"


def _undone(event: "Event", own: "Change | None", tags: "Mapping[str, str]") -> tuple[Operation, str]:
    """What the undo of a write did to a node."""
    from context_graph.store import note_of

    type = note_of(event).get("type", "unknown")
    if _is_removed(own):
        return "forgotten", "its restoration was taken back"
    if _is_reopened(own):
        return "restored", f"{_reopened(own, tags)}; an event of type {type} was undone"
    if replaced := _replaced(own, tags):
        return "annotated", f"{replaced} again; an event of type {type} was undone"
    return "restored", f"an event of type {type} was undone"


def _beside(event: "Event", own: "Change | None", tags: "Mapping[str, str]") -> tuple[Operation, str]:
    """What an event that is about other nodes did to this one."""
    if _is_reopened(own):
        return "restored", f"{_reopened(own, tags)} and was forgotten"
    if replaced := _replaced(own, tags):
        return "annotated", replaced
    verb = "forgotten" if event.type == "forgotten" else "curated"
    return "annotated", f"a link of it was changed when another node was {verb}"


def _is_removed(own: "Change | None") -> bool:
    """Whether a change puts a node into the trash."""
    return own is not None and (own.after or {}).get("state") == NodeState.FORGOTTEN


def _is_reopened(own: "Change | None") -> bool:
    """Whether a change gives a node its validity back."""
    before, after = (own.before or {}, own.after or {}) if own is not None else ({}, {})
    return before.get("valid_to") is not None and "valid_to" in after and after["valid_to"] is None


def _reopened(own: "Change | None", tags: "Mapping[str, str]") -> str:
    """That a node holds again, and what had taken its place."""
    former = str((own.before if own is not None and own.before else {}).get("superseded_by"))
    return f"reopened: {tags.get(former, 'another memory')} had superseded it"


def _replaced(own: "Change | None", tags: "Mapping[str, str]") -> str:
    """That a node was superseded, and by what; empty where it was not."""
    successor = (own.after or {}).get("superseded_by") if own is not None and not own.inserted else None
    return f"superseded by {tags.get(str(successor), 'a newer memory')}" if successor else ""


def _boosted(event: "Event", own: "Change | None") -> str:
    """From what to what an importance was changed, and the reason that was given."""
    from context_graph.store import note_of

    words = OPERATIONS["boosted"][1]
    if own is not None and own.before and own.after and "importance" in own.before and "importance" in own.after:
        words += f" from {own.before['importance']:.3g} to {own.after['importance']:.3g}"
    reason = note_of(event).get("reason")
    return f"{words}: {inline(str(reason))}" if reason else words


def _by_manifest(event: "Event", node_id: str) -> tuple[Operation, str]:
    """What the user's edits of manifest.md did to a node."""
    from context_graph.store import noted_nodes

    for role, operation in (("forgotten", OPERATIONS["forgotten"]), ("merged", OPERATIONS["merged"])):
        if node_id in noted_nodes(event, role):
            return operation[0], f"{operation[1]}, as the user's manifest says"
    return "annotated", "a note was put beside it, as the user's manifest says"
