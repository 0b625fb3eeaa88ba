"""What tells how something was before, and what tells that it has changed."""

import pytest

from context_graph.reading.former_states import ends_as_former, is_former_to, tells_former_state


@pytest.mark.parametrize(
    "text",
    [
        "The old network was called Delta.",
        "Our former landlord was Mrs. Okafor.",
        "By the way, my previous car had no heating.",
        "Three years ago I lived in Rome.",
        "I worked at Brandt until 2019.",
        "I lived in Rome as a student.",
        "Mein altes Auto war ein Golf.",
        "Früher habe ich bei Brandt gearbeitet.",
        "Antes vivía en Sevilla.",
        "Mi jefe anterior se llamaba Raúl.",
    ],
)
def test_former_states(text):
    assert tells_former_state(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "My old car is blue.",
        "My old car was stolen.",
        "The old bakery was replaced by a bank.",
        "I'm used to getting up at six.",
        "The licence was renewed until 2029.",
        "I used to smoke, now I run.",
        "Actually my former boss was Karl.",
        "Mein altes Auto ist kaputt.",
    ],
)
def test_what_else_has_a_word_of_the_past(text):
    assert not tells_former_state(text)


def test_what_repeats_a_value_as_former_ends_it():
    assert ends_as_former("Karl used to be my boss.", "Karl is my boss.")
    assert not is_former_to("Karl used to be my boss.", "Karl is my boss.")
    assert is_former_to("My boss used to be Karl.", "My boss is Irene.")
    assert not ends_as_former("My boss used to be Karl.", "My boss is Irene.")
