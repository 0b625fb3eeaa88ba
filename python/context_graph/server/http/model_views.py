"""What the page needs to draw models: which there are, and where their variables and cases stand."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from context_graph.errors import NotFound
from context_graph.models import Caller
from context_graph.presentation.wire_model import Id, WireModel

if TYPE_CHECKING:
    from context_graph.cases.model import Model
    from context_graph.memory import Memory
    from context_graph.runtime.records import Entry

__all__ = ["ModelList", "WholeModel", "all_models", "whole_model"]

MAX_PAGE_VARIABLES = 60
MAX_PAGE_POINTS = 2_000


class ModelLine(WireModel):
    """A model in the list."""

    id: Id
    name: str
    model_type: str
    steps: int
    """How often it was transformed."""


class ModelList(WireModel):
    """The models that who asks may see, by name."""

    models: list[ModelLine]


class DrawnVariable(WireModel):
    """A variable of a network, and where it stands: parents above, in steps of one."""

    name: str
    states: list[Any]
    parents: list[str]
    x: float
    y: float


class DrawnNetwork(WireModel):
    """A network; with edges that were searched for, where it has such."""

    variables: list[DrawnVariable]
    total: int
    """Variables of the network, of which the first are told."""

    learned_from: int
    """Cases that teach its tables."""


class DrawnCase(WireModel):
    """A case in two dimensions."""

    node_id: Id
    case_id: str
    outcome: Any = None
    x: float
    y: float


class DrawnCases(WireModel):
    """Cases by their two principal components; fewer than two have none."""

    cases: list[DrawnCase]
    variance_shown: list[float]
    """Of each component."""

    total: int
    """Cases that could be shown, over which those told are spread evenly."""


class WholeModel(WireModel):
    """A model with what is drawn of it."""

    id: Id
    name: str
    model_type: str
    steps: int
    features: dict[str, Any] | None = None
    """By name its type and weight, where they are declared."""

    network: DrawnNetwork | None = None
    cases: DrawnCases | None = None


def all_models(memory: "Memory", caller: Caller, parameters: Mapping[str, Any]) -> ModelList:
    """The models of cases and networks."""
    from context_graph.cases.model import models

    lines = [
        ModelLine(id=entry.record.id, name=entry.name, model_type=entry.value.type, steps=entry.value.steps)
        for entry in models(memory, caller).all()
    ]
    return ModelList(models=sorted(lines, key=lambda line: line.name))


def whole_model(memory: "Memory", caller: Caller, parameters: Mapping[str, Any]) -> WholeModel:
    """One model by its id, which is the same whatever its name holds."""
    from context_graph.cases.model import models, summary

    id = parameters["id"]
    entry = next((one for one in models(memory, caller).all() if one.record.id == id), None)
    if entry is None:
        raise NotFound(f"there is no model with the id {id[:40]!r}; GET /api/v1/models names those that there are")
    model = entry.value
    return WholeModel(
        id=entry.record.id,
        name=entry.name,
        model_type=model.type,
        steps=model.steps,
        features=summary(entry).get("features") or None,
        network=None if model.network is None else _network(memory, entry, caller),
        cases=None if model.type == "bayesian" else _cases(memory, entry, caller),
    )


def _network(memory: "Memory", entry: "Entry[Model]", caller: Caller) -> DrawnNetwork:
    from context_graph.cases.layout import layers
    from context_graph.cases.networks import network_of

    taught = network_of(memory, entry, caller)
    network = taught.network
    names = list(network.variables)[:MAX_PAGE_VARIABLES]
    places = layers(network, names)
    return DrawnNetwork(
        variables=[
            DrawnVariable(
                name=name,
                states=list(network.variables[name].states),
                parents=[parent for parent in network.variables[name].parents if parent in places],
                x=places[name][0],
                y=places[name][1],
            )
            for name in names
        ],
        total=len(network.variables),
        learned_from=taught.cases,
    )


def _cases(memory: "Memory", entry: "Entry[Model]", caller: Caller) -> DrawnCases:
    from context_graph.cases.base import Cases
    from context_graph.cases.layout import case_map

    memory.catch_up()
    with memory.view(Cases).arrays(entry.name, entry.value.cases.features) as arrays:
        mask = arrays.visible(memory.viewer(caller))
        if (count := int(mask.sum())) < 2:
            return DrawnCases(cases=[], variance_shown=[], total=count)
        drawn = case_map(arrays, mask, MAX_PAGE_POINTS)
        return DrawnCases(
            cases=[
                DrawnCase(
                    node_id=arrays.cases[row].node_id,
                    case_id=arrays.cases[row].case_id,
                    outcome=arrays.cases[row].outcome,
                    x=round(float(x), 4),
                    y=round(float(y), 4),
                )
                for row, (x, y) in zip(drawn.rows, drawn.places, strict=True)
            ],
            variance_shown=[round(share, 4) for share in drawn.shown],
            total=drawn.base,
        )
