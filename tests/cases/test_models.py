"""Models: checked whole, kept as records, learned from cases, changed by steps that undo takes back."""

import math

import pytest

from context_graph.cases.model import models
from context_graph.inference import bayes
from context_graph.server.dispatch import call
from tests.requirements import requirement
from tests.tools import contract

RAIN = {
    "variables": {"rain": ["yes", "no"], "sprinkler": ["on", "off"], "wet": [True, False]},
    "edges": [["rain", "sprinkler"], ["rain", "wet"], ["sprinkler", "wet"]],
    "cpts": {
        "rain": [0.2, 0.8],
        "sprinkler": [
            {"given": {"rain": "yes"}, "probabilities": [0.01, 0.99]},
            {"given": {"rain": "no"}, "probabilities": [0.4, 0.6]},
        ],
        "wet": [[[0.99, 0.01], [0.8, 0.2]], [[0.9, 0.1], [0.0, 1.0]]],
    },
}


@pytest.fixture
def needs_pyagrum():
    pytest.importorskip("pyagrum", reason="pyAgrum is not installed (extra [causal])")


@requirement("cases:models-are-records")
@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("case_based", {"features": {"x": "number", "size": {"type": "ordinal", "order": ["s", "m"], "weight": 2}}}),
        ("bayesian", RAIN),
        ("hybrid", {**RAIN, "features": {"rain": "categorical"}, "outcome_variable": "wet"}),
    ],
)
def test_a_model_is_kept_as_it_was_given_and_undone(memory, ask, refused, kind, config):
    made = ask("create_cerebrum_model", name="m", model_type=kind, config=config)
    assert (made["model"]["name"], made["model"]["model_type"]) == ("m", kind)
    (entry,) = models(memory).all()
    assert entry.value.type == kind and entry.value == models(memory).get("m").value
    message = refused("create_cerebrum_model", name="m", model_type=kind, config=config)
    assert message.startswith("Model already exists: 'm'; choose another name")
    memory.store.undo(made["undo_hash"], memory.author(memory.caller))
    assert models(memory).all() == [] and memory.store.verify().ok


@requirement("cases:nothing-half-written")
@pytest.mark.parametrize(
    ("kind", "config", "says"),
    [
        ("magic", {}, "case_based, bayesian, hybrid, got 'magic'"),
        ("case_based", {"colour": 1}, "a case_based model has no setting 'colour'; settings: features"),
        ("case_based", {"similarity_threshold": 2}, "similarity_threshold"),
        ("case_based", {"similarity_threshold": math.nan}, "similarity_threshold"),
        ("case_based", {"features": {"x": "magic"}}, "magic"),
        ("case_based", {"features": {"x": {"type": "number", "min": 5, "max": 1}}}, "min must be below max"),
        ("case_based", {"features": {"x": {"type": "number", "weight": -1}}}, "weight"),
        ("case_based", {"features": {"x": {"type": "number", "weight": math.inf}}}, "weight"),
        ("case_based", {"features": {"x": {"type": "ordinal", "order": ["a", "a"]}}}, "each word once"),
        ("case_based", {"features": {f"f{i}": "number" for i in range(1_000_000)}}, "got 1000000"),
        ("case_based", {"outcome": "late"}, "config.outcome: Input should be 'auto', 'number'"),
        ("case_based", {"outcome": "late"}, "got 'late'"),
        ("case_based", {"features": {"size": {"type": "number", "weight": "heavy"}}}, "got 'heavy'"),
        ("bayesian", {}, "needs config.variables"),
        ("bayesian", {"variables": {"a": ["x"]}, "cpts": {"a": [1]}}, "states must be 2 to 100, got 1"),
        ("bayesian", {"variables": {"a": ["x", "x"]}, "cpts": {"a": [1, 0]}}, "each one once"),
        ("bayesian", {"variables": {"a": ["x", "y"]}}, "no table of 'a'"),
        (
            "bayesian",
            {"variables": {"a": ["x", "y"]}, "cpts": {"a": {"x": 0.5, "y": 0.5}}},
            "config.cpts.a: expected a table: probabilities of its states, in a list",
        ),
        ("bayesian", {"variables": {"a": ["x", "y"]}, "cpts": {"a": [0.5, 0.6]}}, "must sum to 1, got 1.1"),
        ("bayesian", {"variables": {"a": ["x", "y"]}, "cpts": {"a": [math.nan, 1]}}, "finite"),
        ("bayesian", {"variables": {"a": ["x", "y"]}, "cpts": {"a": ["x", "y"]}}, "must be numbers"),
        ("bayesian", {"variables": {"a": ["x", "y"]}, "cpts": {"a": [0.5, 0.5], "b": [1]}}, "'b', which is no"),
        ("bayesian", {**RAIN, "edges": [*RAIN["edges"], ["wet", "rain"]]}, "no circle, got"),
        ("bayesian", {**RAIN, "edges": [["rain", "fog"]]}, "no variable 'fog'"),
        ("bayesian", {**RAIN, "edges": RAIN["edges"][:2]}, "the table of 'wet' must have 2 x 2 numbers"),
        ("bayesian", {**RAIN, "cpts": {**RAIN["cpts"], "sprinkler": RAIN["cpts"]["sprinkler"][:1]}}, "lacks a row"),
        (
            "bayesian",
            {**RAIN, "cpts": {**RAIN["cpts"], "sprinkler": [{"given": {"rain": "hail"}, "probabilities": [0, 1]}]}},
            "none of its states",
        ),
        (
            "bayesian",
            {"variables": {f"v{i}": list("abcdefghij") for i in range(7)}, "learn_from_cases": True,
             "edges": [[f"v{i}", "v6"] for i in range(6)]},
            "the table of 'v6' would have 10,000,000 numbers",
        ),
        ("hybrid", RAIN, "needs config.outcome_variable"),
    ],
)  # fmt: skip
def test_a_configuration_that_is_none_is_told_and_nothing_is_kept(memory, refused, kind, config, says):
    assert says in refused("create_cerebrum_model", name="m", model_type=kind, config=config)
    assert models(memory).all() == []


