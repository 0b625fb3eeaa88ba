"""What similar cases say, and what it rests on."""

from dataclasses import dataclass, field
from typing import Any

from context_graph.cases.base import Case
from context_graph.cases.calibration import Calibration
from context_graph.cases.weighting import LearnedWeights

__all__ = ["Adaptation", "Likely", "Prediction", "Similar"]


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
class Likely:
    """Outcomes that together hold the true one as often as asked for.

    Attributes
    ----------
    outcomes : tuple of str
        As JSON, the likeliest first; of numbers none.
    ends : (float, float), optional
        Between which a number lies.
    any : bool
        Nothing can be left out: too few cases are like the query, or too few were left out to tell.
    """

    coverage: float
    outcomes: tuple[str, ...] = ()
    ends: tuple[float, float] | None = None
    any: bool = False


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
    nothing_shared : bool
        Whether every case has a similarity of 0. None is retrieved then, unless numbers or dates were compared: the
        outcome is that of values far away, and nothing says how often such ones are right.
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
    likely: Likely | None = None
    weights: LearnedWeights | None = None
    nothing_shared: bool = False
