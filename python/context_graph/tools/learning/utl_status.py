"""utl_status: what a session has learned."""

from typing import TYPE_CHECKING, Literal

from context_graph.errors import NotMeasuredYet
from context_graph.models import Caller
from context_graph.tools.base import Id, ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["utl_status"]


class UtlStatusInput(ToolInput):
    session_id: Id
    """Session handle, as its calls name it."""


class UtlStatusOutput(ToolOutput):
    session_id: Id
    delta_s: float
    """Surprise of the session's last memory."""

    delta_c: float
    """How well that fitted what was known."""

    w_e: float
    """Its emotional weight."""

    phi: float
    """Its angle to the session's context of then."""

    learning_score: float
    """What was learned from it."""

    entropy: float
    """Of the session's last interactions."""

    coherence: float
    johari_quadrant: Literal["open", "blind", "hidden", "unknown"]
    lifecycle: Literal["infancy", "growth", "maturity"]
    """Of the memory as a whole."""

    interactions: int
    """Stores and searches of the session."""

    measured_on: Id
    """The memory that the first five are of."""


@tool(family="learning", title="Utl status", tier=3, read_only=True)
def utl_status(memory: "Memory", args: UtlStatusInput, caller: Caller) -> UtlStatusOutput:
    """Learning metrics of a session: surprise, coherence, emotional weight, phase and score of its last memory, entropy
    and coherence of its interactions.
    """
    last = memory.store.session_memories(memory.written_name(caller.session_id), 1)
    if not last:
        raise NotMeasuredYet(
            f"session {args.session_id} has stored no memory that is still live, so nothing was measured in it; "
            "store_memory with this session_id measures one"
        )
    (node,) = last
    pulse, stage = memory.session(caller.session_id).pulse, memory.stage()
    return UtlStatusOutput(
        session_id=args.session_id,
        delta_s=round(node.delta_s, 4),
        delta_c=round(node.delta_c, 4),
        w_e=round(node.w_e, 4),
        phi=round(node.phi, 4),
        learning_score=round(node.learning_score, 4),
        entropy=round(pulse.entropy, 4),
        coherence=round(pulse.coherence, 4),
        johari_quadrant=str(node.johari_quadrant),  # type: ignore[arg-type]  # one of Johari
        lifecycle=stage.stage,
        interactions=pulse.interactions,
        measured_on=node.id,
    )
