"""Weights learned from left-out cases: they find what tells outcomes apart, and are used only where they help."""

import numpy as np
import pytest

from context_graph.cases.model import CaseSettings
from context_graph.cases.reasoning import predict
from context_graph.cases.weighting import _pairs, learned_weights
from context_graph.visibility import ANYONE
from tests.cases.test_reasoning import arrays_of
from tests.requirements import requirement


def rows(seed, count, noise=14, telling=True):
    """One feature decides, the others are noise; without `telling` nothing decides."""
    dice = np.random.default_rng(seed)
    for _ in range(count):
        given = {f"noise{i}": float(value) for i, value in enumerate(dice.random(noise))} | {"x": float(dice.random())}
        yield given, "high" if (given["x"] if telling else dice.random()) > 0.5 else "low"


@requirement("cases:learned-weights-must-help")
def test_the_feature_that_decides_gains_and_predictions_get_better():
    known, asked = list(rows(1, 200)), list(rows(2, 200))
    arrays = arrays_of(known)
    right = {}
    for learn in (False, True):
        answers = [predict(arrays, given, CaseSettings(learn_weights=learn), ANYONE) for given, _ in asked]
        right[learn] = np.mean([one.outcome == outcome for one, (_, outcome) in zip(answers, asked, strict=True)])
    weights = answers[0].weights
    assert weights.helps and weights.loss_after < weights.loss_before and weights.cases == 200
    assert max(weights.factors, key=weights.factors.get) == "x"
    assert right[True] > right[False] + 0.03
    assert predict(arrays, asked[0][0], CaseSettings(), ANYONE).weights is None


@requirement("cases:learned-weights-must-help")
def test_where_nothing_tells_outcomes_apart_they_are_not_used():
    arrays = arrays_of(list(rows(3, 120, telling=False)))
    query = {"noise0": 0.5, "noise1": 0.1, "x": 0.9}
    with_weights = predict(arrays, query, CaseSettings(learn_weights=True), ANYONE)
    assert not with_weights.weights.helps
    assert with_weights.votes == predict(arrays, query, CaseSettings(), ANYONE).votes


def test_too_few_cases_or_a_single_feature_teach_nothing():
    few, one = arrays_of(list(rows(4, 20))), arrays_of([({"x": i / 50}, "a" if i < 25 else "b") for i in range(50)])
    for arrays in (few, one):
        assert predict(arrays, {"x": 0.1}, CaseSettings(learn_weights=True), ANYONE).weights is None


@pytest.mark.parametrize("numeric", [False, True])
def test_the_gradient_is_that_of_finite_differences(numeric):
    known = list(rows(5, 40))
    known[3][0].pop("noise1")  # a case that lacks a feature
    outcome = [(given, 10 * given["x"] + given["noise0"] if numeric else label) for given, label in known]
    arrays = arrays_of(outcome)
    names = list(arrays.columns)
    pairs = _pairs(arrays, names, np.arange(40), numeric=numeric, k=7, nearly=0.05)
    logs, everyone = np.linspace(-0.2, 0.3, len(names)), np.arange(40)
    _, gradient = pairs.losses(logs, everyone, everyone)
    for place in range(len(names)):
        step = np.zeros(len(names))
        step[place] = 1e-6
        up, down = (pairs.losses(logs + sign * step, everyone, everyone)[0].mean() for sign in (1, -1))
        assert gradient[place] == pytest.approx((up - down) / 2e-6, rel=1e-3, abs=1e-5)


def test_numbers_are_learned_from_as_well():
    arrays = arrays_of([(given, 100 * given["x"]) for given, _ in rows(6, 150)])
    weights = dict.fromkeys(arrays.columns, 1.0)
    found = learned_weights(arrays, weights, np.ones(150, bool), numeric=True, k=10, nearly=0.05)
    assert found.helps and max(found.factors, key=found.factors.get) == "x"
