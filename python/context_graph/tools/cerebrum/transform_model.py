"""transform_model: one step of a model towards a case, or by what became of a prediction."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, PrivateAttr

from context_graph.errors import InvalidInput
from context_graph.models import Caller
from context_graph.tools.base import Maybe, StatusOutput, ToolInput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["transform_model"]


class TransformModelInput(ToolInput):
    model_name: str = Field(min_length=1)
    """Model."""

    transformation: Literal["adapt_to_case", "learn_from_feedback"]
    """Kind."""

    case_id: Maybe[str] = None
    """Case to adapt to."""

    feedback: Maybe[dict[str, Any]] = None
    """Feedback to learn from: features and the outcome that they came to; or an outcome and error, how much more likely
    it was than predicted."""

    transformer_name: Maybe[str] = None
    """Which transformer: adaptation or learning, that of the transformation."""


class TransformModelOutput(StatusOutput):
    model: dict[str, Any]
    """Model information; at least name."""

    metadata: dict[str, Any]
    """The rate, what changed, before and after, and drift: how far all steps together have moved the model."""

    undo_hash: str
    """restore_from_hash takes the step back; a later step of the model first."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="cerebrum", title="Transform model", tier=2, read_only=False)
def transform_model(memory: "Memory", args: TransformModelInput, caller: Caller) -> TransformModelOutput:
    """Change a model by one small step: towards a case (weights of features, or tables), or by what became of a
    prediction. Each step adds up, and restore_from_hash takes it back.
    """
    from context_graph.cases.learning import TRANSFORMERS, drift, transform
    from context_graph.cases.model import summary

    transformer = TRANSFORMERS[args.transformation]
    if args.transformer_name not in (None, transformer):
        raise InvalidInput(
            f"transformer_name of {args.transformation} must be {transformer}, got {args.transformer_name!r:.60}; "
            "leave it out",
            field="transformer_name",
        )
    changed = transform(
        memory, args.model_name, args.transformation, caller, case_id=args.case_id, feedback=args.feedback
    )
    output = TransformModelOutput(
        status="success",
        model=summary(changed.entry),
        metadata={
            f"{transformer}_rate": changed.rate,
            "changed": changed.changed,
            "drift": {name: round(value, 6) for name, value in drift(memory, changed.entry).items()},
        },
        undo_hash=changed.entry.event_hash[:16],
    )
    output._notes = [f"{note[0].upper()}{note[1:]}." for note in changed.notes]
    return output
