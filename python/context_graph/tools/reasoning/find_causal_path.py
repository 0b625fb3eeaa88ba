"""find_causal_path: how one concept leads to another, told as one sentence."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr

from context_graph.citations import tag_of
from context_graph.models import Caller, NodeKind
from context_graph.safety.quoting import inline
from context_graph.tools.base import ToolInput, ToolOutput
from context_graph.tools.reasoning.steps import MAX_STATED, PathStep, called, sentence, views
from context_graph.tools.registry import tool
from context_graph.tools.retrying import RetriedContext, retried_context

if TYPE_CHECKING:
    from context_graph.inference.concepts import Reading
    from context_graph.inference.paths import PathSearch
    from context_graph.memory import Memory

__all__ = ["FindCausalPathInput", "FindCausalPathOutput", "find_causal_path"]

KINDS = {"causal": "causal edges", "semantic": "edges of likeness and mention", "any": "edges of any kind"}


class FindCausalPathInput(ToolInput):
    start_concept: str
    """Name (fuzzy) or id to start from."""

    end_concept: str
    """Name (fuzzy) or id to reach."""

    max_hops: int = Field(4, ge=1, le=6)
    """Most edges to follow."""

    path_type: Literal["causal", "semantic", "any"] = "any"
    """Edges to follow: causal from cause to effect, the others both ways."""

    include_alternatives: bool = False
    """Also return other paths."""


class FindCausalPathOutput(ToolOutput):
    path_found: bool
    narrative: str
    """The path in one sentence, with the tags of the memories that state it."""

    path: list[PathStep]
    hop_count: int
    path_confidence: float
    """Product of the edge weights."""

    alternative_paths: list[list[PathStep]] | None = None
    """Other valid paths (include_alternatives): the strongest without each step of the first."""

    retried_context: RetriedContext | None = None
    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="reasoning", title="Find causal path", tier=2, read_only=True)
def find_causal_path(memory: "Memory", args: FindCausalPathInput, caller: Caller) -> FindCausalPathOutput:
    """Find how one concept leads to another over what memories state: the strongest path as one sentence with its
    sources, or that there is none. Names may be rough; ids and tags serve too.
    """
    from context_graph.inference.paths import find

    answer = find(
        memory, args.start_concept, args.end_concept, caller,
        hops=args.max_hops, kind=args.path_type, alternatives=args.include_alternatives,
    )  # fmt: skip
    path, evidence = answer.path, answer.evidence
    if path is None:
        output = FindCausalPathOutput(
            path_found=False, narrative=_none(answer, args), path=[], hop_count=0, path_confidence=0.0
        )
    else:
        output = FindCausalPathOutput(
            path_found=True,
            narrative=sentence(evidence, path),
            path=views(evidence, path),
            hop_count=len(path.steps),
            path_confidence=round(path.confidence, 4),
        )
    if args.include_alternatives:
        output.alternative_paths = [views(evidence, other) for other in answer.alternatives]
    output.retried_context = retried_context(memory, caller)
    output._notes = _told(answer, args)
    return output


def _none(answer: "PathSearch", args: FindCausalPathInput) -> str:
    if names := _in_the_same(answer, args):
        return names
    start, end = called(answer.start[0].node), called(answer.end[0].node)
    way = "leads from" if args.path_type == "causal" else "joins"
    joint = "to" if args.path_type == "causal" else "and"
    edges = KINDS[args.path_type]
    sentence = f"No path of at most {args.max_hops} {edges} {way} {start} {joint} {end}"
    if not answer.complete:
        sentence += ", as far as was looked: there were more edges than one search reads"
    return f"{sentence}; {answer.elsewhere}." if answer.elsewhere else f"{sentence}."


def _in_the_same(answer: "PathSearch", args: FindCausalPathInput) -> str:
    """That both names are found in the same memories and are no concepts; empty where that is not so."""
    first, second = ([one.node for one in readings] for readings in (answer.start, answer.end))
    same = {node.id for node in first} == {node.id for node in second}
    if not same or any(node.kind != NodeKind.MEMORY for node in first):
        return ""
    names = " and ".join(f"“{inline(name.strip()[:80])}”" for name in (args.start_concept, args.end_concept))
    memories = ", ".join(f"{called(node)} {tag_of(node.id)}" for node in first[:MAX_STATED])
    where = "one memory" if len(first) == 1 else f"the same {len(first)} memories"
    return (
        f"{names} are no concepts: both are found only in {where}, {memories}, and no path between them is stated "
        "there."
    )


def _told(answer: "PathSearch", args: FindCausalPathInput) -> list[str]:
    notes = []
    path = answer.path
    for asked, readings, end, way in (
        (args.start_concept, answer.start, path.start if path else None, "starts from"),
        (args.end_concept, answer.end, path.end if path else None, "leads to"),
    ):
        if read := _read_as(asked, readings):
            notes.append(read)
        elif end is not None and _is_passed_over(answer, readings, end):
            notes.append(
                f"No such path {way} {called(readings[0].node)} itself; this one {way} "
                f"{called(answer.evidence.face(end))}."
            )
    if answer.path is not None and any(step.link.edge.origin == "dream" for step in answer.path.steps):
        notes.append("One step was proposed by a dream; no memory states it.")
    return notes


def _is_passed_over(answer: "PathSearch", readings: "tuple[Reading, ...]", end: str) -> bool:
    """Whether a path ends at another concept than the one whose name was given."""
    exact = [one.node for one in readings if one.score == 1.0 and one.node.kind == NodeKind.CONCEPT]
    return bool(exact) and end not in {answer.evidence.thing(node.id) for node in exact}


def _read_as(name: str, readings: "tuple[Reading, ...]") -> str:
    """What a phrase was taken for, where that is not just its name."""
    if readings[0].score == 1.0:
        return ""
    names = ", ".join(called(one.node) for one in readings[:3])
    return f"{name.strip()[:80]!r} is no name that is stored; it was read as {names}."
