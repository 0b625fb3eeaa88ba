"""What the page needs and no tool does: a timeline, a memory with all that belongs to it, writes taken back, models."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from context_graph.access import shown, visible_nodes
from context_graph.advice import ON_PAGE, advising
from context_graph.citations import tag_of
from context_graph.derived import Facts
from context_graph.errors import InvalidInput, NodeNotFound
from context_graph.extraction.proposals import proposals_of
from context_graph.instants import DAY_US
from context_graph.models import Caller, Node, NodeKind, NodeState, to_iso
from context_graph.presentation.history import Operation, Version, history
from context_graph.presentation.nodes import AnnotationView, EdgeSummary, NodeSummary, neighborhood
from context_graph.presentation.wire_model import Id, Moment, WireModel
from context_graph.server.http.choosing import (
    SELECTING,
    ChoicesView,
    Search,
    SearchResults,
    offered,
    search,
    selection_of,
)
from context_graph.server.http.model_views import ModelList, WholeModel, all_models, whole_model
from context_graph.server.http.taking_back import TakeBack, TakenBack, Undo, Undone, take_back, undo
from context_graph.server.http.trash import MAX_TRASH_PAGE, Trash, trash
from context_graph.store import noted_nodes

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.recall.selection import Selection

__all__ = ["VIEWS", "View"]

PAGE, MAX_TIMELINE_PAGE = 100, 200

LINKED = 24
"""Nodes around a memory, itself among them: as many as a drawing shows."""


class MemoryLine(WireModel):
    """A memory in a timeline."""

    node_id: Id
    citation_tag: str
    content_snippet: str
    occurred_at: Moment
    speaker: str | None = None
    valid_to: Moment | None = None
    """When another one took its place."""

    @classmethod
    def of(cls, node: Node) -> Self:
        return cls(
            node_id=node.id,
            citation_tag=tag_of(node.id),
            content_snippet=NodeSummary.of(node).content_snippet or "",
            occurred_at=to_iso(node.occurred_at),
            speaker=node.speaker,
            valid_to=None if node.valid_to is None else to_iso(node.valid_to),
        )


class Timeline(WireModel):
    """A page of the memories, the last that happened first."""

    total: int
    """Of all pages."""

    past: int | None = None
    """Of the total, those that another one took the place of, or that ended; of the pinned they are not counted."""

    offset: int
    memories: list[MemoryLine]


class Claim(WireModel):
    """What a memory states of somebody or something."""

    subject: str
    relation: str
    value: str
    proposed_by: str | None = None
    """The language model that has proposed it; without one, the rules read it."""


class Write(WireModel):
    """A write that changed a memory."""

    version: int
    timestamp: Moment
    operation: Operation
    agent_id: str | None = None
    summary: str
    reversal_hash: str | None = None
    """POST /api/v1/undo takes it; of curation, and of the write that stored this memory and no other."""


class WholeMemory(WireModel):
    """A memory, or a concept that memories name, with all that belongs to it."""

    node_id: Id
    citation_tag: str
    kind: str
    name: str
    content: str
    rationale: str | None = None
    speaker: str | None = None
    agent_id: str | None = None
    occurred_at: Moment
    created_at: Moment
    valid_to: Moment | None = None
    """When another one took its place."""

    superseded_by: Id | None = None
    importance: float
    scope: str
    domain: str
    metadata: dict[str, Any]
    annotations: list[AnnotationView] | None = None
    claims: list[Claim]
    history: list[Write]
    """Oldest first."""

    linked: list[NodeSummary]
    """The nodes that are linked to it, the strongest first."""

    edges: list[EdgeSummary]
    """Between it and those, and among those."""


@dataclass(frozen=True)
class View:
    """One path that a function answers.

    Attributes
    ----------
    function : callable
        Answers with a model, from the memory, the caller and the parameters of path and query.
    query : mapping
        By name of a parameter of the query, the schema of its whole number or its text.
    body : type, optional
        The model of what is posted, whose fields are parameters as well.
    only_asks : bool
        Whether what is posted is a question and changes nothing.
    """

    path: str
    summary: str
    function: "Callable[[Memory, Caller, Mapping[str, Any]], WireModel]"
    output: type[WireModel]
    query: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    body: type[WireModel] | None = None
    only_asks: bool = False

    @property
    def method(self) -> str:
        """POST where there is a body."""
        return "GET" if self.body is None else "POST"

    @property
    def writes(self) -> bool:
        """Whether it changes anything."""
        return self.body is not None and not self.only_asks


def memories(memory: "Memory", caller: Caller, parameters: Mapping[str, Any]) -> Timeline:
    """A page of the timeline."""
    from context_graph.recall.timeline import timeline

    offset, limit = parameters.get("offset", 0), parameters.get("limit", PAGE)
    if not 1 <= limit <= MAX_TIMELINE_PAGE:
        raise InvalidInput(f"limit must be from 1 to {MAX_TIMELINE_PAGE}, got {limit}", field="limit")
    selection = selection_of(parameters)
    total, nodes = timeline(memory, caller, offset=offset, limit=limit, selection=selection)
    past = _past(memory, caller, selection, total)
    return Timeline(total=total, past=past, offset=offset, memories=[MemoryLine.of(node) for node in nodes])


def _past(memory: "Memory", caller: Caller, selection: "Selection | None", total: int) -> int | None:
    """Of the memories of a timeline, how many are past."""
    from context_graph.recall.selection import Selection
    from context_graph.recall.timeline import timeline

    state = None if selection is None else selection.state
    if state is None:
        return timeline(memory, caller, limit=0, selection=replace(selection or Selection(), state="past")).total
    return {"past": total, "current": 0}.get(state)


def whole(memory: "Memory", caller: Caller, parameters: Mapping[str, Any]) -> WholeMemory:
    """One memory, by its id or citation tag."""
    with advising(ON_PAGE):
        node = shown(memory, parameters["id"], caller, field="id")
    if node.state == NodeState.QUARANTINED:
        raise NodeNotFound(f"{tag_of(node.id)} is quarantined: {node.state_reason}; it is not shown")
    around = neighborhood(memory, [node.id], caller, hops=1, limit=LINKED)
    successor = visible_nodes(memory, memory.store.nodes([node.superseded_by] if node.superseded_by else []), caller)
    return WholeMemory(
        node_id=node.id,
        citation_tag=tag_of(node.id),
        kind=str(node.kind),
        name=node.name,
        content=node.content,
        rationale=node.rationale or None,
        speaker=node.speaker,
        agent_id=node.agent_id,
        occurred_at=to_iso(node.occurred_at),
        created_at=to_iso(node.created_at),
        valid_to=None if node.valid_to is None else to_iso(node.valid_to),
        superseded_by=node.superseded_by if successor else None,
        importance=node.importance,
        scope=str(node.scope),
        domain=str(node.domain),
        metadata={
            key: value for key, value in node.metadata.items() if key != "annotations" and not key.startswith("_")
        },
        annotations=AnnotationView.of(node),
        claims=_claims(memory, node, caller),
        history=[
            Write(
                version=version.number,
                timestamp=to_iso(version.at),
                operation=version.operation,
                agent_id=version.agent_id,
                summary=version.summary,
                reversal_hash=version.hash[:16] if version.curated or _stores_it_alone(memory, version) else None,
            )
            for version in history(memory, node.id, caller=caller)
        ],
        linked=[one for one in around.nodes if one.node_id != node.id],
        edges=around.edges,
    )


def _stores_it_alone(memory: "Memory", version: Version) -> bool:
    """Whether a write stored one memory, so that taking it back takes no other along, and may still be taken back."""
    if version.operation != "created":
        return False
    deadline = version.at + memory.settings.undo_retention_days * DAY_US
    return memory.clock() <= deadline and len(noted_nodes(memory.store.event(version.hash))) == 1


def _claims(memory: "Memory", node: Node, caller: Caller) -> list[Claim]:
    corpus = memory.corpus
    with corpus.lock:
        row = corpus.row_of.get(node.id)
        if node.kind != NodeKind.MEMORY or row is None:
            return []
        visible = corpus.shared(memory.viewer(caller)) & corpus.columns.live
        stated = memory.view(Facts).stated(corpus, np.array([row], np.int64), visible)
    claims = [Claim(subject=fact.subject, relation=fact.relation, value=fact.value) for _, fact in stated]
    proposals = proposals_of(node)
    if proposals is not None:
        claims += [
            Claim(subject=one.subject, relation=one.relation, value=one.object, proposed_by=proposals.model)
            for one in proposals.claims
        ]
    return claims


VIEWS = (
    View(
        "/api/v1/memories", "The memories by when they happened, the last first, in pages.", memories, Timeline,
        {
            **SELECTING,
            "offset": {"type": "integer", "minimum": 0, "default": 0},
            "limit": {"type": "integer", "minimum": 1, "maximum": MAX_TIMELINE_PAGE, "default": PAGE},
        },
    ),
    View(
        "/api/v1/memories/{id}", "A memory with its claims, links and history, by its id or citation tag.", whole,
        WholeMemory,
    ),
    View(
        "/api/v1/undo", "Take back any write about memories by its hash; previews unless preview is false.", undo,
        Undone, body=Undo,
    ),
    View(
        "/api/v1/trash", "What was forgotten, the latest first, with undo hashes, in pages.", trash, Trash,
        {
            "offset": {"type": "integer", "minimum": 0, "default": 0},
            "limit": {"type": "integer", "minimum": 1, "maximum": MAX_TRASH_PAGE, "default": MAX_TRASH_PAGE},
            "top_k": {"type": "integer", "minimum": 1, "maximum": MAX_TRASH_PAGE, "description": "Of limit, too."},
        },
    ),
    View(
        "/api/v1/memories/{id}/undo", "Take back any write about a memory by its hash.", take_back, TakenBack,
        body=TakeBack,
    ),
    View(
        "/api/v1/search", "Find memories, of a selection if any, as recall does.", search, SearchResults,
        body=Search, only_asks=True,
    ),
    View("/api/v1/choices", "What the memories can be narrowed to.", offered, ChoicesView),
    View("/api/v1/models", "The models of cases and networks, by name.", all_models, ModelList),
    View(
        "/api/v1/models/{id}", "A model with where its variables and cases stand in a drawing.", whole_model,
        WholeModel,
    ),
)  # fmt: skip
