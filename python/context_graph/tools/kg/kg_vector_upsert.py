"""kg_vector_upsert: a vector of the client, created or replaced."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import ConfigDict, Field

from context_graph.models import Caller
from context_graph.tools.base import Maybe, WireModel
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.nodes import NodeType
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_vector_upsert"]


class VectorMetadata(WireModel):
    model_config = ConfigDict(extra="allow")

    title: Maybe[str] = None
    """Title."""

    content: Maybe[str] = None
    """What the vector stands for."""

    type: Maybe[NodeType] = None
    """Node type."""

    path: Maybe[str] = None
    """Path."""

    tags: Maybe[list[str]] = None
    """Tags."""

    sourceId: Maybe[str] = None
    """Where it comes from."""


class KgVectorUpsertInput(KgInput):
    problem_texts: ClassVar = {
        "id:missing": "ID must be a string",
        "id:string_type": "ID must be a string",
        "id:string_too_short": "ID cannot be empty",
        "vector:too_short": "Vector dimension mismatch",
        "vector:too_long": "Vector dimension mismatch",
        "vector:float_type": "Invalid vector element",
        "vector:finite_number": "Invalid vector element",
    }

    id: str = Field(min_length=1)
    """Id."""

    vector: list[float] = Field(min_length=1536, max_length=1536)
    """1536 finite numbers."""

    metadata: Maybe[VectorMetadata] = None
    """What the vector stands for; keyword search reads title, content, path and tags."""

    namespace: str = "default"
    """Namespace."""


class UpsertData(KgModel):
    id: str
    operation: Literal["created", "updated"]
    dimensions: int
    has_metadata: bool
    namespace: str


class UpsertMetadata(KgMetadata):
    total_vectors: int
    was_update: bool


class KgVectorUpsertOutput(KgOutput):
    data: UpsertData
    metadata: UpsertMetadata


@tool(family="kg", title="Kg vector upsert", tier=2, read_only=False, idempotent=True)
def kg_vector_upsert(memory: "Memory", args: KgVectorUpsertInput, caller: Caller) -> KgVectorUpsertOutput:
    """Keep a vector that you made, 1,536 numbers, with what it stands for; the same id and namespace replace it.
    kg_vector_search finds it.
    """
    from context_graph.knowledge.vectors import upsert

    metadata = {} if args.metadata is None else args.metadata.model_dump(exclude_none=True)
    was_update, total = upsert(memory, args.id, args.vector, metadata, args.namespace)
    return KgVectorUpsertOutput(
        success=True,
        data=UpsertData(
            id=args.id, operation="updated" if was_update else "created", dimensions=len(args.vector),
            has_metadata=bool(metadata), namespace=args.namespace,
        ),
        metadata=UpsertMetadata(total_vectors=total, was_update=was_update),
    )  # fmt: skip
