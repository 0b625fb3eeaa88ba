"""Reasoning: the most similar cases, what they vote for, how sure, why, and what is said where none is."""

import random

import numpy as np
import pytest

from context_graph.cases.base import Case, CaseArrays
from context_graph.cases.features import Number
from context_graph.cases.model import CaseSettings
from context_graph.cases.reasoning import nearest, predict
from context_graph.models import Scope
from context_graph.server.dispatch import call
from context_graph.visibility import ANYONE
from tests.requirements import requirement


def arrays_of(rows, features=None):
    """Arrays of cases given as (features, outcome)."""
    cases = [
        Case(f"n{i}", f"c{i}", None, given, outcome, {}, Scope.USER, "s1", None)
        for i, (given, outcome) in enumerate(rows)
    ]
    arrays = CaseArrays(None, features or {}, lambda text: np.ones(4, np.float32) / 2)
    arrays.update(cases, np.ones(len(cases), bool), 1)
    return arrays


def random_rows(seed, count):
    dice = random.Random(seed)
    for _ in range(count):
        given = {
            "x": dice.random(),
            "y": dice.randint(0, 5),
            "kind": dice.choice("abc"),
            "tags": dice.sample("pqrs", 2),
        }
        yield (
            {name: value for name, value in given.items() if dice.random() > 0.1} or {"x": 0.5},
            dice.choice(["yes", "no"]),
        )


@requirement("cases:similarity-by-type")
@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_are_those_of_a_loop_over_all(seed):
    rows = list(random_rows(seed, 300))
    arrays = arrays_of(rows)
    settings = CaseSettings(weights={"x": 2.0})
    query = {"x": 0.3, "y": 2, "kind": "a", "tags": ["p", "q"]}
    weights = {"x": 2.0, "y": 1.0, "kind": 1.0, "tags": 1.0}
    spans = {name: np.ptp([given[name] for given, _ in rows if name in given]) for name in ("x", "y")}

    def similar(given):
        total = 0.0
        for name, weight in weights.items():
            if name not in given:
                total += weight * 0.5
            elif name in spans:
                total += weight * max(0.0, 1 - abs(given[name] - query[name]) / spans[name])
            elif name == "kind":
                total += weight * (given[name] == query[name])
            else:
                total += weight * len({*given[name]} & {"p", "q"}) / len({*given[name]} | {"p", "q"})
        return total / sum(weights.values())

    expected = sorted(range(300), key=lambda i: (-round(similar(rows[i][0]), 12), i))[:7]
    places, similarities = nearest(arrays, query, settings, np.ones(300, bool), 7)
    assert places.tolist() == expected
    assert similarities == pytest.approx([similar(rows[i][0]) for i in expected])
    threshold = float(similarities[3])
    assert nearest(arrays, query, settings, np.ones(300, bool), 7, threshold)[0].tolist() == expected[:4]


@pytest.mark.parametrize(("weighting", "wins"), [("distance", "near"), ("frequency", "many"), ("hybrid", "near")])
def test_weightings_let_the_near_or_the_many_win(weighting, wins):
    rows = [({"x": 0.0}, "near"), ({"x": 6.0}, "many"), ({"x": 7.0}, "many"), ({"x": 10.0}, "far")]
    arrays = arrays_of(rows, {"x": Number()})
    found = predict(arrays, {"x": 0.0}, CaseSettings(), ANYONE, k=3, weighting=weighting)
    assert found.outcome == wins and sum(found.votes.values()) == pytest.approx(1)


@requirement("cases:adaptation-shows-its-rule")
def test_numbers_are_averaged_and_the_nearest_is_adapted_by_a_rule_that_is_shown():
    rows = [({"x": float(x), "kind": "a"}, 3.0 * x + 1) for x in range(11)]
    found = predict(arrays_of(rows), {"x": 4.4, "kind": "a"}, CaseSettings(), ANYONE, k=5)
    assert found.outcome == pytest.approx(14.2, abs=1.5)
    assert abs(found.adaptation.outcome - 14.2) < abs(13.0 - 14.2), "nearer than the outcome of the nearest"
    assert found.adaptation.rule.startswith("13 of c4, +") and "for x" in found.adaptation.rule
    beyond = predict(arrays_of(rows), {"x": 400.0}, CaseSettings(), ANYONE, k=5)
    assert beyond.adaptation.outcome <= 31.0, "kept within the outcomes of all cases"


