"""add_case: what happened, with its features and its outcome, as a memory."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, PrivateAttr

from context_graph.models import Caller
from context_graph.tools.base import Id, Maybe, StatusOutput, ToolInput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["add_case"]


class AddCaseInput(ToolInput):
    case_id: str = Field(min_length=1)
    """Unique id."""

    features: dict[str, Any] = Field(min_length=1)
    """Features of the case: numbers, texts, lists, dates, true or false."""

    context: Maybe[dict[str, Any]] = None
    """Context."""

    outcome: Any = None
    """Outcome or solution (any JSON)."""

    metadata: Maybe[dict[str, Any]] = None
    """Metadata."""

    model: Maybe[str] = Field(None, min_length=1)
    """Model that it belongs to, whose types its features must have; without one it belongs to all."""

    on_conflict: Literal["error", "update", "keep_both"] = "error"
    """Where the id is taken: fail, take the other's place, or take the next free id."""


class AddCaseOutput(StatusOutput):
    case_id: str
    node_id: Id
    """The memory that it is: search_graph finds it, forget_concept removes it."""

    model: str | None = None
    updated: Id | None = None
    """The memory whose place it took."""

    undo_hash: str
    """Names this write in the log; empty where it was known already."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="cerebrum", title="Add case", tier=2, read_only=False)
def add_case(memory: "Memory", args: AddCaseInput, caller: Caller) -> AddCaseOutput:
    """Store a case: features, context, and the outcome where it is known. It is a memory like others, and
    reason_with_cases predicts from it.
    """
    from context_graph.cases import adding

    added = adding.add_case(
        memory, args.case_id, args.features, caller, context=args.context, outcome=args.outcome,
        metadata=args.metadata, model=args.model, on_conflict=args.on_conflict,
    )  # fmt: skip
    output = AddCaseOutput(
        status="success",
        case_id=added.case_id,
        node_id=added.stored.node.id,
        model=added.model,
        updated=added.updated,
        undo_hash=added.stored.event_hash[:16],
    )
    if added.quarantined:
        output._notes.append("Quarantined: it reads like an instruction to an agent. No prediction uses it.")
    if added.stored.redactions:
        output._notes.append(f"Replaced before storing: {', '.join(added.stored.redactions)}.")
    return output
