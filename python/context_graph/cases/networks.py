"""The network of a model, with the tables that its cases teach."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from context_graph.cases.base import Case, Cases
from context_graph.cases.model import Model, NetworkSettings, known_network, models
from context_graph.cases.prediction import Prediction
from context_graph.cases.structure import Structure, learned_structure
from context_graph.errors import InvalidInput, NotFound
from context_graph.inference.networks import METHODS, Network, Posterior, Variable, infer, spelt
from context_graph.models import Caller
from context_graph.runtime import Runtime
from context_graph.runtime.records import Entry
from context_graph.visibility import may_see

__all__ = ["Taught", "cases_of", "joined", "network_of", "posterior"]


@dataclass(frozen=True, slots=True)
class Taught:
    """The network of a model as it is now.

    Attributes
    ----------
    cases : int
        How many taught its tables.
    structure : Structure, optional
        The edges that were searched for; None where none were, or too few cases are whole.
    """

    network: Network
    cases: int = 0
    structure: Structure | None = None


def posterior(
    memory: Runtime,
    name: str,
    query: Mapping[str, Any],
    caller: Caller,
    *,
    evidence: Mapping[str, Any] | None = None,
    do: Mapping[str, Any] | None = None,
    method: str = "variable_elimination",
    jointly: bool = False,
) -> tuple[Taught, Posterior]:
    """What a network says of some variables, and which network that is."""
    if method not in METHODS:
        raise InvalidInput(f"method must be one of {', '.join(METHODS)}, got {method[:40]!r}", field="method")
    try:
        entry = models(memory, caller).get(name, having=lambda model: model.network is not None)
    except NotFound as error:
        raise NotFound(str(error).replace("Model not found", "Network not found", 1)) from error
    if entry.value.network is None:
        raise NotFound(
            f"Network not found: {name[:80]!r} is a model of cases without a network; reason_with_cases asks it"
        )
    taught = network_of(memory, entry, caller)
    network = taught.network
    for variable, value in query.items():
        if value is not None:
            network.variable(variable, field="query").place(value, of="query")
    return taught, infer(network, list(query), evidence=evidence, do=do, method=method, jointly=jointly)


def network_of(memory: Runtime, entry: Entry[Model], caller: Caller) -> Taught:
    """The network of a model as it is now, with the tables, and where it is asked for the edges, that cases teach."""
    settings = entry.value.network
    assert settings is not None
    if not settings.learn_from_cases:
        return Taught(known_network(settings))
    cases = cases_of(memory, entry.name, caller)
    blank = known_network(settings.model_copy(update={"cpts": {}}))
    rows = _rows(blank, entry.value, cases)
    structure = None
    if settings.learn_structure:
        sizes = {name: len(variable.states) for name, variable in blank.variables.items()}
        structure = learned_structure(rows, sizes, settings.edges)
        if structure is not None:
            settings = settings.model_copy(update={"edges": structure.edges})
            blank = known_network(settings)
    return Taught(known_network(settings, _learned(settings, blank, rows)), len(cases), structure)


def cases_of(memory: Runtime, model: str | None, caller: Caller) -> list[Case]:
    """The live cases of a model and those that belong to none, as a caller may see them."""
    memory.catch_up()
    viewer = memory.viewer(caller)
    known = memory.view(Cases).all()
    return [case for case in known if case.model in (None, model) and may_see(case, viewer)]


def _rows(network: Network, model: Model, cases: Sequence[Case]) -> list[dict[str, int]]:
    """Of each case, the place of its state by variable."""
    places = {
        name: {spelt(state): place for place, state in enumerate(variable.states)}
        for name, variable in network.variables.items()
    }
    return [_states(network, places, model, case) for case in cases]


def _learned(settings: NetworkSettings, blank: Network, rows: Sequence[Mapping[str, int]]) -> dict[str, np.ndarray]:
    """Tables counted from cases, each row beginning with the prior; a case counts where it has all of a family."""
    learned = {}
    for name, variable in blank.variables.items():
        if name in settings.cpts:
            continue
        counts = np.full(variable.table.shape, settings.prior / variable.table.shape[-1])
        family = (*variable.parents, name)
        for row in rows:
            if all(one in row for one in family):
                counts[tuple(row[one] for one in family)] += 1
        learned[name] = counts / counts.sum(axis=-1, keepdims=True)
    return learned


def _states(network: Network, places: Mapping[str, Mapping[str, int]], model: Model, case: Case) -> dict[str, int]:
    """The states of a case by variable; what is no state of one is missing."""
    values = dict(case.features)
    if model.outcome_variable is not None and case.outcome is not None:
        values[model.outcome_variable] = case.outcome
    elif case.outcome is not None:
        values.setdefault("outcome", case.outcome)
    states = {name: places[name].get(spelt(values[name])) for name in values.keys() & places.keys()}
    in_bins = states_of(network, {name: values[name] for name, place in states.items() if place is None})
    return {name: place for name, place in states.items() if place is not None} | in_bins


def states_of(network: Network, values: Mapping[str, Any]) -> dict[str, int]:
    """The states that values stand for, of the variables that they fit."""
    states = {}
    for name in values.keys() & network.variables.keys():
        try:
            states[name] = network.variables[name].place(values[name])
        except InvalidInput:
            continue
    return states


def joined(
    memory: Runtime, entry: Entry[Model], features: Mapping[str, Any], prediction: Prediction, caller: Caller
) -> Prediction:
    """What cases say and what the network says, as one vote."""
    model, target = entry.value, entry.value.outcome_variable
    assert target is not None
    network = network_of(memory, entry, caller).network
    variable: Variable = network.variables[target]
    states = states_of(network, features)
    seen = {name: network.variables[name].states[place] for name, place in states.items()}
    seen.pop(target, None)
    shares = dict(
        zip(map(spelt, variable.states), infer(network, [target], evidence=seen).probabilities[target], strict=True)
    )
    share = model.network_share if prediction.votes else 1.0
    votes = {
        text: (1 - share) * prediction.votes.get(text, 0.0) + share * shares.get(text, 0.0)
        for text in {**prediction.votes, **shares}
    }
    best = max(votes, key=lambda text: votes[text])
    return replace(
        prediction, outcome=json.loads(best), confidence=votes[best], share=votes[best],
        votes=dict(sorted(votes.items(), key=lambda one: -one[1])), network=shares, calibration=None,
        likely=None,
    )  # fmt: skip
