"""The words everyone uses: nodes, edges, events, authors."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from context_graph.display import Row, line
from context_graph.instants import EARLIEST, LATEST, Microseconds, from_iso, to_datetime, to_iso

__all__ = [
    "EARLIEST",
    "LATEST",
    "Author",
    "Caller",
    "Domain",
    "Edge",
    "EdgeType",
    "Event",
    "Goal",
    "Johari",
    "Microseconds",
    "Node",
    "NodeKind",
    "NodeState",
    "Record",
    "Scope",
    "from_iso",
    "to_iso",
]


class NodeKind(StrEnum):
    MEMORY = "memory"
    CONCEPT = "concept"


class NodeState(StrEnum):
    LIVE = "live"
    FORGOTTEN = "forgotten"
    QUARANTINED = "quarantined"


class EdgeType(StrEnum):
    SEMANTIC = "Semantic"
    TEMPORAL = "Temporal"
    CAUSAL = "Causal"
    HIERARCHICAL = "Hierarchical"
    RELATIONAL = "Relational"


class Johari(StrEnum):
    OPEN = "open"
    BLIND = "blind"
    HIDDEN = "hidden"
    UNKNOWN = "unknown"


class Domain(StrEnum):
    CODE = "code"
    MEDICAL = "medical"
    LEGAL = "legal"
    CREATIVE = "creative"
    RESEARCH = "research"
    GENERAL = "general"


class Scope(StrEnum):
    USER = "user"
    SESSION = "session"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Author:
    """Who causes an event: every write names one."""

    session_id: str
    agent_id: str | None = None
    context_id: str | None = None
    """The conversation: one connection of one client."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: given with each call, so that one memory serves many clients.

    Attributes
    ----------
    session_id : str
        Whose state, working memory and memories of scope session the call uses.
    context_id : str
        The conversation: one connection of one client.
    agent_id : str, optional
        Who writes; it isolates nothing.
    user : str, optional
        Memories about another user are left out of a briefing; without, those about any.
    """

    session_id: str
    context_id: str
    agent_id: str | None = None
    user: str | None = None

    def within(self, session_id: str | None = None, agent_id: str | None = None) -> Self:
        """The same where a call names no session or agent, else in that session and as that agent."""
        session_id, agent_id = session_id or self.session_id, agent_id or self.agent_id
        if (session_id, agent_id) == (self.session_id, self.agent_id):
            return self
        return replace(self, session_id=session_id, agent_id=agent_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node(Row):
    """A memory, or a concept that memories mention.

    Its instants are microseconds; `created_time`, `occurred_time` and `ended_time` are the same as datetimes.
    """

    INSTANTS = ("created_at", "occurred_at", "valid_from", "valid_to", "last_accessed", "state_at")

    id: str
    kind: NodeKind = NodeKind.MEMORY
    ordinal: int | None = None
    """Position among all memories ever stored, never reused; None for concepts."""

    name: str
    content: str
    rationale: str = ""
    created_at: Microseconds
    occurred_at: Microseconds
    valid_from: Microseconds
    valid_to: Microseconds | None = None
    superseded_by: str | None = None
    last_accessed: Microseconds
    access_count: int = 0
    importance: float = 0.5
    importance_by_user: bool = False
    johari_quadrant: Johari = Johari.UNKNOWN
    delta_s: float = 1.0
    delta_c: float = 0.5
    w_e: float = 1.0
    phi: float = 0.0
    learning_score: float = 0.0
    steering_reward: float = 0.0
    agent_id: str | None = None
    session_id: str
    context_id: str | None = None
    position: int = 0
    """How many memories its session held before it."""

    scope: Scope = Scope.USER
    domain: Domain = Domain.GENERAL
    observer_perspective: str | None = None
    speaker: str | None = None
    modality: str = "text"
    semantic_cluster: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    state: NodeState = NodeState.LIVE
    state_reason: str | None = None
    """Why it was forgotten or quarantined."""

    state_at: Microseconds | None = None
    state_by: str | None = None
    """Agent id, 'system' or 'user'."""

    taint: float = 0.0
    """0 trusted, 1 an attack: kept through merge, dream and distillation."""

    derived_from: tuple[str, ...] = ()
    """Nodes whose content it repeats: deleting one of them for good deletes this one too."""

    @property
    def created_time(self) -> datetime:
        """When it was stored, in UTC."""
        return to_datetime(self.created_at)

    @property
    def occurred_time(self) -> datetime:
        """When what it tells happened, in UTC."""
        return to_datetime(self.occurred_at)

    @property
    def ended_time(self) -> datetime | None:
        """When another memory took its place, in UTC; None where it still holds."""
        return None if self.valid_to is None else to_datetime(self.valid_to)

    def row(self) -> dict[str, Any]:
        return {
            "content": self.content, "speaker": self.speaker, "occurred": self.occurred_time,
            "created": self.created_time, "ended": self.ended_time, "importance": self.importance,
            "scope": str(self.scope), "session": self.session_id, "id": self.id,
        }  # fmt: skip

    def __repr__(self) -> str:
        who = f", speaker={line(self.speaker)!r}" if self.speaker else ""
        state = "" if self.state == NodeState.LIVE else f", state={str(self.state)!r}"
        day = f"{self.occurred_time:%Y-%m-%d}"
        return f"Node({line(self.content or self.name)!r}{who}, occurred={day!r}{state}, id={self.id!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A typed, weighted connection from `source` to `target`."""

    id: str
    source: str
    target: str
    edge_type: EdgeType
    weight: float
    confidence: float
    excitatory: float = 0.0
    inhibitory: float = 0.0
    modulatory: float = 0.0
    is_amortized_shortcut: bool = False
    steering_reward: float = 0.0
    domain: Domain = Domain.GENERAL
    origin: str = "explicit"
    """explicit, temporal, extracted, hedged, semantic, mentions, look or dream."""

    created_at: Microseconds
    last_accessed: Microseconds
    access_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What the user works towards; `search_graph` reports alignment with it."""

    id: str
    text: str
    created_at: Microseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What is kept under a name and is no memory, such as a model of cases: no search finds it.

    `runtime.records` gives typed access to its data.
    """

    id: str
    kind: str
    """What it is; says which type its data have."""

    name: str
    """Unique among the live records of its kind that share its scope."""

    scope: Scope = Scope.USER
    agent_id: str | None = None
    session_id: str
    context_id: str | None = None
    state: NodeState = NodeState.LIVE
    created_at: Microseconds
    updated_at: Microseconds
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One committed write: the truth from which every table is a projection."""

    seq: int
    id: str
    type: str
    hlc: int
    author: Author
    payload: Mapping[str, Any] | None
    """None when the content was purged; the hashes stay."""

    payload_hash: str
    previous_hash: str
    hash: str
    author_hash: str | None = None
    """What the hash covers of the author, so that the names can go; None where it covers the names themselves, as in
    events of the formats 1 to 3."""
