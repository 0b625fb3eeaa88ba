"""reason_with_cases: what similar cases came to."""

import json
from typing import TYPE_CHECKING, Any

from pydantic import Field, PrivateAttr

from context_graph.errors import InvalidInput
from context_graph.models import Caller
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.tools.base import Id, Maybe, StatusOutput, ToolInput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.cases.prediction import Likely, Prediction
    from context_graph.cases.weighting import LearnedWeights
    from context_graph.memory import Memory

__all__ = ["reason_with_cases"]

MAX_K = 1_000
LITTLE_SIMILAR = 0.25
"""Of the most similar case: below, the answer says that it is hardly one."""

STRATEGIES = ("distance", "frequency", "hybrid")


class ReasonWithCasesInput(ToolInput):
    query_features: dict[str, Any] = Field(min_length=1)
    """Features of the query."""

    k: int = Field(10, ge=1)
    """Similar cases."""

    threshold: float = Field(0.0, ge=0, le=1)
    """Lowest similarity."""

    weighting_strategy: str = "distance"
    """distance: nearer cases count more; frequency: all alike; hybrid: half of each."""

    model: Maybe[str] = Field(None, min_length=1)
    """Model to reason with; by default the only model of cases, or none where there are several."""


class RetrievedCase(WireModel):
    case_id: str
    similarity: float = Field(ge=0, le=1)
    node_id: Id
    outcome: Any = None
    weight: float
    """Share of the vote."""

    why: dict[str, Any]
    """By feature: its similarity, the value of the case, or that it is missing."""


class Evidence(WireModel):
    num_cases: int
    """Cases that were retrieved."""

    avg_similarity: float
    base: int
    """Cases that could have been."""

    model: str | None = None
    votes: list[dict[str, Any]] | None = None
    """Outcomes and their shares, the likeliest first."""

    adaptation: dict[str, Any] | None = None
    """The outcome of the nearest case, moved by the numbers that differ, and the rule."""

    calibration: dict[str, Any] | None = None
    """What leaving cases out one by one shows: accuracy, Brier score, expected calibration error."""

    likely: dict[str, Any] | None = None
    """config.coverage: outcomes, or ends of a range, that hold the true one as often as that."""

    learned_weights: dict[str, Any] | None = None
    """config.learn_weights: factors of weights, whether they are used, and the loss on cases left out, before and
    after."""

    ignored: dict[str, str] | None = None
    """Features that were not compared, and why."""

    network: dict[str, float] | None = None
    """hybrid: what the network says."""


class ReasonWithCasesOutput(StatusOutput):
    prediction: Any = None
    """Predicted outcome (any JSON); absent where no case is similar enough."""

    confidence: float = Field(ge=0, le=1)
    """How likely the prediction is right, by how often such ones were; of a number, within a tenth of their range."""

    retrieved_cases: list[RetrievedCase]
    evidence: Evidence
    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="cerebrum", title="Reason with cases", tier=2, read_only=True)
def reason_with_cases(memory: "Memory", args: ReasonWithCasesInput, caller: Caller) -> ReasonWithCasesOutput:
    """Predict an outcome from the most similar cases, with a confidence that was checked on the cases themselves, and
    why each is similar. That none is similar enough is an answer.
    """
    from context_graph.cases.reasoning import reason

    fields = args.model_fields_set
    if args.weighting_strategy not in STRATEGIES:
        raise InvalidInput(
            f"weighting_strategy must be one of {', '.join(STRATEGIES)}, got {args.weighting_strategy[:40]!r}",
            field="weighting_strategy",
        )
    if args.k > MAX_K:
        raise InvalidInput(f"k must be at most {MAX_K}, got {args.k}", field="k")
    prediction = reason(
        memory, args.query_features, caller, model=args.model,
        k=args.k if "k" in fields else None,
        threshold=args.threshold if "threshold" in fields else None,
        weighting=args.weighting_strategy if "weighting_strategy" in fields else None,
    )  # fmt: skip
    output = _output(prediction)
    output._notes = _notes(prediction)
    return output


