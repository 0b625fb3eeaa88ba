"""What a session has learned, and the levels that it has come to."""

from typing import TYPE_CHECKING, Literal, Self

from context_graph.models import Caller
from context_graph.presentation.wire_model import Id, WireModel

if TYPE_CHECKING:
    from context_graph.nervous.modulators import Modulators
    from context_graph.runtime import Runtime

__all__ = ["Learned", "Levels"]


class Learned(WireModel):
    """What was measured on the last memory of a session, and on its interactions."""

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

    @classmethod
    def of(cls, memory: "Runtime", caller: Caller) -> Self | None:
        """Of the caller's session; None where it has stored no memory that is still live."""
        last = memory.store.session_memories(memory.written_name(caller.session_id), 1)
        if not last:
            return None
        (node,) = last
        pulse = memory.session(caller.session_id).pulse
        return cls(
            session_id=caller.session_id,
            delta_s=round(node.delta_s, 4),
            delta_c=round(node.delta_c, 4),
            w_e=round(node.w_e, 4),
            phi=round(node.phi, 4),
            learning_score=round(node.learning_score, 4),
            entropy=round(pulse.entropy, 4),
            coherence=round(pulse.coherence, 4),
            johari_quadrant=str(node.johari_quadrant),  # type: ignore[arg-type]  # one of Johari
            lifecycle=memory.stage().stage,
            interactions=pulse.interactions,
            measured_on=node.id,
        )


class Levels(WireModel):
    """The four modulators of a session."""

    dopamine: float
    """Drives hopfield beta (1-5)."""

    serotonin: float
    """Drives FuseMoE top_k (2-8)."""

    noradrenaline: float
    """Drives attention temperature (0.5-2)."""

    acetylcholine: float
    """Drives the learning rate."""

    current_mode: Literal["exploit", "explore", "balanced"]
    """Summary of the modulators: explore where noradrenaline or serotonin is up, exploit where dopamine is."""

    @classmethod
    def of(cls, modulators: "Modulators") -> Self:
        return cls(
            dopamine=round(modulators.dopamine, 4),
            serotonin=round(modulators.serotonin, 4),
            noradrenaline=round(modulators.noradrenaline, 4),
            acetylcholine=round(modulators.acetylcholine, 6),
            current_mode=modulators.mode,
        )
