"""bayesian_inference: distributions in a network, given what was seen or made so."""

from typing import TYPE_CHECKING, Any

from pydantic import Field, PrivateAttr

from context_graph.models import Caller
from context_graph.tools.base import Maybe, StatusOutput, ToolInput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.cases.networks import Taught
    from context_graph.cases.structure import Structure
    from context_graph.inference.networks import Posterior
    from context_graph.memory import Memory

__all__ = ["bayesian_inference"]


class BayesianInferenceInput(ToolInput):
    network_name: str = Field(min_length=1)
    """Network."""

    query: dict[str, Any] = Field(min_length=1)
    """Variables asked for: name -> null, or the value whose probability is asked."""

    evidence: Maybe[dict[str, Any]] = None
    """Observed: name -> state, a number where the variable has bins, or likelihoods of its states (soft evidence)."""

    method: str = "variable_elimination"
    """variable_elimination or lazy_propagation (exact), loopy_belief_propagation, gibbs or mcmc."""

    do: Maybe[dict[str, Any]] = None
    """Made so, whatever its causes: name -> state."""

    jointly: bool = False
    """Tell also the most likely values of the variables asked for together (MAP)."""


class Distribution(WireModel):
    values: list[Any]
    probabilities: list[float]
    asked: float | None = None
    """Probability of the value asked for."""


class BayesianInferenceOutput(StatusOutput):
    results: dict[str, Distribution]
    method: str
    evidence_probability: float | None = None
    """How likely the evidence was; of exact methods."""

    most_likely: dict[str, Any] | None = None
    """The most likely values together, and how likely they are."""

    convergence: dict[str, Any] | None = None
    """gibbs: the largest total variation between two chains; loopy: the last change of a message."""

    learned_from: int | None = None
    """Cases that taught the tables."""

    structure: dict[str, Any] | None = None
    """config.learn_structure: the edges that were found, the cases, and the score (BIC), of all and of those given."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


UNSURE = 0.01
"""Two chains that differ by more have not met."""


@tool(family="cerebrum", title="Bayesian inference", tier=2, read_only=True)
def bayesian_inference(memory: "Memory", args: BayesianInferenceInput, caller: Caller) -> BayesianInferenceOutput:
    """Posterior distributions in a Bayesian network, given hard or soft evidence or interventions. Needs the optional
    extra [causal].
    """
    from context_graph.cases.networks import posterior

    taught, answer = posterior(
        memory, args.network_name, args.query, caller,
        evidence=args.evidence, do=args.do, method=args.method, jointly=args.jointly,
    )  # fmt: skip
    results = {}
    for name, value in args.query.items():
        variable = taught.network.variables[name]
        likely = [min(1.0, max(0.0, one)) for one in answer.probabilities[name]]
        asked = None if value is None else likely[variable.place(value, of="query")]
        results[name] = Distribution(values=list(variable.states), probabilities=likely, asked=asked)
    output = BayesianInferenceOutput(
        status="success",
        results=results,
        method=answer.method,
        evidence_probability=answer.evidence_probability if args.evidence else None,
        most_likely=answer.joint and {"values": answer.joint, "probability": answer.joint_probability},
        convergence=_convergence(answer),
        learned_from=taught.cases or None,
        structure=_structure(taught.structure) if taught.structure else None,
    )
    output._notes = [*_notes(answer), *_edge_notes(memory, args, taught, caller)]
    return output


def _structure(found: "Structure") -> dict[str, Any]:
    return {
        "edges": [list(edge) for edge in found.edges],
        "cases": found.cases,
        "score": round(found.score, 3),
        "score_of_given_edges": round(found.score_of_given, 3),
    }


def _edge_notes(memory: "Memory", args: BayesianInferenceInput, taught: "Taught", caller: Caller) -> list[str]:
    from context_graph.cases.model import models
    from context_graph.cases.structure import MIN_WHOLE

    settings = models(memory, caller).get(args.network_name).value.network
    if settings is None or not settings.learn_structure:
        return []
    if taught.structure is None:
        return [f"No edges were searched for: fewer than {MIN_WHOLE} cases have a state of each variable."]
    if args.do:
        return ["Edges found in cases say what depends on what, not what causes what: give those that do rests on."]
    return []


def _convergence(answer: "Posterior") -> dict[str, Any] | None:
    if answer.spread is None:
        return None
    figure = "chains_apart" if answer.method == "gibbs" else "last_change"
    return {figure: answer.spread, "iterations": answer.iterations}


def _notes(answer: "Posterior") -> list[str]:
    if answer.method == "gibbs":
        apart = f"two chains differ by {answer.spread:.4f}"
        unsure = "; they have not met, so believe an exact method rather" if (answer.spread or 0) > UNSURE else ""
        return [f"Sampled: {apart}{unsure}."]
    if answer.method == "loopy_belief_propagation":
        return ["Loopy propagation is exact where no two ways join two variables, and an estimate elsewhere."]
    return []
