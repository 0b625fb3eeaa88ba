"""The harness measures what it says: evidence is parsed, recall is counted, chance is chance."""

import json

import numpy as np
import pytest

from benchmarks.quality import baselines, calibrate, entropy, recall, reflex
from context_graph.evaluation.sets import read
from context_graph.nervous.pulse import result_entropy


@pytest.fixture
def folder(tmp_path):
    """A conversation of ours in the form of the data set."""
    days = {"session_1": "1:56 pm on 8 May, 2023", "session_2": "10:00 am on 9 June, 2023"}
    words = {
        "session_1": ["I play the clarinet.", "My dog is called Pablo.", "The harbour was foggy."],
        "session_2": ["We moved to Kiel.", "The crane broke down.", "I baked rye bread."],
    }
    conversation = {f"{session}_date_time": day for session, day in days.items()}
    for number, session in enumerate(days, 1):
        conversation[session] = [
            {"speaker": "Anna" if i % 2 == 0 else "Bob", "dia_id": f"D{number}:{i + 1}", "text": text}
            for i, text in enumerate(words[session])
        ]
    conversation["session_1"][2]["blip_caption"] = "a photo of a lighthouse"
    questions = [
        {"question": "Which instrument does Anna play?", "evidence": ["D1:1"], "category": 4},
        {"question": "How is the dog called?", "evidence": ["D:1:02; D9:9"], "category": 4},
        {"question": "Where is the lighthouse?", "evidence": ["D1:3", "D2:01"], "category": 1},
        {"question": "Nothing to be found?", "evidence": ["D7:7"], "category": 5},
    ]
    (tmp_path / "conv-26.json").write_text(json.dumps({"conversation": conversation, "qa": questions}), "utf-8")
    errors = [{"question_id": "locomo_0_qa0", "correct_evidence": ["D2:3"]}, {"question_id": "locomo_0_qa1"}]
    (tmp_path / "answer_key_errors.json").write_text(json.dumps(errors), "utf-8")
    return tmp_path


def test_turns_and_evidence_are_read_leniently(folder):
    (conversation,) = read(folder)
    assert len(conversation.memories) == 6
    assert conversation.memories[2].content.endswith("[shares a photo of a lighthouse]")
    assert conversation.memories[3].occurred_at == 1686304800000000
    assert [sorted(question.gold) for question in conversation.questions] == [[0], [1], [2, 3]]


def test_recall_counts_evidence_within_the_depth():
    records = [
        {"ranks": [1, 12], "gold": 2, "category": "multi-hop", "ms": 1.0, "held": False},
        {"ranks": [], "gold": 1, "category": "single-hop", "ms": 3.0, "held": True},
    ]
    found = recall.summary(records)
    assert (found["R@5"], found["R@10"], found["R@20"], found["MRR"]) == (25.0, 25.0, 50.0, 50.0)
    assert found["chosen R@10"] == 50.0 and found["held R@20"] == 0.0 and found["R@10 multi-hop"] == 50.0


def test_our_memory_and_the_baselines_run_in_one_harness(folder):
    sets = read(folder)
    assert recall.ours("base", sets, None)[0]["ranks"] == [1]
    for name in ("bm25", "grep"):
        assert recall.rival(name, sets)[0]["ranks"] == [1]
    assert sorted(baselines.random_order(sets[0])("anything")) == list(range(6))


def test_calibration_recovers_the_weights_it_was_made_with():
    random = np.random.default_rng(0)
    signals = random.random((20_000, 2))
    truth = np.array([-2.0, 3.0, 1.0])
    gold = (random.random(len(signals)) < 1 / (1 + np.exp(-(truth[0] + signals @ truth[1:])))).astype(float)
    weights = calibrate.fit(signals, gold)
    assert np.allclose(weights, truth, atol=0.2)
    assert calibrate.calibration_error(weights, signals, gold) < 0.02
    assert calibrate.fit(signals, 1 - gold)[1:].tolist() == [0.0, 0.0]


def test_the_temperature_is_fitted_to_a_median_entropy_of_one_half():
    found = [np.sort(row)[::-1].tolist() for row in np.random.default_rng(0).random((99, 10))]
    temperature = entropy.fit(found)
    assert abs(np.median([result_entropy(row, temperature=temperature) for row in found]) - 0.5) < 1e-3


def test_a_trace_of_repeats_is_answered_as_a_fresh_search_would(folder):
    texts = [question.text for question in read(folder)[0].questions]
    turns = reflex.trace(texts)
    assert turns == reflex.trace(texts) and len(turns) == len(texts) * (1 + reflex.AGAIN)
    assert next(form for form, text in turns if text == texts[0]) == "first"
    records = reflex.run(read(folder), "base", None)
    found = reflex.summary(records)
    assert [record["hit"] for record in records if record["form"] == "first"] == [None] * len(texts)
    assert found["hit share"] > 50 and found["equal"] == 100.0


def test_the_forms_of_a_question_say_the_same():
    text = "What kind of dog did Anna see during the walk in May?"
    assert reflex.FORMS["clause first, comma"](text) == "During the walk in May, what kind of dog did Anna see?"
    assert reflex.FORMS["same function words"](text).startswith("What type of dog")
    assert reflex.FORMS["tell me"](text).startswith("Could you tell me what kind")
