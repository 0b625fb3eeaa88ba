"""Bayesian networks over any states: what one must be, and the questions about it, put to a child process."""

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from context_graph.errors import InvalidInput, NotApplicable
from context_graph.inference.bayes import answers

__all__ = [
    "MAX_CELLS",
    "MAX_NETWORK_VARIABLES",
    "MAX_STATES",
    "METHODS",
    "Network",
    "Posterior",
    "Variable",
    "in_order",
    "infer",
    "is_number",
    "largest_clique",
    "spelt",
]  # fmt: skip

MAX_NETWORK_VARIABLES = 200
MAX_STATES = 100
MAX_CELLS = 100_000
"""Of one table."""

MAX_CLIQUE = 2**22
"""Cells of the largest table that exact inference may make: 32 MB."""

MAX_JOINT = 50_000
"""Combinations of states of the variables whose most likely joint values are asked for."""

TOLERANCE = 1e-6
"""By how much the probabilities of a row may miss 1; they are then scaled to it."""

METHODS = {
    "variable_elimination": "variable_elimination",
    "lazy_propagation": "lazy_propagation",
    "junction_tree": "lazy_propagation",
    "loopy_belief_propagation": "loopy_belief_propagation",
    "gibbs": "gibbs",
    "mcmc": "gibbs",
}
"""How to infer, by every name that it has: the first two are exact."""

EXACT = ("variable_elimination", "lazy_propagation")
MAX_SAMPLES, MIN_SAMPLES = 50_000, 500
"""Of one chain: how many fit into a few seconds depends on the number of variables alone, so answers repeat."""

BY_CASES = "reason_with_cases answers from similar cases, where a model has some"
"""What is said of a network without the library."""

SEED = 20_261_121


