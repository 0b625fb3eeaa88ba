"""What agents do: fixed jobs over the documents, each a few steps that call functions of this package."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from context_graph.knowledge.document import Document
from context_graph.knowledge.graph import DocumentGraph
from context_graph.knowledge.project import documents, exists_in, graph_of, project_name, project_root
from context_graph.knowledge.search import snippet
from context_graph.runtime.runtime import Runtime

__all__ = ["JOBS", "Job", "StepResult", "completeness"]

MAX_FINDINGS = 20
MIN_WORDS = 50
"""Of a document that says enough to stand alone."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step came to: told in words, with findings and recommendations for the whole."""

    action: str
    outcome: str
    findings: tuple[Mapping[str, Any], ...] = ()
    recommendations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """What agents of one type can do.

    Attributes
    ----------
    work : callable
        Given the memory and the task, its steps one by one.
    """

    capabilities: tuple[str, ...]
    work: Callable[[Runtime, str], Iterator[StepResult]]


def completeness(document: Document, links: int, broken: int) -> float:
    """The share of six marks that a document has: description, tags, a heading, enough words, links, none broken."""
    marks = (
        bool(document.description), bool(document.tags), bool(document.headings), document.words >= MIN_WORDS,
        links > 0, not broken,
    )  # fmt: skip
    return sum(marks) / len(marks)


def research(memory: Runtime, task: str) -> Iterator[StepResult]:
    """Find the documents that a task is about, and what they are linked to."""
    graph = graph_of(memory)
    matches = documents(memory).words(project_name(memory)).matches(task)[:MAX_FINDINGS]
    findings = tuple(
        {
            "path": (document := graph.nodes[match.place].document).path,
            "title": document.title,
            "score": round(match.score, 4),
            "passage": snippet(document.text, task),
        }
        for match in matches
    )
    yield StepResult("search documents", f"{len(findings)} documents have words of the task", findings)
    near: dict[int, None] = {}
    for match in matches[:3]:
        near |= dict.fromkeys(graph.neighbourhood(match.place, 1, MAX_FINDINGS))
    found_places = {match.place for match in matches}
    paths = [graph.nodes[place].document.path for place in near if place not in found_places]
    advice = tuple(f"read {path}: it is linked with the best matches" for path in paths[:5])
    yield StepResult("follow links", f"{len(paths)} more documents are linked with the best", (), advice)


def analyse(memory: Runtime, task: str) -> Iterator[StepResult]:
    """Say what documents lack."""
    graph = graph_of(memory)
    root = project_root(memory)
    broken = graph.broken(lambda path: exists_in(root, path))
    findings = tuple(
        {"path": one.source, "line": one.line, "broken": one.target, "reason": one.reason} for one in broken
    )
    advice = tuple(f"mend {one.target} in {one.source}:{one.line}" for one in broken[:5])
    yield StepResult("check links", f"{len(broken)} links lead nowhere", findings[:MAX_FINDINGS], advice)
    lonely = [graph.nodes[place].document.path for place in graph.orphans]
    advice = tuple(f"link {path} with the rest" for path in lonely[:5])
    yield StepResult(
        "find orphans", f"{len(lonely)} documents stand alone", tuple({"path": p} for p in lonely[:10]), advice
    )
    poor = _poor(graph, {one.source for one in broken})
    outcome = f"{len(poor)} documents have half of the marks or fewer"
    yield StepResult("measure completeness", outcome, tuple(poor[:MAX_FINDINGS]))


def _poor(graph: DocumentGraph, broken: set[str]) -> list[dict[str, Any]]:
    rows = []
    for place, node in enumerate(graph.nodes):
        score = completeness(node.document, len(graph.outgoing[place]), node.document.path in broken)
        if score <= 0.5:
            rows.append({"path": node.document.path, "completeness": round(score, 4)})
    return sorted(rows, key=lambda row: (row["completeness"], row["path"]))


def outline(memory: Runtime, task: str) -> Iterator[StepResult]:
    """Say how the documents hang together."""
    graph = graph_of(memory)
    parts = graph.components
    sizes = ", ".join(str(len(part)) for part in parts[:10])
    yield StepResult("find components", f"{len(parts)} parts that no link joins, of {sizes} documents")
    order = sorted(range(len(graph.nodes)), key=lambda place: (-graph.page_rank[place], place))[:10]
    central = tuple(
        {"path": graph.nodes[place].document.path, "pageRank": round(float(graph.page_rank[place]), 6)}
        for place in order
    )
    yield StepResult("rank documents", f"{central[0]['path'] if central else 'none'} is the most central", central)
    apart = [graph.nodes[part[0]].document.path for part in parts[1:] if len(part) > 1]
    advice = tuple(f"join the part of {path} with the largest one" for path in apart[:5])
    yield StepResult("compare parts", f"{len(apart)} parts of several documents lie apart", (), advice)


def check(memory: Runtime, task: str) -> Iterator[StepResult]:
    """Check that links lead somewhere and that the log of the store is whole."""
    graph, root = graph_of(memory), project_root(memory)
    broken = graph.broken(lambda path: exists_in(root, path))
    findings = tuple({"path": one.source, "line": one.line, "reason": one.reason} for one in broken[:MAX_FINDINGS])
    yield StepResult("check links", f"{len(broken)} of all links lead nowhere", findings)
    verification = memory.store.verify()
    outcome = "the log and the tables agree" if verification.ok else f"the store is damaged: {verification.reason}"
    advice = () if verification.ok else ("run context-graph verify",)
    yield StepResult("verify the store", outcome, ({"events": verification.events, "ok": verification.ok},), advice)


JOBS: dict[str, Job] = {
    "researcher": Job(("find documents about a task", "follow their links"), research),
    "analyst": Job(("find broken links", "find orphans", "measure completeness"), analyse),
    "architect": Job(("find components", "rank documents", "compare parts"), outline),
    "tester": Job(("check links", "verify the store"), check),
}
"""By type; the other types of the contract write or review code, which nothing here can do."""
