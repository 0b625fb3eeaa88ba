"""kg_sync_status: whether the log is shared with others."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.errors import NotFound
from context_graph.models import Caller
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput, NullableText
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_sync_status"]


class KgSyncStatusInput(KgInput):
    peer_id: Maybe[str] = None
    """Only this peer."""

    detailed: bool = False
    """Add metrics."""


class PeerMetrics(KgModel):
    events_received: int
    events_sent: int
    latency: float
    last_checkpoint_height: int


class Peer(KgModel):
    id: str
    endpoint: str
    status: Literal["connected", "syncing", "disconnected", "error"]
    last_sync_time: str
    error_count: int
    last_error: NullableText
    metrics: PeerMetrics | None = None


class PeersByStatus(KgModel):
    connected: list[Peer] = Field()
    syncing: list[Peer]
    disconnected: list[Peer]
    error: list[Peer]


class SyncSummary(KgModel):
    total_peers: int
    connected_peers: int
    syncing_peers: int
    error_peers: int


class SyncService(KgModel):
    running: bool
    auto_sync_enabled: bool
    sync_interval: float
    syncing: bool


class AggregateMetrics(KgModel):
    total_events_received: int
    total_events_sent: int
    total_errors: int


class LocalLog(KgModel):
    """The log of this store."""

    height: int
    """Events."""

    head: str
    """Hash of the last one."""

    last_checkpoint_height: int
    """Events that the last checkpoint signs; 0 without one."""

    last_checkpoint: str | None = None
    """Hash of its event."""


class SyncData(KgModel):
    peers: list[Peer]
    peers_by_status: PeersByStatus
    summary: SyncSummary
    service_status: SyncService
    aggregate_metrics: AggregateMetrics | None = None
    local: LocalLog


class KgSyncStatusOutput(KgOutput):
    data: SyncData

    def notes(self) -> list[str]:
        return ["No peers are configured: this store is synchronised with no other."]


@tool(family="kg", title="Kg sync status", tier=2, read_only=True)
def kg_sync_status(memory: "Memory", args: KgSyncStatusInput, caller: Caller) -> KgSyncStatusOutput:
    """Whether the log is synchronised with peers: it has none, and says so, with its height, its head and its last
    checkpoint, by which two copies are compared.
    """
    from context_graph.store import note_of

    if args.peer_id is not None:
        raise NotFound(f"no peer {args.peer_id[:80]!r}: none is configured", hint="leave peerId out to see this store")
    height, head = memory.store.head()
    last = memory.store.events(1, type="checkpoint")
    return KgSyncStatusOutput(
        success=True,
        data=SyncData(
            peers=[],
            peers_by_status=PeersByStatus(connected=[], syncing=[], disconnected=[], error=[]),
            summary=SyncSummary(total_peers=0, connected_peers=0, syncing_peers=0, error_peers=0),
            service_status=SyncService(running=False, auto_sync_enabled=False, sync_interval=0, syncing=False),
            aggregate_metrics=AggregateMetrics(total_events_received=0, total_events_sent=0, total_errors=0)
            if args.detailed
            else None,
            local=LocalLog(
                height=height,
                head=head,
                last_checkpoint_height=int(note_of(last[0])["size"]) if last else 0,
                last_checkpoint=last[0].hash if last else None,
            ),
        ),
        metadata=KgMetadata(item_count=0),
    )