def spelt(value: Any) -> str:
    """A value as JSON, the same for equal values: 5 and 5.0 are one number."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def is_number(value: Any) -> bool:
    """Whether a value is a finite number that float64 holds; true and false are none."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """One variable and its table.

    Attributes
    ----------
    states : tuple
        Texts, numbers, true or false.
    table : ndarray
        Probability of each state: float64 (states of the first parent, of the second, ..., own states).
    bins : tuple of float, optional
        Ends between the states of a number: the first state is below the first, the last from the last on.
    """

    name: str
    states: tuple[Any, ...]
    parents: tuple[str, ...]
    table: np.ndarray
    bins: tuple[float, ...] = ()

    def place(self, value: Any, *, of: str = "evidence") -> int:
        """Which of the states a value is."""
        spellings = [spelt(state) for state in self.states]
        if spelt(value) in spellings:
            return spellings.index(spelt(value))
        if self.bins and is_number(value):
            return int(np.searchsorted(self.bins, value, side="right"))
        states = ", ".join(str(state) for state in self.states[:20])
        bins = " or a number" if self.bins else ""
        raise InvalidInput(f"{of} of {self.name!r:.80} must be one of {states}{bins}; got {value!r:.60}", field=of)


@dataclass(frozen=True, slots=True)
class Network:
    """Variables in an order in which parents come first."""

    variables: Mapping[str, Variable]

    @classmethod
    def of(cls, variables: Iterable[Variable]) -> "Network":
        """A network of variables, checked: no circle, every table whole, every row a distribution."""
        by_name = {variable.name: variable for variable in variables}
        if not 0 < len(by_name) <= MAX_NETWORK_VARIABLES:
            raise InvalidInput(
                f"a network must have 1 to {MAX_NETWORK_VARIABLES} variables, got {len(by_name)}", field="config"
            )
        for variable in by_name.values():
            for parent in variable.parents:
                if parent not in by_name:
                    raise InvalidInput(
                        f"an edge leads from {parent!r:.80} to {variable.name!r:.80}, and there is no variable "
                        f"{parent!r:.80}; variables: {', '.join(list(by_name)[:20])}",
                        field="config",
                    )
        ordered = [by_name[name] for name in in_order({name: one.parents for name, one in by_name.items()})]
        return cls({one.name: replace(one, table=_scaled(one, by_name)) for one in ordered})

    def variable(self, name: str, *, field: str) -> Variable:
        """The variable of a name."""
        if name not in self.variables:
            raise InvalidInput(
                f"there is no variable {name!r:.80} in the network; variables: {', '.join(list(self.variables)[:30])}",
                field=field,
            )
        return self.variables[name]


def in_order(parents: Mapping[str, Sequence[str]]) -> list[str]:
    """Parents before children; raises `InvalidInput` with the circle where there is one."""
    ordered: dict[str, None] = {}
    for start in parents:
        way: list[str] = []
        waiting = [start]
        while waiting:
            name = waiting[-1]
            if name in ordered:
                waiting.pop()
                continue
            missing = [parent for parent in parents[name] if parent not in ordered]
            if not missing:
                ordered[waiting.pop()] = None
                way = way[: way.index(name)] if name in way else way
                continue
            if name not in way:
                way.append(name)
            for parent in missing:
                if parent in way:
                    circle = [*way[way.index(parent) :], parent]
                    raise InvalidInput(
                        f"the edges of a network may close no circle, got {' <- '.join(circle)}; leave one of them out",
                        field="config",
                    )
            waiting.append(missing[0])
    return list(ordered)


def _scaled(variable: Variable, known: Mapping[str, Variable]) -> np.ndarray:
    shape = (*(len(known[parent].states) for parent in variable.parents), len(variable.states))
    table, name = variable.table, variable.name
    if table.shape != shape:
        raise InvalidInput(
            f"the table of {name!r:.80} must have {' x '.join(map(str, shape))} numbers (states of "
            f"{', '.join([*variable.parents, name])}), got {' x '.join(map(str, table.shape))}",
            field="config",
        )
    if not np.isfinite(table).all() or (table < 0).any():
        raise InvalidInput(f"the table of {name!r:.80} must hold finite numbers of 0 or more", field="config")
    sums = table.sum(axis=-1, keepdims=True)
    if (np.abs(sums - 1) > TOLERANCE).any():
        worst = float(sums.ravel()[np.abs(sums - 1).argmax()])
        raise InvalidInput(
            f"each row of the table of {name!r:.80} must sum to 1, got {worst:g}; a row is the distribution of {name} "
            "where its parents have given states",
            field="config",
        )
    scaled: np.ndarray = table / sums
    return scaled


@dataclass(frozen=True, slots=True)
class Posterior:
    """What follows from the evidence.

    Attributes
    ----------
    probabilities : dict
        Of each variable asked for, by its states.
    evidence_probability : float, optional
        Of the evidence; where the method tells it.
    joint : dict, optional
        The most likely values of the variables asked for together, and how likely they are: `joint_probability`.
    spread : float, optional
        Of sampling: the largest total variation between two chains; of loopy propagation the last change.
    """

    method: str
    probabilities: dict[str, list[float]]
    evidence_probability: float | None = None
    joint: dict[str, Any] | None = None
    joint_probability: float | None = None
    spread: float | None = None
    iterations: int | None = None
    notes: list[str] = field(default_factory=list)


def infer(
    network: Network,
    query: Collection[str],
    *,
    evidence: Mapping[str, Any] | None = None,
    do: Mapping[str, Any] | None = None,
    method: str = "variable_elimination",
    jointly: bool = False,
) -> Posterior:
    """Distributions of variables, given what was seen and what was made so.

    Parameters
    ----------
    evidence : mapping
        Variable to a state, or to a likelihood of each state (an object, or a list in the order of the states).
    do : mapping
        Variable to the state that it is made to have, whatever its parents.
    method : str
        Of `METHODS`.
    jointly : bool
        Tell also the most likely values of the variables asked for together; exact methods alone.
    """
    if method not in METHODS:
        raise InvalidInput(f"method must be one of {', '.join(METHODS)}, got {method[:40]!r}", field="method")
    how = METHODS[method]
    targets = [network.variable(name, field="query").name for name in query]
    forced = {name: network.variable(name, field="do").place(value, of="do") for name, value in (do or {}).items()}
    likelihoods = {
        name: _likelihood(network.variable(name, field="evidence"), value) for name, value in (evidence or {}).items()
    }
    if both := forced.keys() & likelihoods.keys():
        raise InvalidInput(f"{sorted(both)[0]!r:.80} is both seen and made so; leave it in one of evidence and do")
    cut = _cut(network, forced)
    relevant = _ancestors(cut, [*targets, *likelihoods])
    hard = {name for name, weights in likelihoods.items() if sum(one > 0 for one in weights) == 1}
    clique = largest_clique(cut, relevant, hard)
    if how in EXACT and clique > MAX_CLIQUE:
        raise NotApplicable(
            f"exact inference in this network needs a table of {clique:,} numbers, and {MAX_CLIQUE:,} are the limit: "
            "it is linked too densely; ask with method loopy_belief_propagation or gibbs, or with fewer edges"
        )
    if jointly and how not in EXACT:
        raise InvalidInput(f"the most likely joint values need an exact method ({', '.join(EXACT)})", field="method")
    combinations = math.prod(len(network.variables[name].states) for name in targets)
    if jointly and combinations > MAX_JOINT:
        raise InvalidInput(
            f"the variables asked for have {combinations:,} joint values, and {MAX_JOINT:,} are the limit; ask fewer",
            field="query",
        )
    return _answered(cut, relevant, targets, likelihoods, how, jointly=jointly, checkable=clique <= MAX_CLIQUE)


def _answered(
    network: Network,
    relevant: Sequence[str],
    targets: Sequence[str],
    likelihoods: Mapping[str, Sequence[float]],
    how: str,
    *,
    jointly: bool,
    checkable: bool,
) -> Posterior:
    places = {name: place for place, name in enumerate(relevant)}
    (answer,) = answers(
        {
            "kind": "network",
            "variables": [
                [len(one.states), [places[parent] for parent in one.parents], one.table.ravel().tolist()]
                for one in (network.variables[name] for name in relevant)
            ],
            "targets": [places[name] for name in targets],
            "evidence": [[places[name], list(weights)] for name, weights in likelihoods.items()],
            "method": how, "jointly": jointly, "checkable": checkable,
            "samples": _samples(len(relevant)), "seed": SEED,
        },
        until_then=BY_CASES,
    )  # fmt: skip
    if clash := answer.get("impossible"):
        clashing = [network.variables[relevant[place]] for place in clash]
        named = ", ".join(f"{variable.name} = {_told(variable, likelihoods)}" for variable in clashing)
        raise InvalidInput(
            f"the evidence is impossible in this network: {named} has probability 0"
            f"{' together' if len(clash) > 1 else ''}; correct a value, or the tables",
            field="evidence",
        )
    if answer.get("failed"):
        raise NotApplicable(f"{how} gave no answer: {answer['failed']}; ask with another method")
    joint = answer.get("joint")
    return Posterior(
        how,
        {name: answer["posteriors"][str(places[name])] for name in targets},
        answer.get("evidence_probability"),
        None if joint is None else {
            name: network.variables[name].states[state] for name, state in zip(targets, joint[0], strict=True)
        },
        None if joint is None else joint[1],
        answer.get("spread"),
        answer.get("iterations"),
    )  # fmt: skip


def _samples(variables: int) -> int:
    """How many samples pyAgrum draws in about three seconds, by the time that one was measured to take."""
    sample_us = 3 * variables + 0.06 * variables**2
    return round(min(max(2_500_000 / sample_us, MIN_SAMPLES), MAX_SAMPLES))


def _told(variable: Variable, likelihoods: Mapping[str, Sequence[float]]) -> str:
    weights = likelihoods[variable.name]
    return " or ".join(str(state) for state, weight in zip(variable.states, weights, strict=True) if weight > 0)


def _likelihood(variable: Variable, value: Any) -> list[float]:
    """How much each state is supported: one alone by hard evidence."""
    if isinstance(value, Mapping):
        weights = [0.0] * len(variable.states)
        for state, weight in value.items():
            spellings = [str(one) for one in variable.states]  # keys of JSON are texts
            place = spellings.index(state) if state in spellings else variable.place(state)
            weights[place] = weight
    elif isinstance(value, list | tuple):
        weights = list(value)
    else:
        place = variable.place(value)
        return [float(state == place) for state in range(len(variable.states))]
    sound = all(is_number(one) and one >= 0 for one in weights)
    if not sound or len(weights) != len(variable.states) or not any(weights):
        raise InvalidInput(
            f"soft evidence of {variable.name!r:.80} must give each of its {len(variable.states)} states a finite "
            f"likelihood of 0 or more, one of them above 0; got {value!r:.80}",
            field="evidence",
        )
    largest = max(weights)
    return [float(weight) / largest for weight in weights]


def _cut(network: Network, forced: Mapping[str, int]) -> Network:
    """The network in which some variables are made to have a state: no edge leads to them any more."""
    changed = dict(network.variables)
    for name, place in forced.items():
        one = changed[name]
        table = np.zeros(len(one.states))
        table[place] = 1.0
        changed[name] = replace(one, parents=(), table=table)
    return Network(changed)


def _ancestors(network: Network, names: Iterable[str]) -> list[str]:
    """These variables and all that lead to them, parents first: others change nothing."""
    wanted, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += network.variables[name].parents
    return in_order({name: one.parents for name, one in network.variables.items() if name in wanted})


def largest_clique(network: Network, names: Sequence[str], known: Collection[str] = ()) -> int:
    """Cells of the largest table of an elimination by least fill; what is known has one state."""
    sizes = {name: 1 if name in known else len(network.variables[name].states) for name in names}
    near: dict[str, set[str]] = {name: set() for name in names}
    for name in names:
        family = [*network.variables[name].parents, name]
        for one in family:
            near[one] |= set(family) - {one}
    largest = 1
    while near:
        name = min(near, key=lambda one: (_fill(near, one), math.prod(sizes[other] for other in near[one]), one))
        others = near.pop(name)
        largest = max(largest, sizes[name] * math.prod(sizes[other] for other in others))
        for other in others:
            near[other] = (near[other] | others) - {name, other}
        if largest > MAX_CLIQUE:
            break
    return largest


def _fill(near: Mapping[str, set[str]], name: str) -> int:
    others = near[name]
    return sum(len(others - near[other]) - 1 for other in others)