@requirement("cases:answers-say-status")
def test_an_error_is_a_failure_with_its_message_as_a_text(memory):
    outcome = call(memory, "bayesian_inference", {"network_name": "none", "query": {"a": None}})
    assert outcome.is_error and outcome.structured["status"] == "failure"
    assert outcome.structured["error"].startswith("Network not found: 'none'; there are: no model yet")
    assert outcome.structured["details"]["code"] == "NOT_FOUND"
    assert outcome.texts[1].startswith("Error: Network not found")


def test_a_name_near_to_another_is_guessed(ask, refused):
    ask("create_cerebrum_model", name="quality", model_type="case_based")
    message = refused("transform_model", model_name="qualty", transformation="adapt_to_case", case_id="c")
    assert message.startswith("Model not found: 'qualty'; did you mean 'quality'?")


def test_only_networks_are_named_where_a_network_is_not_found(ask, refused):
    ask("create_cerebrum_model", name="rel", model_type="case_based")
    assert "there are: no model yet" in refused("bayesian_inference", network_name="zz", query={"rain": None})
    ask("create_cerebrum_model", name="net", model_type="bayesian", config=RAIN)
    assert refused("bayesian_inference", network_name="zz", query={"rain": None}).endswith("there are: net")


def test_without_the_library_an_answer_from_cases_is_recommended(ask, refused, monkeypatch):
    monkeypatch.setattr(bayes, "find_spec", lambda name: None)
    ask("create_cerebrum_model", name="net", model_type="bayesian", config=RAIN)
    message = refused("bayesian_inference", network_name="net", query={"rain": None})
    assert "pyAgrum" in message and "reason_with_cases" in message and "find_causal_path" not in message


def test_a_network_answers(needs_pyagrum, ask, refused):
    ask("create_cerebrum_model", name="net", model_type="bayesian", config=RAIN)
    found = ask(
        "bayesian_inference", network_name="net", query={"rain": "yes", "sprinkler": None}, evidence={"wet": True}
    )
    assert found["results"]["rain"]["values"] == ["yes", "no"]
    assert found["results"]["rain"]["probabilities"] == pytest.approx([0.357688, 0.642312], abs=1e-6)
    assert found["results"]["rain"]["asked"] == pytest.approx(0.357688, abs=1e-6)
    assert found["evidence_probability"] == pytest.approx(0.44838)
    together = ask("bayesian_inference", network_name="net", query={"rain": None, "wet": None}, jointly=True)
    assert together["most_likely"]["values"] == {"rain": "no", "wet": False}
    sampled = ask("bayesian_inference", network_name="net", query={"rain": None}, method="mcmc")
    assert sampled["convergence"]["chains_apart"] < 0.05
    assert "'wet' must be one of True, False" in refused(
        "bayesian_inference", network_name="net", query={"rain": None}, evidence={"wet": "soaked"}
    )
    ask("create_cerebrum_model", name="cases", model_type="case_based")
    assert refused("bayesian_inference", network_name="cases", query={"rain": None}).startswith("Network not found")


