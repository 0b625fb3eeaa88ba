"""The pulse on every answer: how sure the memory is, how consistent, and what to do next."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["META_KEY", "RESTING", "PulseView", "pulse_of"]

META_KEY = "context-graph/pulse"


@dataclass(frozen=True, slots=True)
class PulseView:
    """A pulse as it goes out, in its three spellings."""

    entropy: float
    coherence: float
    suggested: str

    def values(self) -> dict[str, Any]:
        """As in structuredContent and _meta."""
        return {"entropy": self.entropy, "coherence": self.coherence, "suggested": self.suggested}

    def cognitive(self) -> dict[str, Any]:
        """As in search_graph's own key (seed 003)."""
        return {"entropy": self.entropy, "coherence": self.coherence, "suggested_action": self.suggested}

    def line(self) -> str:
        """As in the first line of text (seed 001 1.3)."""
        return (
            f'Pulse: {{ Entropy: {self.entropy:.2f}, Coherence: {self.coherence:.2f}, Suggested: "{self.suggested}" }}'
        )


RESTING = PulseView(0.5, 0.5, "continue")
"""Of a memory that could not be opened."""


def pulse_of(memory: "Runtime", session: str, tools: frozenset[str]) -> PulseView:
    """The pulse of a session now; a few attribute reads, no scan.

    Parameters
    ----------
    tools : frozenset of str
        What it may suggest: the names of the tools that are built.
    """
    pulse = memory.session(session).pulse
    suggested = pulse.suggested(memory.stage(), built=tools)
    return PulseView(round(pulse.entropy, 4), round(pulse.coherence, 4), suggested)
