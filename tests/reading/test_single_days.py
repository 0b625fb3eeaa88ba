"""What one day is otherwise, and what is so on every day."""

import pytest

from context_graph.reading.single_days import is_of_single_day, is_regular, tells_exception


@pytest.mark.parametrize(
    "text",
    [
        "no swimming for the kids this wednesday, pool's closed", "Mila didn't go to bed till ten last night",
        "the bakery was closed today", "skipped violin practice today", "Ben's ill, so no chess this week",
        "we can't eat soup this monday", "took the bus today, flat tyre",
        "have to stay late this thursday", "the twins were up past nine last night",
    ],
)  # fmt: skip
def test_exceptions(text):
    assert tells_exception(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "no swimming from this wednesday on", "I quit chess today", "we don't have pizza on fridays anymore",
        "the bakery was closed for good today", "I cancelled the gym today", "I didn't know that today",
        "no more soup this winter",
    ],
)  # fmt: skip
def test_what_lasts_is_no_exception(text):
    assert not tells_exception(text)


@pytest.mark.parametrize(
    "text",
    [
        "we eat soup every monday", "I practise the violin in the evenings", "saturday is laundry day",
        "the bakery opens at six", "Mila naps at one", "I cycle to the office",
    ],
)  # fmt: skip
def test_what_is_regular(text):
    assert is_regular(text)


@pytest.mark.parametrize(
    "text", ["", "dentist on friday at 3", "I'm taking the train tomorrow", "we cycled to Ulm", "the meeting is at 3"]
)
def test_what_is_on_one_day_is_not_regular(text):
    assert not is_regular(text)


def test_one_day_and_all_from_then_on():
    assert is_of_single_day("have to go in this friday")
    assert not is_of_single_day("I go in from this friday on")