def _output(prediction: "Prediction") -> ReasonWithCasesOutput:
    from context_graph.cases.reasoning import outcomes_of

    similar, calibration, adaptation = prediction.similar, prediction.calibration, prediction.adaptation
    views = [
        RetrievedCase(
            case_id=one.case.case_id,
            similarity=round(one.similarity, 6),
            node_id=one.case.node_id,
            outcome=one.case.outcome,
            weight=round(one.weight, 6),
            why=one.why,
        )
        for one in similar
    ]
    votes = [{"outcome": outcome, "share": round(share, 6)} for outcome, share in outcomes_of(prediction)[:20]]
    return ReasonWithCasesOutput(
        status="success",
        prediction=round(prediction.outcome, 9) if isinstance(prediction.outcome, float) else prediction.outcome,
        confidence=round(min(1.0, prediction.confidence), 6),
        retrieved_cases=fitting(views, ANSWER_BYTES // 2),
        evidence=Evidence(
            num_cases=len(similar),
            avg_similarity=round(sum(one.similarity for one in similar) / len(similar), 6) if similar else 0.0,
            base=prediction.base,
            model=prediction.model,
            votes=votes or None,
            adaptation={"outcome": adaptation.outcome, "rule": adaptation.rule} if adaptation else None,
            calibration={
                "cases_left_out": calibration.cases,
                "accuracy": round(calibration.accuracy, 4),
                "brier": round(calibration.brier, 4),
                "expected_calibration_error": round(calibration.expected_calibration_error, 4),
                "brier_of_vote_shares": round(calibration.raw_brier, 4),
            }
            if calibration
            else None,
            likely=_likely(prediction.likely) if prediction.likely else None,
            learned_weights=_weights(prediction.weights) if prediction.weights else None,
            ignored=prediction.ignored or None,
            network=prediction.network and {name: round(share, 6) for name, share in prediction.network.items()},
        ),
    )


def _likely(likely: "Likely") -> dict[str, Any]:
    values: dict[str, Any] = {"coverage": likely.coverage}
    if likely.any:
        return values | {"any": True}
    if likely.ends is not None:
        low, high = likely.ends
        return values | {"from": round(low, 9), "to": round(high, 9)}
    return values | {"outcomes": [json.loads(text) for text in likely.outcomes]}


def _weights(learned: "LearnedWeights") -> dict[str, Any]:
    return {
        "used": learned.helps,
        "factors": {name: round(factor, 4) for name, factor in learned.factors.items()},
        "cases": learned.cases,
        "loss_before": round(learned.loss_before, 4),
        "loss_after": round(learned.loss_after, 4),
    }


def _notes(prediction: "Prediction") -> list[str]:
    notes = []
    if prediction.nothing_shared and not prediction.similar:
        notes.append(f"No similar cases found: none of {prediction.base} has anything in common with the query.")
    elif prediction.nothing_shared:
        notes.append(
            f"None of {prediction.base} cases is similar: the numbers lie far from theirs, so the prediction is what "
            "all of them together came to, and its confidence is 0, as no case shows how often that is right."
        )
    elif not prediction.similar:
        notes.append(f"No similar cases found: none of {prediction.base} reaches the threshold.")
    elif prediction.outcome is None:
        notes.append("None of the similar cases has an outcome.")
    elif prediction.similar[0].similarity < LITTLE_SIMILAR:
        notes.append(
            f"The most similar case has a similarity of {prediction.similar[0].similarity:.2f}: expect less of the "
            "prediction than its confidence, which was checked on cases that had nearer ones."
        )
    if any("missing" in why for one in prediction.similar for why in one.why.values()):
        notes.append("A feature that a case lacks counts as half similar: it speaks neither for nor against the case.")
    if prediction.ignored:
        notes.append("Not compared: " + "; ".join(f"{name}, {why}" for name, why in prediction.ignored.items()) + ".")
    if prediction.unfit:
        counts = ", ".join(f"{count} of {name}" for name, count in prediction.unfit.items())
        notes.append(f"Values of cases that do not fit the type of their feature count as missing: {counts}.")
    if prediction.likely is not None and prediction.likely.any:
        notes.append("No outcome can be ruled out at this coverage.")
    if prediction.weights is not None and not prediction.weights.helps:
        notes.append("Learned weights are not used: they do not help cases that were left out.")
    if prediction.network is not None:
        notes.append("The shares of the cases and of the network are mixed; the confidence is not calibrated.")
    elif prediction.outcome is not None and prediction.calibration is None and not prediction.nothing_shared:
        notes.append("There are too few cases to check the confidence: it is the share of the votes, drawn to a half.")
    return notes
