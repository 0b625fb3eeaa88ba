"""A standing wish stands before what is to be done, behind facts, and in no answer that it is not about."""

import pytest

from context_graph.ingest.draft import Draft

TOLD = [
    "I run a bakery with two ovens.",
    "never order from Kessler, always from the mill in Ulm",
    "the big oven is a Debag from 2016",
    "Always answer in short sentences.",
    "my accountant is Ruth, she comes on the 10th",
]


@pytest.fixture
def lines(memory, clock):
    for text in TOLD:
        memory.remember(Draft(text, "told in a conversation", metadata={"speaker": "user"}))
        clock.pass_time(days=1)
    return lambda question: [line for line in memory.inject(question).text.splitlines() if line.startswith("> ")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Which oven do we have?", TOLD[2]), ("Who is my accountant?", TOLD[4]), ("When does Ruth come?", TOLD[4])],
)
def test_a_wish_about_other_things_is_in_no_answer(lines, question, answer):
    told = lines(question)
    assert answer in told[0] and TOLD[3] not in told[0]
    assert not any(TOLD[1] in line for line in told)


def test_a_wish_about_the_matter_is_told(lines):
    assert any(TOLD[1] in line for line in lines("Do we order from Kessler?"))
    assert any(TOLD[1] in line for line in lines("Write an order for flour to the mill."))
