"""What was done to memories and why, as a person asks for it: removals, merges, quarantine, dreams."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from context_graph.access import visible_nodes
from context_graph.models import Caller, Event, Microseconds, Node, NodeState
from context_graph.safety.inspect import QUARANTINE_FROM
from context_graph.store import changes_of, note_of, noted_nodes, time_of
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Activity", "Kind", "activities"]

Kind = Literal["quarantine", "prune", "merge", "dream_actions", "adversarial_blocks"]

LOOKED_AT = 2_000
"""Events of each type, or memories in quarantine, that are looked through, the latest."""

DAY_US = 86_400_000_000

TYPES: dict[Kind, tuple[str, ...]] = {
    "prune": ("forgotten", "purge", "manifest"),
    "merge": ("merged", "related", "parted", "manifest"),
    "dream_actions": ("dreamed",),
    "adversarial_blocks": ("forgotten",),
}
REVERSIBLE = ("forgotten", "merged", "related", "manifest", "dreamed")
ADVERSARIAL = "adversarial"


@dataclass(frozen=True, slots=True)
class Activity:
    """One thing that was done.

    Attributes
    ----------
    node_ids : tuple of str
        The memories that it was done to, of those that who asks may see.
    reversal_hash : str, optional
        Takes it back, where that can still be done.
    """

    at: Microseconds
    action: str
    node_ids: tuple[str, ...]
    reason: str
    reversal_hash: str | None = None


def activities(
    memory: "Runtime",
    kinds: tuple[Kind, ...],
    *,
    node: Node | None = None,
    since: Microseconds = 0,
    limit: int = 20,
    caller: Caller,
) -> list[Activity]:
    """What was done, the latest first, of memories that the caller may see.

    Parameters
    ----------
    node : Node, optional
        Only what was done to it.
    """
    found: dict[tuple[str, ...], Activity] = {}
    for kind in kinds:
        for key, one in _of(memory, kind, node, since, caller):
            found.setdefault(key, one)
    return sorted(found.values(), key=lambda one: -one.at)[:limit]


def _of(
    memory: "Runtime", kind: Kind, node: Node | None, since: Microseconds, caller: Caller
) -> Iterator[tuple[tuple[str, ...], Activity]]:
    if kind in ("quarantine", "adversarial_blocks"):
        for one in _quarantined(memory, node, since, caller):
            blocked = one.taint >= QUARANTINE_FROM
            if kind == "quarantine" or blocked:
                reason = f"{one.state_reason}; it is kept, and no search returns it"
                yield ("node", one.id), Activity(one.state_at or 0, "quarantined", (one.id,), reason)
    for type in TYPES.get(kind, ()):
        for event in memory.store.events(LOOKED_AT, type=type):
            if time_of(event.hlc) < since:
                break
            told = _told(memory, event, kind, node, caller)
            if told is not None:
                yield ("event", event.id), told


def _quarantined(memory: "Runtime", node: Node | None, since: Microseconds, caller: Caller) -> list[Node]:
    viewer = memory.viewer(caller)
    states = (NodeState.QUARANTINED,)
    return [
        one
        for one in memory.store.tombstones(since=since, limit=LOOKED_AT, states=states)
        if may_see(one, viewer) and (node is None or one.id == node.id)
    ]


def _told(memory: "Runtime", event: Event, kind: Kind, node: Node | None, caller: Caller) -> Activity | None:
    """An event in words; None where it is about nothing that who asks may see."""
    if event.type == "purge":
        if kind != "prune" or node is not None:
            return None
        return Activity(time_of(event.hlc), "deleted for good", (), "the user asked for it; nothing brings it back")
    note = note_of(event)
    named = dict.fromkeys((*noted_nodes(event), *noted_nodes(event, "sources"), *noted_nodes(event, "forgotten")))
    ids = [one.id for one in visible_nodes(memory, memory.store.nodes(named), caller)]
    if (named and not ids) or (node is not None and node.id not in ids):
        return None
    reason = str(note.get("reason", ""))
    if event.type == "forgotten":
        changed = [change.after for change in changes_of(event, "nodes") if change.after]
        reason = ", ".join(sorted({str(row["state_reason"]) for row in changed if "state_reason" in row})) or "unknown"
        if kind == "adversarial_blocks" and reason != ADVERSARIAL:
            return None
    return Activity(
        time_of(event.hlc), ACTIONS[event.type], tuple(ids), reason or _why(event), _reversal(memory, event)
    )  # fmt: skip


ACTIONS = {
    "forgotten": "put into the trash", "merged": "merged", "related": "linked instead of merged",
    "parted": "a merge was ended", "dreamed": "dreamed", "manifest": "edits of the manifest applied",
}  # fmt: skip


def _why(event: Event) -> str:
    note = note_of(event)
    if event.type == "merged":
        forced = ", although they differ" if note.get("forced") else ""
        how = note.get("strategy", "as spellings of one name")
        return f"said to be the same{forced}, {how}. {note.get('rationale', '')}".strip()
    if event.type == "related":
        return "their assumptions disagree, so both are kept"
    if event.type == "parted":
        return "a source of it was deleted for good"
    if event.type == "dreamed":
        counts = ("phase", "strengthened", "proposed", "created", "committed")
        return ", ".join(f"{name} {note[name]}" for name in counts if name in note)
    return "the user edited manifest.md"


def _reversal(memory: "Runtime", event: Event) -> str | None:
    """The hash that takes an event back, where its time is not over and it was not taken back."""
    late = time_of(event.hlc) + memory.settings.undo_retention_days * DAY_US < memory.clock()
    if event.type not in REVERSIBLE or late or not changes_of(event):
        return None
    undone, last = False, event.id
    while later := memory.store.lineage(last, limit=1):  # its undo, the undo of that one, ...
        undone, last = not undone, later[0].id
    return None if undone else event.hash[:16]
