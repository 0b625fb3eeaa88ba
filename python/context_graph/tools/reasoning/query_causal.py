"""query_causal: what an action does to an outcome, seen, done or imagined."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr

from context_graph.models import Caller
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.safety.quoting import inline
from context_graph.tools.base import Maybe, ToolInput, ToolOutput
from context_graph.tools.reasoning.steps import CausalPath, called
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.inference.causal import Effect
    from context_graph.memory import Memory

__all__ = ["query_causal"]

Rung = Literal["do", "observe", "counterfactual"]


class QueryCausalInput(ToolInput):
    action: str
    """Action or cause to reason about, or the absence of one ("stop the rain")."""

    outcome: Maybe[str] = None
    """Outcome or effect of interest; without one, whatever follows."""

    intervention_type: Maybe[Rung] = None
    """Pearl's rung: do it (the default), see it, or imagine that it had not been."""


class QueryCausalOutput(ToolOutput):
    action: str
    """The concept that it was read as; "not ..." where it is kept from happening."""

    outcome: str | None = None
    intervention_type: Rung
    paths: list[CausalPath]
    """The strongest, or without an outcome the strongest to each effect, the likeliest first."""

    effect_estimate: float | None = None
    """do, observe: the difference to the probability of the outcome; counterfactual: how likely it would not be without
    the action. Absent where nothing stored lets one say."""

    confidence: float = Field(ge=0, le=1)
    """How sure the statements of the strongest path are together; 0 without a path."""

    explanation: str
    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="reasoning", title="Query causal", tier=2, read_only=True)
def query_causal(memory: "Memory", args: QueryCausalInput, caller: Caller) -> QueryCausalOutput:
    """What happens if: how much an action changes how likely an outcome is, computed exactly from the causal statements
    stored, or that these do not say. Needs the optional extra [causal].
    """
    from context_graph.inference.causal import effect_of

    how = args.intervention_type or "do"
    effect = effect_of(memory, args.action, args.outcome, how, caller)
    paths = [CausalPath.of(effect.evidence, path) for path in effect.paths]
    output = QueryCausalOutput(
        action=f"{'not ' if effect.absent else ''}{inline(effect.action.name)}",
        outcome=inline(effect.outcome.name) if effect.outcome else None,
        intervention_type=how,
        paths=fitting(paths, ANSWER_BYTES // 2),
        effect_estimate=None if effect.estimate is None else round(effect.estimate, 4),
        confidence=round(effect.confidence, 4),
        explanation=_explained(effect, how),
    )
    output._notes = _limits(effect)
    return output


def _explained(effect: "Effect", how: Rung) -> str:
    action = called(effect.action)
    if effect.outcome is None:
        if effect.why_not:
            return f"{action}: {effect.why_not}."
        following = ", ".join(f"{called(node)} ({likely:.0%})" for node, likely in effect.others)
        done = "kept from happening" if effect.absent else "done"
        return f"If {action} is {done}, what follows is likely by so much: {following}."
    outcome = called(effect.outcome)
    if effect.estimate is None:
        return f"Of {action} and {outcome}: {effect.why_not}."
    if how == "counterfactual":
        without = f"{outcome} would not be without {action} with {effect.estimate:.0%}"
        return f"Where both are, {without}."
    when = ("it is done", "it is kept from happening") if how == "do" else ("it is seen", "it is not there")
    there = f"{effect.with_it:.1%} where {action} is there ({when[0]})"
    absent = f"{effect.without:.1%} where {action} is not there ({when[1]})"
    both = f"{absent}, by {there}" if effect.absent else f"{there}, by {absent}"
    common = (
        "" if effect.paths else " Neither leads on to the other: something is said to cause both, or it is the cause."
    )
    return f"{outcome} is likely by {both}.{common}"


def _limits(effect: "Effect") -> list[str]:
    from context_graph.inference.bayes import LEAK

    notes = []
    if not effect.why_not:
        notes.append(
            "A model of what is stored: causes work independently, each as strongly as its statement is sure, and "
            f"anything comes of itself with {LEAK:.0%}. Statements that nobody stored are missing in it."
        )
    if effect.network.cut:
        face = effect.evidence.face
        cut = "; ".join(f"{called(face(one.source))} to {called(face(one.target))}" for one in effect.network.cut[:3])
        notes.append(f"Left out, because it closes a circle at its weakest place: {cut}.")
    if not effect.network.complete:
        notes.append("There are more causal statements around these than one network holds; the strongest were taken.")
    return notes
