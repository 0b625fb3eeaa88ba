"""From features to a prediction: the most similar cases, what they vote for, and why."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from context_graph.cases.base import CaseArrays, Cases
from context_graph.cases.calibration import Calibration, calibrated, calibration_of
from context_graph.cases.columns import Scaled
from context_graph.cases.features import Feature, check_names
from context_graph.cases.model import CaseSettings, Model, models
from context_graph.cases.networks import joined
from context_graph.cases.prediction import Adaptation, Likely, Prediction, Similar
from context_graph.cases.weighting import LearnedWeights, learned_weights
from context_graph.errors import InvalidInput, NotFound
from context_graph.inference.networks import spelt
from context_graph.models import Caller
from context_graph.runtime import Runtime
from context_graph.runtime.records import Entry
from context_graph.visibility import Viewer

__all__ = ["chosen_model", "comparable", "is_right", "nearest", "outcomes_of", "predict", "reason"]

T = TypeVar("T")

NEARLY = 0.05
"""Added to a distance before it is inverted: an equal case weighs 20 times as much as one that differs in all."""

EQUAL = 1e-12
"""Similarities that differ by less are equal."""

WITHIN = 0.1
"""A number is predicted where it misses by less than this share of the range of outcomes."""

MAX_LEFT_OUT = 200
"""Cases that are left out one by one, spread evenly over all."""

MANY = 2_000
MAX_KEPT_FINDINGS = 64
"""Of settings that were asked with; the oldest goes first."""

MIN_ADAPTED = 3
"""Cases that a slope is fitted over."""

RIDGE = 0.1
"""Draws slopes of an adaptation to 0, in shares of the weight of the cases."""


@dataclass(frozen=True, slots=True)
class _Neighbours:
    """The cases most similar to a query, the most similar first and older ones among equals.

    Attributes
    ----------
    shares : shape (n,)
        Of one vote each; those as similar as the k-th share the places that are left, so that no order decides.
    """

    rows: np.ndarray
    similarities: np.ndarray
    shares: np.ndarray

    def none(self) -> "_Neighbours":
        """Without any case."""
        return _Neighbours(self.rows[:0], self.similarities[:0], self.shares[:0])


@dataclass(frozen=True, slots=True)
class _Votes:
    outcome: Any
    share: float
    votes: dict[str, float]
    weights: np.ndarray


def chosen_model(memory: Runtime, name: str | None, caller: Caller) -> Entry[Model] | None:
    """The model of a name; without one, the only one of cases that there is, where there is just one."""
    shelf = models(memory, caller)
    if name is not None:
        entry = shelf.get(name)
        if entry.value.type == "bayesian":
            raise InvalidInput(
                f"{name!r:.80} is a network without cases; bayesian_inference asks it, or name a model of cases",
                field="model",
            )
        return entry
    of_cases = [entry for entry in shelf.all() if entry.value.type != "bayesian"]
    return of_cases[0] if len(of_cases) == 1 else None


def reason(
    memory: Runtime,
    features: Mapping[str, Any],
    caller: Caller,
    *,
    model: str | None = None,
    k: int | None = None,
    threshold: float | None = None,
    weighting: str | None = None,
) -> Prediction:
    """Predict the outcome of features from the most similar cases.

    Parameters
    ----------
    model : str, optional
        Whose features, weights and settings to use; by default those of the only model of cases, or none.
    """
    check_names(features, "query_features")
    entry = chosen_model(memory, model, caller)
    settings = entry.value.cases if entry else CaseSettings()
    name = entry.name if entry else None
    memory.catch_up()
    with memory.view(Cases).arrays(name, settings.features) as arrays:
        prediction = predict(
            arrays, features, settings, memory.viewer(caller), k=k, threshold=threshold, weighting=weighting
        )
    if entry is not None and entry.value.type == "hybrid":
        prediction = joined(memory, entry, features, prediction, caller)
    return prediction


def predict(
    arrays: CaseArrays,
    features: Mapping[str, Any],
    settings: CaseSettings,
    viewer: Viewer,
    *,
    k: int | None = None,
    threshold: float | None = None,
    weighting: str | None = None,
) -> Prediction:
    """The same over arrays of cases."""
    k, threshold = k or settings.k, settings.similarity_threshold if threshold is None else threshold
    weighting = weighting or settings.weighting_strategy
    mask = arrays.visible(viewer)
    if not mask.any():
        raise NotFound("No similar cases found: there are no cases yet; add_case adds one")
    query, ignored = comparable(arrays, features, settings)
    with_outcome = mask & (arrays.codes >= 0)
    usable = with_outcome if with_outcome.any() else mask
    numeric = _is_numeric(arrays, with_outcome, settings)
    learned = _learned(arrays, settings, with_outcome, viewer, k, numeric) if settings.learn_weights else None
    if learned is not None and learned.helps:
        factors = {name: settings.weights.get(name, 1.0) * factor for name, factor in learned.factors.items()}
        settings = settings.model_copy(update={"weights": settings.weights | factors})
    neighbours = _neighbours(arrays, query, settings, usable, k, threshold)
    nothing_shared = bool(len(neighbours.rows)) and float(neighbours.similarities[0]) <= EQUAL
    if nothing_shared and not any(isinstance(arrays.columns[name], Scaled) for name in query):
        neighbours = neighbours.none()
    votes = _vote(arrays, neighbours, settings, weighting, numeric, with_outcome)
    rows, similarities = neighbours.rows[:k], neighbours.similarities[:k]
    calibration = _calibration(arrays, settings, with_outcome, viewer, k, threshold, weighting, numeric)
    voters = float(1.0 / (votes.weights**2).sum()) if votes.weights.any() else 0.0
    why = _why(arrays, query, rows)
    return Prediction(
        arrays.model,
        votes.outcome,
        calibrated(calibration, votes.share, voters) if votes.outcome is not None and not nothing_shared else 0.0,
        votes.share,
        votes.votes,
        [
            Similar(arrays.cases[row], float(similarity), float(weight), why[place])
            for place, (row, similarity, weight) in enumerate(zip(rows, similarities, votes.weights[:k], strict=True))
        ],
        int(mask.sum()),
        _adapted(arrays, query, rows, similarities, with_outcome) if numeric else None,
        calibration,
        ignored,
        {name: column.unfit for name, column in arrays.columns.items() if column.unfit},
        likely=(
            _likely(votes, None if nothing_shared else calibration, settings.coverage, numeric)
            if settings.coverage
            else None
        ),
        weights=learned,
        nothing_shared=nothing_shared,
    )


def nearest(
    arrays: CaseArrays,
    query: Mapping[str, Any],
    settings: CaseSettings,
    mask: np.ndarray,
    k: int,
    threshold: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """The rows most similar to a query, the most similar first and older ones among equals; and how similar."""
    neighbours = _neighbours(arrays, query, settings, mask, k, threshold)
    return neighbours.rows[:k], neighbours.similarities[:k]


def _neighbours(
    arrays: CaseArrays,
    query: Mapping[str, Any],
    settings: CaseSettings,
    mask: np.ndarray,
    k: int,
    threshold: float,
) -> _Neighbours:
    total, weights = np.zeros(len(arrays)), 0.0
    for name, value in query.items():
        weight = settings.weight(name)
        if weight > 0:
            similar = arrays.columns[name].similarity(value)
            similar *= weight
            total += similar
            weights += weight
    similar = total / (weights or 1.0)
    if not mask.all():
        similar[~mask] = -1.0
    if len(similar) > 4 * k:
        bound = np.partition(similar, len(similar) - k)[len(similar) - k] - EQUAL
        rows = np.flatnonzero(similar >= max(bound, threshold, 0.0))
    else:
        rows = np.flatnonzero(similar >= max(threshold, 0.0))
    rows = rows[np.lexsort((rows, -similar[rows]))]
    similarities, shares = np.minimum(similar[rows], 1.0), np.ones(len(rows))
    if len(rows) > k:
        last = similarities[k - 1] - EQUAL
        rows, similarities = rows[similarities >= last], similarities[similarities >= last]
        tied = similarities <= similarities[k - 1] + EQUAL
        shares = np.where(tied, (k - np.count_nonzero(~tied)) / np.count_nonzero(tied), 1.0)
    return _Neighbours(rows, similarities, shares)


def comparable(
    arrays: CaseArrays, features: Mapping[str, Any], settings: CaseSettings
) -> tuple[dict[str, Any], dict[str, str]]:
    """The features that can be compared, and why others cannot."""
    query, ignored = {}, {}
    for name, value in features.items():
        if value is None:
            ignored[name] = "it has no value"
        elif name not in arrays.columns:
            names = ", ".join(list(arrays.columns)[:20])
            if name in settings.features or not settings.features:
                ignored[name] = "no case has it"
            else:
                raise InvalidInput(f"the model has no feature {name!r:.80}; features: {names}", field="query_features")
        else:
            try:
                query[name] = _lenient(arrays.columns[name].feature).checked(name, value)
            except InvalidInput as error:
                error.field = "query_features"
                raise
    if not query:
        raise InvalidInput(
            f"no feature of the query can be compared: {'; '.join(f'{name}: {why}' for name, why in ignored.items())}; "
            f"features of the cases: {', '.join(list(arrays.columns)[:20])}",
            field="query_features",
        )
    return query, ignored


def _lenient(feature: Feature) -> Feature:
    """A number or date asked about may lie beyond the range of the cases."""
    return feature.model_copy(update={"min": None, "max": None}) if feature.type in ("number", "date") else feature


def _is_numeric(arrays: CaseArrays, mask: np.ndarray, settings: CaseSettings) -> bool:
    if settings.outcome != "auto":
        return settings.outcome == "number"
    if "numeric" not in arrays.memo:
        live = arrays.live & (arrays.codes >= 0)
        arrays.memo["numeric"] = bool(live.any() and not np.isnan(arrays.numbers[live]).any())
    return bool(arrays.memo["numeric"])


def _vote(
    arrays: CaseArrays,
    neighbours: _Neighbours,
    settings: CaseSettings,
    weighting: str,
    numeric: bool,
    mask: np.ndarray,
) -> _Votes:
    """What the cases say together: a weighted vote, or of numbers a weighted mean; who does not vote weighs nothing."""
    voting = mask[neighbours.rows] & (~np.isnan(arrays.numbers[neighbours.rows]) if numeric else True)
    if not voting.any():
        return _Votes(None, 0.0, {}, np.zeros(len(neighbours.rows)))
    near, even = neighbours.shares * voting / (1.0 - neighbours.similarities + NEARLY), neighbours.shares * voting
    near, even = near / near.sum(), even / even.sum()
    weights = {"distance": near, "frequency": even, "hybrid": (near + even) / 2}[weighting]
    if numeric:
        values = np.where(voting, arrays.numbers[neighbours.rows], 0.0)
        mean = float(weights @ values) + settings.offset
        spread = math.sqrt(float(weights @ (values - weights @ values) ** 2))
        return _Votes(mean, max(0.0, 1.0 - spread / (_span(arrays) or 1.0)), {}, weights)
    codes = arrays.codes[neighbours.rows]
    voted = list(dict.fromkeys(codes[voting].tolist()))
    for code in voted:
        weights[codes == code] *= math.exp(settings.bias.get(arrays.outcomes[code], 0.0))
    weights /= weights.sum()
    shares = {arrays.outcomes[code]: float(weights[codes == code].sum()) for code in voted}
    best = max(shares, key=lambda text: shares[text])  # of equals that of the nearest
    return _Votes(json.loads(best), shares[best], dict(sorted(shares.items(), key=lambda one: -one[1])), weights)


def _span(arrays: CaseArrays) -> float:
    """From the lowest to the highest outcome of live cases."""
    if "span" not in arrays.memo:
        values = arrays.numbers[arrays.live]
        values = values[~np.isnan(values)]
        arrays.memo["span"] = float(np.ptp(values)) if len(values) else 0.0
    return float(arrays.memo["span"])


def _likely(votes: _Votes, calibration: Calibration | None, coverage: float, numeric: bool) -> Likely | None:
    """The outcomes that lack no more than as many left-out cases as asked for did."""
    if votes.outcome is None:
        return None
    reach = math.inf if calibration is None else calibration.reach(coverage)
    if math.isinf(reach) or (not numeric and reach >= 1.0):  # an outcome without a vote could be the true one
        return Likely(coverage, any=True)
    if numeric:
        return Likely(coverage, ends=(votes.outcome - reach, votes.outcome + reach))
    named = tuple(text for text, share in votes.votes.items() if 1.0 - share <= reach + 1e-12)
    return Likely(coverage, named or (next(iter(votes.votes)),))


def _kept(arrays: CaseArrays, key: Any, count: int, make: Callable[[], T]) -> T:
    """What leaving out cases shows, made anew where the cases are others.

    That takes hundreds of searches, so among many cases one in a hundred may come or go before.
    """
    version, size, former = arrays.findings.get(key, (-1, 0, None))
    if version == arrays.version or (min(size, count) >= MANY and abs(size - count) * 100 <= count):
        known: T = former
        return known
    finding = make()
    arrays.findings[key] = arrays.version, count, finding
    while len(arrays.findings) > MAX_KEPT_FINDINGS:
        del arrays.findings[next(iter(arrays.findings))]
    return finding


def _learned(
    arrays: CaseArrays, settings: CaseSettings, mask: np.ndarray, viewer: Viewer, k: int, numeric: bool
) -> LearnedWeights | None:
    weights = {name: settings.weight(name) for name in arrays.columns}
    key = "weights", settings.model_dump_json(), k, viewer if arrays.has_private else None
    return _kept(
        arrays, key, int(mask.sum()),
        lambda: learned_weights(arrays, weights, mask, numeric=numeric, k=k, nearly=NEARLY),
    )  # fmt: skip


def _calibration(
    arrays: CaseArrays,
    settings: CaseSettings,
    mask: np.ndarray,
    viewer: Viewer,
    k: int,
    threshold: float,
    weighting: str,
    numeric: bool,
) -> Calibration | None:
    """What leaving out cases shows of the confidence of these settings."""

    def calibrate() -> Calibration | None:
        live = np.flatnonzero(mask)
        shares, right, misses = [], [], []
        for row in live[:: max(1, -(-len(live) // MAX_LEFT_OUT))]:
            others = mask.copy()
            others[row] = False
            query = {
                name: value
                for name, value in arrays.cases[row].features.items()
                if name in arrays.columns and _fits(arrays.columns[name].feature, name, value)
            }
            if not query:
                continue
            neighbours = _neighbours(arrays, query, settings, others, k, threshold)
            votes = _vote(arrays, neighbours, settings, weighting, numeric, others)
            if votes.outcome is not None:
                shares.append(votes.share)
                right.append(is_right(arrays, row, votes.outcome, numeric))
                misses.append(_miss(arrays, row, votes, numeric))
        return calibration_of(shares, right, misses)

    key = settings.model_dump_json(), k, threshold, weighting, viewer if arrays.has_private else None
    return _kept(arrays, key, int(mask.sum()), calibrate)


def _miss(arrays: CaseArrays, row: int, votes: _Votes, numeric: bool) -> float:
    """What the true outcome of a case lacked."""
    if numeric:
        return abs(float(arrays.numbers[row]) - float(votes.outcome))
    return 1.0 - votes.votes.get(arrays.outcomes[arrays.codes[row]], 0.0)


def _fits(feature: Feature, name: str, value: Any) -> bool:
    try:
        feature.checked(name, value)
    except InvalidInput:
        return False
    return True


def is_right(arrays: CaseArrays, row: int, outcome: Any, numeric: bool) -> bool:
    if numeric:
        return bool(abs(float(arrays.numbers[row]) - outcome) <= WITHIN * _span(arrays))
    return bool(arrays.outcomes[arrays.codes[row]] == spelt(outcome))


def _why(arrays: CaseArrays, query: Mapping[str, Any], rows: np.ndarray) -> list[dict[str, dict[str, Any]]]:
    """Of each row, how similar it is in each feature."""
    why: list[dict[str, dict[str, Any]]] = [{} for _ in rows]
    for name, value in query.items():
        similar, missing = arrays.columns[name].similarity(value, rows), arrays.columns[name].missing(rows)
        for place, row in enumerate(rows):
            told: dict[str, Any] = {"similarity": round(float(similar[place]), 4)}
            if missing[place]:
                told["missing"] = True
            else:
                told["value"] = arrays.cases[row].features.get(name)
            why[place][name] = told
    return why


def _adapted(
    arrays: CaseArrays, query: Mapping[str, Any], rows: np.ndarray, similarities: np.ndarray, mask: np.ndarray
) -> Adaptation | None:
    """The outcome of the nearest case plus a slope for each feature that is a number, fitted over the similar cases.

    Ridge regression, weighted by similarity, of outcomes on the features in shares of their ranges.
    """
    voting = mask[rows] & ~np.isnan(arrays.numbers[rows])
    rows, similarities = rows[voting], similarities[voting]
    if len(rows) < MIN_ADAPTED:
        return None
    scaled = {name: column for name in query if isinstance(column := arrays.columns[name], Scaled)}
    columns = {name: column.numbers(rows) for name, column in scaled.items()}
    columns = {name: values for name, values in columns.items() if not np.isnan(values).any() and np.ptp(values) > 0}
    if len(rows) < len(columns) + 2 or not columns:
        return None
    outcomes, weights = arrays.numbers[rows], similarities + NEARLY
    x = np.stack(list(columns.values()), axis=1)
    centre, mean = np.average(x, axis=0, weights=weights), np.average(outcomes, weights=weights)
    moved = (x - centre) * weights[:, None]
    penalty = RIDGE * weights.sum() * np.diag(np.maximum(x.var(axis=0), 1e-12))
    slopes = np.linalg.solve(moved.T @ (x - centre) + penalty, moved.T @ (outcomes - mean))
    steps = np.array([scaled[name].number(query[name]) for name in columns]) - x[0]
    live = arrays.numbers[mask & ~np.isnan(arrays.numbers)]
    adapted = float(np.clip(outcomes[0] + steps @ slopes, live.min(), live.max()))
    parts = [
        f"{slope * step:+.4g} for {name} ({step:+.4g} of its range at {slope:+.4g})"
        for name, slope, step in zip(columns, slopes, steps, strict=True)
        if abs(slope * step) > 1e-9
    ]
    start = f"{outcomes[0]:.6g} of {arrays.cases[rows[0]].case_id}"
    rule = f"{start}, {', '.join(parts) if parts else 'unchanged: its numbers are those asked about'}"
    return Adaptation(adapted, f"{rule}; kept within the outcomes of all cases, gives {adapted:.6g}")


def outcomes_of(prediction: Prediction) -> Sequence[tuple[Any, float]]:
    """The outcomes voted for, the likeliest first."""
    return [(json.loads(text), share) for text, share in prediction.votes.items()]
