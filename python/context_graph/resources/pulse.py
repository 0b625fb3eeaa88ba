"""utl://{session}/pulse: how sure and how consistent a session's memory is now."""

import json
from typing import TYPE_CHECKING

from context_graph.models import to_iso
from context_graph.presentation.visitor import CURRENT, Visitor
from context_graph.resources.registry import Content, Target, resource

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["pulse"]


@resource(
    "utl://{session}/pulse",
    name="pulse",
    title="Cognitive pulse",
    mime_type="application/json",
    changes="session",
    listed=(f"utl://{CURRENT}/pulse",),
)
def pulse(memory: "Runtime", target: Target, visitor: Visitor) -> Content:
    """How sure (entropy) and how consistent (coherence) the memory is for a session, and which tool it suggests next.
    Made to be pinned: subscribers hear of each change.
    """
    from context_graph.presentation.pulse import pulse_of

    caller = visitor.within(target.parameters["session"], target.uri)
    values = pulse_of(memory, caller.session_id, visitor.tools).values()
    moment = memory.session(caller.session_id).last_seen or memory.started_at
    return Content(json.dumps(values | {"updated_at": to_iso(moment)}, ensure_ascii=False))
