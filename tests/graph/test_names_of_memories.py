"""What a memory is called: the name it was given, its heading, or its first sentence."""

import pytest

from context_graph.graph.entities import is_named_by_text, node_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Dr. Lindqvist is our dentist.", "Dr. Lindqvist is our dentist."),
        ("Arzttermin am 5. Dezember um 9 Uhr", "Arzttermin am 5. Dezember um 9 Uhr"),
        ("The rent is 900. It rises in May.", "The rent is 900."),
        (
            "Heron releases every second Tuesday at 14:00, and Mira approves the release after the review.",
            "Heron releases every second Tuesday at 14:00",
        ),
        (
            "Deploy key [REDACTED:API_KEY] is for the staging machine, ask Bo first please.",
            "Deploy key [REDACTED:API_KEY] is for the staging machine",
        ),
    ],
)
def test_a_memory_is_called_by_its_first_sentence(text, name):
    assert node_name(text) == name


def test_what_an_earlier_version_called_by_its_text_was_given_no_name():
    assert is_named_by_text("Dr.", "Dr. Lindqvist is our dentist.")
    assert not is_named_by_text("dentist", "Dr. Lindqvist is our dentist.")
