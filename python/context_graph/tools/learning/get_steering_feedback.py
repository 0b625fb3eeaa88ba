"""get_steering_feedback: the reward that a store would earn, before it is made."""

from typing import TYPE_CHECKING

from pydantic import Field, PrivateAttr

from context_graph.citations import tag_of
from context_graph.models import Caller
from context_graph.tools.base import DomainName, Maybe, ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["get_steering_feedback"]


class GetSteeringFeedbackInput(ToolInput):
    content: str = Field(min_length=1, max_length=65536)
    """What would be stored."""

    context: Maybe[str] = None
    """Surrounding context: why it matters. It is judged as the rationale; without it as a store with an empty one."""

    domain: Maybe[DomainName] = None
    """Domain."""


class GetSteeringFeedbackOutput(ToolOutput):
    reward: float
    gardener_score: float
    """Whether memories like it were used later."""

    curator_score: float
    """Whether it fits what its nearest memory stands among."""

    assessor_score: float
    """What it would teach, at this stage of the memory."""

    explanation: str
    suggestions: list[str]
    already_known: str | None = None
    """The citation tag of the memory that says the same: nothing new would be stored."""

    delta_s: float
    """How new it is."""

    delta_c: float
    """How well it fits."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="learning", title="Get steering feedback", tier=2, read_only=True)
def get_steering_feedback(
    memory: "Memory", args: GetSteeringFeedbackInput, caller: Caller
) -> GetSteeringFeedbackOutput:
    """Would storing this be valuable? The reward that store_memory would answer with, and why; nothing is stored. Use
    when in doubt whether something is new or worth keeping.
    """
    from context_graph.ingest.appraisal import appraise
    from context_graph.ingest.draft import Draft

    appraisal = appraise(memory, Draft(args.content, rationale=args.context or "", domain=args.domain), caller=caller)
    output = GetSteeringFeedbackOutput(
        reward=round(appraisal.reward.reward, 4),
        gardener_score=round(appraisal.reward.gardener_score, 4),
        curator_score=round(appraisal.reward.curator_score, 4),
        assessor_score=round(appraisal.reward.assessor_score, 4),
        explanation=appraisal.reward.explanation,
        suggestions=list(appraisal.reward.suggestions),
        already_known=tag_of(appraisal.known) if appraisal.known else None,
        delta_s=round(appraisal.learning.delta_s, 4),
        delta_c=round(appraisal.learning.delta_c, 4),
    )
    output._notes = ["Nothing was stored."]
    if appraisal.quarantined:
        output._notes.append("It reads like an instruction to an agent: stored, it would stay in quarantine.")
    if appraisal.redactions:
        output._notes.append(f"Replaced where it is stored: {', '.join(appraisal.redactions)}.")
    return output
