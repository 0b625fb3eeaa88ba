"""Questions for whatever is out of order are answered with all of it."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.models import from_iso
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from context_graph.recall.troubles import asks_for_all_troubles
from tests.requirements import requirement

TOLD = (
    "The dishwasher leaks at the door.",
    "Nora plays chess on Wednesdays.",
    "The back door doesn't lock properly.",
    "Bug: the invoice export drops umlauts.",
    "The left oven trips the fuse.",
    "Rent is due on the third.",
    "Timer on the proofing cabinet is dead.",
    "The shower drips.",
    "The shower is fixed.",
    "Remember to order boxes.",
)
BROKEN = [TOLD[place] for place in (0, 2, 3, 4, 6)]


@pytest.fixture
def lines(memory, clock):
    for text in TOLD:
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))

    def lines_for(question):
        return [line for line in inject(memory, Question(question)).text.splitlines() if line.startswith("> ")]

    return lines_for


@requirement("recall:all-of-a-kind")
@pytest.mark.parametrize("question", ["What is broken?", "what needs repairing?", "Is anything not working?"])
def test_all_that_is_broken_is_told_and_nothing_that_was_mended(lines, question):
    context = "\n".join(lines(question))
    assert all(text in context for text in BROKEN)
    assert TOLD[7] not in context and TOLD[1] not in context


def test_what_is_called_as_the_question_calls_it_comes_first(lines):
    assert BROKEN[2] in lines("Any open bugs?")[0]


@pytest.mark.parametrize("question", ["When did the oven break?", "What's wrong with the oven?", "How do I fix it?"])
def test_a_question_about_one_thing_is_for_that(question):
    assert not asks_for_all_troubles(question)


def test_one_thing_out_of_order_is_no_list(memory):
    for text in ("The shower drips.", "Nora plays chess on Wednesdays."):
        memory.remember(Draft(text, "said to you"))
    assert "The shower drips." in inject(memory, Question("What is broken?")).text


@requirement("recall:all-of-a-kind")
def test_what_is_mended_of_one_number_leaves_the_others_open(memory, clock):
    clock.time = from_iso("2026-03-01T09:00:00Z")
    texts = ("Bug KES-101: the export drops rows.", "Bug KES-103: the queue grows.", "Bug KES-104: labels are garbled.")
    for text in (*texts, "KES-101 is fixed."):
        clock.pass_time(days=1)
        memory.remember(Draft(text, "said to you"))
    lines = inject(memory, Question("Which bugs are open?")).text.splitlines()
    assert [text for line in lines for text in texts if text in line] == [texts[2], texts[1]]
    first = inject(memory, Question("Is KES-103 fixed?")).text.splitlines()[1]
    assert texts[1] in first and "until" not in first


def test_the_one_that_is_left_is_told_first(memory, clock):
    clock.time = from_iso("2026-03-01T09:00:00Z")
    for text in ("Bug A-1: the export drops rows.", "Bug A-2: the queue grows.", "Jo cuts my hair.", "A-1 is fixed."):
        clock.pass_time(days=1)
        memory.remember(Draft(text, "said to you"))
    first = inject(memory, Question("Which bugs are open?")).text.splitlines()[1]
    assert "A-2" in first and "until" not in first
