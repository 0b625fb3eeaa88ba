"""What is a kind of what: cones over the statements of a store, each answer with the statements it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from context_graph.inference.coordinates import aperture_of, laid_out
from context_graph.inference.evidence import Evidence, Link
from context_graph.models import Caller, EdgeType, Node, NodeKind

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Kinds", "Related", "concepts_of", "kinds"]

MAX_THINGS = 128
"""Things of one hierarchy that are laid out, the nearest to the one asked about."""


@dataclass(frozen=True, slots=True)
class Related:
    """Something above or below what was asked about.

    Attributes
    ----------
    chain : tuple of Link
        The statements between, from the narrower to the wider.
    held : bool
        Whether the cones say so too.
    """

    node: Node
    chain: tuple[Link, ...]
    held: bool

    @property
    def depth(self) -> int:
        return len(self.chain)

    @property
    def confidence(self) -> float:
        """The product of the confidences of the statements."""
        return float(np.prod([link.edge.confidence for link in self.chain]))


@dataclass(frozen=True, slots=True)
class Kinds:
    """What a thing is a kind of, and what is a kind of it, the nearest first.

    Attributes
    ----------
    agreement : float
        Of the other things of its hierarchy the share for which cones and statements agree, both ways; 1 for none.
    circular : tuple of Link
        Statements left out because they close a circle.
    complete : bool
        Whether the whole hierarchy was looked at.
    apex : float32, shape (64,)
        Its point in the Poincaré ball, where its cone begins.
    aperture : float
        Half the opening of its cone, in radians.
    """

    ancestors: tuple[Related, ...]
    descendants: tuple[Related, ...]
    agreement: float
    circular: tuple[Link, ...]
    complete: bool
    apex: np.ndarray
    aperture: float


def kinds(memory: "Runtime", node: Node, caller: Caller, *, depth: int) -> Kinds:
    """Ask the cones of all things of a node's hierarchy at once, and ground each answer in statements.

    What a cone holds without a chain of statements is no answer; what is stated is one, though a cone misses it.
    """
    evidence = Evidence(memory, caller)
    start = evidence.meet(node)
    links, complete = _around(evidence, start)
    links, circular = _acyclic(links)
    things = sorted({end for link in links for end in (link.source, link.target)} | {start})
    place = {thing: i for i, thing in enumerate(things)}
    wider = _wider(links)
    above = [_chains(wider, thing) for thing in things]
    order = tuple(tuple(sorted(place[other] for other in chains)) for chains in above)
    points, cones = laid_out(len(things), order)
    own = place[start]
    upper = [
        Related(evidence.face(thing), chain, bool(cones[own, place[thing]])) for thing, chain in above[own].items()
    ]
    lower = [
        Related(evidence.face(thing), above[place[thing]][start], bool(cones[place[thing], own]))
        for thing in things
        if start in above[place[thing]]
    ]
    stated = np.zeros((2, len(things)), bool)
    stated[0, list(order[own])] = True
    stated[1] = [own in above_it for above_it in order]
    stated[:, own] = True
    agreement = float((np.stack([cones[own], cones[:, own]]) == stated).mean()) if len(things) > 1 else 1.0
    return Kinds(
        _nearest(upper, depth), _nearest(lower, depth), agreement, tuple(circular), complete, points[own],
        aperture_of(points[own]),
    )  # fmt: skip


def concepts_of(memory: "Runtime", node: Node, caller: Caller) -> list[Node]:
    """The concepts of the statements of kind that a memory makes; none of a concept."""
    if node.kind == NodeKind.CONCEPT:
        return []
    evidence = Evidence(memory, caller)
    near = [edge.target for edge in memory.store.edges(node.id, types=[EdgeType.RELATIONAL]) if edge.source == node.id]
    links = evidence.links([evidence.thing(id) for id in near], [EdgeType.HIERARCHICAL]) if near else []
    ends = [end for link in links if node.id in link.stated_in for end in (link.source, link.target)]
    return [evidence.face(thing) for thing in dict.fromkeys(ends)]


def _around(evidence: Evidence, start: str) -> tuple[list[Link], bool]:
    """The statements of kind around a thing, breadth first, and whether they are all."""
    links: dict[str, Link] = {}
    things, frontier = {start}, [start]
    while frontier:
        following: dict[str, None] = {}
        for link in evidence.links(frontier, [EdgeType.HIERARCHICAL]):
            ends = {link.source, link.target}
            if len(things | ends) > MAX_THINGS:
                return list(links.values()), False
            links[link.edge.id] = link
            following |= dict.fromkeys(sorted(ends - things))
            things |= ends
        frontier = list(following)
    return list(links.values()), True


def _acyclic(links: Sequence[Link]) -> tuple[list[Link], list[Link]]:
    """The statements without those that close a circle, the surest and eldest kept; and those."""
    acyclic: list[Link] = []
    circular = []
    for link in sorted(links, key=lambda link: (-link.edge.confidence, link.edge.created_at, link.edge.id)):
        if link.source in _chains(_wider(acyclic), link.target):
            circular.append(link)
        else:
            acyclic.append(link)
    return acyclic, circular


def _wider(links: Sequence[Link]) -> dict[str, list[Link]]:
    """By thing, the statements of what it is a kind of."""
    statements: dict[str, list[Link]] = {}
    for link in links:
        statements.setdefault(link.source, []).append(link)
    return statements


def _chains(wider: Mapping[str, Sequence[Link]], thing: str) -> dict[str, tuple[Link, ...]]:
    """The shortest chain of statements to everything above a thing, of equal ones the surest."""
    chains: dict[str, tuple[Link, ...]] = {}
    frontier: dict[str, tuple[Link, ...]] = {thing: ()}
    while frontier:
        following: dict[str, tuple[Link, ...]] = {}
        for below, chain in frontier.items():
            for link in wider.get(below, ()):
                if link.target not in chains and link.target != thing:
                    longer = (*chain, link)
                    if link.target not in following or _sureness(longer) > _sureness(following[link.target]):
                        following[link.target] = longer
        chains |= following
        frontier = following
    return chains


def _sureness(chain: Sequence[Link]) -> float:
    return float(np.prod([link.edge.confidence for link in chain]))


def _nearest(related: Sequence[Related], depth: int) -> tuple[Related, ...]:
    near = [one for one in related if one.depth <= depth]
    return tuple(sorted(near, key=lambda one: (one.depth, -one.confidence, one.node.id)))
