"""What happened to a node, in words: created, noted, superseded, forgotten, brought back."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from context_graph.display import Row
from context_graph.instants import Microseconds, to_datetime

if TYPE_CHECKING:
    from context_graph.models import Event
    from context_graph.runtime import Runtime

__all__ = ["Operation", "Version", "history"]

Operation = Literal["created", "merged", "annotated", "consolidated", "boosted", "forgotten", "restored"]
REVERSIBLE = ("forgotten", "merged", "related", "annotated", "boosted", "manifest", "dreamed", "extracted")
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


def history(memory: "Runtime", node_id: str) -> list[Version]:
    """What changed a node, its links or its vectors, oldest first; reading is not told."""
    from context_graph.store import time_of

    versions = []
    for number, event in enumerate(memory.store.lineage(node_id, COUNTED, parsed=False), 1):
        operation, summary = _operation(event, node_id)
        curated = event.type in REVERSIBLE or operation == "forgotten"
        at = time_of(event.hlc)
        versions.append(Version(number, at, operation, event.author.agent_id, summary, event.hash, curated))
    return versions


def _operation(event: "Event", node_id: str) -> tuple[Operation, str]:
    """The contract's word for an event, and what it did in other words."""
    from context_graph.store import change_of, note_of, noted_nodes

    if event.type in REVERSIBLE[1:] and node_id not in {*noted_nodes(event), *noted_nodes(event, "sources")}:
        return "annotated", "a link of it was changed when another node was curated"
    if event.type == "manifest":
        return _by_manifest(event, node_id)
    if event.type in OPERATIONS:
        return OPERATIONS[event.type]
    own = change_of(event, "nodes", node_id)
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


def _by_manifest(event: "Event", node_id: str) -> tuple[Operation, str]:
    """What the user's edits of manifest.md did to a node."""
    from context_graph.store import noted_nodes

    for role, operation in (("forgotten", OPERATIONS["forgotten"]), ("merged", OPERATIONS["merged"])):
        if node_id in noted_nodes(event, role):
            return operation[0], f"{operation[1]}, as the user's manifest says"
    return "annotated", "a note was put beside it, as the user's manifest says"
