"""How a model changes: one step towards a case, or by what became of a prediction."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from context_graph.cases.adding import find_case
from context_graph.cases.base import CaseArrays, Cases
from context_graph.cases.features import check_names
from context_graph.cases.model import CaseSettings, Model, NetworkSettings, known_network, models
from context_graph.cases.networks import states_of
from context_graph.cases.reasoning import comparable, is_right, nearest, predict
from context_graph.errors import InvalidInput, NotFound
from context_graph.inference.networks import is_number, spelt
from context_graph.models import Caller
from context_graph.runtime import Runtime
from context_graph.runtime.records import Entry
from context_graph.visibility import Viewer

__all__ = ["TRANSFORMERS", "Transformation", "Transformed", "drift", "transform"]

Transformation = Literal["adapt_to_case", "learn_from_feedback"]
TRANSFORMERS = {"adapt_to_case": "adaptation", "learn_from_feedback": "learning"}
FEEDBACK = ("features", "outcome", "error")
MAX_BIAS = 5.0
"""Of the logarithm of what multiplies the votes for an outcome."""

MIN_WEIGHT, MAX_WEIGHT = 0.01, 100.0
"""What learning may make of the weight of a feature."""


@dataclass(frozen=True, slots=True)
class Transformed:
    """A model after a step.

    Attributes
    ----------
    entry : Entry
        Its event undoes the step.
    changed : dict
        What it changed, before and after.
    """

    entry: Entry[Model]
    rate: float
    changed: dict[str, Any]
    notes: list[str] = field(default_factory=list)


def transform(
    memory: Runtime,
    name: str,
    how: Transformation,
    caller: Caller,
    *,
    case_id: str | None = None,
    feedback: Mapping[str, Any] | None = None,
) -> Transformed:
    """One step of a model; what it would change nothing is refused, and says why."""
    shelf = models(memory, caller)
    with memory.writing:
        entry = shelf.get(name)
        model, cases = entry.value, entry.value.cases
        changed: dict[str, Any] = {}
        notes: list[str] = []
        error = None
        if how == "adapt_to_case":
            if not case_id:
                raise InvalidInput("adapt_to_case needs case_id, the case to adapt to", field="case_id")
            case = find_case(memory, case_id, name, caller)
            rate, features, outcome, own = cases.adaptation_rate, dict(case.features), case.outcome, case.node_id
        else:
            rate, own = cases.learning_rate, None
            features, outcome, error = _feedback(feedback)
        if model.type != "bayesian":
            cases, notes = _cases_changed(memory, entry, features, outcome, error, rate, own, caller, changed)
        network = model.network
        if network is not None and features:
            told = features if outcome is None else features | {model.outcome_variable or "outcome": outcome}
            network = _tables_moved(network, told, rate, changed, notes)
        if not changed:
            raise InvalidInput(
                f"nothing of {name!r:.80} would change: {'; '.join(notes) or 'none of its variables is named'}",
                field="case_id" if how == "adapt_to_case" else "feedback",
            )
        value = model.model_copy(update={"cases": cases, "network": network, "steps": model.steps + 1})
        return Transformed(shelf.change(entry, value), rate, changed, notes)


def drift(memory: Runtime, entry: Entry[Model]) -> dict[str, float]:
    """How far a model has moved since it was created, by all steps together.

    Returns
    -------
    dict
        steps; weights and votes, the largest factor that learning put on one (1: none); offset of a mean; tables, the
        largest total variation of a row against the first version that the log still has.
    """
    model, cases = entry.value, entry.value.cases
    factors = [max(factor, 1 / factor) for factor in cases.weights.values()]
    moved = {
        "steps": float(model.steps),
        "weights": max(factors, default=1.0),
        "votes": math.exp(max(map(abs, cases.bias.values()), default=0.0)),
        "offset": cases.offset,
    }
    first = models(memory).first(entry)
    if model.network is not None and first is not None and first.network is not None:
        now, then = known_network(model.network), known_network(first.network)
        shifts = [
            float(np.abs(variable.table - then.variables[name].table).sum(axis=-1).max()) / 2
            for name, variable in now.variables.items()
            if name in model.network.cpts and name in then.variables
        ]
        moved["tables"] = max(shifts, default=0.0)
    return moved


def _feedback(feedback: Mapping[str, Any] | None) -> tuple[dict[str, Any], Any, float | None]:
    """Features, outcome and error of a feedback."""
    if not feedback:
        raise InvalidInput(
            f"learn_from_feedback needs feedback: an object with {', '.join(FEEDBACK)}; features and outcome say what "
            "came of what, error by how much a prediction missed",
            field="feedback",
        )
    if unknown := [name for name in feedback if name not in FEEDBACK]:
        raise InvalidInput(
            f"feedback has no field {unknown[0][:60]!r}; fields: {', '.join(FEEDBACK)}", field="feedback"
        )
    features, outcome, error = feedback.get("features") or {}, feedback.get("outcome"), feedback.get("error")
    if not isinstance(features, Mapping):
        raise InvalidInput(f"feedback.features must be an object, got {features!r:.60}", field="feedback")
    if features:
        check_names(features, "feedback")
    if error is not None and not is_number(error):
        raise InvalidInput(f"feedback.error must be a finite number, got {error!r:.60}", field="feedback")
    if outcome is None and not features:
        raise InvalidInput("feedback needs an outcome, or features that are variables of a network", field="feedback")
    return dict(features), outcome, None if error is None else float(error)


def _cases_changed(
    memory: Runtime,
    entry: Entry[Model],
    features: Mapping[str, Any],
    outcome: Any,
    error: float | None,
    rate: float,
    own: str | None,
    caller: Caller,
    changed: dict[str, Any],
) -> tuple[CaseSettings, list[str]]:
    settings, notes = entry.value.cases, []
    viewer = memory.viewer(caller)
    memory.catch_up()
    with memory.view(Cases).arrays(entry.name, settings.features) as arrays:
        if features and outcome is not None:
            settings, note = _reweighted(arrays, settings, features, outcome, rate, own, viewer, changed)
            notes += [note] if note else []
        if own is None and outcome is not None:
            settings = _biased(arrays, settings, features, outcome, error, rate, viewer, changed)
    if outcome is None:
        notes.append("the case has no outcome to learn from")
    return settings, notes


def _reweighted(
    arrays: CaseArrays,
    settings: CaseSettings,
    features: Mapping[str, Any],
    outcome: Any,
    rate: float,
    own: str | None,
    viewer: Viewer,
    changed: dict[str, Any],
) -> tuple[CaseSettings, str]:
    """One step of Relief: a feature gains where near cases of the same outcome agree in it more than others do."""
    mask = arrays.visible(viewer) & (arrays.codes >= 0)
    if own is not None:
        mask &= np.array([case.node_id != own for case in arrays.cases])
    numeric = is_number(outcome)
    if numeric:
        mask &= ~np.isnan(arrays.numbers)
    query, _ = comparable(arrays, features, settings)
    same = np.array([row for row in np.flatnonzero(mask) if is_right(arrays, int(row), outcome, numeric)], np.int64)
    alike, other = np.zeros(len(arrays), bool), mask.copy()
    alike[same], other[same] = True, False
    hits, _ = nearest(arrays, query, settings, alike, settings.k)
    misses, _ = nearest(arrays, query, settings, other, settings.k)
    if not len(hits) or not len(misses):
        which = "the same" if not len(hits) else "another"
        return settings, f"no other case has {which} outcome, so no feature tells outcomes apart"
    before = {name: settings.weight(name) for name in query}
    gains = {
        name: float(arrays.columns[name].similarity(value, hits).mean())
        - float(arrays.columns[name].similarity(value, misses).mean())
        for name, value in query.items()
    }
    factors = {
        name: min(max(settings.weights.get(name, 1.0) * (1 + rate * gain), MIN_WEIGHT), MAX_WEIGHT)
        for name, gain in gains.items()
    }
    weighted = settings.model_copy(update={"weights": {**settings.weights, **factors}})
    moved = {
        name: {"before": round(before[name], 6), "after": round(weighted.weight(name), 6)}
        for name in query
        if abs(weighted.weight(name) - before[name]) > 1e-9
    }
    if not moved:
        return settings, "near cases of the same outcome and of others agree equally in every feature"
    changed["weights"] = moved
    return weighted, ""


def _biased(
    arrays: CaseArrays,
    settings: CaseSettings,
    features: Mapping[str, Any],
    outcome: Any,
    error: float | None,
    rate: float,
    viewer: Viewer,
    changed: dict[str, Any],
) -> CaseSettings:
    """Votes for what came are raised by what was missing to certainty, or a mean is moved by what it missed."""
    numeric = is_number(outcome) and settings.outcome != "category"
    if error is None:
        if not features:
            raise InvalidInput(
                "feedback needs features, so that the prediction can be looked at, or error, by how much it missed",
                field="feedback",
            )
        try:
            prediction = predict(arrays, features, settings, viewer)
        except NotFound:
            return settings
        if numeric:
            error = float(outcome) - prediction.outcome if isinstance(prediction.outcome, int | float) else 0.0
        else:
            error = 1.0 - prediction.votes.get(spelt(outcome), 0.0)
    if error == 0:
        return settings
    if numeric:
        offset = settings.offset + rate * error
        changed["offset"] = {"before": settings.offset, "after": offset}
        return settings.model_copy(update={"offset": offset})
    if not -1 <= error <= 1:
        raise InvalidInput(
            f"feedback.error of an outcome that is no number must lie in [-1, 1], got {error:g}", field="feedback"
        )
    text = spelt(outcome)
    before = settings.bias.get(text, 0.0)
    after = min(max(before + rate * error, -MAX_BIAS), MAX_BIAS)
    changed["votes"] = {text: {"before": math.exp(before), "after": math.exp(after)}}
    return settings.model_copy(update={"bias": {**settings.bias, text: after}})


def _tables_moved(
    settings: NetworkSettings, features: Mapping[str, Any], rate: float, changed: dict[str, Any], notes: list[str]
) -> NetworkSettings:
    """Rows of given tables move by the rate towards the states that were seen."""
    network, cpts, moved = known_network(settings), dict(settings.cpts), {}
    states = states_of(network, features)
    for name, variable in network.variables.items():
        family = (*variable.parents, name)
        if not all(one in states for one in family):
            continue
        if name not in settings.cpts:
            notes.append(f"the table of {name} is counted from cases: add_case teaches it")
            continue
        table = variable.table.copy()
        row = tuple(states[one] for one in variable.parents)
        seen = np.zeros(len(variable.states))
        seen[states[name]] = 1.0
        before = table[row].tolist()
        table[row] = (1 - rate) * table[row] + rate * seen
        cpts[name] = table.tolist()
        given = {parent: network.variables[parent].states[states[parent]] for parent in variable.parents}
        moved[name] = {"given": given, "before": [round(one, 6) for one in before],
                       "after": [round(one, 6) for one in table[row].tolist()]}  # fmt: skip
    if moved:
        changed["tables"] = moved
    return settings.model_copy(update={"cpts": cpts})
