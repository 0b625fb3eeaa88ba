"""What follows from what is said to cause what: what is seen, done, imagined, predicted and explained."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from context_graph.errors import ConceptNotFound, InvalidInput
from context_graph.inference import bayes
from context_graph.inference.bayes import LEAK, Cause
from context_graph.inference.concepts import Reading, absent_concept, named_in, readings
from context_graph.inference.evidence import Evidence, Link
from context_graph.inference.paths import MAX_HOPS, Path, best_between, between, explored, strongest, strongest_to_each
from context_graph.models import Caller, EdgeType, Node, NodeKind

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Clamp", "Effect", "Inference", "Inferred", "Intervention", "effect_of", "infer"]

Intervention = Literal["do", "observe", "counterfactual"]
Direction = Literal["forward", "backward", "bidirectional", "bridge", "abduction"]

MAX_VARIABLES, MAX_PARENTS = 20, 6
"""Things of one network and causes of one thing, the strongest: exact inference takes time that grows with both."""

MAX_INFERRED = 8
CIRCULAR = "not identifiable: the statements go in a circle, which comes first is not stored, and"
MAX_CANDIDATES_EXPLAINING = 8
"""Causes that an explanation is put together from: their joint distribution has two to the power of them values."""


@dataclass(frozen=True, slots=True)
class Network:
    """Causes around some things, without circles.

    Attributes
    ----------
    links : tuple of Link
        All causal statements that were looked at, circles included.
    cut : tuple of Cause
        What was left out because it closes a circle.
    complete : bool
        Whether nothing was left out for want of room.
    """

    causes: tuple[Cause, ...]
    links: tuple[Link, ...]
    cut: tuple[Cause, ...]
    complete: bool

    def acyclic(self) -> list[Link]:
        """The statements whose causes are in the network."""
        pairs = {(cause.source, cause.target) for cause in self.causes}
        return [link for link in self.links if (link.source, link.target) in pairs]


@dataclass(frozen=True, slots=True)
class Effect:
    """The answer to what an action does.

    Attributes
    ----------
    absent : bool
        The action is that this is kept from happening, or not there.
    estimate : float, optional
        do, observe: the difference that the action makes to the probability of the outcome; counterfactual: how likely
        the outcome would not be without it. None where nothing stored lets one say.
    confidence : float
        The product of the confidences of the statements of the strongest path; 0 without one.
    with_it, without : float, optional
        The probabilities of the outcome where the thing is there, and where it is not.
    others : tuple of (Node, float)
        Where no outcome was named: what follows, and how likely it is once the action is done.
    why_not : str
        Why there is no estimate; empty where there is one.
    """

    action: Node
    outcome: Node | None
    paths: tuple[Path, ...]
    estimate: float | None
    confidence: float
    with_it: float | None
    without: float | None
    others: tuple[tuple[Node, float], ...]
    network: Network
    evidence: Evidence
    why_not: str
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Clamp:
    """A variable that is held: 1 it is so, 0 it is not, in between how much speaks for it."""

    node: Node
    observed: float


@dataclass(frozen=True, slots=True)
class Inferred:
    """One conclusion; `before` is how likely it was without what is known.

    Attributes
    ----------
    together : tuple of Node
        Of an explanation: the causes that are there.
    ties : tuple of tuple of Node
        Of an explanation: the others that are as likely.
    """

    node: Node | None
    statement: Literal["effect", "cause", "bridge", "explanation"]
    confidence: float
    before: float
    path: Path | None
    together: tuple[Node, ...] = ()
    ties: tuple[tuple[Node, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Inference:
    """Conclusions in a direction, the surest first.

    Attributes
    ----------
    free_energy : float, optional
        Minus the information in bits that the conclusions gain over what was likely before.
    unused : tuple of Node
        Clamped nodes that no causal statement around the start speaks of.
    unexplained : float, optional
        Of an explanation: how likely none of the stated causes is there.
    held : tuple of Node
        Clamped nodes that would have been conclusions.
    absent : bool
        The starts are taken as not being so.
    """

    direction: Direction
    starts: tuple[Node, ...]
    inferred: tuple[Inferred, ...]
    free_energy: float | None
    network: Network | None
    evidence: Evidence
    unused: tuple[Node, ...] = ()
    unexplained: float | None = None
    held: tuple[Node, ...] = ()
    absent: bool = False


def effect_of(memory: "Runtime", action: str, outcome: str | None, how: Intervention, caller: Caller) -> Effect:
    """What an action does to an outcome, or to whatever follows from it.

    Parameters
    ----------
    action : str
        A thing that is there, or the absence of one: "stop the rain".
    """
    evidence, thing = Evidence(memory, caller), absent_concept(memory, action)
    absent = thing is not None
    actions = _causal(evidence, readings(memory, thing or action, caller, field="action"))
    outcomes = _causal(evidence, readings(memory, outcome, caller, field="outcome")) if outcome is not None else []
    if not outcomes:
        return _all_effects(evidence, actions[0].node, absent)
    start, end, on_path = _pair(evidence, actions, outcomes)
    first, last = evidence.meet(start), evidence.meet(end)
    network = _network(evidence, [first, last], MAX_HOPS, causes_of=[first, last], beside=on_path)
    path = strongest(network.acyclic(), {first: 1.0}, {last: 1.0}, MAX_HOPS, directed=True) if first != last else None
    effect = Effect(
        start, end, (path,) if path else (), None, _confidence(path), None, None, (), network, evidence, "", absent
    )
    if first == last:
        if start.kind == NodeKind.MEMORY and action != outcome:
            return replace(effect, why_not="no concept is called so, and both stand in one memory alone")
        return replace(effect, why_not="action and outcome are the same thing")
    if path is None and (how != "observe" or not _dependent(network, first, last)):
        return replace(effect, why_not=_why_not(network, first, last))
    if path and _as_strong_back(network, first, last):
        return replace(effect, paths=(), confidence=0.0, why_not=f"{CIRCULAR} both ways are as strong")
    if how == "counterfactual":
        (estimate,) = bayes.answers(bayes.necessity(network.causes, first, last))
        return replace(effect, estimate=estimate)
    present, kept_away = (
        bayes.posteriors(network.causes, [last], forced={first: so})
        if how == "do"
        else bayes.posteriors(network.causes, [last], observed={first: float(so)})
        for so in (True, False)
    )
    with_it, without = (found[last] for found in bayes.answers(present, kept_away))
    difference = without - with_it if absent else with_it - without
    return replace(effect, estimate=difference, with_it=with_it, without=without)


def _all_effects(evidence: Evidence, action: Node, absent: bool) -> Effect:
    start = evidence.meet(action)
    network = _network(evidence, [start], MAX_HOPS, causes_of=[])
    followers = [thing for thing in _things(network) if thing != start]
    paths = _paths(network.acyclic(), [start], followers, MAX_HOPS, outward=True)
    if not paths:
        why_not = "nothing stored says what it leads to"
        return Effect(action, None, (), None, 0.0, None, None, (), network, evidence, why_not, absent)
    (likely,) = bayes.answers(bayes.posteriors(network.causes, list(paths), forced={start: not absent}))
    order = sorted(paths, key=lambda thing: (-likely[thing], thing))[:MAX_INFERRED]
    return Effect(
        action, None, tuple(paths[thing] for thing in order), None, _confidence(paths[order[0]]), None, None,
        tuple((evidence.face(thing), likely[thing]) for thing in order), network, evidence, "", absent,
    )  # fmt: skip


def infer(
    memory: "Runtime",
    query: str,
    caller: Caller,
    *,
    direction: Direction | None,
    starts: Sequence[Node] = (),
    clamps: Sequence[Clamp] = (),
    hops: int = 4,
) -> Inference:
    """Conclusions from the concepts that a query names, or from some nodes, taken as being so; as not being so where
    the query is for the absence of one ("no flooding").

    Parameters
    ----------
    direction : str, optional
        Without one, forward or backward: where the expected free energy is least.
    """
    evidence, absent = Evidence(memory, caller), None if starts else absent_concept(memory, query)
    nodes = list(starts) or _asked_about(memory, evidence, absent or query, caller)
    if absent is not None:
        clamps = [*(Clamp(node, 0.0) for node in nodes), *clamps]
    if direction == "bridge":
        return _bridge(evidence, nodes, hops)
    if direction == "abduction":
        return replace(_abduction(evidence, nodes, clamps, hops), absent=absent is not None)
    ways = [_reasoned(evidence, nodes, clamps, hops, way) for way in _ways(direction)]
    best = min(ways, key=lambda one: 0.0 if one.free_energy is None else one.free_energy)
    return replace(best, absent=absent is not None)


def _ways(direction: Direction | None) -> tuple[Direction, ...]:
    return (direction,) if direction else ("forward", "backward")


def _asked_about(memory: "Runtime", evidence: Evidence, query: str, caller: Caller) -> list[Node]:
    named = [Reading(node, 1.0) for node in named_in(memory, query, caller)]
    if named:
        return [one.node for one in _causal(evidence, named)]
    try:
        return [_causal(evidence, readings(memory, query, caller, field="query"))[0].node]
    except (ConceptNotFound, InvalidInput) as error:
        raise ConceptNotFound(
            f"query: {query[:80]!r} names no concept that is stored; name the thing in few words, or give start_nodes "
            "with ids from search_graph or get_neighborhood"
        ) from error


def _reasoned(
    evidence: Evidence, nodes: Sequence[Node], clamps: Sequence[Clamp], hops: int, direction: Direction
) -> Inference:
    """Effects, causes or both of what is taken as being so."""
    starts = [evidence.meet(node) for node in nodes]
    network = _network(evidence, starts, hops, causes_of=starts)
    observed, unused = _known(evidence, network, starts, clamps)
    conclusions: list[tuple[str, Literal["effect", "cause"], Path]] = []
    others = [thing for thing in _things(network) if thing not in observed]
    if direction in ("forward", "bidirectional"):
        conclusions += [
            (thing, "effect", path)
            for thing, path in _paths(network.acyclic(), starts, others, hops, outward=True).items()
        ]
    if direction in ("backward", "bidirectional"):
        conclusions += [
            (thing, "cause", path)
            for thing, path in _paths(network.acyclic(), starts, others, hops, outward=False).items()
        ]
    if not conclusions:
        ways = [outward for outward in (True, False) if direction != ("backward" if outward else "forward")]
        held = _held(evidence, network, starts, observed, hops, ways)
        return Inference(direction, tuple(nodes), (), None, network, evidence, unused, held=held)
    targets = list(dict.fromkeys(thing for thing, _, _ in conclusions))
    now, before = bayes.answers(
        bayes.posteriors(network.causes, targets, observed=observed), bayes.posteriors(network.causes, targets)
    )
    inferred = [
        Inferred(evidence.face(thing), what, now[thing], before[thing], path) for thing, what, path in conclusions
    ]
    inferred.sort(key=lambda one: (-one.confidence, one.node.id if one.node else ""))
    gained = sum(_information(now[thing], before[thing]) for thing in targets)
    return Inference(direction, tuple(nodes), tuple(inferred[:MAX_INFERRED]), -gained, network, evidence, unused)


def _abduction(evidence: Evidence, nodes: Sequence[Node], clamps: Sequence[Clamp], hops: int) -> Inference:
    """The causes that together explain best what is taken as being so."""
    starts = [evidence.meet(node) for node in nodes]
    network = _network(evidence, [], hops, causes_of=starts)
    observed, unused = _known(evidence, network, starts, clamps)
    others = [thing for thing in _things(network) if thing not in observed]
    paths = _paths(network.acyclic(), starts, others, hops, outward=False)
    if not paths:
        held = _held(evidence, network, starts, observed, hops, [False])
        return Inference("abduction", tuple(nodes), (), None, network, evidence, unused, held=held)
    effects = {cause.target for cause in network.causes}
    roots = [thing for thing in paths if thing not in effects] or list(paths)
    roots = sorted(roots, key=lambda thing: (-paths[thing].confidence, thing))[:MAX_CANDIDATES_EXPLAINING]
    (best, likely, none, ties), now, before = bayes.answers(
        bayes.best_explanation(network.causes, roots, observed),
        bayes.posteriors(network.causes, roots, observed=observed),
        bayes.posteriors(network.causes, roots),
    )
    together = tuple(evidence.face(thing) for thing in best)
    first = Inferred(
        together[0], "explanation", likely, math.prod(before[thing] for thing in best), paths[best[0]], together,
        tuple(tuple(evidence.face(thing) for thing in others) for others in ties),
    )  # fmt: skip
    rest = [
        Inferred(evidence.face(thing), "cause", now[thing], before[thing], paths[thing])
        for thing in sorted(roots, key=lambda thing: (-now[thing], thing))
        if [thing] != best
    ]
    gained = sum(_information(now[thing], before[thing]) for thing in roots)
    inferred = (first, *rest)[:MAX_INFERRED]
    return Inference("abduction", tuple(nodes), inferred, -gained, network, evidence, unused, none)


def _bridge(evidence: Evidence, nodes: Sequence[Node], hops: int) -> Inference:
    """What lies between the starts: on the strongest path of any edges between each two of them."""
    if len({evidence.meet(node) for node in nodes}) < 2:
        raise InvalidInput(
            "a bridge needs two concepts, got one; name both in query, or give both ids in start_nodes", field="query"
        )
    bridges: dict[str, Inferred] = {}
    for i, one in enumerate(nodes):
        for other in nodes[i + 1 :]:
            path = between(evidence, one, other, hops=hops, kind="any")
            for step in path.steps[:-1] if path else ():
                other_way = bridges.get(step.thing)
                if path and (other_way is None or other_way.confidence < path.confidence):
                    bridges[step.thing] = Inferred(evidence.face(step.thing), "bridge", path.confidence, 0.0, path)
    inferred = sorted(bridges.values(), key=lambda one: (-one.confidence, one.node.id if one.node else ""))
    return Inference("bridge", tuple(nodes), tuple(inferred[:MAX_INFERRED]), None, None, evidence)


# The network


def _network(
    evidence: Evidence, effects_of: Sequence[str], hops: int, *, causes_of: Sequence[str], beside: Iterable[str] = ()
) -> Network:
    """The causal statements downwards of some things and upwards of others, the strongest where there are many.

    Parameters
    ----------
    beside : iterable of str
        Things that have a place in any case.
    """
    down, whole = explored(evidence, dict.fromkeys(effects_of, 1.0), {}, 2 * hops, [EdgeType.CAUSAL], directed=True)
    up, all_up = explored(evidence, {}, dict.fromkeys(causes_of, 1.0), 2 * hops, [EdgeType.CAUSAL], directed=True)
    links = {link.edge.id: link for link in (*down, *up)}
    strengths: dict[tuple[str, str], float] = {}
    for link in links.values():
        pair = (link.source, link.target)
        strengths[pair] = max(strengths.get(pair, 0.0), link.weight * link.edge.confidence)
    bounded, fits = _bounded(strengths, (*effects_of, *causes_of, *beside))
    causes, cut = bayes.acyclic([Cause(*pair, strength) for pair, strength in bounded.items()])
    return Network(tuple(causes), tuple(links.values()), tuple(cut), whole and all_up and fits)


def _bounded(
    strengths: Mapping[tuple[str, str], float], around: Iterable[str]
) -> tuple[dict[tuple[str, str], float], bool]:
    """The edges among the things reached most strongly, with a few causes for each; and whether that is all."""
    reached = dict.fromkeys(around, 1.0)
    while True:
        further: dict[str, float] = {}
        for pair, strength in strengths.items():
            for near, far in (pair, pair[::-1]):
                if near in reached and far not in reached:
                    further[far] = max(further.get(far, 0.0), reached[near] * strength)
        if not further or len(reached) >= MAX_VARIABLES:
            break
        best = max(further, key=lambda thing: (further[thing], thing))
        reached[best] = further[best]
    inside = {pair: strength for pair, strength in strengths.items() if set(pair) <= reached.keys()}
    chosen: dict[tuple[str, str], float] = {}
    for target in reached:
        causes = sorted((pair for pair in inside if pair[1] == target), key=lambda pair: (-inside[pair], pair))
        chosen |= {pair: inside[pair] for pair in causes[:MAX_PARENTS]}
    return chosen, len(chosen) == len(strengths)


def _things(network: Network) -> list[str]:
    return sorted({end for cause in network.causes for end in (cause.source, cause.target)})


def _paths(
    links: Sequence[Link], starts: Sequence[str], things: Sequence[str], hops: int, *, outward: bool
) -> dict[str, Path]:
    """By thing, the strongest path from a start to it, or from it to a start."""
    begin = dict.fromkeys(starts, 1.0)
    ways = strongest_to_each(links, begin, hops, directed=True, backwards=not outward)
    return {thing: ways[thing] for thing in things if thing in ways and thing not in begin}


def _known(
    evidence: Evidence, network: Network, starts: Sequence[str], clamps: Sequence[Clamp]
) -> tuple[dict[str, float], tuple[Node, ...]]:
    """What is taken as being so, by thing, and the clamped nodes that the network does not hold."""
    things = set(_things(network)) | set(starts)
    observed = dict.fromkeys(starts, 1.0)
    unused = []
    for clamp in clamps:
        thing = evidence.meet(clamp.node)
        if thing in things:
            observed[thing] = clamp.observed
        else:
            unused.append(clamp.node)
    return observed, tuple(unused)


def _held(
    evidence: Evidence,
    network: Network,
    starts: Sequence[str],
    observed: Iterable[str],
    hops: int,
    ways: Sequence[bool],
) -> tuple[Node, ...]:
    """What is held of that which leads to the starts, or follows from them: no conclusion is drawn about it.

    Parameters
    ----------
    ways : sequence of bool
        Whether to look outward, inward or both.
    """
    held = [thing for thing in observed if thing not in starts]
    reached = {thing for outward in ways for thing in _paths(network.acyclic(), starts, held, hops, outward=outward)}
    return tuple(evidence.face(thing) for thing in held if thing in reached)


def _causal(evidence: Evidence, meanings: Sequence[Reading]) -> list[Reading]:
    """Readings, those first that a causal statement speaks of."""
    things = {one.node.id: evidence.meet(one.node) for one in meanings}
    links = evidence.links(list(dict.fromkeys(things.values())), [EdgeType.CAUSAL])
    spoken_of = {end for link in links for end in (link.source, link.target)}
    return sorted(meanings, key=lambda one: things[one.node.id] not in spoken_of)


def _pair(evidence: Evidence, actions: Sequence[Reading], outcomes: Sequence[Reading]) -> tuple[Node, Node, set[str]]:
    """The readings that a causal path joins best, and the things on it; else the first ones."""
    path = best_between(evidence, actions, outcomes, MAX_HOPS, "causal")
    if path is None:
        return actions[0].node, outcomes[0].node, set()
    return evidence.face(path.start), evidence.face(path.end), {path.start, *(step.thing for step in path.steps)}


def _dependent(network: Network, first: str, last: str) -> bool:
    """Whether something is said to cause both, or the one causes the other."""
    return bool(_above(network, first) & _above(network, last))


def _above(network: Network, thing: str) -> set[str]:
    above, frontier = {thing}, [thing]
    while frontier:
        frontier = [one.source for one in network.causes if one.target in frontier and one.source not in above]
        above |= set(frontier)
    return above


def _why_not(network: Network, first: str, last: str) -> str:
    with_circles = strongest(network.links, {first: 1.0}, {last: 1.0}, MAX_HOPS, directed=True)
    if with_circles is not None:
        return f"{CIRCULAR} the only path is cut where that is weakest"
    if strongest(network.links, {last: 1.0}, {first: 1.0}, MAX_HOPS, directed=True) is not None:
        return "no path: what is stored leads the other way round, from the outcome to the action"
    return "no path: no chain of causal statements leads from the action to the outcome"


def _as_strong_back(network: Network, first: str, last: str) -> bool:
    """Whether what is stated leads from the outcome to the action as strongly as from the action to the outcome."""
    there, back = (
        strongest(network.links, {a: 1.0}, {b: 1.0}, MAX_HOPS, directed=True) for a, b in ((first, last), (last, first))
    )
    return bool(there and back and back.confidence * _confidence(back) >= there.confidence * _confidence(there))


def _confidence(path: Path | None) -> float:
    return math.prod(step.link.edge.confidence for step in path.steps) if path else 0.0


def _information(now: float, before: float) -> float:
    """Bits that a probability gains over another: the divergence of two coins."""
    pairs = ((now, before), (1 - now, 1 - before))
    return sum(p * math.log2(p / max(q, LEAK * LEAK)) for p, q in pairs if p > 0)
