"""The researcher: what documents and memories say of a task, and of what those name and link to, each with a source."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from context_graph.agents.work import StepResult, Work, artefact
from context_graph.citations import tag_of
from context_graph.embed.stems import stems
from context_graph.knowledge.graph import DocumentGraph
from context_graph.knowledge.project import documents, graph_of, project_name
from context_graph.reading.front_matter import front_matter
from context_graph.recall.question import Question
from context_graph.recall.recall import recall
from context_graph.regex import regex
from context_graph.safety.quoting import inline

__all__ = ["research"]

MAX_DOCUMENTS_READ = 10
MAX_MEMORIES_READ = 8
MAX_NAMES_FOLLOWED = 4
MAX_PASSAGE_CHARS = 300

_NAMED = regex(r"\[\[([^\[\]|#\n]{3,60})|`([^`\n]{3,40})`|\b([A-Z][\w-]+(?: [A-Z][\w-]+)+)\b")


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a source says, where, and how the search came there.

    Attributes
    ----------
    source : str
        Where it is read again: "docs/a.md:12", or the tag of a memory.
    """

    source: str
    text: str
    hop: int
    why: str
    title: str = ""
    score: float = 0.0


def research(work: Work) -> Iterator[StepResult]:
    """Search, follow what the best results name or link to, search again, and report."""
    graph = graph_of(work.memory)
    first = [*_in_documents(work, graph, work.task, 1, "has words of the task"), *_in_memories(work, work.task, 1, "")]
    memories = sum(one.source[0] == "[" for one in first)
    told = f"{len(first) - memories} documents and {memories} memories"
    yield StepResult("search", f"{told} speak of the task", tuple(map(_finding, first)))

    linked = _linked(graph, first)
    near = [one for path, why in linked.items() for one in _best(graph, path, work.task, 2, why)]
    yield StepResult(
        "follow links", f"{len(linked)} more documents are linked with the best", tuple(map(_finding, near))
    )

    sources = {one.source for one in (*first, *near)}
    second: list[_Statement] = []
    names = _names(work.task, first)
    for name, source in names.items():
        why = f"names “{name}”, as {source} does"
        for one in (*_in_documents(work, graph, name, 2, why)[:2], *_in_memories(work, name, 2, why)[:2]):
            if one.source not in sources:
                sources.add(one.source)
                second.append(one)
    followed = ", ".join(f"“{name}”" for name in names) or "nothing"
    yield StepResult(
        "search again", f"{len(second)} more, by what the first ones name: {followed}", tuple(map(_finding, second))
    )

    statements = [*first, *near, *second]
    advice = tuple(f"read {one.source}: it {one.why}" for one in (*near, *second)[:5])
    yield StepResult(
        "write the report", f"{len(statements)} statements, each with its source", (), advice,
        (artefact("report", "research.md", "text/markdown", _report(work.task, statements)),),
    )  # fmt: skip


def _in_documents(work: Work, graph: DocumentGraph, query: str, hop: int, why: str) -> list[_Statement]:
    """The best line of each document that has a word of a query other than "the" and the like."""
    query_stems = set(stems(query))
    statements = []
    for one in documents(work.memory).words(project_name(work.memory)).matches(query)[:MAX_DOCUMENTS_READ]:
        document = graph.nodes[one.place].document
        if query_stems & set(stems(f"{document.title} {document.path} {document.text}")):
            statements += _best(graph, document.path, query, hop, why, one.score)
    return statements


def _best(graph: DocumentGraph, path: str, query: str, hop: int, why: str, score: float = 0.0) -> list[_Statement]:
    """The line of a document that has most words of a query; its first one where none has any, headings last."""
    document = graph.nodes[graph.by_path[path]].document
    query_stems = set(stems(query))
    before = document.text.count("\n", 0, front_matter(document.text)[1])
    lines = [(number, line.strip()) for number, line in enumerate(document.text.split("\n"), 1) if number > before]
    telling = [(number, line) for number, line in lines if re.match(r"(?:[-*>|] ?|\d+\. )?[^\W_]", line)]
    if not (telling := telling or [one for one in lines if one[1]]):
        return []
    number, text = max(telling, key=lambda one: (len(query_stems & set(stems(one[1]))), -one[0]))
    return [_Statement(f"{path}:{number}", _short(text), hop, why, document.title, score)]


def _in_memories(work: Work, query: str, hop: int, why: str) -> list[_Statement]:
    least = work.memory.settings.abstain_below
    question = Question(query[:1_000], MAX_MEMORIES_READ, min_similarity=least, record=False)
    return [
        _Statement(tag_of(hit.node.id), _short(hit.node.content), hop, why or "answers the task", "", hit.relevance)
        for hit in recall(work.memory, question).hits
    ]


def _linked(graph: DocumentGraph, statements: Sequence[_Statement]) -> dict[str, str]:
    """The documents that the best ones link to or are linked from, and why each is read."""
    paths = [one.source.rpartition(":")[0] for one in statements if one.source[0] != "["]
    linked: dict[str, str] = {}
    for path in paths[:3]:
        for place in graph.neighbourhood(graph.by_path[path], 1, MAX_DOCUMENTS_READ):
            other = graph.nodes[place].document.path
            if other not in paths:
                linked.setdefault(other, f"is linked with {path}")
    return dict(list(linked.items())[:MAX_DOCUMENTS_READ])


def _names(task: str, statements: Sequence[_Statement]) -> dict[str, str]:
    """What the statements name and the task does not, and who names it first."""
    known = set(stems(task))
    names: dict[str, str] = {}
    for one in statements:
        for match in _NAMED.finditer(one.text):
            name = next(filter(None, match.groups())).strip()
            if not set(stems(name)) <= known:
                names.setdefault(name, one.source)
    return dict(list(names.items())[:MAX_NAMES_FOLLOWED])


def _finding(one: _Statement) -> dict[str, object]:
    path, _, line = one.source.rpartition(":")
    where = {"memory": one.source} if one.source[0] == "[" else {"path": path, "line": int(line), "title": one.title}
    return where | {"passage": one.text, "hop": one.hop, "why": one.why, "score": round(one.score, 4)}


def _report(task: str, statements: Sequence[_Statement]) -> str:
    lines = [f"# {inline(task)[:200]}", "", "Found by search and links; no language model is behind it.", ""]
    lines += [f"- {inline(one.text)} ({one.source}; {inline(one.why)})" for one in statements]
    return "\n".join([*lines, "" if statements else "Nothing is known of it.", ""])


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_PASSAGE_CHARS else f"{text[: MAX_PASSAGE_CHARS - 1].rstrip()}…"