def test_words_are_not_adapted():
    found = predict(arrays_of([({"x": 1}, "a"), ({"x": 2}, "b"), ({"x": 3}, "b")]), {"x": 1}, CaseSettings(), ANYONE)
    assert found.adaptation is None


@requirement("cases:confidence-is-checked")
def test_noise_has_little_confidence_and_a_rule_has_much():
    dice = random.Random(1)
    ruled = [({"x": (x := dice.random())}, "high" if x > 0.5 else "low") for _ in range(120)]
    noise = [({"x": dice.random()}, dice.choice(["high", "low"])) for _ in range(120)]
    sure, unsure = (predict(arrays_of(rows), {"x": 0.9}, CaseSettings(k=5), ANYONE) for rows in (ruled, noise))
    assert sure.outcome == "high" and sure.confidence > 0.9 and sure.calibration.accuracy > 0.9
    assert unsure.confidence < 0.75 and 0.3 < unsure.calibration.accuracy < 0.7
    assert sure.calibration.brier < 0.1 < unsure.calibration.brier < 0.3
    assert sure.calibration.cases == 120


def test_what_was_found_of_calibration_is_used_until_a_case_comes(monkeypatch):
    rows = list(random_rows(2, 60))
    arrays = arrays_of(rows)
    first = predict(arrays, {"x": 0.5}, CaseSettings(), ANYONE).calibration
    assert predict(arrays, {"x": 0.1}, CaseSettings(), ANYONE).calibration is first
    more = [*arrays.cases, Case("n60", "c60", None, {"x": 0.5}, "yes", {}, Scope.USER, "s1", None)]
    arrays.update(more, np.ones(61, bool), 2)
    assert predict(arrays, {"x": 0.1}, CaseSettings(), ANYONE).calibration.cases == 61


@requirement("cases:missing-is-neutral")
def test_what_is_missing_is_neutral_and_said(memory, ask):
    ask("add_case", case_id="whole", features={"x": 0, "y": 1}, outcome="a")
    ask("add_case", case_id="half", features={"x": 0}, outcome="b")
    ask("add_case", case_id="other", features={"x": 0, "y": 0}, outcome="c")
    outcome = call(memory, "reason_with_cases", {"query_features": {"x": 0, "y": 1, "z": 5, "w": None}})
    found = {one["case_id"]: one for one in outcome.structured["retrieved_cases"]}
    assert [found[id]["similarity"] for id in ("whole", "half", "other")] == [1.0, 0.75, 0.5]
    assert found["half"]["why"] == {"x": {"similarity": 1.0, "value": 0}, "y": {"similarity": 0.5, "missing": True}}
    assert outcome.structured["evidence"]["ignored"] == {"z": "no case has it", "w": "it has no value"}
    assert any("half similar" in text for text in outcome.texts)


@requirement("cases:none-similar-is-an-answer")
def test_that_none_is_similar_is_an_answer_and_that_there_are_none_an_error(memory, ask, refused):
    assert refused("reason_with_cases", query_features={"x": 1}).startswith(
        "No similar cases found: there are no cases"
    )
    ask("add_case", case_id="c1", features={"kind": "a"}, outcome="yes")
    outcome = call(memory, "reason_with_cases", {"query_features": {"kind": "b"}, "threshold": 0.5})
    assert not outcome.is_error and "prediction" not in outcome.structured
    assert (outcome.structured["confidence"], outcome.structured["retrieved_cases"]) == (0.0, [])
    assert "No similar cases found: none of 1 reaches the threshold." in outcome.texts


