"""hydrate_citation: what stands behind a citation tag."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.access import visible_nodes
from context_graph.errors import CitationNotFound
from context_graph.models import Caller, Node, NodeState, to_iso
from context_graph.presentation.answer_budget import ANSWER_BYTES, CONTENT_BYTES, Piece, fitting, shared
from context_graph.presentation.nodes import AnnotationView, NodeSummary, neighborhood
from context_graph.tools.base import Id, Moment, ToolInput, ToolOutput, Verbosity, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["hydrate_citation"]

NEIGHBORS = 6


class HydrateCitationInput(ToolInput):
    citation_tags: list[str] = Field(min_length=1, max_length=10)
    """Tags such as [node_0193a4b2c1], brackets optional."""

    include_neighbors: bool = False
    """Also return neighbours."""

    verbosity_level: Verbosity = 1
    """0 = text only, 1 = text and key ids, 2 = also who said it, when, why it was stored and what it is worth."""

    offset: int = Field(0, ge=0)
    """Where to go on in a content that was cut: its next_offset."""


class Expansion(WireModel):
    citation_tag: str
    raw_content: str
    importance: float
    created_at: Moment
    neighbors: list[NodeSummary] | None = None
    next_offset: int | None = None
    """The content goes on here: call again with this offset."""

    node_id: Id | None = None
    name: str | None = None
    occurred_at: Moment | None = None
    speaker: str | None = None
    agent_id: str | None = None
    rationale: str | None = None
    learning_score: float | None = None
    annotations: list[AnnotationView] | None = None
    """Notes that were put beside it; where they do not fit, the latest."""


class HydrateCitationOutput(ToolOutput):
    expansions: list[Expansion]

    def notes(self) -> list[str]:
        cut = [one for one in self.expansions if one.next_offset is not None]
        return [f"{one.citation_tag} was cut: call again with it alone and offset={one.next_offset}." for one in cut]


@tool(family="metacognition", title="Hydrate citation", tier=2, read_only=True)
def hydrate_citation(memory: "Memory", args: HydrateCitationInput, caller: Caller) -> HydrateCitationOutput:
    """Expand citation tags from distilled text into their raw sources. Use when a summary is vague or a claim must be
    checked.
    """
    nodes = [_cited(memory, tag, caller) for tag in args.citation_tags]
    pieces = shared([node.content for node in nodes], offset=args.offset)
    max_bytes = (ANSWER_BYTES - CONTENT_BYTES) // len(nodes)
    return HydrateCitationOutput(
        expansions=[
            _expanded(memory, args, caller, tag, node, piece, max_bytes)
            for tag, node, piece in zip(args.citation_tags, nodes, pieces, strict=True)
        ]
    )


def _cited(memory: "Memory", tag: str, caller: Caller) -> Node:
    from context_graph.citations import node_of

    node = node_of(memory.store, tag, field="citation_tags")
    if not visible_nodes(memory, [node], caller):
        raise CitationNotFound(f"no memory has the tag {tag[:60]!r}; it may be forgotten: search_tombstones finds it")
    if node.state == NodeState.QUARANTINED:
        raise CitationNotFound(f"the memory {tag[:60]!r} is quarantined: {node.state_reason}; it is not shown")
    return node


def _expanded(
    memory: "Memory", args: HydrateCitationInput, caller: Caller, tag: str, node: Node, piece: Piece, max_bytes: int
) -> Expansion:
    expansion = Expansion(
        citation_tag=tag[:60],
        raw_content=piece.text,
        importance=node.importance,
        created_at=to_iso(node.created_at),
        next_offset=piece.next_offset,
    )
    if notes := AnnotationView.of(node):
        expansion.annotations = fitting(reversed(notes), max_bytes // 2)[::-1]
        max_bytes -= max_bytes // 2
    if args.include_neighbors:
        around = neighborhood(memory, [node.id], caller, hops=1, limit=NEIGHBORS + 1)
        expansion.neighbors = fitting((other for other in around.nodes if other.node_id != node.id), max_bytes)
    if args.verbosity_level >= 1:
        expansion.node_id, expansion.name = node.id, node.name
    if args.verbosity_level == 2:
        expansion.occurred_at, expansion.speaker = to_iso(node.occurred_at), node.speaker
        expansion.agent_id, expansion.rationale = node.agent_id, node.rationale or None
        expansion.learning_score = round(node.learning_score, 4)
    return expansion
