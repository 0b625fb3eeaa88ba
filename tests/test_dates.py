"""Dates as people write them."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.dates import FORMATS, read_date
from context_graph.errors import InvalidInput
from context_graph.models import from_iso


@pytest.mark.parametrize(
    "text",
    [
        "2023-05-08",
        "20230508",
        "2023/05/08",
        "8 May 2023",
        "8th of May, 2023",
        "May 8, 2023",
        "May 8th 2023",
        "8. Mai 2023",
        "8 de mayo de 2023",
        "08.05.2023",
        "Monday, 8 May 2023",
        "8-May-2023",
        "2023/05/08 (Mon) 00:00",
        "8 MAY 2023",
        "2023-05-08T02:00:00+02:00",
        "Mon, 8 May 2023 02:00:00 +0200",
        "May-8-2023",
    ],
)
def test_a_day_is_read_in_any_usual_spelling(text):
    assert read_date(text) == from_iso("2023-05-08")


@pytest.mark.parametrize(
    "text", ["1:56 pm on 8 May, 2023", "8 May 2023 13:56", "May 8, 2023 at 1:56 PM", "8. Mai 2023 um 13:56 Uhr"]
)
def test_a_time_beside_the_day_is_read(text):
    assert read_date(text) == from_iso("2023-05-08T13:56:00Z")


@pytest.mark.parametrize(
    "text",
    [
        "last Tuesday",
        "yesterday",
        "spring 2023",
        "May 2023",
        "8 May",
        "31 February 2023",
        "soon",
        "",
        "12",
        "1683500000",
    ],
)
def test_what_names_no_day_without_doubt_is_refused_with_the_formats(text):
    with pytest.raises(InvalidInput, match="2026-11-21") as error:
        read_date(text, field="metadata.date")
    assert FORMATS in str(error.value) and error.value.field == "metadata.date"


def test_a_day_that_can_be_only_one_is_read_between_slashes():
    assert read_date("21/11/2026") == read_date("2026-11-21")
    assert read_date("5/5/2026") == read_date("2026-05-05")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(InvalidInput):
        assert -(2**57) < read_date(text) < 2**58


@pytest.mark.parametrize("text", ["25/05/2023", "25-05-2023", "05/25/2023"])
def test_a_day_above_twelve_is_the_day(text):
    assert read_date(text) == from_iso("2023-05-25")


@pytest.mark.parametrize("text", ["03/04/2026", "3-4-2026", "3/4/2026"])
def test_a_date_that_may_be_two_is_refused_with_both(text):
    with pytest.raises(InvalidInput, match=r"may be 2026-04-03 or 2026-03-04; write the one that is meant"):
        read_date(text)
