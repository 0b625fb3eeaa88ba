"""What is known of each peer: when it was met last, what came and went, what went wrong."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from context_graph.instants import DAY_US, HOUR_US
from context_graph.models import Microseconds
from context_graph.sync.display import plain_line
from context_graph.sync.peers import Peer

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["PeerStatus", "Watch", "accept_deletions", "began", "noted", "status_of", "watch_of", "watching"]

STALE_US = DAY_US
"""After which a peer that nothing is heard of counts as disconnected."""

MAX_ERROR = 1_000


@dataclass(frozen=True, slots=True)
class PeerStatus:
    """One peer.

    Attributes
    ----------
    met_at : int or None
        When it was last spoken with; None where it never was.
    received, sent : int
        Entries that came from it, and went there.
    errors : int
        Attempts that failed, ever.
    error : str or None
        Why the last one did; None where it succeeded.
    latency_ms : float
        Of the last round.
    signed : int
        Events that its last checkpoint signs, as far as it is known.
    """

    peer: Peer
    met_at: Microseconds | None
    received: int
    sent: int
    errors: int
    error: str | None
    latency_ms: float
    signed: int
    began_at: Microseconds | None
    now: Microseconds

    @property
    def status(self) -> Literal["connected", "syncing", "disconnected", "error"]:
        """In one word: connected is who was spoken with within a day."""
        if self.began_at is not None and 0 <= self.now - self.began_at <= HOUR_US:
            return "syncing"
        if self.error is not None:
            return "error"
        return "connected" if self.met_at is not None and self.now - self.met_at <= STALE_US else "disconnected"


def status_of(memory: "Runtime", peers: list[Peer]) -> list[PeerStatus]:
    """The status of some peers."""
    if not peers:
        return []
    with memory.store.registers.opened() as rows:
        states = {peer.key: rows.state(peer.key) for peer in peers}
    return [
        PeerStatus(
            peer, state.get("met_at"), state.get("received", 0), state.get("sent", 0), state.get("errors", 0),
            state.get("error"), state.get("latency_ms", 0.0), state.get("signed", 0), state.get("began_at"),
            memory.clock(),
        )
        for peer in peers
        for state in [states[peer.key]]
    ]  # fmt: skip


def began(memory: "Runtime", peer: Peer) -> None:
    """Note that it is being synchronised with."""
    with memory.store.registers.opened() as rows:
        rows.set_state(peer.key, rows.state(peer.key) | {"began_at": memory.clock()})


def noted(
    memory: "Runtime",
    peer: Peer,
    *,
    received: int = 0,
    sent: int = 0,
    error: str | None = None,
    latency_ms: float | None = None,
    signed: int | None = None,
) -> None:
    """Note how it went with a peer."""
    with memory.store.registers.opened() as rows:
        state = rows.state(peer.key)
        state["received"] = state.get("received", 0) + received
        state["sent"] = state.get("sent", 0) + sent
        state["began_at"] = None
        state["error"] = None if error is None else plain_line(error, MAX_ERROR)
        state["errors"] = state.get("errors", 0) + (error is not None)
        if error is None:
            state["met_at"] = memory.clock()
        if latency_ms is not None:
            state["latency_ms"] = round(latency_ms, 3)
        if signed is not None:
            state["signed"] = signed
        rows.set_state(peer.key, state)


def accept_deletions(memory: "Runtime", peer: Peer) -> None:
    """Let a peer take away as much as it will, for an hour."""
    with memory.store.registers.opened() as rows:
        rows.set_state(peer.key, rows.state(peer.key) | {"accepted_until": memory.clock() + HOUR_US})


@dataclass(frozen=True, slots=True)
class Watch:
    """A command that synchronises again and again."""

    running: bool
    interval_s: float


SERVICE = "service"
PATIENCE_S = 300.0
"""How much longer than its interval a command may be silent and still be running."""


def watching(memory: "Runtime", interval_s: float | None) -> None:
    """Note that a command synchronises every so often, or has ended."""
    with memory.store.registers.opened() as rows:
        rows.set_state(SERVICE, {} if interval_s is None else {"interval_s": interval_s, "seen_at": memory.clock()})


def watch_of(memory: "Runtime") -> Watch:
    """Whether such a command runs."""
    with memory.store.registers.opened() as rows:
        state = rows.state(SERVICE)
    interval_s = float(state.get("interval_s", 0))
    silent = memory.clock() - state.get("seen_at", 0)
    return Watch(bool(state) and silent <= (interval_s + PATIENCE_S) * 1_000_000, interval_s)