@requirement("cases:none-similar-is-an-answer")
@pytest.mark.parametrize("weighting", ["distance", "frequency", "hybrid"])
def test_cases_that_share_nothing_with_the_query_predict_nothing(memory, ask, weighting):
    for i in range(25):
        ask("add_case", case_id=f"c{i}", features={"colour": "red", "size": "big", "lines": i}, outcome=i % 5 > 0)
    far = {"colour": "blue", "size": "tiny"}
    outcome = call(memory, "reason_with_cases", {"query_features": far, "weighting_strategy": weighting})
    values = outcome.structured
    assert not outcome.is_error and "prediction" not in values and values["confidence"] == 0.0
    assert values["retrieved_cases"] == [] and values["evidence"]["avg_similarity"] == 0.0
    assert "No similar cases found: none of 25 has anything in common with the query." in outcome.texts
    outcome = call(memory, "reason_with_cases", {"query_features": far | {"lines": 10**6}})
    assert outcome.structured["prediction"] is True and outcome.structured["confidence"] == 0.0
    assert any("None of 25 cases is similar: the numbers lie far" in text for text in outcome.texts)
    outcome = call(memory, "reason_with_cases", {"query_features": far | {"lines": 20}})
    assert outcome.structured["prediction"] is True and not any("has a similarity of" in one for one in outcome.texts)
    outcome = call(memory, "reason_with_cases", {"query_features": far | {"lines": 40}})
    assert outcome.structured["prediction"] is True
    assert any("most similar case has a similarity of 0.11: expect less" in text for text in outcome.texts)


def test_cases_without_an_outcome_are_shown_where_there_are_no_others(ask):
    ask("add_case", case_id="open", features={"x": 1})
    found = ask("reason_with_cases", query_features={"x": 1})
    assert "prediction" not in found and [one["case_id"] for one in found["retrieved_cases"]] == ["open"]
    ask("add_case", case_id="done", features={"x": 2}, outcome="yes")
    found = ask("reason_with_cases", query_features={"x": 1})
    assert found["prediction"] == "yes" and [one["case_id"] for one in found["retrieved_cases"]] == ["done"]


def test_the_only_model_is_used_unless_another_is_named(ask, refused):
    config = {"similarity_threshold": 0.9, "k": 1}
    ask("create_cerebrum_model", name="strict", model_type="case_based", config=config)
    for number in range(3):
        ask("add_case", case_id=f"c{number}", features={"x": number}, outcome=number)
    found = ask("reason_with_cases", query_features={"x": 0.5})
    assert found["evidence"]["model"] == "strict" and found["retrieved_cases"] == []
    assert len(ask("reason_with_cases", query_features={"x": 0.5}, threshold=0.0)["retrieved_cases"]) == 1
    assert len(ask("reason_with_cases", query_features={"x": 0.5}, threshold=0.0, k=3)["retrieved_cases"]) == 3
    ask("create_cerebrum_model", name="other", model_type="case_based")
    assert "model" not in ask("reason_with_cases", query_features={"x": 0.5})["evidence"], "which of two is not guessed"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"query_features": {"x": "text"}}, "feature 'x' must be a finite number"),
        (
            {"query_features": {"y": 1}},
            "no feature of the query can be compared: y: no case has it; features of the cases: x",
        ),
        ({"query_features": {"x": 1}, "k": 2_000}, "k must be at most 1000"),
        ({"query_features": {"x": 1}, "weighting_strategy": "magic"}, "distance, frequency, hybrid"),
        ({"query_features": {"x": 1}, "model": "no"}, "Model not found: 'no'"),
        ({"query_features": {f"f{i}": 1 for i in range(1_000)}}, "1 to 256 features, got 1000"),
    ],
)
def test_a_question_that_cannot_be_asked_is_told(ask, refused, given, says):
    ask("add_case", case_id="c1", features={"x": 1}, outcome="yes")
    assert says in refused("reason_with_cases", **given)


def test_the_argument_with_a_wrong_value_is_named(memory, ask):
    ask("add_case", case_id="c1", features={"x": 1}, outcome="yes")
    outcome = call(memory, "reason_with_cases", {"query_features": {"x": "text"}})
    assert outcome.structured["details"]["field"] == "query_features"


def test_texts_are_compared_by_what_they_mean(ask):
    config = {"features": {"note": "text"}}
    ask("create_cerebrum_model", name="notes", model_type="case_based", config=config)
    texts = {"cat": "The cat sleeps on the sofa.", "database": "The database server ran out of disk space."}
    for name, text in texts.items():
        ask("add_case", case_id=name, features={"note": text}, outcome=name, model="notes")
    found = ask("reason_with_cases", query_features={"note": "disk full on the database"}, k=1)
    assert found["prediction"] == "database"


