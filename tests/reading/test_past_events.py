"""Which questions ask for what happened once, and which statements tell of it."""

import pytest

from context_graph.reading.past_events import asks_what_happened, tells_what_happened


@pytest.mark.parametrize(
    "question",
    [
        "Why do we pin numpy?", "And why did the nightly build fail?", "Warum haben wir gekündigt?",
        "What did Tessa think of the flat?", "Who repaired the gate?", "What caused the flood in the cellar?",
        "When was my daughter vaccinated?", "How was the leak found?", "Which runs did the coach like?",
    ],
)  # fmt: skip
def test_what_happened_is_asked_for(question):
    assert asks_what_happened(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where did I leave the ladder?", "What did we decide about the roof?", "Which colour did we choose?",
        "Where was the spare key kept?", "What was the door code?", "Who needs a lift?", "Who is called Ida?",
        "When does the shop open?", "Did the parcel come?", "How many times did I swim?",
    ],
)  # fmt: skip
def test_what_came_of_it_may_be_another_thing_by_now(question):
    assert not asks_what_happened(question)


def test_a_statement_tells_what_happened_by_its_verb_in_the_past():
    assert tells_what_happened("Olli mended the gate with wire.")
    assert tells_what_happened("they were out of stock")
    assert not tells_what_happened("The gate is called Lion Gate and opens at six.")
