"""Models: how cases are compared, and which network stands behind them; records of the store, checked whole."""

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from context_graph.cases.features import MAX_FEATURES, Feature, check_names
from context_graph.cases.structure import MAX_SEARCHED
from context_graph.errors import InvalidInput
from context_graph.inference.networks import (
    MAX_CELLS,
    MAX_NETWORK_VARIABLES,
    MAX_STATES,
    Network,
    Variable,
    in_order,
    spelt,
)
from context_graph.models import Caller, Scope
from context_graph.runtime import Runtime
from context_graph.runtime.records import Entry, Records, record_type

__all__ = [
    "KINDS", "CaseSettings", "Model", "NetworkSettings", "VariableSettings", "Weighting", "create", "known_network",
    "models", "summary",
]  # fmt: skip

Weighting = Literal["distance", "frequency", "hybrid"]
State = str | int | float | bool


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class CaseSettings(_Part):
    """How cases are compared and what follows from the nearest."""

    features: dict[str, Feature] = Field(default_factory=dict)
    """By name; without any, each has the type of the first value seen."""

    outcome: Literal["auto", "number", "category"] = "auto"
    """Mean or vote; auto: a mean where all outcomes are numbers."""

    similarity_threshold: float = Field(default=0.0, ge=0, le=1)
    """Lowest similarity, where a call names none."""

    k: int = Field(default=10, ge=1, le=1_000)
    """Similar cases, where a call names no number."""

    weighting_strategy: Weighting = "distance"
    """Where a call names none."""

    coverage: float | None = Field(default=None, ge=0.5, le=0.99)
    """How often the outcomes that are told as likely must hold the true one; without it none are told."""

    learn_weights: bool = False
    """Weights of features are learned from the cases, and used where that helps cases that were left out."""

    adaptation_rate: float = Field(default=0.1, gt=0, le=1)
    learning_rate: float = Field(default=0.01, gt=0, le=1)
    weights: dict[str, float] = Field(default_factory=dict)
    """Learned: by feature, what multiplies its weight."""

    bias: dict[str, float] = Field(default_factory=dict)
    """Learned: by outcome as JSON, the logarithm of what multiplies its votes."""

    offset: float = 0.0
    """Learned: what is added to a mean."""

    def weight(self, name: str) -> float:
        """How much a feature counts."""
        declared = self.features[name].weight if name in self.features else 1.0
        return declared * self.weights.get(name, 1.0)

    @model_validator(mode="after")
    def _named(self) -> "CaseSettings":
        if self.features:
            check_names(self.features, "features")
        return self


def _listed(value: Any) -> Any:
    """A list alone stands for the states of a variable."""
    return {"states": value} if isinstance(value, list | tuple) else value


class VariableSettings(_Part):
    """One variable of a network."""

    states: tuple[State, ...] = ()
    bins: tuple[float, ...] = ()
    """Ends between the states of a number."""

    @model_validator(mode="after")
    def _sound(self) -> "VariableSettings":
        if any(low >= high for low, high in pairwise(self.bins)):
            raise ValueError("bins must rise")
        if self.bins and self.states and len(self.states) != len(self.bins) + 1:
            raise ValueError(f"{len(self.bins)} bins make {len(self.bins) + 1} states, got {len(self.states)}")
        if not self.bins and not 2 <= len(self.states) <= MAX_STATES:
            raise ValueError(f"states must be 2 to {MAX_STATES}, got {len(self.states)}; or give bins of a number")
        if len({spelt(state) for state in self.states}) < len(self.states):
            raise ValueError("states must name each one once")
        return self

    def named(self) -> tuple[State, ...]:
        """The states; those of bins that have no names are their ends."""
        if self.states:
            return self.states
        ends = [f"{end:g}" for end in self.bins]
        middle = [f"{low} to {high}" for low, high in pairwise(ends)]
        return (f"below {ends[0]}", *middle, f"{ends[-1]} or more")


class Row(_Part):
    """The distribution of a variable where its parents have these states."""

    given: dict[str, State]
    probabilities: tuple[float, ...]


def _table_given(table: Any) -> Any:
    if not isinstance(table, list):
        raise ValueError(
            "expected a table: probabilities of its states, in a list for each state of each parent in the order of "
            'edges, such as [[0.9, 0.1], [0.2, 0.8]]; or rows such as [{"given": {"Rain": "yes"}, "probabilities": '
            "[0.9, 0.1]}, ...]"
        )
    return table


