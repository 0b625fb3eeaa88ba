"""What agents do: fixed jobs over the documents and the code of a project, each a few steps."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from context_graph.agents.research import research
from context_graph.agents.work import StepResult, Work, scope_in
from context_graph.children import ChildFailed, ChildStopped, ChildTimedOut, ask
from context_graph.errors import NotApplicable, Refused
from context_graph.knowledge.document import Broken, Document
from context_graph.knowledge.graph import DocumentGraph
from context_graph.knowledge.project import broken_links, documents, graph_of, project_name, project_root, trees
from context_graph.runtime.runtime import Runtime

__all__ = ["JOBS", "Job", "check_task", "marks"]

MAX_DOCUMENT_FINDINGS = 20
MIN_WORDS = 50
"""Of a document that says enough to stand alone."""

MAX_ANALYSER_BYTES = 2 << 30
"""Of address space of the process that reads code."""


@dataclass(frozen=True, slots=True)
class Job:
    """What agents of one type can do.

    Attributes
    ----------
    work : callable
        Given the task and its limits, its steps one by one.
    needs_graph : bool
        Whether nothing can be done before the graph of the documents is made.
    """

    capabilities: tuple[str, ...]
    work: Callable[[Work], Iterator[StepResult]]
    needs_graph: bool = False


def check_task(memory: Runtime, type: str, task: str) -> None:
    """Raise what is wrong with a task before anything is begun."""
    if JOBS[type].needs_graph:
        graph_of(memory)
        return
    scope_in(project_root(memory), task)
    if type == "coder" and not (changes := _changes(task)):
        raise NotApplicable(
            "the task names no change that is made by rule, and no language model is here to write code",
            hint=f"name one of: {', '.join(changes or _CHANGES)}; the result is a patch, which nobody applies",
        )


_CHANGES = ("unused imports", "__all__", "bare excepts")


def _changes(task: str) -> list[str]:
    from context_graph.agents.code.patches import wanted_changes

    return wanted_changes(task)


def marks(document: Document, links: int, broken: int) -> dict[str, bool]:
    """Which of six marks a document has: description, tags, a heading, enough words, links, none broken."""
    return {
        "a description": bool(document.description),
        "tags": bool(document.tags),
        "a heading": bool(document.headings),
        f"{MIN_WORDS} words": document.words >= MIN_WORDS,
        "a link to another document": links > 0,
        "no broken link": not broken,
    }


# Documents


def _graph(memory: Runtime) -> DocumentGraph | None:
    """The graph of the documents, where one was made."""
    graph = documents(memory).graph(project_name(memory))
    return graph if graph.nodes or trees(memory) else None


def _scope(work: Work) -> str:
    return scope_in(project_root(work.memory), work.task)


def _broken(graph: DocumentGraph, work: Work) -> list[Broken]:
    """The broken links of the documents that a task is about."""
    from context_graph.agents.code.sources import is_within

    scope = _scope(work)
    return [one for one in broken_links(project_root(work.memory), graph) if is_within(one.source, scope)]


def _places(graph: DocumentGraph, work: Work) -> list[int]:
    """The places of the documents that a task is about: those of the path that it names, or all."""
    from context_graph.agents.code.sources import is_within

    scope = _scope(work)
    return [place for place, node in enumerate(graph.nodes) if is_within(node.document.path, scope)]


def analyse(work: Work) -> Iterator[StepResult]:
    """Say what documents lack, and what is wrong with the code."""
    if (graph := _graph(work.memory)) is not None and (not _scope(work) or _places(graph, work)):
        places = _places(graph, work)
        broken = _broken(graph, work)
        findings = tuple(
            {
                "path": one.source, "line": one.line, "kind": "broken link", "broken": one.target,
                "reason": one.reason,
            }
            for one in broken
        )  # fmt: skip
        advice = tuple(f"mend {one.target} in {one.source}:{one.line}" for one in broken[:5])
        outcome = f"{len(broken)} links lead nowhere"
        yield StepResult("check links", outcome, findings[:MAX_DOCUMENT_FINDINGS], advice)
        lonely = [graph.nodes[place].document.path for place in sorted({*graph.orphans} & {*places})]
        advice = tuple(f"link {path} with the rest" for path in lonely[:5])
        reason = "no document links to it, and it links to none"
        rows = tuple({"path": path, "line": 1, "kind": "orphan", "reason": reason} for path in lonely[:10])
        yield StepResult("find orphans", f"{len(lonely)} documents stand alone", rows, advice)
        poor = _poor(graph, places, {one.source for one in broken})
        outcome = f"{len(poor)} documents have half of the marks or fewer"
        yield StepResult("measure marks", outcome, tuple(poor[:MAX_DOCUMENT_FINDINGS]))
    yield from _code("analyst", work)


def _poor(graph: DocumentGraph, places: Sequence[int], broken: set[str]) -> list[dict[str, Any]]:
    rows = []
    for place in places:
        node = graph.nodes[place]
        given = marks(node.document, len(graph.outgoing[place]), node.document.path in broken)
        share = sum(given.values()) / len(given)
        if share <= 0.5:
            missing = ", ".join(name for name, is_there in given.items() if not is_there)
            reason = f"{sum(given.values())} of {len(given)} marks; it lacks {missing}"
            rows.append(
                {
                    "path": node.document.path, "line": 1, "kind": "few marks", "marks": round(share, 4),
                    "reason": reason,
                }
            )  # fmt: skip
    return sorted(rows, key=lambda row: (row["marks"], row["path"]))


def outline(work: Work) -> Iterator[StepResult]:
    """Say how all documents hang together, unless the task names a path, and how the code does."""
    if (graph := _graph(work.memory)) is not None and not _scope(work):
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
    yield from _code("architect", work)


def check(work: Work) -> Iterator[StepResult]:
    """Check links, the log of the store, and what tests leave out."""
    memory = work.memory
    if (graph := _graph(memory)) is not None and (not _scope(work) or _places(graph, work)):
        broken = _broken(graph, work)
        rows = tuple({"path": one.source, "line": one.line, "reason": one.reason} for one in broken)
        yield StepResult("check links", f"{len(broken)} of all links lead nowhere", rows[:MAX_DOCUMENT_FINDINGS])
    verification = memory.store.verify()
    outcome = "the log and the tables agree" if verification.ok else f"the store is damaged: {verification.reason}"
    advice = () if verification.ok else ("run context-graph verify",)
    yield StepResult("verify the store", outcome, ({"events": verification.events, "ok": verification.ok},), advice)
    yield from _code("tester", work)


def write(work: Work) -> Iterator[StepResult]:
    """Make the changes that the task names, as a patch."""
    yield from _code("coder", work)


# Code


def _code(type: str, work: Work) -> Iterator[StepResult]:
    """The steps of an analyser over the Python files that the task names, by a process of its own."""
    root = project_root(work.memory)
    scope = scope_in(root, work.task)
    left = work.left_s
    question = {
        "type": type, "root": root.as_posix(), "scope": scope, "task": work.task, "bytes": MAX_ANALYSER_BYTES,
        "cpu_s": math.ceil(left) + 1,
    }  # fmt: skip
    try:
        answer = ask("context_graph.agents.code.child", question, timeout_s=left, stopped=work.over)
    except ChildTimedOut:
        raise work.late() from None
    except ChildStopped:
        raise Refused("it was stopped while it read the code") from None
    except ChildFailed as error:
        raise Refused(f"the process that reads the code failed: {error}") from None
    work.process.update(answer["process"])
    if "error" in answer:
        raise Refused(f"the code of {scope or 'the project'} was not read: {answer['error']}")
    if not answer["files"] and not any(step["findings"] for step in answer["steps"]):
        yield StepResult("read code", f"no Python file lies in {scope or 'the project'}, or git ignores it")
        return
    for step in answer["steps"]:
        yield StepResult(
            step["action"], step["outcome"], tuple(step["findings"]), tuple(step["recommendations"]),
            tuple(step["artifacts"]), step["ms"], step["found"],
        )  # fmt: skip


JOBS: Mapping[str, Job] = {
    "researcher": Job(
        ("search documents and memories", "follow their links and names", "report with sources"), research, True
    ),
    "analyst": Job(
        (
            "find broken links and orphans",
            "measure functions",
            "find mistakes in code by ast, and ruff and radon where installed",
        ),
        analyse,
    ),
    "architect": Job(("rank documents", "find circles and layers of imports", "draw them in Mermaid"), outline),
    "tester": Job(
        (
            "check links and the store",
            "find functions that no test names or no run reached",
            "write skeletons of tests",
        ),
        check,
    ),
    "coder": Job(tuple(f"propose a patch: {name}" for name in _CHANGES), write),
}
"""By type; the other types of the contract need somebody who understands what is written."""
