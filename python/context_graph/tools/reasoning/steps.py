"""A path of the graph as an answer shows it, and as a sentence."""

from typing import TYPE_CHECKING, Literal, Self

from context_graph.citations import tag_of
from context_graph.models import EdgeType, Node
from context_graph.safety.quoting import inline
from context_graph.tools.base import Id, WireModel

if TYPE_CHECKING:
    from context_graph.inference.evidence import Evidence
    from context_graph.inference.paths import Path

__all__ = ["MAX_STATED", "CausalPath", "PathStep", "called", "sentence", "views"]

MAX_STATED = 3
"""Memories named as the source of one step."""

Kind = Literal["causal", "semantic", "temporal", "hierarchical"]
ON_THE_WIRE: dict[EdgeType, Kind] = {
    EdgeType.CAUSAL: "causal",
    EdgeType.SEMANTIC: "semantic",
    EdgeType.HIERARCHICAL: "hierarchical",
}


class PathStep(WireModel):
    """A node of a path, and the edge that leads to it; the first has none."""

    node_id: Id
    node_name: str
    edge_type: Kind | None = None
    """Absent for a relational edge, of a mention or a link; `relation` says which."""

    edge_weight: float | None = None
    """Effective weight, at most 1."""

    relation: str | None = None
    """What the node before says of this one: leads to, is a kind of, is mentioned in ..."""

    stated_in: list[Id] | None = None
    """Memories that state it."""


class CausalPath(WireModel):
    """A cause-effect chain."""

    path: list[PathStep]
    narrative: str
    """In one sentence, with the tags of the memories that state it."""

    hop_count: int
    path_confidence: float
    """Product of the edge weights."""

    @classmethod
    def of(cls, evidence: "Evidence", path: "Path") -> Self:
        return cls(
            path=views(evidence, path),
            narrative=sentence(evidence, path),
            hop_count=len(path.steps),
            path_confidence=round(path.confidence, 4),
        )


def called(node: Node) -> str:
    """The name of a node in a sentence of ours."""
    return f"“{inline(node.name).rstrip('.')}”"


def views(evidence: "Evidence", path: "Path") -> list[PathStep]:
    """The nodes of a path from its start."""
    start = evidence.face(path.start)
    steps = [PathStep(node_id=start.id, node_name=inline(start.name))]
    for step in path.steps:
        node = evidence.face(step.thing)
        steps.append(
            PathStep(
                node_id=node.id,
                node_name=inline(node.name),
                edge_type=ON_THE_WIRE.get(step.link.edge.edge_type),
                edge_weight=round(step.link.weight, 4),
                relation=step.words,
                stated_in=list(step.link.stated_in[:MAX_STATED]) or None,
            )
        )
    return steps


def sentence(evidence: "Evidence", path: "Path") -> str:
    """A path in one sentence, each step with the tag of a memory that states it."""
    text = called(evidence.face(path.start))
    if not path.steps:
        return f"Both are the same: {text}."
    for i, step in enumerate(path.steps):
        source = f" {tag_of(step.link.stated_in[0])}" if step.link.stated_in else ""
        text += f"{', which ' if i else ' '}{step.words} {called(evidence.face(step.thing))}{source}"
    return f"{text}."
