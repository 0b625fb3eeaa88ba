"""The process that infers, by pyAgrum: in networks of causes, noisy-or with a leak, and in networks of any tables."""

import json
import math
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Any

import pyagrum as gum

from context_graph.inference.bayes import LEAK, Cause

__all__ = ["answer"]

TIE = 1e-9
"""Relative difference of two probabilities that sums and products in another order may make."""


def answer(question: Mapping[str, Any]) -> Any:
    """The answer to one question of `bayes` or `networks`."""
    given = {name: value for name, value in question.items() if name != "kind"}
    if "causes" in given:
        given["causes"] = [Cause(*cause) for cause in given["causes"]]
    return KINDS[question["kind"]](**given)


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
) -> tuple[tuple[str, ...], float, float, list[tuple[str, ...]]]:
    """Which of some things, one at least, are most likely there together, given what was seen.

    Returns
    -------
    tuple of str, float, float, list of tuple of str
        The things, how likely just these are there, how likely none of them is: what was seen came of itself; and the
        other sets of things that are as likely.
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
    there, *ties = [
        tuple(thing for thing, value in zip(candidates, values, strict=True) if value)
        for values in (best, *(other for other in likely if other != best))
        if math.isclose(likely[values], likely[best], rel_tol=TIE)
    ]
    return there, likely[best], none, ties


def network(
    variables: Sequence[tuple[int, Sequence[int], Sequence[float]]],
    targets: Sequence[int],
    evidence: Sequence[tuple[int, Sequence[float]]],
    method: str,
    *,
    jointly: bool,
    checkable: bool,
    samples: int,
    seed: int,
) -> dict[str, Any]:
    """Distributions in a network whose variables and states are numbers; see `networks.infer`."""
    net = _tables(variables)
    if checkable and (clash := _impossible(net, evidence)):
        return {"impossible": clash}
    try:
        if method == "gibbs":
            return _sampled(net, targets, evidence, samples, seed)
        if method == "loopy_belief_propagation":
            return _propagated(net, targets, evidence)
        return _exactly(net, targets, evidence, method, jointly=jointly)
    except gum.GumException as error:
        return {"failed": str(error).splitlines()[0][:200]}


def _tables(variables: Sequence[tuple[int, Sequence[int], Sequence[float]]]) -> Any:
    """The network; parents stand before their children."""
    net = gum.BayesNet()
    for place, (states, parents, flat) in enumerate(variables):
        net.add(gum.LabelizedVariable(str(place), "", states))
        for parent in parents:
            net.addArc(str(parent), str(place))
        sizes = [variables[parent][0] for parent in parents]
        for row, values in enumerate(product(*(range(size) for size in sizes))):
            state = {str(parent): value for parent, value in zip(parents, values, strict=True)}
            net.cpt(str(place))[state or slice(None)] = list(flat[row * states : (row + 1) * states])
    return net


def _impossible(net: Any, evidence: Sequence[tuple[int, Sequence[float]]]) -> list[int]:
    """Pieces of evidence, none of them to spare, that have probability 0 together; none where all may be."""

    def likely(pieces: Sequence[tuple[int, Sequence[float]]]) -> bool:
        engine = gum.LazyPropagation(net)
        try:
            for place, weights in pieces:
                engine.addEvidence(str(place), list(weights))
            engine.makeInference()
            return bool(engine.evidenceProbability() > 0)
        except gum.GumException:  # what it says of evidence that cannot be
            return False

    if not evidence or likely(evidence):
        return []
    clash = list(evidence)
    for piece in evidence:
        rest = [one for one in clash if one is not piece]
        if rest and not likely(rest):
            clash = rest
    return [place for place, _ in clash]


def _exactly(
    net: Any, targets: Sequence[int], evidence: Sequence[tuple[int, Sequence[float]]], method: str, *, jointly: bool
) -> dict[str, Any]:
    lazy = gum.LazyPropagation(net)
    engine = lazy if method == "lazy_propagation" else gum.VariableElimination(net)
    for one in {id(lazy): lazy, id(engine): engine}.values():
        for place, weights in evidence:
            one.addEvidence(str(place), list(weights))
        for target in targets:
            one.addTarget(str(target))
    if jointly:
        lazy.addJointTarget({net.idFromName(str(target)) for target in targets})
    engine.makeInference()
    if engine is not lazy:
        lazy.makeInference()
    answer: dict[str, Any] = {
        "posteriors": {str(target): engine.posterior(str(target)).tolist() for target in targets},
        "evidence_probability": float(lazy.evidenceProbability()) if evidence else 1.0,
    }
    if jointly:
        joint = lazy.jointPosterior({net.idFromName(str(target)) for target in targets})
        sizes = [net.variable(str(target)).domainSize() for target in targets]
        likely = {
            values: float(joint[{str(target): value for target, value in zip(targets, values, strict=True)}])
            for values in product(*(range(size) for size in sizes))
        }
        best = max(likely, key=lambda values: (likely[values], tuple(-value for value in values)))
        answer["joint"] = [list(best), likely[best]]
    return answer


def _propagated(net: Any, targets: Sequence[int], evidence: Sequence[tuple[int, Sequence[float]]]) -> dict[str, Any]:
    engine = gum.LoopyBeliefPropagation(net)
    for place, weights in evidence:
        engine.addEvidence(str(place), list(weights))
    engine.setVerbosity(True)
    engine.makeInference()
    changes = list(engine.history())
    return {
        "posteriors": {str(target): engine.posterior(str(target)).tolist() for target in targets},
        "spread": float(changes[-1]) if changes else 0.0,
        "iterations": int(engine.nbrIterations()),
    }


def _sampled(
    net: Any,
    targets: Sequence[int],
    evidence: Sequence[tuple[int, Sequence[float]]],
    samples: int,
    seed: int,
) -> dict[str, Any]:
    """Two chains by Gibbs sampling, each of so many samples past its burn-in; the answer is their mean."""
    chains: list[dict[str, list[float]]] = []
    for number in range(2):
        gum.initRandom(seed + number)
        engine = gum.GibbsSampling(net)
        engine.setBurnIn(samples // BURN_IN)
        engine.setMaxIter(samples)
        engine.setEpsilon(MIN_CHANGE)
        engine.setMinEpsilonRate(MIN_CHANGE)
        engine.setPeriodSize(samples)
        for place, weights in evidence:
            engine.addEvidence(str(place), list(weights))
        engine.makeInference()
        chains.append({str(target): engine.posterior(str(target)).tolist() for target in targets})
    first, second = chains
    mean = {name: [(a + b) / 2 for a, b in zip(first[name], second[name], strict=True)] for name in first}
    apart = max(sum(abs(a - b) for a, b in zip(first[name], second[name], strict=True)) / 2 for name in first)
    return {"posteriors": mean, "spread": apart, "iterations": 2 * samples}


BURN_IN = 10
"""One in so many samples more stands before those that count."""

MIN_CHANGE = 1e-9
"""Of one period to the next: sampling ends by its number of samples, not by how little changes."""

KINDS: dict[str, Callable[..., Any]] = {
    "network": network,
    "posteriors": posteriors,
    "necessity": necessity,
    "best_explanation": best_explanation,
}

if __name__ == "__main__":
    json.dump([answer(question) for question in json.load(sys.stdin)], sys.stdout)
