"""utl_status: what a session has learned."""

from typing import TYPE_CHECKING

from context_graph.errors import NotMeasuredYet
from context_graph.models import Caller
from context_graph.presentation.sessions import Learned
from context_graph.tools.base import Id, ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["utl_status"]


class UtlStatusInput(ToolInput):
    session_id: Id
    """Session handle, as its calls name it."""


class UtlStatusOutput(ToolOutput, Learned):
    pass


@tool(family="learning", title="Utl status", tier=3, read_only=True)
def utl_status(memory: "Memory", args: UtlStatusInput, caller: Caller) -> UtlStatusOutput:
    """Learning metrics of a session: surprise, coherence, emotional weight, phase and score of its last memory, entropy
    and coherence of its interactions.
    """
    learned = UtlStatusOutput.of(memory, caller)
    if learned is None:
        raise NotMeasuredYet(
            f"session {args.session_id} has stored no memory that is still live, so nothing was measured in it; "
            "store_memory with this session_id measures one"
        )
    return learned
