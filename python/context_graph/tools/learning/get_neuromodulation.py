"""get_neuromodulation: the four modulators of a session, and what each one drives."""

from typing import TYPE_CHECKING

from context_graph.models import Caller
from context_graph.presentation.sessions import Levels
from context_graph.tools.base import Id, Maybe, ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.nervous.modulators import Modulators

__all__ = ["get_neuromodulation"]


class GetNeuromodulationInput(ToolInput):
    session_id: Maybe[Id] = None
    """Session; by default that of this connection."""


class GetNeuromodulationOutput(ToolOutput, Levels):
    effects: dict[str, str]
    """What each level does to searches and learning as this memory is set up now."""

    interactions: int
    """Stores and searches of the session that the levels follow; 0: they are at their baselines."""


@tool(family="learning", title="Get neuromodulation", tier=3, read_only=True)
def get_neuromodulation(memory: "Memory", args: GetNeuromodulationInput, caller: Caller) -> GetNeuromodulationOutput:
    """Levels of dopamine, serotonin, noradrenaline and acetylcholine in a session, and what each drives. They follow
    rewards and searches by themselves; nothing sets them.
    """
    state = memory.session(caller.session_id)
    levels = state.modulators
    return GetNeuromodulationOutput(
        **Levels.of(levels).model_dump(),
        effects=_effects(memory, levels),
        interactions=state.pulse.interactions,
    )


def _effects(memory: "Memory", levels: "Modulators") -> dict[str, str]:
    from context_graph.embed.fused import spaces_for

    used = memory.ranking[memory.embedder.ranking].uses_modulators
    off = "" if used else "; no score of this tier asks for it, so it changes no search now"
    return {
        "dopamine": f"completion of a question sharpens with {levels.dopamine:.2f} (1 to 5){off}",
        "serotonin": f"the gate consults {spaces_for(levels.serotonin)} spaces for a question{off}",
        "noradrenaline": "rises with doubt and with searches that find nothing; what it would widen is not built yet",
        "acetylcholine": f"in a dream of this session edges grow {levels.acetylcholine / 0.001:.2f} times as at rest",
    }
