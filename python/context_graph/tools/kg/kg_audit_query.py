"""kg_audit_query: the log, filtered by time and type."""

from typing import TYPE_CHECKING, Any

from pydantic import Field

from context_graph.errors import InvalidInput
from context_graph.models import Caller, from_iso, to_iso
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput, NullableText
from context_graph.tools.kg.nodes import room_for
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.models import Event

__all__ = ["kg_audit_query"]


class KgAuditQueryInput(KgInput):
    event_type: Maybe[str] = None
    """Type of the log (created, document ...), or NodeCreated, NodeUpdated, CheckpointCreated ..."""

    start_time: Maybe[str] = None
    """ISO 8601."""

    end_time: Maybe[str] = None
    """ISO 8601."""

    limit: int = Field(50, ge=1, le=1000)
    """Most items to return."""

    include_payload: bool = False
    """Add what it changed, the signature that covers it, and its parents."""


class Clock(KgModel):
    physical_ms: float
    logical: int


class AuditEvent(KgModel):
    id: str
    """Its hash: get_node_lineage and context-graph prove take it."""

    type: str
    kinds: list[str]
    """What it did, in the words of auditors."""

    author: str
    timestamp: str
    hlc: Clock
    parent_count: int
    height: int
    """Its number in the log."""

    payload: dict[str, Any] | None = None
    """Which rows it changed; never what a memory says."""

    signature: str | None = None
    """Ed25519, of the first checkpoint that covers it; absent where none does."""

    signed_at_height: int | None = None
    parents: list[str] | None = None


class AuditFilters(KgModel):
    event_type: NullableText
    start_time: NullableText
    end_time: NullableText


class AuditData(KgModel):
    events: list[AuditEvent]
    """The newest first."""

    count: int
    total_count: int
    has_more: bool
    filters: AuditFilters


class KgAuditQueryOutput(KgOutput):
    data: AuditData

    def notes(self) -> list[str]:
        type = self.data.filters.event_type
        if type is None or self.data.total_count:
            return []
        return [f"No event of this time has the type {type}; without eventType all are told."]


@tool(family="kg", title="Kg audit query", tier=2, read_only=True)
def kg_audit_query(memory: "Memory", args: KgAuditQueryInput, caller: Caller) -> KgAuditQueryOutput:
    """The append-only log by time and type, the newest event first: who changed what when. It never repeats what a
    memory says.
    """
    from context_graph.knowledge.audit import query

    since = None if args.start_time is None else from_iso(args.start_time, field="startTime")
    until = None if args.end_time is None else from_iso(args.end_time, field="endTime")
    if since is not None and until is not None and until < since:
        raise InvalidInput(
            f"endTime must not be before startTime, got {args.end_time} and {args.start_time}", field="endTime"
        )
    audit = query(memory.store, type=args.event_type, since=since, until=until, limit=args.limit)
    checkpoints = memory.store.events(1_000_000, type="checkpoint")[::-1] if args.include_payload else []
    views = room_for([_view(event, checkpoints, args.include_payload) for event in audit.events])
    return KgAuditQueryOutput(
        success=True,
        data=AuditData(
            events=views, count=len(views), total_count=audit.total, has_more=audit.total > len(views),
            filters=AuditFilters(event_type=args.event_type, start_time=args.start_time, end_time=args.end_time),
        ),
        metadata=KgMetadata(item_count=len(views)),
    )  # fmt: skip


def _view(event: "Event", checkpoints: "list[Event]", whole: bool) -> AuditEvent:
    from context_graph.knowledge.audit import kinds_of, parents_of, payload_of, signature_of
    from context_graph.store import logical_of, time_of

    parents, signed = parents_of(event), signature_of(event, checkpoints) if whole else None
    return AuditEvent(
        id=event.hash,
        type=event.type,
        kinds=kinds_of(event),
        author=event.author.agent_id or "user",
        timestamp=to_iso(time_of(event.hlc)),
        hlc=Clock(physical_ms=time_of(event.hlc) / 1_000, logical=logical_of(event.hlc)),
        parent_count=len(parents),
        height=event.seq,
        payload=payload_of(event) if whole else None,
        parents=parents if whole else None,
        signature=signed[1] if signed else None,
        signed_at_height=signed[0] if signed else None,
    )
