"""create_cerebrum_model: a model of cases, a Bayesian network, or both."""

from typing import TYPE_CHECKING, Any

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.base import Maybe, StatusOutput, ToolInput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["create_cerebrum_model"]


class CreateCerebrumModelInput(ToolInput):
    name: str = Field(min_length=1)
    """Unique name."""

    model_type: str
    """case_based, bayesian, or hybrid: both."""

    config: Maybe[dict[str, Any]] = None
    """Of cases: features (name to a type number, ordinal, categorical, set, text, date or boolean, or an object with
    type, weight, min, max, order), outcome, similarity_threshold, k, weighting_strategy, coverage (0.9), learn_weights.
    Of a network: variables (name to states, or bins of a number), edges [parent, child], cpts; or learn_from_cases,
    prior, learn_structure."""


class CreateCerebrumModelOutput(StatusOutput):
    model: dict[str, Any]
    """Model information; at least name."""

    undo_hash: str
    """Names this write in the log."""


@tool(family="cerebrum", title="Create cerebrum model", tier=2, read_only=False)
def create_cerebrum_model(
    memory: "Memory", args: CreateCerebrumModelInput, caller: Caller
) -> CreateCerebrumModelOutput:
    """Create a model under a new name: how cases are compared, a Bayesian network, or both. Use before add_case and
    reason_with_cases, or bayesian_inference.
    """
    from context_graph.cases.model import create, summary

    entry = create(memory, args.name, args.model_type, args.config or {}, caller)
    return CreateCerebrumModelOutput(status="success", model=summary(entry), undo_hash=entry.event_hash[:16])
