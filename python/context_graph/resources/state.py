"""utl://{session}/state: what a session has learned."""

import json
from typing import TYPE_CHECKING

from context_graph.presentation.visitor import CURRENT, Visitor
from context_graph.resources.registry import Content, Target, resource

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["state"]


@resource(
    "utl://{session}/state",
    name="utl-state",
    title="UTL state of a session",
    mime_type="application/json",
    changes="session",
    listed=(f"utl://{CURRENT}/state",),
)
def state(memory: "Runtime", target: Target, visitor: Visitor) -> Content:
    """What utl_status tells of a session (surprise, coherence, phase and learning score of its last memory), its
    neuromodulators and the stage of the memory. Before the first memory the measured values are left out.
    """
    from context_graph.presentation.sessions import Learned, Levels

    caller = visitor.within(target.parameters["session"], target.uri)
    session, learned = memory.session(caller.session_id), Learned.of(memory, caller)
    values = {
        "session_id": caller.session_id,
        "entropy": round(session.pulse.entropy, 4),
        "coherence": round(session.pulse.coherence, 4),
        "lifecycle": memory.stage().stage,
        "interactions": session.pulse.interactions,
        **(learned.model_dump() if learned else {}),
        "neuromodulators": Levels.of(session.modulators).model_dump(),
    }
    return Content(json.dumps(values, ensure_ascii=False))