def test_tables_are_counted_from_cases_with_a_prior(needs_pyagrum, memory, ask):
    config = {
        "variables": {"load": {"bins": [10], "states": ["light", "heavy"]}, "outcome": ["ok", "failed"]},
        "edges": [["load", "outcome"]], "learn_from_cases": True, "prior": 2,
    }  # fmt: skip
    ask("create_cerebrum_model", name="net", model_type="bayesian", config=config)
    asked = {"network_name": "net", "query": {"outcome": None}, "evidence": {"load": 50}}
    assert ask("bayesian_inference", **asked)["results"]["outcome"]["probabilities"] == pytest.approx([0.5, 0.5])
    loads = [(5, "ok"), (7, "ok"), (20, "failed"), (30, "failed"), (40, "ok"), (25, "failed")]
    ids = [
        ask("add_case", case_id=f"c{i}", features={"load": load}, outcome=outcome)["undo_hash"]
        for i, (load, outcome) in enumerate(loads)
    ]
    found = ask("bayesian_inference", **asked)
    assert found["results"]["outcome"]["probabilities"] == pytest.approx([2 / 6, 4 / 6]), "1 of 4, and 1 of each state"
    assert found["learned_from"] == 6
    memory.store.undo(ids[5], memory.author(memory.caller))
    assert ask("bayesian_inference", **asked)["results"]["outcome"]["probabilities"] == pytest.approx([2 / 5, 3 / 5])


def test_a_hybrid_mixes_what_cases_and_network_say(needs_pyagrum, ask):
    config = {
        "features": {"load": "number"}, "variables": {"load": {"bins": [10]}, "result": ["ok", "failed"]},
        "edges": [["load", "result"]], "cpts": {"load": [0.5, 0.5], "result": [[0.9, 0.1], [0.3, 0.7]]},
        "outcome_variable": "result", "network_share": 0.25,
    }  # fmt: skip
    ask("create_cerebrum_model", name="both", model_type="hybrid", config=config)
    ask("add_case", case_id="c1", features={"load": 50}, outcome="ok", model="both")
    found = ask("reason_with_cases", query_features={"load": 50}, model="both")
    assert found["prediction"] == "ok" and found["confidence"] == pytest.approx(0.75 + 0.25 * 0.3)
    assert found["evidence"]["network"] == {'"ok"': 0.3, '"failed"': 0.7}


def votes(ask, **query):
    found = ask("reason_with_cases", query_features=query)
    return {one["outcome"]: one["share"] for one in found["evidence"]["votes"]}


@requirement("cases:transform-is-undone")
def test_a_step_towards_a_case_shows_in_the_next_prediction_and_is_undone(memory, ask):
    ask(
        "create_cerebrum_model",
        name="m",
        model_type="case_based",
        config={"features": {"x": "number", "noise": "number"}},
    )
    for number in range(12):
        ask(
            "add_case", case_id=f"c{number}", features={"x": number, "noise": number * 7 % 12},
            outcome="high" if number > 5 else "low", model="m",
        )  # fmt: skip
    before = votes(ask, x=7, noise=1)
    step = ask("transform_model", model_name="m", transformation="adapt_to_case", case_id="c9")
    assert step["metadata"]["adaptation_rate"] == 0.1
    weights = step["metadata"]["changed"]["weights"]
    assert weights["x"]["after"] > 1 > weights["noise"]["after"] or weights["x"]["after"] > weights["noise"]["after"]
    after = votes(ask, x=7, noise=1)
    assert after["high"] > before["high"]
    again = ask("transform_model", model_name="m", transformation="adapt_to_case", case_id="c9")
    assert again["model"]["steps"] == 2 and votes(ask, x=7, noise=1)["high"] > after["high"], "steps add up"
    early = contract.ask(memory, "restore_from_hash", reversal_hash=step["undo_hash"], preview=False)
    assert not early["success"] and "changed again since" in early["conflicts"][0]
    for one in (again, step):
        back = contract.ask(memory, "restore_from_hash", reversal_hash=one["undo_hash"], preview=False)
        assert back["success"] and back["original_operation"] == "transform" and back["restored_nodes"] == []
    assert votes(ask, x=7, noise=1) == before


