"""What somebody said is told of them alone where nothing else is asked."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement

TOLD = (
    ("Anna", "We should drop support for Python 3.9."),
    ("Bob", "The release slipped because the migration timed out."),
    ("Bob Miller", "I'd rather use Redis for the queue."),
    ("Carla", "Redis is one more thing to run."),
    ("", "The wifi password is on the fridge."),
    ("", "The plumber said that the boiler lasts another year."),
    ("Carla", "Bob says the invoices go out on Friday."),
    ("Carla", "I lent Bob the drill."),
)
OF_BOB = [TOLD[place][1] for place in (6, 2, 1)]


@pytest.fixture
def told(memory, clock):
    for speaker, text in TOLD:
        clock.pass_time(days=1)
        memory.remember(Draft(text, "said to you", speaker=speaker or None))

    def lines(question):
        return [line for line in inject(memory, Question(question)).text.splitlines() if line.startswith("> ")]

    return lines


@requirement("recall:what-somebody-said")
@pytest.mark.parametrize("question", ["What did Bob say?", "what has bob told us", "Anything from Bob?"])
def test_all_that_somebody_said_is_told_the_latest_first_and_nothing_else(told, question):
    lines = told(question)
    assert len(lines) == len(OF_BOB) and all(text in line for text, line in zip(OF_BOB, lines, strict=True))


@requirement("recall:what-somebody-said")
def test_of_a_matter_what_that_one_said_comes_first(told):
    assert TOLD[3][1] in told("What does Carla think about Redis?")[0]
    assert TOLD[2][1] in told("What does Bob think about Redis?")[0]


@requirement("recall:what-somebody-said")
def test_what_others_report_is_told_too(told):
    assert TOLD[5][1] in told("What did the plumber say?")[0]


def test_of_nobody_who_is_known_nothing_is_told(told):
    assert told("What did David say?") == []


def test_two_memories_are_enough(memory):
    memory.remember(Draft("Anna plays the clarinet.", "said to you"))
    memory.remember(Draft(TOLD[1][1], "said to you", speaker="Bob"))
    assert TOLD[1][1] in inject(memory, Question("What did Bob say?")).text
