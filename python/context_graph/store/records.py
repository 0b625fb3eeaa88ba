"""What the store hands out beside nodes, edges, goals and events."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from context_graph.models import Event

__all__ = ["EVENT_TYPES", "Pair", "Purged", "Remade", "Restored", "Said", "Session", "Undone", "Verification"]

EVENT_TYPES = (
    "agent", "agent_result", "annotated", "boosted", "calls", "checkpoint", "created", "document", "document_tree",
    "dreamed", "edited", "effects", "embedded", "extracted", "forgotten", "goal", "imported", "linked", "manifest",
    "merged", "model", "parted", "purge", "read", "reinforced", "related", "released", "reopened", "restored", "sync",
    "trajectory", "undo", "vector", "workflow",
)  # fmt: skip
"""Of what this version writes; a log may hold others, of an older one."""

Remade = Mapping[tuple[str, str], tuple[str, bytes]]
"""By node id and space: the model and the bytes of a vector that no longer reflects what is purged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What is remembered of one session besides its memories."""

    id: str
    agent_id: str | None = None
    started_at: int
    last_seen: int
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """How often two nodes were retrieved together."""

    first: str
    second: str
    count: int
    last_seen: int


class Said(NamedTuple):
    """What a memory says, and who says it."""

    id: str
    content: str
    speaker: str | None


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did, or would do.

    Attributes
    ----------
    event : Event or None
        The undo, whose hash redoes it; None for a preview, and where nothing could be taken back.
    node_ids : tuple of str
        Nodes that came back, went or changed.
    edges : int
        Edges that came back, went or changed.
    removed_edges : int
        Of `edges`, those that went.
    original_hlc_time : int
        When the undone event was written, in microseconds.
    conflicts : tuple of str
        What was changed again since, and therefore stays as it is.
    removed : tuple of str
        Of `node_ids`, those that went: deleted, or into the trash.
    closed : tuple of str
        Of `node_ids`, those whose validity ends with it.
    changed : bool
        Whether anything goes back; False where each row was changed again since.
    """

    event: Event | None
    node_ids: tuple[str, ...]
    edges: int
    original_type: str
    original_hlc_time: int
    conflicts: tuple[str, ...]
    removed: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    changed: bool = True
    removed_edges: int = 0


@dataclass(frozen=True, slots=True)
class Purged:
    """What a permanent deletion removed.

    Attributes
    ----------
    node_ids : tuple of str
        The node, what was derived from it, and the concepts that only they had mentioned.
    ordinals : set of int
        Of the memories that were removed or lost a vector.
    events : int
        Events whose payload and salt are gone; their hashes remain as the receipt.
    agents : tuple of str
        Agents whose names are gone, because no other memory is theirs.
    named : int
        Events of the formats 1 to 3 by these agents: their hashes cover the names, which therefore stay.
    files_clean : bool
        False while another process still reads the write-ahead log, which keeps old pages until it ends.
    unclean_backups : tuple of str
        Backups in the home directory that could not be changed, and may still hold it.
    """

    event: Event
    node_ids: tuple[str, ...]
    ordinals: set[int]
    edges: int
    vectors: int
    blobs: int
    events: int
    agents: tuple[str, ...] = ()
    named: int = 0
    files_clean: bool = True
    unclean_backups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did: how many events the store has from the backup, and where the former store is kept."""

    event: Event
    events: int
    kept: Path | None


@dataclass(frozen=True, slots=True)
class Verification:
    """What verification found.

    Attributes
    ----------
    first_bad_seq : int or None
        The first event that is not what was written, with `reason`.
    differences : tuple of str
        Rows and blobs that are not what the log says and damage to the file, at most 20 named.
    checkpoints : int
        Signed checkpoints whose signature and Merkle root hold.
    notes : tuple of str
        What is no damage, and still to be known: a key that signs now and did not before.
    """

    events: int
    chain_intact: bool
    first_bad_seq: int | None
    reason: str
    projection_equal: bool
    differences: tuple[str, ...]
    checkpoints: int
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.chain_intact and self.projection_equal
