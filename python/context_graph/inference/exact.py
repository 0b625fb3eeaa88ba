"""The process that infers: exact inference by pyAgrum in networks of causes, noisy-or with a leak."""

import json
import math
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Any

import pyagrum as gum

from context_graph.inference.bayes import LEAK, Cause

__all__ = ["answer"]


def answer(question: Mapping[str, Any]) -> Any:
    """The answer to one question of `bayes`."""
    given = {name: value for name, value in question.items() if name not in ("kind", "causes")}
    causes = [Cause(*cause) for cause in question["causes"]]
    return KINDS[question["kind"]](causes, **given)


def posteriors(
    causes: Sequence[Cause], targets: Sequence[str], observed: Mapping[str, float], forced: Mapping[str, bool]
) -> dict[str, float]:
    """How likely things are, given what was seen and what was made so."""
    net = _net(causes, [*targets, *observed], forced)
    engine = _engine(net, {thing: [1 - seen, seen] for thing, seen in observed.items()}, targets)
    return {target: float(engine.posterior(target)[1]) for target in targets}


def _net(causes: Sequence[Cause], others: Collection[str], forced: Mapping[str, bool]) -> Any:
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


def _engine(net: Any, evidence: Mapping[str, Sequence[float]], targets: Collection[str]) -> Any:
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
    engine = _engine(net, {action: [0, 1], outcome: [0, 1]}, [f"had not {outcome}"])
    return float(engine.posterior(f"had not {outcome}")[0])


def _in_order(things: Sequence[str], causes: Sequence[Cause]) -> list[str]:
    """Sequence[Cause] before effects."""
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
    net = _net(causes, [*candidates, *observed], {})
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


KINDS: dict[str, Callable[..., Any]] = {
    "posteriors": posteriors,
    "necessity": necessity,
    "best_explanation": best_explanation,
}

if __name__ == "__main__":
    json.dump([answer(question) for question in json.load(sys.stdin)], sys.stdout)
