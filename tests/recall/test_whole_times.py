"""Who asks for nothing but a time is told all that lies in it, the latest where there is too much."""

from datetime import UTC, datetime, timedelta

import pytest

from context_graph.ingest.draft import Draft
from context_graph.instants import from_datetime
from context_graph.recall.question import Question
from context_graph.recall.whole_times import MAX_OF_TIME

THURSDAY = datetime(2026, 3, 12, 16, 30, tzinfo=UTC)
THINGS = (
    "The intake form has a field for the cost centre.", "Kaffka replaced the lamp of the microscope.",
    "Backup of the lab share takes 40 minutes.", "Yusuf signed the contract with the printer.",
    "The badge reader at gate C beeps twice.", "Ordered 400 sample bags.",
)  # fmt: skip


def keep(memory, texts, day, **more):
    for text in texts:
        memory.remember(Draft(text, "noted", occurred_at=from_datetime(day), **more))


def ask(memory, question, at=THURSDAY, top_k=30):
    return memory.inject(Question(question, top_k, asked_at=from_datetime(at))).text


@pytest.fixture
def week(memory):
    """Two things a day of the last six days, without a time of day; the last of today."""
    day = THURSDAY.replace(hour=0, minute=0)
    for back in range(6):
        texts = [f"{text[:-1]}, as of run {back}." for text in THINGS[back % 3 : back % 3 + 2]]
        keep(memory, texts, day - timedelta(days=back))
    return memory


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What happened since Monday?", 4), ("What has changed since 9 March?", 4), ("What changed since the 9th?", 4),
        ("What was done since Tuesday?", 3), ("Which changes were made since 2026-03-10?", 3),
        ("What did I miss since Wednesday?", 2), ("What's new since yesterday?", 2),
        ("What happened after 8 March?", 4), ("What changed from Monday on?", 4),
        ("Summarize what happened in the last four days.", 4),
        ("Was hat sich seit Montag geändert?", 4), ("Was ist seit dem 10. März passiert?", 3),
        ("Was haben wir seit Dienstag getan?", 3), ("Welche Änderungen gab es seit gestern?", 2),
        ("Was ist seit Montag neu?", 4),
    ],
)  # fmt: skip
def test_all_since_a_day_is_told_up_to_today(week, question, days):
    context = ask(week, question)
    assert all(context.count(f"as of run {back}.") == 2 for back in range(days))
    assert "left out" not in context


def test_the_latest_are_kept_and_the_others_counted(memory):
    keep(memory, [f"Sample {number} weighs {number % 7} grams." for number in range(40)], THURSDAY - timedelta(days=2))
    keep(memory, THINGS, THURSDAY - timedelta(hours=3))
    context = ask(memory, "What happened this week?")
    assert all(text in context for text in THINGS)
    assert "16 more of this time are left out; ask for a shorter one." in context


def test_the_latest_of_very_many_are_looked_at(memory):
    first = THURSDAY - timedelta(days=3)
    for number in range(MAX_OF_TIME + 30):
        keep(memory, [f"Weighing {number} of the series was fine."], first + timedelta(minutes=number))
    context = ask(memory, "What happened since Monday?")
    assert "Weighing 129 " in context and "Weighing 100 " in context and "Weighing 90 " not in context
    assert "70 or more others of this time are left out" in context


def test_what_is_asked_of_one_matter_is_not_all_of_a_time(week):
    assert "left out" not in ask(week, "What changed in the backup since Monday?")
