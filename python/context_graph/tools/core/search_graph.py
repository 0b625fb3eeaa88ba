"""search_graph: ranked memories and their ids."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, model_validator

from context_graph.errors import InvalidInput
from context_graph.models import Caller, Node, to_iso
from context_graph.presentation.addresses import address_of
from context_graph.presentation.answer_budget import CONTENT_BYTES, shared, snippet
from context_graph.tools.base import (
    AgentId,
    DomainName,
    Id,
    Instant,
    Maybe,
    Moment,
    ScopeName,
    ToolInput,
    ToolOutput,
    WireModel,
)  # fmt: skip
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.recall.answer import Answer, Hit
    from context_graph.recall.question import Question

__all__ = ["SearchGraphInput", "SearchGraphOutput", "SearchResult", "question_of", "search_graph", "search_output"]

NAMED = 40
"""Results that carry name, date and tag; more of them would not fit in one line of the wire."""

EXPLAINED = 10

SNIPPET_BYTES = 600
"""Of a snippet; less where there are many."""

NOTED, MAX_NOTES, NOTE_SHOWN = 10, 2, 160
"""Results that are told with notes, notes of each, and characters of a note."""


class SearchFilters(WireModel):
    min_importance: Maybe[float] = Field(default=None, ge=0, le=1)
    """Lowest importance to return."""

    johari_quadrants: Maybe[list[Literal["open", "blind", "hidden", "unknown"]]] = None
    """Johari quadrants to keep."""

    created_after: Maybe[Instant] = None
    """Only nodes created later than this."""


class PerspectiveLock(WireModel):
    domain: Maybe[DomainName] = None
    """Only this domain."""

    agent_ids: Maybe[list[str]] = None
    """Only nodes of these agents."""

    exclude_agent_ids: Maybe[list[str]] = None
    """Never nodes of these agents."""


class SearchGraphInput(ToolInput):
    query: str = Field(min_length=1)
    """What to search for."""

    top_k: int = Field(10, ge=1, le=100)
    """Most results to return."""

    filters: Maybe[SearchFilters] = None
    """Restrict the candidates."""

    perspective_lock: Maybe[PerspectiveLock] = None
    """Multi-agent isolation: keep only nodes that fit the caller's perspective."""

    min_similarity: float = Field(0.0, ge=0, le=1)
    """Lowest calibrated relevance to return."""

    modality: Maybe[Literal["text", "code", "image", "audio", "structured", "mixed"]] = None
    """Keep only this modality."""

    include_content: bool = False
    """Return the original text of every hit, 16 KB in all."""

    camel_top_k: Maybe[int] = Field(None, ge=1, le=100, alias="topK")
    """Alias of top_k."""

    camel_min_similarity: Maybe[float] = Field(None, ge=0, le=1, alias="minSimilarity")
    """Alias of min_similarity."""

    camel_include_content: Maybe[bool] = Field(None, alias="includeContent")
    """Alias of include_content."""

    session_id: Maybe[Id] = None
    """Session; by default that of this connection."""

    agent_id: Maybe[AgentId] = Field(None, max_length=128)
    """Agent that speaks."""

    domain: Maybe[DomainName] = None
    """Only memories of this domain."""

    scope: Maybe[ScopeName] = None
    """Only memories kept for: the user's clients, this session, this conversation."""

    as_of: Maybe[Instant] = None
    """Answer from what was valid then."""

    asked_at: Maybe[Instant] = None
    """When it is asked, for words like "yesterday"; now by default. It hides nothing."""

    project: Maybe[str] = Field(None, min_length=1, max_length=1_000)
    """Only memories of this project: its name, its repository's address, or a seeded folder."""

    include_snippets: bool = False
    """Return the first lines of every hit, where include_content would be too much."""

    explain: bool = False
    """Return stages, times and the parts of each score."""

    @model_validator(mode="after")
    def _one_spelling(self) -> "SearchGraphInput":
        for name, alias in (
            ("top_k", "topK"),
            ("min_similarity", "minSimilarity"),
            ("include_content", "includeContent"),
        ):
            other = getattr(self, f"camel_{name}")
            if other is None:
                continue
            if name in self.model_fields_set and getattr(self, name) != other:
                raise InvalidInput(
                    f"{name} and its alias {alias} were given with different values; give one of them", field=alias
                )
            setattr(self, name, other)
        return self


class SearchResult(WireModel):
    fingerprintId: Id
    similarity: float
    """Calibrated probability of relevance."""

    purposeAlignment: float
    """With your goals; 0.5 without goals."""

    dominantEmbedder: int
    """The space that contributed most, 0-12."""

    thetaToNorthStar: float
    content: str | None = None
    next_offset: int | None = None
    """Where hydrate_citation goes on with a content that was cut."""

    snippet: str | None = None
    """Its first lines, of code with their line breaks."""

    node_id: Id
    name: str | None = None
    citation_tag: str | None = None
    occurred_at: Moment | None = None
    speaker: str | None = None
    source: str | None = None
    """Of a passage of a file: its path below the folder that was read, and its lines or page."""

    project: str | None = None
    """Of a passage of a file, and of what was captured in a project."""

    replaced_by: Id | None = None
    """A later result that seems to take its place: this held until then."""

    conflicts_with: list[Id] | None = None
    """Results that disagree with it, where it is not known which of them holds."""

    annotations: list[str] | None = None
    """Notes that were put beside it, the latest; hydrate_citation tells all of them."""


