"""entailment_query: what a thing is a kind of, and what is a kind of it."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr

from context_graph.access import shown
from context_graph.citations import tag_of
from context_graph.models import Caller, Node
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.safety.quoting import inline
from context_graph.tools.base import Id, NodeRef, ToolInput, ToolOutput, WireModel
from context_graph.tools.reasoning.steps import MAX_STATED, called
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.inference.hierarchy import Kinds, Related
    from context_graph.memory import Memory

__all__ = ["entailment_query"]

Way = Literal["ancestor", "descendant"]


class EntailmentQueryInput(ToolInput):
    node_id: NodeRef
    """Node to act on."""

    direction: Literal["ancestors", "descendants", "both"] = "both"
    """Which way to walk the hierarchy."""

    max_depth: int = Field(3, ge=1, le=10)
    """Deepest level."""


class Relation(WireModel):
    node_id: Id
    name: str
    relation: Way
    depth: int
    """How many statements lie between."""

    confidence: float
    """The product of their confidences."""

    stated_in: list[Id]
    """The memories behind them, from the narrower to the wider, one of each."""

    in_cone: bool
    """Whether the entailment cones say so too."""


class EntailmentQueryOutput(ToolOutput):
    ancestors: list[Id]
    """What it is a kind of, the nearest first."""

    descendants: list[Id]
    """What is a kind of it, the nearest first."""

    entailment_confidence: float
    """Of the least sure of them; 0 where nothing is stated."""

    relations: list[Relation]
    """The same with names, depth and sources, as many as one answer holds."""

    cone_agreement: float
    """Share of its hierarchy for which cones and statements agree; the statements decide."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="reasoning", title="Entailment query", tier=2, read_only=True)
def entailment_query(memory: "Memory", args: EntailmentQueryInput, caller: Caller) -> EntailmentQueryOutput:
    """What a concept is a kind of and what is a kind of it, over any number of statements, each with its sources. An
    empty answer means unknown, not no. Take the concept's id from get_neighborhood or find_causal_path.
    """
    from context_graph.inference.hierarchy import concepts_of, kinds

    node = shown(memory, args.node_id, caller)
    answer = kinds(memory, node, caller, depth=args.max_depth)
    above = answer.ancestors if args.direction != "descendants" else ()
    below = answer.descendants if args.direction != "ancestors" else ()
    relations = [_relation(one, "ancestor") for one in above] + [_relation(one, "descendant") for one in below]
    output = EntailmentQueryOutput(
        ancestors=[one.node.id for one in above],
        descendants=[one.node.id for one in below],
        entailment_confidence=round(min((one.confidence for one in (*above, *below)), default=0.0), 4),
        relations=fitting(relations, ANSWER_BYTES // 2),
        cone_agreement=round(answer.agreement, 4),
    )
    output._notes = _told(node, answer, output, concepts_of(memory, node, caller))
    return output


def _relation(one: "Related", way: Way) -> Relation:
    sources = [link.stated_in[0] for link in one.chain if link.stated_in]
    return Relation(
        node_id=one.node.id,
        name=inline(one.node.name),
        relation=way,
        depth=one.depth,
        confidence=round(one.confidence, 4),
        stated_in=list(dict.fromkeys(sources)),
        in_cone=one.held,
    )


def _told(node: Node, answer: "Kinds", output: EntailmentQueryOutput, named: list[Node]) -> list[str]:
    notes = []
    if named:
        things = ", ".join(f"{called(one)} ({one.id})" for one in named[:MAX_STATED])
        notes.append(f"{tag_of(node.id)} is a memory, not a concept; ask for one that it speaks of: {things}.")
    elif not output.relations:
        deeper = " within max_depth" if answer.ancestors or answer.descendants else ""
        both = f"what {called(node)} is a kind of or what is a kind of it"
        notes.append(f"Nothing stored says {both}{deeper}: unknown, not no.")
    missed = sum(not one.in_cone for one in output.relations)
    if missed:
        notes.append(f"The cones miss {missed} of them; they are stated all the same.")
    if answer.circular:
        left_out = len(answer.circular)
        notes.append(f"Statements left out, because they close a circle with surer or older ones: {left_out}.")
    if not answer.complete:
        notes.append("The hierarchy is larger than what one answer lays out: what lies furthest was not looked at.")
    return notes
