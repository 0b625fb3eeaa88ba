"""What is out of order, and who asks for it."""

import pytest

from context_graph.reading.troubles import asks_for_trouble, tells_trouble


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What's broken?", True), ("What's wrong with the car?", True), ("Which car has a problem?", True),
        ("What needs fixing?", True), ("Is anything broken?", True), ("when was the last outage?", True),
        ("how long was the outage of ingest", True), ("Which machine won't start?", True),
        ("How do I fix a broken tap?", False), ("Who repaired the tap?", False), ("What is an outage?", False),
        ("Where does Ada work?", False), ("What is love?", False),
    ],
)  # fmt: skip
def test_a_question_for_what_is_out_of_order(question, asks):
    assert asks_for_trouble(question) is asks


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("The Fiat won't start.", True), ("The washing machine is leaking.", True), ("The radiator is stuck.", True),
        ("Honda's serviced, but the Fiat failed its MOT.", True), ("Incident: ingest down 11:20-12:05.", True),
        ("The printer doesn't print in colour.", True), ("The toaster needs replacing.", True),
        ("The dryer makes a grinding noise.", True), ("Ellie's bike has a flat tyre.", True),
        ("Gran's hip hurts.", False), ("The Honda runs fine.", False),
        ("The tap no longer drips.", False), ("Gran's hearing aid is fixed.", False),
        ("We went down to the lake.", False),
        ("I broke my phone and bought a new one.", False), ("We failed to reach the summit.", False),
        ("Ellie plays the flute.", False),
    ],
)  # fmt: skip
def test_a_statement_that_something_is_out_of_order(text, tells):
    assert tells_trouble(text) is tells
