"""What the page narrows its lists to: the conditions as they come in, the search that heeds them, what is offered."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import Field

from context_graph import arguments
from context_graph.models import Caller, from_iso
from context_graph.presentation.wire_model import WireModel
from context_graph.tools.core.search_graph import SearchGraphInput, SearchResult, question_of, search_output

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.recall.selection import Selection

__all__ = ["SELECTING", "STATES", "ChoicesView", "Search", "SearchResults", "offered", "search", "selection_of"]

RESULTS = 20
STATES = ("current", "past", "pinned")
"""The states of `recall.selection`, which is not imported before it is needed."""

SELECTING: Mapping[str, Mapping[str, Any]] = {
    "occurred_from": {"type": "string", "format": "date-time", "description": "It happened then or later."},
    "occurred_before": {"type": "string", "format": "date-time", "description": "It happened before."},
    "modality": {"type": "string", "description": "Its kind."},
    "project": {"type": "string", "description": "Its project, by its name, address or folder."},
    "speaker": {"type": "string", "description": "Who said it, by the whole name."},
    "state": {"type": "string", "enum": list(STATES), "description": "Whether it holds, is past, or is pinned."},
}
"""By name of a condition, its schema as a parameter of a query."""


class Search(WireModel):
    """A search of the page."""

    query: str = Field(min_length=1, max_length=16_384)
    occurred_from: str | None = None
    """It happened then or later."""

    occurred_before: str | None = None
    modality: str | None = None
    project: str | None = None
    speaker: str | None = None
    """By the whole name."""

    state: str | None = None
    """current, past or pinned."""


class SearchResults(WireModel):
    """What was found, the best first."""

    results: list[SearchResult]
    explain: dict[str, Any]
    """Stages, and the parts of each score."""


class ChoicesView(WireModel):
    """What the memories can be narrowed to, the most frequent first."""

    modalities: list[str]
    projects: list[str]
    speakers: list[str]


def selection_of(parameters: Mapping[str, Any]) -> "Selection | None":
    """The conditions among some parameters; None without any."""
    from context_graph.recall.selection import Selection

    conditions = {name: parameters[name] for name in SELECTING if parameters.get(name)}
    if "state" in conditions:
        arguments.one_of(conditions["state"], "state", STATES)
    for name in ("occurred_from", "occurred_before"):
        if name in conditions:
            conditions[name] = from_iso(conditions[name], field=name)
    return Selection(**conditions) if conditions else None


def search(memory: "Memory", caller: Caller, parameters: Mapping[str, Any]) -> SearchResults:
    """The best memories for a query, of those that a selection has."""
    args = SearchGraphInput.model_validate(
        {"query": parameters["query"], "top_k": RESULTS, "include_content": True, "explain": True}
    )
    question = replace(question_of(memory, args), selection=selection_of(parameters))
    output = search_output(memory, args, question, caller)
    return SearchResults(results=output.results, explain=output.explain or {})


def offered(memory: "Memory", caller: Caller, parameters: Mapping[str, Any]) -> ChoicesView:
    """What the memories of the timeline can be narrowed to."""
    from context_graph.recall.selection import choices

    corpus = memory.corpus
    with corpus.lock:
        each = choices(memory, corpus, corpus.columns.live & corpus.shared(memory.viewer(caller)))
    return ChoicesView(modalities=list(each.modalities), projects=list(each.projects), speakers=list(each.speakers))
