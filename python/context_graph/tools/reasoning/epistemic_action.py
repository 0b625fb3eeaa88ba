"""epistemic_action: the question whose answer would settle most."""

from typing import TYPE_CHECKING, Literal

from pydantic import PrivateAttr

from context_graph.models import Caller
from context_graph.tools.base import Id, Maybe, ToolInput, ToolOutput
from context_graph.tools.registry import tool
from context_graph.tools.retrying import RetriedContext, retried_context

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["epistemic_action"]

NEXT = {
    "ask_user": "Ask the user in these words, in their language, and store the answer with store_memory.",
    "clarify": "Ask the user; curation_tasks of get_memetic_status says what to call for which answer, if it is there.",
    "search_external": "Look it up in a source outside of this memory, and store what it says with store_memory.",
}


class EpistemicActionInput(ToolInput):
    session_id: Maybe[Id] = None
    """Session; by default that of this connection."""

    force: bool = False
    """Generate a question even when coherence is sufficient."""


class EpistemicActionOutput(ToolOutput):
    action_type: Literal["ask_user", "search_external", "clarify"]
    question: str
    """Never answer it yourself; empty where nothing has to be asked."""

    target_nodes: list[Id]
    """What it is about."""

    expected_entropy_reduction: float
    """Entropy of what is asked that the answer takes away, from 0 to 1."""

    current_coherence: float
    retried_context: RetriedContext | None = None
    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="reasoning", title="Epistemic action", tier=2, read_only=True)
def epistemic_action(memory: "Memory", args: EpistemicActionInput, caller: Caller) -> EpistemicActionOutput:
    """The one question whose answer would settle most: what disagrees or may be past, which result is meant, what is
    named but hardly known. Use when the Pulse suggests it, or when you would have to guess.
    """
    from context_graph.inference.questions import next_question

    coherence = round(memory.session(caller.session_id).pulse.coherence, 4)
    question = next_question(memory, caller, force=args.force)
    if question is None:
        output = EpistemicActionOutput(
            action_type="ask_user",
            question="What should be remembered first?" if args.force else "",
            target_nodes=[],
            expected_entropy_reduction=1.0 if args.force else 0.0,
            current_coherence=coherence,
            retried_context=retried_context(memory, caller),
        )
        empty = "Nothing is stored that a question could be about."
        sure = (
            "Nothing has to be asked: nothing disagrees, and this session is sure enough. force=true asks all the same."
        )
        output._notes = [empty if args.force else sure]
        return output
    output = EpistemicActionOutput(
        action_type=question.action,
        question=question.text,
        target_nodes=list(question.nodes),
        expected_entropy_reduction=round(question.gain, 4),
        current_coherence=coherence,
        retried_context=retried_context(memory, caller),
    )
    output._notes = [f"Why: {question.reason}. {NEXT[question.action]}"]
    return output
