"""What a session carries from call to call: its pulse, modulators, context and focus."""

from collections import deque
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from context_graph.nervous.modulators import Modulators
from context_graph.nervous.pulse import Pulse

__all__ = ["SessionState"]

CONTEXT_KEEP = 0.8
"""Share of the running context vector that a new memory or query leaves in place."""

_PULSE, _MODULATORS = ([field.name for field in fields(kind)] for kind in (Pulse, Modulators))


@dataclass(slots=True)
class SessionState:
    """State of one session; small, and written back with the effects of reads."""

    session_id: str
    pulse: Pulse = field(default_factory=Pulse)
    modulators: Modulators = field(default_factory=Modulators)
    levels: deque[float] = field(default_factory=lambda: deque(maxlen=25))
    rewards: deque[float] = field(default_factory=lambda: deque(maxlen=10))
    context: np.ndarray | None = None
    """Running mean of the E1 vectors of what was stored and asked; not kept beyond the process."""

    focus: list[str] = field(default_factory=list)
    """The memories last stored or returned, newest first, at most ten."""

    last_seen: int = 0
    retry: Any = None
    """The last question of the session whose context was doubtful, until it is asked again; not kept beyond the
    process."""

    def follow(self, vector: np.ndarray) -> None:
        """Move the running context towards what was just stored or asked."""
        self.context = vector if self.context is None else CONTEXT_KEEP * self.context + (1 - CONTEXT_KEEP) * vector

    def attend(self, node_ids: list[str]) -> None:
        """Put memories into focus."""
        self.focus = list(dict.fromkeys([*node_ids, *self.focus]))[:10]

    def interacted(self, now: int) -> None:
        """One interaction further: modulators relax."""
        self.modulators = self.modulators.relaxed(now - self.last_seen if self.last_seen else 0)
        self.last_seen = now

    def to_dict(self) -> dict[str, Any]:
        return {
            "pulse": {name: getattr(self.pulse, name) for name in _PULSE},
            "modulators": {name: getattr(self.modulators, name) for name in _MODULATORS},
            "levels": list(self.levels),
            "rewards": list(self.rewards),
            "focus": self.focus,
            "last_seen": self.last_seen,
        }

    @classmethod
    def from_dict(cls, session_id: str, state: dict[str, Any]) -> "SessionState":
        return cls(
            session_id,
            Pulse(**state.get("pulse", {})),
            Modulators(**state.get("modulators", {})),
            deque(state.get("levels", ()), maxlen=25),
            deque(state.get("rewards", ()), maxlen=10),
            focus=list(state.get("focus", ())),
            last_seen=state.get("last_seen", 0),
        )
