"""English as it is typed in a hurry, spelled out."""

import pytest

from context_graph.embed.informal import spelled_out, weekdays_in_full


@pytest.mark.parametrize(
    ("typed", "full"),
    [
        ("bins go out on thu", "bins go out on Thursday"),
        ("gym mon, wed and fri", "gym Monday, Wednesday and Friday"),
        ("open tue-sat 9-6", "open Tuesday-Saturday 9-6"),
        ("Nils' party is next sat", "Nils' party is next Saturday"),
        ("swimming sun morning", "swimming Sunday morning"),
        ("the vet on weds.", "the vet on Wednesday."),
    ],
)
def test_days_in_short_are_named_in_full(typed, full):
    assert weekdays_in_full(typed) == full


@pytest.mark.parametrize(
    "text",
    ["The hens sat on their eggs.", "No cream for the sun burn.", "They wed in June.", "Ich tue das nie.",
     "C'est mon frère.", "MON_FRI=1", "cron: 0 9 * * 1"],
)  # fmt: skip
def test_what_is_another_word_stays(text):
    assert weekdays_in_full(text) == text


def test_what_is_typed_in_a_hurry_is_spelled_out():
    assert spelled_out("sry mtg yest was cancelled") == "sorry meeting yesterday was cancelled"
