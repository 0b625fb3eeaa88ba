"""The strongest path between two things, each step with what states it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from context_graph.inference.concepts import Reading, readings
from context_graph.inference.evidence import Evidence, Link
from context_graph.kernels import modulation
from context_graph.models import Caller, EdgeType, Node, NodeKind

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = [
    "MAX_HOPS",
    "Path",
    "PathKind",
    "PathSearch",
    "Step",
    "best_between",
    "between",
    "explored",
    "find",
    "strongest",
    "strongest_to_each",
    "without",
]  # fmt: skip

PathKind = Literal["causal", "semantic", "any"]
MAX_HOPS = 6
MAX_ALTERNATIVES = 3
MENTIONED = 0.5
"""How well what a memory names stands for the memory, where it states no cause."""

MAX_EXPANDED = 512
"""Things whose edges are read in one step of a search, the strongest reached first."""

KINDS: dict[PathKind, tuple[EdgeType, ...]] = {
    "causal": (EdgeType.CAUSAL,),
    "semantic": (EdgeType.SEMANTIC, EdgeType.RELATIONAL),
    "any": (EdgeType.CAUSAL, EdgeType.HIERARCHICAL, EdgeType.SEMANTIC, EdgeType.RELATIONAL),
}
"""Temporal edges are in none: that one memory was stored after another connects nothing."""

WORDS: dict[EdgeType, tuple[str, str]] = {
    EdgeType.CAUSAL: ("leads to", "is an effect of"),
    EdgeType.HIERARCHICAL: ("is a kind of", "has as a kind"),
    EdgeType.SEMANTIC: ("is like", "is like"),
    EdgeType.RELATIONAL: ("is linked to", "is linked to"),
}
"""How an edge reads along its direction, and against it."""

MENTIONING = ("mentions", "is mentioned in")
HEDGED = ("may lead to", "may be an effect of")
"""How a cause reads that a memory only holds to be possible."""


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a path, along its direction or against it, and the thing that it leads to."""

    thing: str
    link: Link
    forward: bool

    @property
    def words(self) -> str:
        """What the step says."""
        edge = self.link.edge
        pair = MENTIONING if edge.origin == "mentions" else WORDS[edge.edge_type]
        if edge.edge_type == EdgeType.CAUSAL and edge.origin == "hedged":
            pair = HEDGED
        return pair[0] if self.forward else pair[1]


@dataclass(frozen=True, slots=True)
class Path:
    """Where a path starts, and its steps; none where both ends are one thing."""

    start: str
    steps: tuple[Step, ...]

    @property
    def end(self) -> str:
        return self.steps[-1].thing if self.steps else self.start

    @property
    def confidence(self) -> float:
        """The product of the weights."""
        return math.prod(step.link.weight for step in self.steps)


@dataclass(frozen=True, slots=True)
class PathSearch:
    """The answer to a search.

    Attributes
    ----------
    path : Path, optional
        None where there is none among what was looked at.
    alternatives : tuple of Path
        What holds where a step of the path does not, the strongest first.
    complete : bool
        Whether all edges within reach were looked at.
    elsewhere : str
        Where there is no path: the nearest search that finds one, in words; empty where none does.
    evidence : Evidence
        Tells the node of each thing.
    """

    start: tuple[Reading, ...]
    end: tuple[Reading, ...]
    path: Path | None
    alternatives: tuple[Path, ...]
    complete: bool
    elsewhere: str
    evidence: Evidence


def find(
    memory: "Runtime",
    start: str,
    end: str,
    caller: Caller,
    *,
    hops: int = 4,
    kind: PathKind = "any",
    alternatives: bool = False,
) -> PathSearch:
    """The strongest path between what two phrases mean, over at most so many edges of a kind.

    Causal edges alone are followed from cause to effect; any others in both directions.
    """
    evidence = Evidence(memory, caller)
    starts = readings(memory, start, caller, field="start_concept")
    ends = readings(memory, end, caller, field="end_concept")
    path, links, complete = _best(evidence, starts, ends, hops, kind)
    others: tuple[Path, ...] = ()
    elsewhere = ""
    if path is None:
        elsewhere = _elsewhere(evidence, starts, ends, hops, kind)
    elif alternatives:
        others = without(links, path, hops, directed=kind == "causal")
    return PathSearch(tuple(starts), tuple(ends), path, others, complete, elsewhere, evidence)