def test_what_happened_may_be_told_in_a_few_words(ask):
    """Undeclared, and the first one short: these are texts, though each word of a list would be another."""
    told = {
        "login": ("timeout", "restart"),
        "disk": ("the disk of the database is full", "clean up"),
        "mail": ("mails are sent twice", "roll back"),
    }
    for name, (symptom, outcome) in told.items():
        ask("add_case", case_id=name, features={"symptom": symptom}, outcome=outcome)
    for symptom, outcome in (
        ("Timeout", "restart"),
        ("database disk full", "clean up"),
        ("a mail came twice", "roll back"),
    ):
        assert ask("reason_with_cases", query_features={"symptom": symptom}, k=1)["prediction"] == outcome


@requirement("cases:equals-share-their-votes")
def test_no_order_decides_between_cases_that_are_equally_similar():
    rows = [({"class": "first"}, "yes")] * 20 + [({"class": "first"}, "no")] * 60  # the oldest ten all say yes
    found = predict(arrays_of(rows), {"class": "first"}, CaseSettings(), ANYONE)
    assert found.outcome == "no" and found.votes == pytest.approx({'"no"': 0.75, '"yes"': 0.25})
    assert len(found.similar) == 10
    nearer = arrays_of([({"x": 1.0}, "yes"), *(({"x": 0.0}, "no") for _ in range(30))])
    votes = predict(nearer, {"x": 1.0}, CaseSettings(), ANYONE, weighting="frequency").votes
    assert votes == pytest.approx({'"yes"': 0.1, '"no"': 0.9}), (
        "the nearer one has one place of ten, the rest share nine"
    )


@requirement("cases:likely-outcomes-cover")
@pytest.mark.parametrize("numeric", [False, True])
def test_likely_outcomes_hold_the_true_one_as_often_as_asked_for(numeric):
    dice = np.random.default_rng(8)

    def drawn(count):
        for x in dice.random(count):
            near = f"c{int(3 * x + dice.normal() * 0.4) % 3}"
            yield {"x": float(x)}, float(10 * x + dice.normal()) if numeric else near

    arrays = arrays_of(list(drawn(400)))
    covered, sizes = [], []
    for given, outcome in drawn(600):
        likely = predict(arrays, given, CaseSettings(coverage=0.8), ANYONE).likely
        if numeric:
            low, high = likely.ends
            covered.append(low <= outcome <= high)
        else:
            covered.append(f'"{outcome}"' in likely.outcomes)
            sizes.append(len(likely.outcomes))
    assert 0.74 < np.mean(covered) < 0.9
    assert numeric or np.mean(sizes) < 2.5, "and that not by naming all"


@requirement("cases:likely-outcomes-cover")
def test_where_too_few_cases_can_tell_nothing_is_ruled_out(ask):
    arrays = arrays_of([({"x": float(i)}, "a") for i in range(5)])
    likely = predict(arrays, {"x": 1.0}, CaseSettings(coverage=0.9), ANYONE).likely
    assert likely.any and not likely.outcomes
    ask("create_cerebrum_model", name="few", model_type="case_based", config={"coverage": 0.9, "learn_weights": True})
    ask("add_case", case_id="one", features={"x": 1}, outcome="a", model="few")
    answer = ask("reason_with_cases", query_features={"x": 1}, model="few")
    assert answer["evidence"]["likely"] == {"coverage": 0.9, "any": True}


def test_what_a_model_may_rule_out_is_told_over_the_wire(ask):
    ask("create_cerebrum_model", name="m", model_type="case_based", config={"coverage": 0.8, "learn_weights": True})
    for i in range(60):
        ask("add_case", case_id=f"c{i}", features={"x": i, "y": i % 7}, outcome="low" if i < 30 else "high", model="m")
    evidence = ask("reason_with_cases", query_features={"x": 5, "y": 3}, model="m")["evidence"]
    assert evidence["likely"] == {"coverage": 0.8, "outcomes": ["low"]}
    assert evidence["learned_weights"]["cases"] == 60 and set(evidence["learned_weights"]["factors"]) == {"x", "y"}
