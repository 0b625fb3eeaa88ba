"""The questions across languages: each is about one memory, and the halves are alike."""

from collections import Counter

import pytest

from benchmarks.quality import multilingual

ROWS = multilingual.questions(multilingual.QUESTIONS)
ASKED = [row for row in ROWS if row["question"]]


def test_halves_and_languages_are_alike():
    assert Counter(row["set"] for row in ASKED) == {"developed": 80, "held": 80}
    assert Counter(row["kind"] for row in ASKED) == {"own": 60, "english asks": 60, "of english": 40}
    foreign = Counter(row["asked_in"] if row["language"] == "en" else row["language"] for row in ASKED)
    assert len(foreign) == 10 and set(foreign.values()) == {16}
    halves = {row["memory"]: row["set"] for row in ROWS}
    assert all(halves[row["memory"]] == row["set"] for row in ROWS)  # what is asked twice is in one half
    assert len(halves) == 144


@pytest.mark.parametrize("row", ASKED, ids=lambda row: row["question"])
def test_a_question_in_its_language_is_put_in_other_words(row):
    if row["kind"] == "own" and row["language"] not in ("ja", "zh"):
        small = 4  # words of three letters say little
        said, asked = ({word.strip(".,?¿!") for word in row[key].lower().split()} for key in ("memory", "question"))
        assert len({word for word in said & asked if len(word) >= small}) <= 1


def test_a_summary_counts_each_half_and_kind():
    record = {
        "kind": "own",
        "language": "de",
        "asked_in": "de",
        "held": True,
        "R@5": True,
        "told": True,
        "silent": False,
    }
    summary = multilingual.summary([record | {"hit@1": True}, record | {"hit@1": False, "language": "en"}])
    assert summary["held"] == {"n": 2, "hit@1": 50.0, "R@5": 100.0, "told": 100.0, "silent": 0.0}
    assert summary["own, held"]["n"] == 2 and summary["de"]["n"] == 2


def test_the_base_tier_answers_some():
    rows = [row for row in ROWS if row["language"] in ("de", "en")][:40]
    records = multilingual.measured(rows, {"tier": "base"})
    assert len(records) == sum(bool(row["question"]) for row in rows)
    assert any(record["hit@1"] for record in records)
