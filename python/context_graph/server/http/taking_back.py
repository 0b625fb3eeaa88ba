"""Writes taken back by their hash, as `context-graph undo` does: any write about memories that the caller may see."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from context_graph.access import shown
from context_graph.advice import ON_PAGE, advising
from context_graph.citations import tag_of
from context_graph.errors import EventNotFound, ReversalNotFound
from context_graph.models import Caller, Event, to_iso
from context_graph.presentation.reversals import curation_of
from context_graph.presentation.wire_model import Id, Moment, WireModel
from context_graph.store import noted_nodes
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.visibility import Scoped

__all__ = ["TakeBack", "TakenBack", "Undo", "Undone", "take_back", "undo"]

MIN_DIGITS = 16
"""Of a hash that names a write."""

MAX_HISTORY = 1_000
"""Of one memory, the last, that are looked through for a hash."""


class Undo(WireModel):
    """Which write is taken back."""

    reversal_hash: str
    """Of any write about memories: an undo_hash or reversal_hash."""

    preview: bool = True
    """Only say what would change."""


class Undone(WireModel):
    """A write that was taken back, or would be."""

    restored_nodes: list[Id]
    """What came back, or would come back."""

    removed_nodes: list[Id] | None = None
    """What goes with it: nodes that the write had made."""

    closed_nodes: list[Id] | None = None
    """What is superseded again."""

    restored_edges: int
    removed_edges: int | None = None
    original_operation: str
    """merge, forget, annotate, boost, manifest, dream, supersede, transform; of others the type of the event."""

    operation_timestamp: Moment
    success: bool
    """False where nothing can be taken back: then nothing is written, and the hash can be used later."""

    previewed: bool
    """Nothing was changed; send preview false."""

    conflicts: list[str]
    """What was changed since and therefore stays as it is."""

    reversal_hash: str | None = None
    """Of this undo, which redoes the write."""


class TakeBack(WireModel):
    """Which write is taken back."""

    hash: str
    """Of a write about this memory: an undo_hash or reversal_hash."""


class TakenBack(WireModel):
    """A write that was taken back."""

    restored_nodes: list[Id]
    conflicts: list[str]
    """What was changed since and therefore stays as it is."""


def undo(memory: "Memory", caller: Caller, parameters: Mapping[str, Any]) -> Undone:
    """Take back one write, or say what that would change.

    Raises
    ------
    ReversalNotFound
        No write has the hash, or it concerns what the caller may not see.
    """
    hash = parameters["reversal_hash"]
    try:
        event = memory.store.event(hash)
    except EventNotFound as error:
        raise ReversalNotFound(str(error)) from error
    unknown = ReversalNotFound(
        f"none of your writes has the hash {hash[:64]!r}", hint="the history of a memory, and the trash, name hashes"
    )
    if not _may_see_all(memory, event, caller):  # before anything is tried: a refusal names what stands in the way
        raise unknown
    done = memory.undo(event.hash, preview=True, caller=caller)
    if not all(may_see(node, memory.viewer(caller)) for node in memory.store.nodes(done.node_ids)):
        raise unknown
    if not parameters["preview"]:
        done = memory.undo(event.hash, caller=caller)
    return Undone(
        restored_nodes=list(done.restored_ids),
        removed_nodes=list(done.removed) or None,
        closed_nodes=list(done.closed) or None,
        restored_edges=done.edges - done.removed_edges,
        removed_edges=done.removed_edges or None,
        original_operation=curation_of(event) or event.type,
        operation_timestamp=to_iso(done.at),
        success=done.changed,
        previewed=parameters["preview"],
        conflicts=list(done.conflicts),
        reversal_hash=done.reversal_hash,
    )


def _may_see_all(memory: "Memory", event: Event, caller: Caller) -> bool:
    """Whether a caller may see all that a write is about; where nothing of it is there, whether they wrote it."""
    viewer = memory.viewer(caller)
    records = [record for id in noted_nodes(event, "records") if (record := memory.store.record(id)) is not None]
    about: list[Scoped] = [*memory.store.nodes(noted_nodes(event)), *records]
    if not about:
        return event.author.session_id == memory.author(caller).session_id
    return all(may_see(one, viewer) for one in about)


def take_back(memory: "Memory", caller: Caller, parameters: Mapping[str, Any]) -> TakenBack:
    """Take back one write about a memory, as `context-graph undo` does."""
    with advising(ON_PAGE):
        node = shown(memory, parameters["id"], caller, field="id", forgotten=True)
    hashes = [
        event.hash
        for event in memory.store.lineage(node.id, MAX_HISTORY)
        if node.id in {*noted_nodes(event), *noted_nodes(event, "sources")}  # another one's may have linked this one
    ]
    matching = [
        hash for hash in hashes if len(parameters["hash"]) >= MIN_DIGITS and hash.startswith(parameters["hash"])
    ]
    unknown = ReversalNotFound(
        f"no write about {tag_of(node.id)} has the hash {parameters['hash'][:64]!r}; its history names them"
    )
    if not matching:
        raise unknown
    viewer = memory.viewer(caller)
    concerned = memory.undo(matching[0], preview=True, caller=caller).node_ids
    if not all(may_see(one, viewer) for one in memory.store.nodes(concerned)):
        raise unknown
    done = memory.undo(matching[0], caller=caller)
    return TakenBack(restored_nodes=list(done.restored_ids), conflicts=list(done.conflicts))
