"""critique_context: a line of reasoning, checked against what is remembered."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr

from context_graph.access import shown
from context_graph.citations import tag_of
from context_graph.errors import Refused
from context_graph.models import Caller, NodeState
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.tools.base import Id, Maybe, NodeRef, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import built, tool

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.models import Node
    from context_graph.recall.critique import Critique, Objection

__all__ = ["critique_context"]

SNIPPET = 300
MAX_FOCAL = 20


class CritiqueContextInput(ToolInput):
    reasoning_summary: str = Field(min_length=20, max_length=2000)
    """The reasoning to check."""

    focal_nodes: Maybe[list[NodeRef]] = None
    """Nodes it rests on."""

    contradiction_threshold: float = Field(0.5, ge=0.3, le=0.9)
    """Report contradictions above this confidence."""


class ContradictingNode(WireModel):
    node_id: Id
    content_snippet: str
    contradiction_type: Literal["value", "negation", "outdated", "superseded", "other_fact"]
    """Two values; so and not so; a change told since; closed or corrected in the store; another fact of a subject."""

    confidence: float
    citation_tag: str
    contradicts: str
    """The sentence, or the memory it rests on, that this speaks against."""


class CritiqueContextOutput(ToolOutput):
    contradictions_found: int
    contradicting_nodes: list[ContradictingNode]
    """The surest first."""

    suggested_action: str
    _rests_on: str = PrivateAttr("")

    def notes(self) -> list[str]:
        return [self._rests_on]


@tool(family="metacognition", title="Critique context", tier=2, read_only=True)
def critique_context(memory: "Memory", args: CritiqueContextInput, caller: Caller) -> CritiqueContextOutput:
    """Check a line of reasoning against the graph: what contradicts it, and what it takes for current that is past. Use
    before you act on a conclusion; name the nodes it rests on.
    """
    from context_graph.recall.critique import critique

    named = list(dict.fromkeys(args.focal_nodes or ()))[:MAX_FOCAL]
    focal = [shown(memory, id, caller, field="focal_nodes") for id in named]
    for node in focal:
        if node.state == NodeState.QUARANTINED:
            raise Refused(f"{tag_of(node.id)} is in quarantine ({node.state_reason}): no reasoning should rest on it")
    criticism = critique(memory, args.reasoning_summary, focal, args.contradiction_threshold, caller=caller)
    views = fitting((_view(one) for one in criticism.objections), ANSWER_BYTES // 2)
    output = CritiqueContextOutput(
        contradictions_found=len(criticism.objections), contradicting_nodes=views, suggested_action=_action(criticism)
    )
    output._rests_on = _rests_on(criticism, len(views))
    return output


def _view(one: "Objection") -> ContradictingNode:
    return ContradictingNode(
        node_id=one.node.id,
        content_snippet=_snippet(one.node),
        contradiction_type=one.type,
        confidence=round(one.confidence, 4),
        citation_tag=tag_of(one.node.id),
        contradicts=one.sentence[:SNIPPET],
    )


def _snippet(node: "Node") -> str:
    from context_graph.recall.critique import correction_of

    correction = correction_of(node)
    return f"corrected: {correction[:SNIPPET]}" if correction else node.content[:SNIPPET]


def _action(criticism: "Critique") -> str:
    from context_graph.recall.critique import correction_of

    if not criticism.objections:
        return (
            "Go on: nothing that was compared speaks against it. Where much hangs on it, ask the user or the sources."
            if criticism.compared
            else "State the reasoning in plain statements: questions, wishes and conditions cannot be contradicted."
        )
    kinds = {one.type for one in criticism.objections}
    if kinds <= {"superseded", "outdated"}:
        first = criticism.objections[0].node
        if correction_of(first):
            return f"Reason from the correction in the margin of {tag_of(first.id)}, and not from its text."
        if first.valid_to is not None and first.superseded_by is None:
            return f"Do not rely on {tag_of(first.id)}: it holds no longer, and nothing is stored in its place."
        return f"Reason from what was said later, {tag_of(first.id)} first, and not from what is past."
    asks = "get_memetic_status has questions for the user" if built(["get_memetic_status"]) else "ask the user"
    return f"Do not rely on it yet: look at {tag_of(criticism.objections[0].node.id)} with hydrate_citation; {asks}."


def _rests_on(criticism: "Critique", listed: int) -> str:
    more = f" {len(criticism.objections) - listed} more had no room." if listed < len(criticism.objections) else ""
    return (
        f"Compared {criticism.compared} statements with {criticism.memories} memories, by rules and a fitted judgement "
        "of what replaces what; statements in quite other words are not seen to contradict. Which side is right is not "
        "judged."
        f"{more}"
    )
