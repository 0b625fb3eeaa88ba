"""kg_audit_checkpoint: the log so far, signed."""

from typing import TYPE_CHECKING

from context_graph.models import Caller, to_iso
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgModel, KgOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_audit_checkpoint"]

MAX_CHECKPOINT_NAME = 200


class KgAuditCheckpointInput(KgInput):
    name: Maybe[str] = None
    """Name."""

    tags: Maybe[list[str]] = None
    """Tags."""


class CheckpointMetadata(KgModel):
    name: str | None = None
    tags: list[str] | None = None


class CheckpointStats(KgModel):
    total_events_at_checkpoint: int
    events_since_previous_checkpoint: int
    previous_checkpoint_height: int
    """0 where it is the first."""


class CheckpointData(KgModel):
    height: int
    """Events that it signs."""

    event_root: str
    """Merkle root over the hashes of all events (RFC 6962)."""

    state_root: str
    """Merkle root over all nodes, edges, goals and records."""

    timestamp: str
    validator_count: int
    """Keys that signed: the one of this store."""

    public_key: str
    signature: str
    metadata: CheckpointMetadata
    stats: CheckpointStats


class KgAuditCheckpointOutput(KgOutput):
    data: CheckpointData


@tool(family="kg", title="Kg audit checkpoint", tier=2, read_only=False)
def kg_audit_checkpoint(memory: "Memory", args: KgAuditCheckpointInput, caller: Caller) -> KgAuditCheckpointOutput:
    """Sign the log so far with the key of this store: how many events, their root, and that of the state they led to.
    context-graph prove shows against it that an event is in the log.
    """
    from context_graph.errors import InvalidInput
    from context_graph.knowledge.audit import checkpoint
    from context_graph.safety.pii import scrub
    from context_graph.store import time_of

    names = [scrub(one, kinds=memory.settings.redacted).text for one in (args.name or "", *(args.tags or ()))]
    if sum(map(len, names)) > MAX_CHECKPOINT_NAME:
        raise InvalidInput(f"name and tags must have at most {MAX_CHECKPOINT_NAME} characters together", field="name")
    signed = checkpoint(memory, memory.author(caller), names[0], names[1:])
    note, height = signed.note, int(signed.note["size"])
    return KgAuditCheckpointOutput(
        success=True,
        data=CheckpointData(
            height=height,
            event_root=note["root"],
            state_root=note["state_root"],
            timestamp=to_iso(time_of(signed.event.hlc)),
            validator_count=1,
            public_key=note["public_key"],
            signature=note["signature"],
            metadata=CheckpointMetadata(name=names[0] or None, tags=names[1:] or None),
            stats=CheckpointStats(
                total_events_at_checkpoint=height,
                events_since_previous_checkpoint=height - signed.previous_height,
                previous_checkpoint_height=signed.previous_height,
            ),
        ),
    )
