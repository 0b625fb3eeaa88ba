"""visualize_model: a picture of a network, of cases, or of what follows."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, PrivateAttr

from context_graph.models import Caller
from context_graph.tools.base import Maybe, StatusOutput, ToolInput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["visualize_model"]


class VisualizeModelInput(ToolInput):
    model_type: Literal["network", "cases", "inference"]
    """What to draw."""

    model_name: str = Field(min_length=1)
    """Model."""

    output_path: Maybe[str] = None
    """Where to save: a name, or a path inside pictures in the data folder."""

    format: Maybe[Literal["png", "svg", "pdf"]] = None
    """File format; by default that of output_path, else svg."""

    evidence: Maybe[dict[str, Any]] = None
    """inference: observed, as for bayesian_inference; prior and posterior are drawn side by side."""


class VisualizeModelOutput(StatusOutput):
    output_path: str
    metadata: dict[str, Any]
    """width, height, format, and how much is drawn."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="cerebrum", title="Visualize model", tier=2, read_only=False, idempotent=True)
def visualize_model(memory: "Memory", args: VisualizeModelInput, caller: Caller) -> VisualizeModelOutput:
    """Draw a model into a file: its network, its cases in two dimensions, or prior beside posterior. Needs the optional
    extra [viz].
    """
    from context_graph.cases.drawing import draw

    picture = draw(
        memory, args.model_name, args.model_type, caller,
        path=args.output_path, format=args.format, evidence=args.evidence,
    )  # fmt: skip
    output = VisualizeModelOutput(status="success", output_path=str(picture.path), metadata=picture.details)
    output._notes = picture.notes
    return output
