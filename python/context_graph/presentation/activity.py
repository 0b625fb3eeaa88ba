"""What was done to memories and why, as a person asks for it: removals, merges, quarantine, dreams, undos."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from context_graph.access import visible_nodes
from context_graph.instants import DAY_US
from context_graph.models import Caller, Event, Microseconds, Node, NodeState, to_iso
from context_graph.presentation.reversals import curation_of
from context_graph.safety.inspect import QUARANTINE_FROM
from context_graph.safety.quoting import inline
from context_graph.store import changes_of, note_of, noted_nodes, time_of
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Activity", "Kind", "activities"]

Kind = Literal["quarantine", "prune", "merge", "dream_actions", "adversarial_blocks"]

LOOKED_AT = 2_000
"""Events of each type, or memories in quarantine, that are looked through, the latest."""


MAX_NAMED_PROPOSALS = 8
"""Proposals of a dream that an entry names."""

TYPES: dict[Kind, tuple[str, ...]] = {
    "prune": ("forgotten", "purge", "manifest", "reopened"),
    "merge": ("merged", "related", "parted", "manifest"),
    "dream_actions": ("dreamed",),
    "adversarial_blocks": ("forgotten",),
}
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
    taken_back_at : int, optional
        When it was taken back, where that stands.
    """

    at: Microseconds
    action: str
    node_ids: tuple[str, ...]
    reason: str
    reversal_hash: str | None = None
    taken_back_at: Microseconds | None = None


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
    if kind in TYPES:
        yield from _undos(memory, kind, node, since, caller)


def _undos(
    memory: "Runtime", kind: Kind, node: Node | None, since: Microseconds, caller: Caller
) -> Iterator[tuple[tuple[str, ...], Activity]]:
    """The undos of what was done of a kind, and what redid it."""
    for event in memory.store.events(LOOKED_AT, type="undo"):
        if time_of(event.hlc) < since:
            break
        undone, redoes = _undone_by(memory, event)
        if undone is None or undone.type not in TYPES[kind]:
            continue
        original = _told(memory, undone, kind, None, caller)
        changed = visible_nodes(memory, memory.store.nodes(noted_nodes(event)), caller)
        ids = tuple(one.id for one in changed)
        if original is None or (node is not None and node.id not in ids):
            continue
        reason = f"{original.action} at {to_iso(original.at)}: {original.reason}"
        action = "done again" if redoes else "taken back"
        yield ("event", event.id), Activity(time_of(event.hlc), action, ids, reason, *_reversal(memory, event))


def _undone_by(memory: "Runtime", event: Event) -> tuple[Event | None, bool]:
    """The write at the end of a chain of undos, where the log still has it, and whether this one redoes it."""
    redoes = True
    while event.type == "undo":
        if "hash" not in note_of(event):  # its content was deleted for good
            return None, False
        event = memory.store.event(str(note_of(event)["hash"]))
        redoes = not redoes
    return event, redoes


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
    unnamed = event.type == "reopened" and not named  # of what was deleted for good, which has an entry of its own
    if unnamed or (named and not ids) or (node is not None and node.id not in ids):
        return None
    reason = str(note.get("reason", ""))
    if event.type == "forgotten":
        changed = [change.after for change in changes_of(event, "nodes") if change.after]
        reason = ", ".join(sorted({str(row["state_reason"]) for row in changed if "state_reason" in row})) or "unknown"
        if kind == "adversarial_blocks" and reason != ADVERSARIAL:
            return None
    reason = reason or _why(event)
    if event.type == "dreamed":
        reason += _proposed(memory, note, frozenset(ids))
    return Activity(time_of(event.hlc), ACTIONS[event.type], tuple(ids), reason, *_reversal(memory, event))


def _proposed(memory: "Runtime", note: Mapping[str, Any], visible: frozenset[str]) -> str:
    """What a dream proposed, of the memories that who asks may see."""
    pairs = [(kind, ids) for kind, *ids in note.get("proposals", ()) if visible.issuperset(ids)]
    named = pairs[:MAX_NAMED_PROPOSALS]
    names = {one.id: inline(one.name) for one in memory.store.nodes(id for _, ids in named for id in ids)}
    parts = [f"{PROPOSED[kind]} {' and '.join(names[id] for id in ids)}" for kind, ids in named]
    more = f"; {len(pairs) - len(named)} more" if len(pairs) > len(named) else ""
    return f". Proposed: {'; '.join(parts)}{more}" if parts else ""


PROPOSED = {"strengthen": "strengthen", "link": "link", "merge": "look whether one is the other:"}

ACTIONS = {
    "forgotten": "put into the trash", "merged": "merged", "related": "linked instead of merged",
    "parted": "a merge was ended", "dreamed": "dreamed", "manifest": "edits of the manifest applied",
    "reopened": "reopened",
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
    if event.type == "reopened" and note.get("operation") == "brought_back":
        return "it had come here in the trash"
    if event.type == "reopened":
        return "what had superseded it is gone"
    if event.type == "dreamed":
        counts = ("phase", "strengthened", "proposed", "created", "committed")
        return ", ".join(f"{name} {note[name]}" for name in counts if name in note)
    return "the user edited manifest.md"


def _reversal(memory: "Runtime", event: Event) -> tuple[str | None, Microseconds | None]:
    """The hash that takes an event back, where its time is not over; and when it was taken back, where that stands."""
    chain = [event]
    while later := memory.store.lineage(chain[-1].id, limit=1):  # its undo, the undo of that one, ...
        chain += later
    if len(chain) % 2 == 0:
        return None, time_of(chain[1].hlc)
    late = time_of(event.hlc) + memory.settings.undo_retention_days * DAY_US < memory.clock()
    reversible = curation_of(event) is not None and bool(changes_of(event)) and not late
    return (event.hash[:16] if reversible else None), None
