"""Exact inference in networks of causes, by pyAgrum where it is installed."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from typing import Any

from context_graph.errors import NotApplicable

__all__ = ["LEAK", "Cause", "acyclic", "best_explanation", "necessity", "posteriors", "require"]

LEAK = 0.01  # design 7
"""How likely a thing is where none of its known causes is there."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing brings about another by itself with this probability."""

    source: str
    target: str
    strength: float


def require() -> Any:
    """The library of exact inference; where it is not installed, how to get it."""
    if find_spec("pyagrum") is None:
        raise NotApplicable(
            "exact causal inference needs the package pyAgrum, which is not installed: "
            "pip install 'ultimate-context-graph[causal]', then start the server anew; until then find_causal_path "
            "tells which statements lead from a cause to an effect"
        )
    import pyagrum

    return pyagrum


def acyclic(causes: Sequence[Cause]) -> tuple[list[Cause], list[Cause]]:
    """The causes without circles, each cut at its weakest edge; and what was cut, in that order."""
    rest = sorted(causes, key=lambda one: (one.source, one.target))
    cut = []
    while circle := _circle(rest):
        weakest = min(circle, key=lambda one: (one.strength, one.source, one.target))
        cut.append(weakest)
        rest.remove(weakest)
    return rest, cut


def _circle(causes: Sequence[Cause]) -> list[Cause]:
    """Some circle; none where there is none."""
    leading: dict[str, list[Cause]] = {}
    for cause in causes:
        leading.setdefault(cause.source, []).append(cause)
    done: set[str] = set()
    for start in leading:
        way: list[Cause] = []
        open_ones = [(start, iter(leading[start]))] if start not in done else []
        on_way = {start}
        while open_ones:
            thing, following = open_ones[-1]
            if (edge := next(following, None)) is None:
                open_ones.pop()
                done.add(thing)
                on_way.discard(thing)
                if way:
                    way.pop()
            elif edge.target in on_way:
                way.append(edge)
                first = next(i for i, one in enumerate(way) if one.source == edge.target)
                return way[first:]
            elif edge.target not in done:
                way.append(edge)
                on_way.add(edge.target)
                open_ones.append((edge.target, iter(leading.get(edge.target, ()))))
    return []


def posteriors(
    causes: Sequence[Cause],
    targets: Collection[str],
    *,
    observed: Mapping[str, float] | None = None,
    forced: Mapping[str, bool] | None = None,
) -> dict[str, float]:
    """How likely things are, given what was seen and what was made so: noisy-or with a leak of `LEAK`, exactly.

    Parameters
    ----------
    causes : sequence of Cause
        Without circles.
    observed : mapping
        Evidence by thing: 1 it is, 0 it is not; in between how much likelier it makes that it is than that it is not,
        as a share of both.
    forced : mapping
        What is made so, whatever its causes: do().
    """
    gum = require()
    net = _net(gum, causes, [*targets, *(observed or ())], forced or {})
    engine = _engine(gum, net, {thing: [1 - seen, seen] for thing, seen in (observed or {}).items()}, targets)
    return {target: float(engine.posterior(target)[1]) for target in targets}


def _net(gum: Any, causes: Sequence[Cause], others: Collection[str], forced: Mapping[str, bool]) -> Any:
    """The network of some causes and of things that have none."""
    net = gum.BayesNet()
    things = sorted({end for cause in causes for end in (cause.source, cause.target)} | set(others))
    for thing in things:
        net.add(gum.LabelizedVariable(thing, "", 2))
    parents: dict[str, list[Cause]] = {thing: [] for thing in things}
    for cause in causes:
        if cause.target not in forced:
            net.addArc(cause.source, cause.target)
            parents[cause.target].append(cause)
    for thing in things:
        _fill(net, thing, parents[thing], forced.get(thing))
    return net


def _fill(net: Any, thing: str, parents: Sequence[Cause], fixed: bool | None) -> None:
    if fixed is not None:
        net.cpt(thing).fillWith([0.0, 1.0] if fixed else [1.0, 0.0])
        return
    for values in product((0, 1), repeat=len(parents)):
        absent = (1 - LEAK) * math.prod(
            1 - cause.strength for cause, value in zip(parents, values, strict=True) if value
        )
        state = {cause.source: value for cause, value in zip(parents, values, strict=True)}
        net.cpt(thing)[state or slice(None)] = [absent, 1 - absent]