@requirement("cases:transform-is-undone")
@pytest.mark.parametrize(
    "feedback", [{"outcome": "low", "error": 0.5}, {"features": {"x": 5}, "outcome": "low"}], ids=["error", "features"]
)
def test_feedback_raises_what_came_and_is_undone(memory, ask, feedback):
    ask("create_cerebrum_model", name="m", model_type="case_based")
    for number in range(12):
        ask("add_case", case_id=f"c{number}", features={"x": number}, outcome="high" if number > 5 else "low")
    before = votes(ask, x=5.5)
    step = ask("transform_model", model_name="m", transformation="learn_from_feedback", feedback=feedback)
    assert step["metadata"]["learning_rate"] == 0.01
    assert votes(ask, x=5.5)["low"] > before["low"]
    assert contract.ask(memory, "restore_from_hash", reversal_hash=step["undo_hash"], preview=False)["success"]
    assert votes(ask, x=5.5) == before


def test_a_model_that_is_made_is_not_taken_back_as_a_step(memory, ask):
    made = ask("create_cerebrum_model", name="m", model_type="case_based")
    assert "type 'model'" in contract.refused(memory, "restore_from_hash", reversal_hash=made["undo_hash"])["message"]


def test_a_mean_is_moved_by_what_it_missed(ask):
    ask("create_cerebrum_model", name="m", model_type="case_based")
    for number in range(5):
        ask("add_case", case_id=f"c{number}", features={"x": number}, outcome=10 * number)
    before = ask("reason_with_cases", query_features={"x": 2})["prediction"]
    ask("transform_model", model_name="m", transformation="learn_from_feedback", feedback={"outcome": 30, "error": 10})
    assert ask("reason_with_cases", query_features={"x": 2})["prediction"] == pytest.approx(before + 0.1)


@requirement("cases:transform-is-undone")
@requirement("cases:drift-is-told")
def test_a_table_moves_towards_a_case_and_back(needs_pyagrum, memory, ask):
    ask("create_cerebrum_model", name="net", model_type="bayesian", config=RAIN)
    ask("add_case", case_id="c1", features={"rain": "yes", "sprinkler": "on"})
    step = ask("transform_model", model_name="net", transformation="adapt_to_case", case_id="c1")
    assert step["metadata"]["changed"]["tables"]["rain"]["after"] == pytest.approx([0.28, 0.72])
    asked = {"network_name": "net", "query": {"rain": None}}
    assert ask("bayesian_inference", **asked)["results"]["rain"]["probabilities"] == pytest.approx([0.28, 0.72])
    feedback = {"features": {"rain": "no"}}
    again = ask("transform_model", model_name="net", transformation="learn_from_feedback", feedback=feedback)
    assert again["metadata"]["drift"] == pytest.approx(
        {
            "steps": 2,
            "weights": 1,
            "votes": 1,
            "offset": 0,
            "tables": 0.099,
        }  # the sprinkler where it rains: 0.01 to 0.109
    )
    assert ask("bayesian_inference", **asked)["results"]["rain"]["probabilities"][0] == pytest.approx(0.28 * 0.99)


@requirement("cases:nothing-half-written")
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"transformation": "adapt_to_case"}, "needs case_id"),
        ({"transformation": "adapt_to_case", "case_id": "none"}, "there is no case 'none'"),
        ({"transformation": "learn_from_feedback"}, "needs feedback"),
        ({"transformation": "learn_from_feedback", "feedback": {"mood": 1}}, "feedback has no field 'mood'"),
        ({"transformation": "learn_from_feedback", "feedback": {"outcome": "a"}}, "needs features"),
        ({"transformation": "learn_from_feedback", "feedback": {"outcome": "a", "error": math.nan}}, "finite number"),
        ({"transformation": "learn_from_feedback", "feedback": {"outcome": "a", "error": 7}}, r"[-1, 1], got 7"),
        ({"transformation": "grow"}, "adapt_to_case, learn_from_feedback"),
        ({"transformation": "adapt_to_case", "case_id": "c", "transformer_name": "x"}, "must be adaptation, got 'x'"),
    ],
)
def test_a_step_that_cannot_be_taken_is_told(ask, refused, given, says):
    ask("create_cerebrum_model", name="m", model_type="case_based")
    assert says in refused("transform_model", model_name="m", **given)


def test_a_step_that_changes_nothing_says_why(ask, refused):
    ask("create_cerebrum_model", name="m", model_type="case_based")
    ask("add_case", case_id="c1", features={"x": 1}, outcome="a")
    message = refused("transform_model", model_name="m", transformation="adapt_to_case", case_id="c1")
    assert "nothing of 'm' would change: no other case has the same outcome" in message
