"""kg_vector_search: vectors of the client by cosine, mixed with keywords on request."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.errors import NotInitialized
from context_graph.models import Caller
from context_graph.presentation.answer_budget import ANSWER_BYTES
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput, NullableText
from context_graph.tools.kg.nodes import NodeType, NullableType, room_for
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_vector_search"]


class KgVectorSearchInput(KgInput):
    query: str = Field(min_length=1)
    """Search text, or the id of a vector."""

    k: int = Field(10, ge=1, le=100)
    """Results."""

    type: Maybe[NodeType] = None
    """Node type."""

    hybrid: bool = False
    """Mix in keyword matching."""

    min_score: float = Field(0, ge=0, le=1)
    """Lowest cosine; above 0, of keyword hits too."""

    include_vectors: bool = False
    """Return the vectors."""

    namespace: Maybe[str] = None
    """Namespace."""

    vector: Maybe[list[float]] = Field(None, min_length=1536, max_length=1536)
    """The query's own vector."""


class FoundMetadata(KgModel):
    title: str | None = None
    type: NodeType | None = None
    path: str | None = None
    tags: list[str] | None = None


class VectorResult(KgModel):
    id: str
    score: float
    """Cosine, which may be below 0 for a keyword match."""

    metadata: FoundMetadata
    namespace: str
    combined_score: float | None = None
    """Reciprocal rank fusion of both rankings."""

    keyword_score: float | None = None
    """BM25."""

    source: Literal["vector", "keyword", "merged"] | None = None
    vector: list[float] | None = None
    """As many of the best have theirs as fit into one answer."""


class VectorFilters(KgModel):
    type: NullableType
    min_score: float
    namespace: NullableText


class VectorSearchData(KgModel):
    results: list[VectorResult]
    count: int
    query: str
    search_mode: Literal["vector", "hybrid"]
    query_vector: str
    """Whose vector stood for the question: given, of an id, the mean of the best by words, or none."""

    filters: VectorFilters


class VectorSearchMetadata(KgMetadata):
    total_vectors: int
    index_type: str


class KgVectorSearchOutput(KgOutput):
    data: VectorSearchData
    metadata: VectorSearchMetadata


@tool(family="kg", title="Kg vector search", tier=2, read_only=True)
def kg_vector_search(memory: "Memory", args: KgVectorSearchInput, caller: Caller) -> KgVectorSearchOutput:
    """Search the vectors of kg_vector_upsert by cosine: by the query's vector, the id of one, or words, for which the
    best keyword matches stand. hybrid fuses both.
    """
    import base64

    import numpy as np

    from context_graph.knowledge.vectors import search_vectors

    results, total, whose = search_vectors(
        memory, args.query, vector=args.vector, type=args.type, namespace=args.namespace, hybrid=args.hybrid,
        least=args.min_score, limit=args.k,
    )  # fmt: skip
    if not total:
        raise NotInitialized("Vector store not initialized", hint="kg_vector_upsert keeps vectors")
    views = []
    for one in results:
        told = {name: one.vector.metadata.get(name) for name in ("title", "type", "path", "tags")}
        view = VectorResult(
            id=one.vector.id, score=round(one.cosine, 6), metadata=FoundMetadata(**told), namespace=one.vector.namespace
        )
        if args.hybrid:
            view.combined_score, view.keyword_score = round(one.combined, 8), round(one.keyword, 6)
            view.source = one.source  # type: ignore[assignment]  # one of three words
        views.append(view)
    views = room_for(views)
    if args.include_vectors and views:
        max_bytes = ANSWER_BYTES - sum(len(view.model_dump_json()) for view in views)
        for view, one in zip(views, results, strict=False):
            numbers = np.frombuffer(base64.b64decode(one.vector.vector), "<f4")
            vector = [float(f"{number:.7g}") for number in numbers]
            max_bytes -= len(str(vector))
            if max_bytes < 0:
                break
            view.vector = vector
    return KgVectorSearchOutput(
        success=True,
        data=VectorSearchData(
            results=views, count=len(views), query=args.query, search_mode="hybrid" if args.hybrid else "vector",
            query_vector=whose,
            filters=VectorFilters(type=args.type, min_score=args.min_score, namespace=args.namespace),
        ),
        metadata=VectorSearchMetadata(total_vectors=total, index_type="exact scan", cached=False),
    )  # fmt: skip
