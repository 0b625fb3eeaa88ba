"""kg_sync_status: which homes this one is synchronised with, and how that goes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.instants import to_iso
from context_graph.models import Caller
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput, NullableText
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.sync.status import PeerStatus

__all__ = ["kg_sync_status"]

NEVER = "never"
"""The time of the last exchange with a peer that was not met yet."""


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

    state_hash: str | None = None
    """Over all that is shared with peers: equal where two homes have nothing left to tell each other."""


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
        if self.data.peers:
            return [f"{peer.id}: {peer.last_error}" for peer in self.data.peers if peer.last_error]
        return ["No peers are configured: this store is synchronised with no other."]


@tool(family="kg", title="Kg sync status", tier=2, read_only=True)
def kg_sync_status(memory: "Memory", args: KgSyncStatusInput, caller: Caller) -> KgSyncStatusOutput:
    """Whether the log is synchronised with peers: with whom, when last, what went wrong; and its height, head and last
    checkpoint. context-graph peer add adds peers; context-graph sync exchanges.
    """
    from context_graph.models import Scope
    from context_graph.store import keys, note_of
    from context_graph.sync.peers import Peers
    from context_graph.sync.state import state_hash
    from context_graph.sync.status import Watch, status_of, watch_of

    configured = Peers(memory.settings.home)
    chosen = configured.all() if args.peer_id is None else [configured.of(args.peer_id)]
    statuses = status_of(memory, chosen)
    watch = watch_of(memory) if chosen else Watch(False, 0)
    peers = [_peer(one, detailed=args.detailed) for one in statuses]
    height, head = memory.store.head()
    last = memory.store.events(1, type="checkpoint")
    state = None
    if chosen and args.detailed:
        state = state_hash(memory.store, keys.public_key(memory.settings.home), (str(Scope.USER),))
    syncing = _with(peers, "syncing")
    return KgSyncStatusOutput(
        success=True,
        data=SyncData(
            peers=peers,
            peers_by_status=PeersByStatus(
                connected=_with(peers, "connected"), syncing=syncing, disconnected=_with(peers, "disconnected"),
                error=_with(peers, "error"),
            ),
            summary=SyncSummary(
                total_peers=len(peers), connected_peers=len(_with(peers, "connected")), syncing_peers=len(syncing),
                error_peers=len(_with(peers, "error")),
            ),
            service_status=SyncService(
                running=watch.running, auto_sync_enabled=watch.running, sync_interval=watch.interval_s,
                syncing=bool(syncing),
            ),
            aggregate_metrics=AggregateMetrics(
                total_events_received=sum(one.received for one in statuses),
                total_events_sent=sum(one.sent for one in statuses), total_errors=sum(one.errors for one in statuses),
            )
            if args.detailed
            else None,
            local=LocalLog(
                height=height,
                head=head,
                last_checkpoint_height=int(note_of(last[0])["size"]) if last else 0,
                last_checkpoint=last[0].hash if last else None,
                state_hash=state,
            ),
        ),
        metadata=KgMetadata(item_count=len(peers)),
    )  # fmt: skip


def _peer(one: "PeerStatus", *, detailed: bool) -> Peer:
    metrics = PeerMetrics(
        events_received=one.received, events_sent=one.sent, latency=one.latency_ms, last_checkpoint_height=one.signed
    )
    return Peer(
        id=one.peer.name, endpoint=one.peer.place, status=one.status,
        last_sync_time=NEVER if one.met_at is None else to_iso(one.met_at), error_count=one.errors,
        last_error=one.error, metrics=metrics if detailed else None,
    )  # fmt: skip


def _with(peers: Sequence[Peer], status: str) -> list[Peer]:
    return [peer for peer in peers if peer.status == status]
