"""Documents as the kg_ tools show them, and answers that come from the cache."""

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar
from unicodedata import normalize

from pydantic import TypeAdapter, WithJsonSchema

from context_graph.models import to_iso
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting, shared
from context_graph.tools.kg.envelope import KgMetadata, KgModel, wire_of

if TYPE_CHECKING:
    from context_graph.knowledge.graph import DocumentGraph, Edge
    from context_graph.memory import Memory

__all__ = [
    "LinkView", "ListMetadata", "NodeStatus", "NodeType", "NodeView", "NullableStatus", "NullableType", "TagCount",
    "cached", "chosen", "contents", "is_within", "links_in", "links_out", "next_links", "next_offset", "node_view",
    "room_for", "tag_key", "told_of",
]  # fmt: skip

NodeType = Literal["concept", "technical", "feature", "primitive", "service", "guide", "standard", "integration"]
NodeStatus = Literal["draft", "active", "deprecated", "archived"]

_TYPES = ["concept", "technical", "feature", "primitive", "service", "guide", "standard", "integration", None]
NullableType = Annotated[NodeType | None, WithJsonSchema({"type": ["string", "null"], "enum": _TYPES})]
_STATUSES = ["draft", "active", "deprecated", "archived", None]
NullableStatus = Annotated[NodeStatus | None, WithJsonSchema({"type": ["string", "null"], "enum": _STATUSES})]

MAX_LINKS_SHOWN = 50
"""Of a document, in either direction."""

View = TypeVar("View", bound=KgModel)
Data = TypeVar("Data")


class LinkView(KgModel):
    source: str
    """Id of the document that it stands in."""

    target: str
    """Id of the document that it leads to."""

    type: str
    """wiki, markdown or embed."""

    text: str
    heading: str | None = None
    line: int | None = None
    path: str | None = None
    """Of the document at the other end."""


class NodeView(KgModel):
    id: str
    path: str
    title: str
    type: NodeType
    status: NodeStatus
    tags: list[str]


class TagCount(KgModel):
    tag: str
    count: int


class ListMetadata(KgMetadata):
    total_available: int
    """How many there are."""

    next_offset: int | None = None
    """Where the list goes on, where it was cut."""


def node_view(model: type[View], graph: "DocumentGraph", place: int, **more: Any) -> View:
    """A document as one of the views, which takes what it has fields for."""
    node = graph.nodes[place]
    document = node.document
    values = {
        "id": node.id,
        "path": document.path,
        "title": document.title,
        "type": document.type,
        "status": document.status,
        "tags": list(document.tags),
        "word_count": document.words,
        "last_modified": to_iso(node.modified),
        "description": document.description,
    }
    return model(**{name: value for name, value in values.items() if name in model.model_fields}, **more)


def links_out(graph: "DocumentGraph", place: int, offset: int = 0) -> list[LinkView]:
    """What a document links to, so many from an offset on as one answer shows."""
    edges = graph.outgoing[place][offset : offset + MAX_LINKS_SHOWN]
    return [_link(graph, edge, edge.target) for edge in edges]


def links_in(graph: "DocumentGraph", place: int, offset: int = 0) -> list[LinkView]:
    """What links to a document, so many from an offset on as one answer shows."""
    edges = graph.incoming[place][offset : offset + MAX_LINKS_SHOWN]
    return [_link(graph, edge, edge.source) for edge in edges]


def next_links(graph: "DocumentGraph", place: int, offset: int) -> int | None:
    """Where the links of a document go on after those from an offset; None where no direction has more."""
    end = offset + MAX_LINKS_SHOWN
    return end if end < max(len(graph.outgoing[place]), len(graph.incoming[place])) else None


def _link(graph: "DocumentGraph", edge: "Edge", other: int) -> LinkView:
    return LinkView(
        source=graph.nodes[edge.source].id,
        target=graph.nodes[edge.target].id,
        type=edge.link.type,
        text=edge.link.text,
        heading=edge.link.heading or None,
        line=edge.link.line,
        path=graph.nodes[other].document.path,
    )


def chosen(
    memory: "Memory",
    graph: "DocumentGraph",
    query: str | None,
    *,
    type: str | None = None,
    status: str | None = None,
    tag: str | None = None,
) -> list[int]:
    """The places of the documents that match, the best first; by path without a query."""
    from context_graph.knowledge.project import documents, project_name

    if query is not None and query.strip():
        index = documents(memory).words(project_name(memory))
        places: Iterable[int] = [match.place for match in index.matches(query)]
    else:
        places = range(len(graph.nodes))
    wanted = None if tag is None else tag_key(tag)
    return [place for place in places if _fits(graph, place, type, status, wanted)]


def _fits(graph: "DocumentGraph", place: int, type: str | None, status: str | None, tag: str | None) -> bool:
    document = graph.nodes[place].document
    return (
        type in (None, document.type)
        and status in (None, document.status)
        and (tag is None or any(is_within(one, tag) for one in document.tags))
    )


def tag_key(tag: str) -> str:
    """A tag as it is compared: without #, case or the form of its accents."""
    return normalize("NFC", tag).strip().lstrip("#").rstrip("/").casefold()


def is_within(tag: str, key: str) -> bool:
    """Whether a tag of a document is the one of a key, or a part of it: "project/alpha" of "project"."""
    own = tag_key(tag)
    return own == key or own.startswith(f"{key}/")


def contents(graph: "DocumentGraph", places: list[int]) -> list[str]:
    """The texts of documents, cut to what fits into one answer."""
    return [piece.text for piece in shared([graph.nodes[place].document.text for place in places])]


def room_for(views: list[View]) -> list[View]:
    """As many of them as fit into one answer."""
    return fitting(views, ANSWER_BYTES)


def next_offset(offset: int, shown: int, total: int) -> int | None:
    """Where a list goes on after what an answer shows of it; None at its end."""
    end = offset + max(shown, 1)  # what is too long for any answer is passed, or one would ask for it for ever
    return end if end < total else None


def told_of(what: str, shown: int, total: int, goes_on: int | None) -> list[str]:
    """The note of a list that was cut; none where it ends here."""
    return [] if goes_on is None else [f"{shown} of {total} {what}: call again with offset={goes_on} for the next."]


def cached(
    memory: "Memory", graph: "DocumentGraph", key: Any, model: type[Data], make: Callable[[], Data]
) -> tuple[bool, Data]:
    """An answer about the documents from the cache, or made and kept; whether it was there."""
    from context_graph.knowledge.project import documents, project_name

    adapter = TypeAdapter(model)
    name = json.dumps([project_name(memory), model.__name__, wire_of(key)], sort_keys=True)
    hit, values = documents(memory).cache.answer(name, graph.hash, lambda: wire_of(make()))
    return hit, adapter.validate_python(values)