def _engine(gum: Any, net: Any, evidence: Mapping[str, Sequence[float]], targets: Collection[str]) -> Any:
    engine = gum.LazyPropagation(net)
    for target in targets:
        engine.addTarget(target)
    for thing, likelihood in evidence.items():
        engine.addEvidence(thing, list(likelihood))
    engine.makeInference()
    return engine


def necessity(causes: Sequence[Cause], action: str, outcome: str) -> float:
    """How likely the outcome would not be had the action not been, where both are: Pearl's probability of necessity.

    A twin network: both worlds share whether each cause works and whether each thing comes of itself; in the second the
    action is taken away.
    """
    gum = require()
    things = sorted({end for cause in causes for end in (cause.source, cause.target)})
    changed, frontier = {action}, [action]
    while frontier:
        frontier = [one.target for one in causes if one.source in frontier and one.target not in changed]
        changed |= set(frontier)
    net = gum.BayesNet()

    def add(name: str, parents: Sequence[str], table: Mapping[tuple[int, ...], float]) -> None:
        net.add(gum.LabelizedVariable(name, "", 2))
        for parent in parents:
            net.addArc(parent, name)
        for values, likely in table.items():
            state = dict(zip(parents, values, strict=True))
            net.cpt(name)[state or slice(None)] = [1 - likely, likely]

    both = {values: float(all(values)) for values in product((0, 1), repeat=2)}
    for i, cause in enumerate(causes):
        add(f"works {i}", (), {(): cause.strength})
    for thing in things:
        add(f"leak {thing}", (), {(): LEAK})
    order = _in_order(things, causes)
    for world in ("", "had not "):
        for thing in order:
            name = f"{world}{thing}"
            if world and thing not in changed:
                continue
            if world and thing == action:
                add(name, (), {(): 0.0})
                continue
            inputs = [f"leak {thing}"]
            for i, cause in enumerate(causes):
                if cause.target == thing:
                    source = f"{world}{cause.source}" if cause.source in changed else cause.source
                    add(f"{world}by {i}", (source, f"works {i}"), both)
                    inputs.append(f"{world}by {i}")
            any_of = {values: float(any(values)) for values in product((0, 1), repeat=len(inputs))}
            add(name, inputs, any_of)
    engine = _engine(gum, net, {action: [0, 1], outcome: [0, 1]}, [f"had not {outcome}"])
    return float(engine.posterior(f"had not {outcome}")[0])


def _in_order(things: Sequence[str], causes: Sequence[Cause]) -> list[str]:
    """Causes before effects."""
    ordered: list[str] = []
    while len(ordered) < len(things):
        waiting = {cause.target for cause in causes if cause.source not in ordered}
        ordered += [thing for thing in things if thing not in ordered and thing not in waiting]
    return ordered


def best_explanation(
    causes: Sequence[Cause], candidates: Sequence[str], observed: Mapping[str, float]
) -> tuple[tuple[str, ...], float, float]:
    """Which of some things, one at least, are most likely there together, given what was seen.

    Returns
    -------
    tuple of str, float, float
        The things, how likely just these are there, and how likely none of them is: what was seen came of itself.
    """
    gum = require()
    net = _net(gum, causes, [*candidates, *observed], {})
    engine = gum.LazyPropagation(net)
    joint_ids = {net.idFromName(thing) for thing in candidates}
    engine.addJointTarget(joint_ids)
    for thing, seen in observed.items():
        engine.addEvidence(thing, [1 - seen, seen])
    engine.makeInference()
    joint = engine.jointPosterior(joint_ids)
    likely = {
        values: float(joint[dict(zip(candidates, values, strict=True))])
        for values in product((0, 1), repeat=len(candidates))
    }
    none = likely.pop((0,) * len(candidates))
    best = max(likely, key=lambda values: (likely[values], values))
    there = tuple(thing for thing, value in zip(candidates, best, strict=True) if value)
    return there, likely[best], none
