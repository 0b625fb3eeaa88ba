"""The network of a model, with the tables that its cases teach."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from context_graph.cases.base import Case, Cases
from context_graph.cases.model import Model, NetworkSettings, known_network, models
from context_graph.cases.prediction import Prediction
from context_graph.errors import InvalidInput, NotFound
from context_graph.inference.networks import METHODS, Network, Posterior, Variable, infer, spelt
from context_graph.models import Caller
from context_graph.runtime import Runtime
from context_graph.runtime.records import Entry
from context_graph.visibility import may_see

__all__ = ["cases_of", "joined", "network_of", "posterior"]


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
) -> tuple[Network, Posterior, int]:
    """What a network says of some variables; the network, and how many cases taught its tables."""
    if method not in METHODS:
        raise InvalidInput(f"method must be one of {', '.join(METHODS)}, got {method[:40]!r}", field="method")
    try:
        entry = models(memory, caller).get(name)
    except NotFound as error:
        raise NotFound(str(error).replace("Model not found", "Network not found", 1)) from error
    if entry.value.network is None:
        raise NotFound(
            f"Network not found: {name[:80]!r} is a model of cases without a network; reason_with_cases asks it"
        )
    network, count = network_of(memory, entry, caller)
    for variable, value in query.items():
        if value is not None:
            network.variable(variable, field="query").place(value, of="query")
    return network, infer(network, list(query), evidence=evidence, do=do, method=method, jointly=jointly), count


def network_of(memory: Runtime, entry: Entry[Model], caller: Caller) -> tuple[Network, int]:
    """The network of a model as it is now, and how many cases taught it."""
    settings = entry.value.network
    assert settings is not None
    if not settings.learn_from_cases:
        return known_network(settings), 0
    cases = cases_of(memory, entry.name, caller)
    return known_network(settings, _learned(entry.value, settings, cases)), len(cases)


def cases_of(memory: Runtime, model: str | None, caller: Caller) -> list[Case]:
    """The live cases of a model and those that belong to none, as a caller may see them."""
    memory.catch_up()
    viewer = memory.viewer(caller)
    known = memory.view(Cases).all()
    return [case for case in known if case.model in (None, model) and may_see(case, viewer)]


def _learned(model: Model, settings: NetworkSettings, cases: Sequence[Case]) -> dict[str, np.ndarray]:
    """Tables counted from cases, each row beginning with the prior; a case counts where it has all of a family."""
    blank = known_network(settings.model_copy(update={"cpts": {}}))
    places = {
        name: {spelt(state): place for place, state in enumerate(variable.states)}
        for name, variable in blank.variables.items()
    }
    rows = [_states(blank, places, model, case) for case in cases]
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
    network, _ = network_of(memory, entry, caller)
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
    )  # fmt: skip
