"""What is told of a conversation: what answers before what asks, and what a user changed of a proposal before it."""

import pytest

from context_graph.ingest.draft import Draft


@pytest.fixture
def told_first(memory):
    """The text that is told first for a question, after some turns of a user and an assistant."""

    def told_first(turns, question):
        memory.remember_many(
            [
                Draft(text, "said in a conversation", speaker=("user", "assistant")[place % 2])
                for place, text in enumerate(turns)
            ]
        )
        return memory.inject(question).hits[0].node.content

    return told_first


COLOURS = ("Which paint did we pick for the shed?", "You settled on moss green for the shed, two coats.")
SEATS = (
    "How should I lay out the stalls?",
    "For the market I'd plan eight stalls in two rows, with the fish at the end.",
    "Let's make it six stalls, the square is small.",
)


@pytest.mark.parametrize(
    ("turns", "question", "place"),
    [
        (COLOURS, "Which paint did we pick for the shed?", 1),
        (COLOURS, "what colour is the shed", 1),
        (COLOURS, "What did I ask about the shed?", 0),
        (SEATS, "How many stalls are planned for the market?", 2),
        (SEATS, "How many stalls did you suggest for the market?", 1),
    ],
)
def test_what_answers_stands_before_what_asks_and_what_was_changed_before_the_proposal(
    told_first, turns, question, place
):
    assert told_first(turns, question) == turns[place]