def between(evidence: Evidence, start: Node, end: Node, *, hops: int, kind: PathKind) -> Path | None:
    """The strongest path between two nodes."""
    return best_between(evidence, [Reading(start, 1.0)], [Reading(end, 1.0)], hops, kind)


def best_between(
    evidence: Evidence, starts: Sequence[Reading], ends: Sequence[Reading], hops: int, kind: PathKind
) -> Path | None:
    """The strongest path between what two phrases may mean, by how well each reading fits."""
    return _best(evidence, starts, ends, hops, kind)[0]


def _best(
    evidence: Evidence, starts: Sequence[Reading], ends: Sequence[Reading], hops: int, kind: PathKind
) -> tuple[Path | None, list[Link], bool]:
    """The best path between two phrases, with what was looked at: from what is called so before what only may be meant.

    Returns
    -------
    Path or None, list of Link, bool
        Also whether nothing was left out for want of room.
    """
    begin, goal = _things(evidence, starts), _things(evidence, ends)
    both = {thing for thing in begin.keys() & goal.keys() if begin[thing] == goal[thing] == 1.0}
    if both:
        return Path(min(both), ()), [], True
    if kind == "causal":
        begin |= {
            thing: score for thing, score in _stated_by(evidence, starts, outward=True).items() if thing not in begin
        }
        goal |= {
            thing: score for thing, score in _stated_by(evidence, ends, outward=False).items() if thing not in goal
        }
    exact = [{thing: 1.0 for thing, score in ends_of.items() if score == 1.0} for ends_of in (begin, goal)]
    tries = [
        (one, other)
        for one, other in ((exact[0], exact[1]), (exact[0], goal), (begin, exact[1]), (begin, goal))
        if one and other
    ]
    complete = True
    links: list[Link] = []
    for number, (one, other) in enumerate(tries):
        if (one, other) in tries[:number]:
            continue
        path, links, whole = _strongest_between(evidence, one, other, hops, kind)
        complete &= whole
        if path is not None:
            return path, links, whole
    return None, links, complete


def _stated_by(evidence: Evidence, readings: Sequence[Reading], *, outward: bool) -> dict[str, float]:
    """The causes that memories among some readings state, or the effects; of one that states none, what it names."""
    stated: dict[str, float] = {}
    for one in readings:
        if one.node.kind != NodeKind.MEMORY:
            continue
        named = evidence.named_in(one.node)
        own = [link for link in evidence.links(named, KINDS["causal"]) if one.node.id in link.stated_in]
        causes, effects = {link.source for link in own}, {link.target for link in own}
        first, last = (causes, effects) if outward else (effects, causes)
        for thing in (first - last) or first or named:
            stated[thing] = max(one.score if own else one.score * MENTIONED, stated.get(thing, 0.0))
    return stated


def _strongest_between(
    evidence: Evidence, starts: Mapping[str, float], ends: Mapping[str, float], hops: int, kind: PathKind
) -> tuple[Path | None, list[Link], bool]:
    begin, goal = dict(starts), dict(ends)
    for thing in begin.keys() & goal.keys():  # it belongs to where it fits better
        del (goal if begin[thing] >= goal[thing] else begin)[thing]
    directed = kind == "causal"
    links, complete = explored(evidence, begin, goal, hops, KINDS[kind], directed=directed)
    return strongest(links, begin, goal, hops, directed=directed), links, complete


def _things(evidence: Evidence, readings: Sequence[Reading]) -> dict[str, float]:
    things: dict[str, float] = {}
    for one in readings:
        thing = evidence.meet(one.node)
        things[thing] = max(one.score, things.get(thing, 0.0))
    return things


