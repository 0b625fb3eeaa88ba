"""What similar cases say, and what it rests on."""

from dataclasses import dataclass, field
from typing import Any

from context_graph.cases.base import Case
from context_graph.cases.calibration import Calibration

__all__ = ["Adaptation", "Prediction", "Similar"]


@dataclass(frozen=True, slots=True)
class Similar:
    """A retrieved case.

    Attributes
    ----------
    weight : float
        Its share of the vote.
    why : dict
        Of each feature asked about: how similar it is, and whether the case lacks it.
    """

    case: Case
    similarity: float
    weight: float
    why: dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Adaptation:
    """The outcome of the nearest case, moved by what the features of the query differ.

    Attributes
    ----------
    rule : str
        How, in words.
    """

    outcome: float
    rule: str


@dataclass(frozen=True, slots=True)
class Prediction:
    """What similar cases say.

    Attributes
    ----------
    outcome : any JSON
        None where no case is similar enough, or none that is has an outcome.
    share : float
        Of the votes for it; of a number 1 minus the spread of the votes over the range of outcomes.
    votes : dict
        By outcome as JSON, its share.
    ignored : dict
        Features of the query that were not compared, and why.
    """

    model: str | None
    outcome: Any
    confidence: float
    share: float
    votes: dict[str, float]
    similar: list[Similar]
    base: int
    adaptation: Adaptation | None = None
    calibration: Calibration | None = None
    ignored: dict[str, str] = field(default_factory=dict)
    unfit: dict[str, int] = field(default_factory=dict)
    network: dict[str, float] | None = None
