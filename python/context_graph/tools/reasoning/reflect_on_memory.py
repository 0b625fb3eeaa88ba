"""reflect_on_memory: a goal becomes a sequence of calls."""

from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.base import Id, Maybe, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import built, tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["reflect_on_memory"]

MAX_HABITS = 5


class ReflectOnMemoryInput(ToolInput):
    goal: str = Field(min_length=10, max_length=500)
    """What the agent wants to find or achieve."""

    session_id: Maybe[Id] = None
    """Session; by default that of this connection."""

    max_steps: int = Field(3, ge=1, le=5)
    """Most steps."""


class SuggestedStep(WireModel):
    step: int = Field(ge=1)
    tool: str
    params: dict[str, Any]
    """Arguments that the tool takes as they stand."""

    rationale: str


class UtlContext(WireModel):
    entropy: float = Field(ge=0, le=1)
    coherence: float = Field(ge=0, le=1)
    learning_score: float | None = None
    """Of the session's last memory; absent where it has stored none."""


class Habit(WireModel):
    """Tools that are called one after the other again and again."""

    tools: list[str]
    times: int
    confidence: float = Field(ge=0, le=1)
    """min(1, times / 10)."""

    next: str | None = None
    """The tool that probably comes next, where the session's last calls begin it."""


class ReflectOnMemoryOutput(ToolOutput):
    reasoning: str
    """What the goal was taken for, and what the store holds for it."""

    suggested_sequence: list[SuggestedStep]
    utl_context: UtlContext
    habits: list[Habit] | None = None
    """What was called in this order at least three times, in all sessions: first what the last calls begin."""


@tool(family="reasoning", title="Reflect on memory", tier=2, read_only=True)
def reflect_on_memory(memory: "Memory", args: ReflectOnMemoryInput, caller: Caller) -> ReflectOnMemoryOutput:
    """Turn a goal into a sequence of tool calls that run as they stand, after a look into the store. Use when you do
    not know which tool comes next; call each with its params, through use_tool where it is not listed.
    """
    from context_graph.inference.planning import plan

    sequence = plan(memory, args.goal, caller, limit=args.max_steps, tools=built(), session_id=args.session_id)
    pulse = memory.session(caller.session_id).pulse
    last = memory.store.session_memories(memory.written_name(caller.session_id), 1)
    return ReflectOnMemoryOutput(
        reasoning=sequence.reasoning,
        suggested_sequence=[
            SuggestedStep(step=i, tool=call.tool, params=call.params, rationale=call.rationale)
            for i, call in enumerate(sequence.calls, 1)
        ],
        utl_context=UtlContext(
            entropy=round(pulse.entropy, 4),
            coherence=round(pulse.coherence, 4),
            learning_score=round(last[0].learning_score, 4) if last else None,
        ),
        habits=_habits(memory, args.session_id or caller.session_id) or None,
    )


def _habits(memory: "Memory", session: str) -> list[Habit]:
    """What the last calls of a session begin, then what recurs most."""
    from context_graph.agents.chains import habits
    from context_graph.inference.patterns import closed, unlike

    counts = habits(memory)
    foreseen = counts.next(memory.calls.of_session(session))
    others = (one for one in closed(counts.patterns()) if one != foreseen)
    shown = chain([] if foreseen is None else [foreseen], others)
    return [
        Habit(
            tools=list(one.actions), times=one.times, confidence=one.confidence,
            next=one.actions[-1] if one is foreseen else None,
        )
        for one in islice(unlike(shown), MAX_HABITS)
    ]  # fmt: skip