def explored(
    evidence: Evidence,
    begin: Mapping[str, float],
    goal: Mapping[str, float],
    hops: int,
    kinds: Sequence[EdgeType],
    *,
    directed: bool,
) -> tuple[list[Link], bool]:
    """All edges that a path of so many hops may use: half of them from the start, half from the end.

    Returns
    -------
    list of Link, bool
        Also whether none was left out for want of room.
    """
    links: dict[str, Link] = {}
    complete = True
    for seeds, rounds, outward in ((begin, (hops + 1) // 2, True), (goal, hops // 2, False)):
        strength = dict(seeds)
        frontier = list(seeds)
        for _ in range(rounds):
            complete &= len(frontier) <= MAX_EXPANDED
            frontier = sorted(frontier, key=lambda thing: (-strength[thing], thing))[:MAX_EXPANDED]
            reached: dict[str, float] = {}
            for link in evidence.links(frontier, kinds):
                links[link.edge.id] = link
                for near, far in ((link.source, link.target), (link.target, link.source)):
                    if near in strength and far not in strength and (not directed or (near == link.source) == outward):
                        reached[far] = max(reached.get(far, 0.0), strength[near] * link.weight)
            strength |= reached
            frontier = list(reached)
            if not frontier:
                break
    return [links[id] for id in sorted(links)], complete


def strongest(
    links: Sequence[Link], begin: Mapping[str, float], goal: Mapping[str, float], hops: int, *, directed: bool
) -> Path | None:
    """The path of the largest product of weights, times how well its ends fit; None where there is none."""
    ways = strongest_to_each(links, begin, hops, directed=directed)
    ends = [thing for thing in goal if thing in ways]
    if not ends:
        return None
    return max((ways[thing] for thing in ends), key=lambda path: path.confidence * begin[path.start] * goal[path.end])


def strongest_to_each(
    links: Sequence[Link], begin: Mapping[str, float], hops: int, *, directed: bool, backwards: bool = False
) -> dict[str, Path]:
    """By thing, the strongest path from one of the beginnings to it; with `backwards` from it to one of them."""
    arcs: dict[tuple[str, str], tuple[Link, bool]] = {}
    for link in links:
        for pair, forward in (((link.source, link.target), True), ((link.target, link.source), False)):
            if (forward or not directed) and (pair not in arcs or link.weight > arcs[pair][0].weight):
                arcs[pair] = (link, forward)
    things = sorted({thing for pair in arcs for thing in pair})
    place = {thing: i for i, thing in enumerate(things)}
    seeds = [thing for thing in begin if thing in place]
    if not seeds:
        return {}
    followed = [pair[::-1] if backwards else pair for pair in arcs]
    weights = dict(zip(followed, (link.weight for link, _ in arcs.values()), strict=True))
    ordered = sorted(followed, key=lambda pair: (place[pair[0]], place[pair[1]]))
    graph = modulation.Graph(
        np.searchsorted([place[source] for source, _ in ordered], np.arange(len(things) + 1)),
        np.array([place[target] for _, target in ordered], np.int64),
        np.array([weights[pair] for pair in ordered], np.float32),
    )
    ways = graph.strongest_paths(
        np.array([place[thing] for thing in seeds], np.int64),
        strengths=np.array([begin[thing] for thing in seeds], np.float32),
        hops=hops,
        k=len(things),
    )
    paths = {}
    for row in ways.nodes.tolist():
        way = [things[node] for node in row if node >= 0]
        if len(way) > 1:
            reached = way[-1]
            way = way[::-1] if backwards else way
            paths[reached] = Path(way[0], tuple(Step(b, *arcs[a, b]) for a, b in pairwise(way)))
    return paths


def without(links: Sequence[Link], path: Path, hops: int, *, directed: bool) -> tuple[Path, ...]:
    """Other paths between the ends of one: the strongest that does without each of its steps."""
    others: dict[tuple[str, ...], Path] = {}
    before = path.start
    for step in path.steps:
        pair = {before, step.thing}
        rest = [link for link in links if {link.source, link.target} != pair]
        other = strongest(rest, {path.start: 1.0}, {path.end: 1.0}, hops, directed=directed)
        if other is not None:
            others.setdefault(tuple(one.thing for one in other.steps), other)
        before = step.thing
    return tuple(sorted(others.values(), key=lambda one: (-one.confidence, len(one.steps)))[:MAX_ALTERNATIVES])


def _elsewhere(
    evidence: Evidence, starts: Sequence[Reading], ends: Sequence[Reading], hops: int, kind: PathKind
) -> str:
    """Which other search finds a path, in words."""
    if kind == "causal" and _best(evidence, ends, starts, hops, kind)[0] is not None:
        return "the other way round there is one: call again with start_concept and end_concept exchanged"
    if hops < MAX_HOPS and (longer := _best(evidence, starts, ends, MAX_HOPS, kind)[0]) is not None:
        return f"there is a longer one: call again with max_hops {len(longer.steps)}"
    if kind != "any" and (other := _best(evidence, starts, ends, MAX_HOPS, "any")[0]) is not None:
        more = f" and max_hops {len(other.steps)}" if len(other.steps) > hops else ""
        return f'there is one over other edges: call again with path_type "any"{more}'
    return ""