class NetworkSettings(_Part):
    """A Bayesian network."""

    variables: dict[str, Annotated[VariableSettings, BeforeValidator(_listed)]] = Field(
        min_length=1, max_length=MAX_NETWORK_VARIABLES
    )
    edges: tuple[tuple[str, str], ...] = Field(default=(), max_length=MAX_NETWORK_VARIABLES * 20)
    """Parent and child."""

    cpts: dict[str, Annotated[list[Any], BeforeValidator(_table_given)]] = Field(default_factory=dict)
    """By variable: numbers, nested by the parents in the order of their edges; or rows of given and probabilities."""

    learn_from_cases: bool = False
    """Tables that are not given are counted from the cases of the model, each time they are asked."""

    learn_structure: bool = False
    """With learn_from_cases: edges beside those given are searched for in the cases, each time they are others."""

    prior: float = Field(default=1.0, gt=0, le=1_000_000)
    """Cases that each row of a learned table begins with, spread evenly over its states (Dirichlet)."""

    @model_validator(mode="after")
    def _whole(self) -> "NetworkSettings":
        check_names(self.variables, "variables")
        for parent, child in self.edges:
            for end in (parent, child):
                if end not in self.variables:
                    raise ValueError(f"edge {parent} to {child}: there is no variable {end!r:.80}")
        if len(set(self.edges)) < len(self.edges):
            raise ValueError("an edge is given twice")
        parents = self.parents()
        in_order(parents)
        for name in self.variables:
            cells = math.prod(len(self.variables[one].named()) for one in (name, *parents[name]))
            if cells > MAX_CELLS:
                raise ValueError(
                    f"the table of {name!r:.80} would have {cells:,} numbers, and {MAX_CELLS:,} are the "
                    "limit; give it fewer parents or states"
                )
        if unknown := self.cpts.keys() - self.variables.keys():
            raise ValueError(f"cpts names {sorted(unknown)[0]!r:.80}, which is no variable")
        if self.learn_structure and (self.cpts or not self.learn_from_cases or len(self.variables) > MAX_SEARCHED):
            raise ValueError(
                f"learn_structure needs learn_from_cases, no cpts, and at most {MAX_SEARCHED} variables; got "
                f"{len(self.variables)} variables and {len(self.cpts)} cpts"
            )
        missing = [name for name in self.variables if name not in self.cpts]
        if missing and not self.learn_from_cases:
            raise ValueError(
                f"cpts has no table of {missing[0]!r:.80}; give one for each variable, or set learn_from_cases"
            )
        known_network(self)
        return self

    def parents(self) -> dict[str, tuple[str, ...]]:
        """Of each variable, in the order of the edges."""
        parents: dict[str, list[str]] = {name: [] for name in self.variables}
        for parent, child in self.edges:
            parents[child].append(parent)
        return {name: tuple(those) for name, those in parents.items()}


@record_type("model")
class Model(_Part):
    """What a model holds: cases, a network, or both."""

    type: Literal["case_based", "bayesian", "hybrid"]
    cases: CaseSettings = CaseSettings()
    network: NetworkSettings | None = None
    outcome_variable: str | None = None
    """hybrid: the variable of the network that is the outcome of the cases."""

    network_share: float = Field(default=0.5, ge=0, le=1)
    """hybrid: how much the network has to say beside the cases."""

    steps: int = Field(default=0, ge=0)
    """How often it was transformed."""


KINDS = ("case_based", "bayesian", "hybrid")
LEARNED = ("weights", "bias", "offset")
"""What `transform_model` changes and no configuration gives."""

MAX_MISFITS = 3
"""Wrong places of a configuration that are told at once."""


def create(memory: Runtime, name: str, kind: str, config: Mapping[str, Any], caller: Caller) -> Entry[Model]:
    """Keep a new model under a name that is free."""
    if kind not in KINDS:
        raise InvalidInput(f"model_type must be one of {', '.join(KINDS)}, got {kind[:40]!r}", field="model_type")
    return models(memory, caller).add(name, configured(kind, config), scope=Scope.USER)


