"""Questions for whatever is out of order are answered with all of it."""

import pytest

from context_graph.ingest.draft import Draft
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
