"""Questions for what has a date to come."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.models import from_iso
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement

NOTES = [
    "The grant report must be in by 15 October.", "I like oak.", "Passport expires on 3 November 2026.",
    "The dentist was on 2 March.", "Choir is on Tuesdays.", "Told Ida she gets the draft next Friday.",
    "We bought the house in 2019.", "Tomas works Tuesday to Friday.",
]  # fmt: skip


@pytest.fixture
def told(memory, clock):
    clock.time = from_iso("2026-09-07T09:00:00Z")
    for text in NOTES:
        clock.pass_time(minutes=10)
        memory.remember(Draft(text, "said to you"))

    def told(question: str) -> list[str]:
        lines = inject(memory, Question(question)).text.splitlines()
        return [text for line in lines for text in NOTES if text in line]

    return told


@requirement("recall:all-of-a-kind")
@pytest.mark.parametrize(
    "question", ["Which deadlines do I have?", "What has to be done in time?", "Welche Fristen habe ich?"]
)
def test_what_has_a_date_to_come_is_told_the_soonest_first(told, question):
    assert told(question) == [NOTES[5], NOTES[0], NOTES[2]]


def test_what_has_a_date_in_a_time_is_told_of_it(told):
    assert told("What's due next week?") == [NOTES[5]]


def test_what_is_over_is_no_date_to_come(told, clock):
    clock.time = from_iso("2026-10-20T09:00:00Z")
    assert told("Which deadlines do I have?") == [NOTES[2]]


def test_dates_of_a_topic_are_told_alone(memory, clock):
    clock.time = from_iso("2026-03-01T09:00:00Z")
    for text in ("The thesis outline is due on 20 March.", "Grant application deadline is 2 April."):
        memory.remember(Draft(text, "said to you"))
    told = inject(memory, Question("Which deadlines are there for the thesis?")).text
    assert "20 March" in told and "2 April" not in told


def test_what_one_has_to_do_is_tasks_and_what_is_due(memory, clock):
    clock.time = from_iso("2026-03-01T09:00:00Z")
    texts = (
        "Send Ole the price list by Friday.", "The tax return has to be in by the end of May.",
        "The thesis outline is due on 20 March.", "Anna is our accountant.", "Dinner with Ole is on 20 March.",
    )  # fmt: skip
    for text in texts:
        clock.pass_time(minutes=10)
        memory.remember(Draft(text, "said to you"))
    lines = inject(memory, Question("What do I have to do?")).text.splitlines()
    assert [text for line in lines for text in texts if text in line] == [texts[0], texts[2], texts[1]]
