"""Numbers, times, dates, money and units are spelled in one way, and stay what they are."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from context_graph.ingest.quantities import in_one_spelling


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("half past three", "3:30"),
        ("quarter to nine", "8:45"),
        ("3 pm", "15"),
        ("12 am", "0"),
        ("um 16 Uhr", "um 16"),
        ("16:30 Uhr", "16:30"),
        ("twenty five thousand euros", "25000 €"),
        ("$ 20", "20 $"),
        ("5km", "5000 m"),
        ("1.5 h", "90 min"),
        ("14.3.2026", "14/3 2026"),
        ("03/14/2026", "14/3 2026"),
        ("03/04/2026", "03/04/2026"),
        ("1.200 €", "1200 €"),
        ("1.200 m", "1.200 m"),
        ("the third floor", "the 3. floor"),
        ("5k", "5000"),
        ("the 3rd of May 2024", "the 3/5 2024"),
        ("2024-05-03", "3/5 2024"),
        ("two three", "2 3"),
        ("version 3.10", "version 3.10"),
        ("room 007", "room 007"),
        ("twice", "2 times"),
        ("Mon", "monday"),
        ("", ""),
    ],
)
def test_one_spelling(text, spelling):
    assert in_one_spelling(text.split()) == spelling.split()


@given(st.lists(st.sampled_from("3 pm 15:00 May two thousand € $ km of half past to noon five a.m 2024 twice".split())))
def test_any_tokens_are_read_to_their_end(tokens):
    assert isinstance(in_one_spelling(tokens), list)


@given(st.lists(st.text(min_size=1, max_size=8) | st.integers(1, 40).map("9".__mul__)))
@example(["9" * 5_000, "May"])
@example(["9" * 5_000 + "am", "9" * 400 + "k", "٣", "pm"])
def test_whatever_is_written_is_read(tokens):
    assert all(isinstance(token, str) for token in in_one_spelling(tokens))


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_different_numbers_stay_different(one, other):
    assert (in_one_spelling([str(one)]) == in_one_spelling([str(other)])) == (one == other)