def configured(kind: str, config: Mapping[str, Any]) -> Model:
    """The model of a configuration: one flat object, whose keys say which part they belong to."""
    parts: dict[str, dict[str, Any]] = {"cases": {}, "network": {}, "model": {}}
    places = {name: "cases" for name in CaseSettings.model_fields if name not in LEARNED}
    places |= dict.fromkeys(NetworkSettings.model_fields, "network")
    places |= dict.fromkeys(("outcome_variable", "network_share"), "model")
    belonging = {"case_based": ("cases",), "bayesian": ("network",), "hybrid": ("cases", "network", "model")}[kind]
    allowed = [name for name, part in places.items() if part in belonging or name.endswith("_rate")]
    for name, value in config.items():
        if name not in allowed:
            raise InvalidInput(
                f"a {kind} model has no setting {name[:60]!r}; settings: {', '.join(allowed)}", field="config"
            )
        parts[places[name]][name] = value
    features = parts["cases"].get("features")
    if isinstance(features, Mapping) and len(features) > MAX_FEATURES:  # before each of a million is looked at
        check_names(features, "config")
    if kind != "case_based" and "variables" not in parts["network"]:
        raise InvalidInput(
            f"a {kind} model needs config.variables, each with its states, and edges and cpts; or learn_from_cases",
            field="config",
        )
    network = parts["network"] or None
    try:
        model = Model.model_validate({"type": kind, "cases": parts["cases"], "network": network, **parts["model"]})
    except (ValidationError, RecursionError) as error:
        details = _misfits(error) if isinstance(error, ValidationError) else "it is nested too deeply"
        raise InvalidInput(f"config does not fit a {kind} model: {details}", field="config") from error
    if kind == "hybrid" and (model.network is None or model.outcome_variable not in model.network.variables):
        raise InvalidInput(
            "a hybrid model needs config.outcome_variable, the variable that is the outcome of its cases; got "
            f"{model.outcome_variable!r:.60}",
            field="config",
        )
    return model


def _misfits(error: ValidationError) -> str:
    """What is wrong with a configuration, by the keys that it has itself, with what came there."""
    lines = []
    for one in error.errors()[:MAX_MISFITS]:
        keys = [str(part) for part in one["loc"][one["loc"][:1] in (("cases",), ("network",)) :]]
        message, given = one["msg"].removeprefix("Value error, "), one["input"]
        came = f", got {given!r:.60}" if isinstance(given, str | int | float | bool | None) else ""
        lines.append(f"{'.'.join(('config', *keys))}: {message}{came}")
    return "; ".join(lines)


def models(memory: Runtime, caller: Caller | None = None) -> Records[Model]:
    """The models that a caller shares."""
    return Records(memory, Model, caller)


def summary(entry: Entry[Model]) -> dict[str, Any]:
    """What a model is, in short."""
    model = entry.value
    details: dict[str, Any] = {"name": entry.name, "model_type": model.type, "steps": model.steps}
    if model.type != "bayesian":
        details["features"] = {
            name: {"type": one.type, "weight": round(model.cases.weight(name), 6)}
            for name, one in model.cases.features.items()
        }
    if model.network is not None:
        details["variables"] = {name: list(one.named()) for name, one in model.network.variables.items()}
        details["edges"] = [list(edge) for edge in model.network.edges]
        details["learns_from_cases"] = model.network.learn_from_cases
        details["learns_structure"] = model.network.learn_structure
    return details


def known_network(settings: NetworkSettings, learned: Mapping[str, np.ndarray] | None = None) -> Network:
    """The network of the tables that are given and those that were learned; others are even."""
    learned, parents = learned or {}, settings.parents()
    variables = []
    for name, one in settings.variables.items():
        shape = tuple(len(settings.variables[each].named()) for each in (*parents[name], name))
        table = _table(settings, name, shape) if name in settings.cpts else learned.get(name)
        if table is None:
            table = np.full(shape, 1.0 / shape[-1])
        variables.append(Variable(name, one.named(), parents[name], table, one.bins))
    return Network.of(variables)


def _table(settings: NetworkSettings, name: str, shape: tuple[int, ...]) -> np.ndarray:
    entries = settings.cpts[name]
    if not entries or not isinstance(entries[0], Mapping):
        try:
            return np.array(entries, dtype=np.float64)
        except (TypeError, ValueError):
            raise InvalidInput(
                f"the table of {name!r:.80} must be numbers nested as {' x '.join(map(str, shape))}, or rows of given "
                f"and probabilities; got {entries!r:.80}",
                field="config",
            ) from None
    table = np.full(shape, np.nan)
    parents = settings.parents()[name]
    for row in map(Row.model_validate, entries):
        if set(row.given) != set(parents) or len(row.probabilities) != shape[-1]:
            raise InvalidInput(
                f"a row of {name!r:.80} must be given {', '.join(parents) or 'nothing'} and {shape[-1]} probabilities, "
                f"got given {', '.join(row.given) or 'nothing'} and {len(row.probabilities)} probabilities",
                field="config",
            )
        place = []
        for parent in parents:
            spellings = [spelt(state) for state in settings.variables[parent].named()]
            if spelt(row.given[parent]) not in spellings:
                raise InvalidInput(
                    f"a row of {name!r:.80} has {parent} = {row.given[parent]!r:.60}, which is none of its states "
                    f"{', '.join(spellings[:20])}",
                    field="config",
                )
            place.append(spellings.index(spelt(row.given[parent])))
        table[tuple(place)] = row.probabilities
    if np.isnan(table).any():
        raise InvalidInput(
            f"the table of {name!r:.80} lacks a row: each combination of the states of {', '.join(parents)} needs one",
            field="config",
        )
    return table
