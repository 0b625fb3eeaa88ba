"""Whether a statement holds a value of the kind that a question asks for."""

import pytest

from context_graph.reading.stated_values import holds_value


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where is Ida getting married?", "Ida is getting married in the old mill."),
        ("What colour is the van?", "The van is dark green."),
        ("What's the code of the gate?", "The gate opens with 4471."),
        ("What's Bo's phone number?", "Bo is on 0161 555 0182."),
        ("How many hens are there?", "We keep nine brown hens."),
        ("What does a service cost?", "A service is 55."),
        ("What is the tortoise called?", "The tortoise is Brisket."),
        ("Who trued the wheel?", "Kasimir trued the wheel."),
        ("Which version is redis?", "redis is at 7.2."),
        ("Which school does Tobi go to?", "Tobi goes to Elmfield."),
    ],
)
def test_a_value_of_the_kind_is_seen(question, text):
    assert holds_value(question, text) == 1.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where is Ida getting married?", "Ida is getting married in October."),
        ("What colour is the van?", "The van takes diesel."),
        ("What's the code of the gate?", "The gate is too low."),
        ("What's Bo's phone number?", "Bo answers within 2 days."),
        ("How many hens are there?", "Hens get pellets at 7."),
        ("What does the upload cost?", "Uploads are limited to 25 MB."),
        ("What is the tortoise called?", "The tortoise sleeps all day."),
        ("Who wrote ops/ship.sh?", "The script is ops/ship.sh and needs the VPN."),
        ("Which version is redis?", "redis evicts by age."),
        ("Which school does Tobi go to?", "Tobi has school on Thursdays."),
    ],
)
def test_a_value_of_another_kind_is_none(question, text):
    assert holds_value(question, text) == 0.0


@pytest.mark.parametrize("question", ["Is the gate open?", "Welche Farbe hat der Wagen?", ""])
def test_other_questions_ask_for_none_of_these(question):
    assert holds_value(question, "The gate is green.") == 0.5