class SearchGraphOutput(ToolOutput):
    pulse_also_as: ClassVar[str | None] = "_cognitive_pulse"

    results: list[SearchResult]
    count: int
    explain: dict[str, Any] | None = None

    def notes(self) -> list[str]:
        if self.results:
            return []
        return [
            "No memory matched. Ask in other words, drop filters or lower min_similarity; if you learn the answer, "
            "keep it with store_memory."
        ]


@tool(family="core", title="Search graph", tier=1, read_only=True)
def search_graph(memory: "Memory", args: SearchGraphInput, caller: Caller) -> SearchGraphOutput:
    """Search memories by meaning, words and links; returns ranked nodes with ids and relevance, not prose. Use it when
    you need particular memories, for instance to link, quote or forget them.
    """
    return search_output(memory, args, question_of(memory, args), caller)


def search_output(memory: "Memory", args: SearchGraphInput, question: "Question", caller: Caller) -> SearchGraphOutput:
    """The results of a question, with what the arguments ask for beside each."""
    from context_graph.recall.recall import recall

    answer = recall(memory, question, caller=caller)
    contents = shared([hit.node.content for hit in answer.hits]) if args.include_content else None
    results = [_result(hit, identified=i < NAMED, noted=i < NOTED) for i, hit in enumerate(answer.hits)]
    for result, piece in zip(results, contents or (), strict=False):
        result.content, result.next_offset = piece.text, piece.next_offset
    if args.include_snippets and contents is None:
        max_bytes = min(SNIPPET_BYTES, CONTENT_BYTES // max(1, len(results)))
        for result, hit in zip(results, answer.hits, strict=True):
            result.snippet = snippet(hit.node.content, max_bytes=max_bytes)
    return SearchGraphOutput(results=results, count=len(results), explain=_explained(answer) if args.explain else None)


def question_of(memory: "Memory", args: SearchGraphInput) -> "Question":
    """What the arguments ask."""
    from context_graph.recall.question import Question

    lock, filters = args.perspective_lock or PerspectiveLock(), args.filters or SearchFilters()
    if lock.domain and args.domain and lock.domain != args.domain:
        raise InvalidInput(
            f"domain {args.domain!r} and perspective_lock.domain {lock.domain!r} exclude each other; give one of them",
            field="domain",
        )
    return Question(
        args.query,
        top_k=args.top_k if {"top_k", "camel_top_k"} & args.model_fields_set else memory.settings.top_k,
        domain=lock.domain or args.domain,
        scope=args.scope,
        as_of=args.as_of,
        asked_at=args.asked_at,
        min_similarity=args.min_similarity,
        min_importance=filters.min_importance,
        johari_quadrants=filters.johari_quadrants or (),
        created_after=filters.created_after,
        modality=args.modality,
        agent_ids=lock.agent_ids or (),
        exclude_agent_ids=lock.exclude_agent_ids or (),
        project=args.project,
    )


def _result(hit: "Hit", *, identified: bool, noted: bool) -> SearchResult:
    from context_graph.citations import tag_of

    node = hit.node
    return SearchResult(
        fingerprintId=node.id,
        node_id=node.id,
        similarity=round(min(1.0, max(0.0, hit.relevance)), 4),
        purposeAlignment=round(min(1.0, max(0.0, hit.alignment)), 4),
        dominantEmbedder=hit.dominant,
        thetaToNorthStar=round(min(1.0, max(0.0, hit.theta)), 4),
        name=node.name if identified else None,
        citation_tag=tag_of(node.id) if identified else None,
        occurred_at=to_iso(node.occurred_at) if identified else None,
        speaker=node.speaker if identified else None,
        source=address_of(node) if identified else None,
        project=_project(node) if identified else None,
        replaced_by=hit.replaced_by if hit.until is not None else None,
        conflicts_with=[one.other for one in hit.disputes] or None,
        annotations=_annotations(node) if noted else None,
    )


def _project(node: Node) -> str | None:
    project = node.metadata.get("project")
    return project if isinstance(project, str) else None


def _annotations(node: Node) -> list[str] | None:
    from context_graph.reading.annotations import annotations_of

    latest = annotations_of(node)[-MAX_NOTES:]
    return [f"{note.type}: {note.text[:NOTE_SHOWN]}{'…' * (len(note.text) > NOTE_SHOWN)}" for note in latest] or None


def _explained(answer: "Answer") -> dict[str, Any]:
    parts = {hit.node.id: hit.parts for hit in answer.hits[:EXPLAINED]}
    told = {"stages": answer.stages, "layers_ms": answer.layers_ms, "entropy": answer.entropy, "parts": parts}
    if past := _replaced(answer):
        told["replaced"] = past
    return told | ({"hit": answer.reflex} if answer.reflex else {})


def _replaced(answer: "Answer") -> dict[str, Any]:
    """By the id of what a later result takes the place of: why, and how likely that is."""
    from context_graph.reading.supersession import reason

    nodes = {hit.node.id: hit.node for hit in answer.hits}
    return {
        hit.node.id: {
            "by": hit.replaced_by,
            "confidence": round(hit.replaced_likely, 4),
            "told_as": "past" if hit.until is not None else "earlier",
            "because": reason(hit.node.content, nodes[hit.replaced_by].content),
        }
        for hit in answer.hits
        if hit.replaced_by in nodes
    }
