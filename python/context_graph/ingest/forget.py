"""Letting go of a memory, for thirty days or for good, and bringing it back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import numpy as np

from context_graph.citations import tag_of
from context_graph.display import Plain
from context_graph.errors import InvalidInput, PermanentDeleteRefused, Refused, ReversalNotFound
from context_graph.index.vector_codec import completed
from context_graph.ingest.reopening import Reopened, reopen_without
from context_graph.instants import DAY_US, to_datetime, to_iso
from context_graph.models import Author, Caller, Microseconds, Node, NodeState
from context_graph.presentation.reversals import curation_of
from context_graph.reading.fingerprints import fingerprint_of
from context_graph.reading.metadata import CASE
from context_graph.store import Purged

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Transaction

__all__ = ["Forgotten", "PutAway", "Restored", "bring_back", "forget", "put_away", "restore"]


REASONS = {"adversarial_injection": "adversarial"}
"""Where forget_concept and search_tombstones spell one reason in two ways, the latter is stored."""


@dataclass(frozen=True, slots=True)
class PutAway:
    """What went into the trash with a node, and what became of the memories that it had taken the place of."""

    edges: int
    replaced: Reopened


@dataclass(frozen=True, slots=True)
class Forgotten(Plain):
    """What a removal did; a permanent one has no deadline and no reversal hash."""

    soft: bool
    edges_removed: int
    restore_deadline: Microseconds | None
    reversal_hash: str | None
    remains: tuple[str, ...] = ()
    """Where a permanent deletion could not reach yet, in words."""

    reopened: tuple[str, ...] = ()
    """Ids of memories that it alone had taken the place of: they hold again."""

    closed: tuple[str, ...] = ()
    """Ids of memories that it had taken the place of and that stay closed."""

    INSTANTS = ("restore_deadline",)

    @property
    def deadline_time(self) -> datetime | None:
        """Until when undo brings it back, in UTC."""
        return None if self.restore_deadline is None else to_datetime(self.restore_deadline)

    def __repr__(self) -> str:
        if self.deadline_time is None:
            return f"Forgotten(permanently, remains={list(self.remains)!r})"
        return f"Forgotten(undo={self.reversal_hash!r}, until='{self.deadline_time:%Y-%m-%d}')"


@dataclass(frozen=True, slots=True)
class Restored(Plain):
    """What an undo brought back, or would bring back.

    Attributes
    ----------
    node_ids : tuple of str
        Nodes that came back, went or changed.
    done : bool
        False for a preview, and where nothing could be taken back: then nothing was written.
    removed, closed : tuple of str
        Of `node_ids`, those that went, and those whose validity ends.
    changed : bool
        Whether anything goes back; False where each row was changed again since.
    removed_edges : int
        Of `edges`, which came back, went or changed, those that went.
    """

    node_ids: tuple[str, ...]
    edges: int
    operation: str
    original_type: str
    at: Microseconds
    done: bool
    reversal_hash: str | None
    conflicts: tuple[str, ...]
    removed: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    changed: bool = True
    removed_edges: int = 0

    INSTANTS = ("at",)

    @property
    def restored_ids(self) -> tuple[str, ...]:
        """Of `node_ids`, those that are there and hold afterwards."""
        return tuple(id for id in self.node_ids if id not in self.removed and id not in self.closed)

    def __repr__(self) -> str:
        how = f"redo={self.reversal_hash!r}" if self.done else "done=False"
        left = f", conflicts={len(self.conflicts)}" if self.conflicts else ""
        return f"Restored({self.original_type!r}, nodes={len(self.node_ids)}, edges={self.edges}, {how}{left})"


def forget(
    memory: "Runtime",
    node_id: str,
    reason: str,
    *,
    cascade_edges: bool = True,
    soft: bool = True,
    caller: Caller | None = None,
) -> Forgotten:
    """Put a node into the trash, or delete it for good.

    Parameters
    ----------
    soft : bool
        False deletes permanently, which only the user may ask for.
    """
    if not soft and reason != "user_requested":
        raise PermanentDeleteRefused(
            f"only the user may delete permanently: set reason to user_requested, got {reason!r}, "
            "or keep soft_delete=true, which can be undone for 30 days"
        )
    author = memory.author(caller or memory.caller)
    if not soft:
        return _deleted(memory, node_id, author)
    with memory.writing:
        memory.store.node(node_id)
        moment = memory.clock()
        with memory.store.write("forgotten", author) as tx:
            by = "user" if reason == "user_requested" else author.agent_id
            gone = put_away(tx, node_id, reason, moment=moment, by=by, cascade_edges=cascade_edges)
            tx.note.update(operation="forgotten", nodes=[node_id], edges=gone.edges)
        memory.committed()  # forgotten from the next answer on
    deadline = moment + memory.settings.undo_retention_days * DAY_US
    assert tx.committed is not None
    return Forgotten(
        True, gone.edges, deadline, tx.committed.hash[:16], reopened=gone.replaced.node_ids, closed=gone.replaced.closed
    )  # fmt: skip


def put_away(
    tx: "Transaction", node_id: str, reason: str, *, moment: Microseconds, by: str | None, cascade_edges: bool = True
) -> PutAway:
    """Put a node into the trash by an open transaction, and reopen what it alone had closed.

    Parameters
    ----------
    by : str, optional
        The agent, or "user"; None where the agent has no name.
    """
    replaced = reopen_without(tx, tx.node(node_id, forgotten=True), reason)
    edges = tx.remove_edges(node_id) if cascade_edges else 0
    tx.update(
        node_id, state=NodeState.FORGOTTEN, state_reason=REASONS.get(reason, reason), state_at=moment, state_by=by
    )  # fmt: skip
    return PutAway(edges, replaced)


def bring_back(memory: "Runtime", node_id: str, caller: Caller) -> str:
    """Take a node out of the trash that no write of this store put there, as one that was imported so.

    Its links are not here: a removal takes them away, and only its own write could bring them back.

    Returns
    -------
    str
        The hash of the write.

    Raises
    ------
    ReversalNotFound
        Its time is over.
    """
    with memory.writing:
        with memory.store.write("reopened", memory.author(caller)) as tx:
            node = tx.node(node_id, forgotten=True)
            deadline = (node.state_at or 0) + memory.settings.undo_retention_days * DAY_US
            if memory.clock() > deadline:
                raise ReversalNotFound(
                    f"{node_id} was forgotten on {to_iso(node.state_at or 0)[:10]}, and could be brought back until "
                    f"{to_iso(deadline)[:10]}; that time is over"
                )
            tx.update(node_id, state=NodeState.LIVE, state_reason=None, state_at=None, state_by=None)
            tx.note.update(operation="brought_back", nodes=[node_id])
        memory.committed(tx.committed)
    assert tx.committed is not None
    return tx.committed.hash[:16]


def _deleted(memory: "Runtime", node_id: str, author: Author) -> Forgotten:
    """Delete a node for good, also one that is in the trash."""
    with memory.writing:
        memory.store.effects.flush()  # what is queued names its agents
        node = memory.store.node(node_id, forgotten=True)
        sources = _sources_left(memory, node)
        _part_merges(memory, node, author)
        reopened = _reopened(memory, node, author)
        for gone in (node, *memory.store.derived(node_id)):
            memory.deleting(gone)
        remade = _windows_without(memory, node)
        purged = memory.store.purge_rows(node_id, author, remade=remade)
        memory.committed()  # it leaves indexes and cache before the answer
    purged = memory.store.purge_copies(purged, author, remade=remade)  # meanwhile others are stored
    memory.background.plan("trim")  # what was read of the log for it
    return Forgotten(False, purged.edges, None, None, (*sources, *_remains(purged)), reopened)


def _reopened(memory: "Runtime", node: Node, author: Author) -> tuple[str, ...]:
    """Reopen what a memory alone had closed, before it is deleted; returns the ids."""
    with memory.store.write("reopened", author) as tx:
        replaced = reopen_without(tx, tx.node(node.id, forgotten=True), "user_requested")
        if tx.has_changes():
            tx.note.update(operation="reopened", nodes=list(replaced.node_ids))
    return replaced.node_ids


def _sources_left(memory: "Runtime", node: Node) -> tuple[str, ...]:
    """What is still to be deleted where a merged memory goes: what it was made of says the same."""
    sources = memory.store.nodes(node.derived_from)
    if not sources:
        return ()
    tags = " ".join(tag_of(source.id) for source in sources)
    if CASE in node.metadata:
        return (f"it was read from {tags}, which is kept and says the same; delete it too",)
    return (f"it was merged from {tags}, which are kept as its past and say the same; delete them too",)


def _part_merges(memory: "Runtime", node: Node, author: Author) -> None:
    """Take back the merges that a memory is in before it goes: what was made of it goes too, and the others stay."""
    derived = [one for one in memory.store.derived(node.id) if one.id != node.id]
    for made in sorted(derived, key=lambda one: one.created_at, reverse=True):
        now = memory.store.node(made.id, forgotten=True)
        others = [one for one in memory.store.superseded(now.id) if one.id in now.derived_from and one.id != node.id]
        if not others or now.state != NodeState.LIVE or now.valid_to is not None:
            continue  # what took its place holds, not what it was made of
        merged = next((event for event in memory.store.lineage(now.id, 1_000) if event.type == "merged"), None)
        try:
            if merged is not None:
                memory.store.undo(merged.hash, author)
                continue
        except (Refused, ReversalNotFound):  # too long ago
            pass
        with memory.store.write("parted", author) as tx:
            for one in others:
                tx.update(one.id, valid_to=None, superseded_by=None)
            tx.note.update(operation="parted", nodes=[one.id for one in others])


def _windows_without(memory: "Runtime", node: Node) -> Mapping[tuple[str, str], tuple[str, bytes]]:
    """E1 of the memories whose window held this one, or one derived from it, made anew without them.

    The next memory of a session is embedded together with the one before it. Where the next was not live, the one
    after it may have been embedded with this one, and so on up to the first that was live all the time.
    """
    gone = memory.store.derived(node.id)
    made: dict[tuple[str, str], tuple[str, bytes]] = {}
    for one in (node, *gone):
        if one.ordinal is not None:
            made |= _windows_after(memory, one, {node.id, *(other.id for other in gone)})
    return made


def _windows_after(memory: "Runtime", node: Node, gone: set[str]) -> dict[tuple[str, str], tuple[str, bytes]]:
    vectors: dict[tuple[str, str], tuple[str, bytes]] = {}
    earlier = memory.store.session_memories(node.session_id, len(gone) + 1, before_position=node.position)
    previous = next((other for other in reversed(earlier) if other.id not in gone), None)
    for follower in memory.store.session_after(node.session_id, node.position):
        if follower.id in gone:
            continue
        done = completed(memory.embedder, fingerprint_of(memory.store, memory.embedder, follower, previous))
        assert done is not None
        vectors[follower.id, "E1"] = (memory.embedder.makers["E1"], done[0].astype(np.float16).tobytes())
        if follower.state == "live" and not any(
            event.type == "forgotten" for event in memory.store.lineage(follower.id, limit=1_000)
        ):
            break
    return vectors


def _remains(purged: Purged) -> tuple[str, ...]:
    told = [f"{path} could not be changed and may still hold it; delete it" for path in purged.unclean_backups]
    if purged.named:
        told.append(f"{purged.named} events of an older version keep the name of its agent, which their hashes cover")
    if not purged.files_clean:
        told.append("another process still reads an older state of the files; what it reads goes when it ends")
    return tuple(told)


def restore(
    memory: "Runtime",
    reversal_hash: str,
    *,
    preview: bool = True,
    only: Literal["curation"] | None = "curation",
    caller: Caller | None = None,
) -> Restored:
    """Undo the event that a hash names; a preview changes nothing.

    Parameters
    ----------
    only : str, optional
        curation refuses what agents may not take back; None for any event.
    """
    event = None
    try:
        event = memory.store.event(reversal_hash)
    except LookupError as error:
        raise ReversalNotFound(
            f"no removal or merge has the reversal hash {reversal_hash[:64]!r}; "
            "forget_concept, search_tombstones and get_node_lineage name it"
        ) from error
    except InvalidInput as error:  # it is no hash
        raise InvalidInput(str(error), field="reversal_hash", hint=error.hint) from error
    operation = curation_of(event)
    if only == "curation" and operation is None:
        raise ReversalNotFound(
            f"{reversal_hash[:16]} is an event of type {event.type!r}; only removals, merges, other curation and what "
            "replaced another memory are taken back here, context-graph undo takes back any event"
        )
    with memory.writing:
        undone = memory.store.undo(reversal_hash, memory.author(caller or memory.caller), preview=preview)
        memory.committed()  # back from the next answer on
    return Restored(
        undone.node_ids, undone.edges, operation or event.type, event.type, undone.original_hlc_time,
        undone.event is not None, None if undone.event is None else undone.event.hash[:16], undone.conflicts,
        undone.removed, undone.closed, undone.changed, undone.removed_edges,
    )  # fmt: skip
