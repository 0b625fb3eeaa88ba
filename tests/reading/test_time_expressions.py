"""Expressions of time, resolved against the moment at which they were written."""

from datetime import UTC, datetime
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.instants import DAY_US
from context_graph.models import from_iso
from context_graph.reading.time_expressions import expressions
from context_graph.reading.time_words import DAYS, FESTIVALS

WEDNESDAY = from_iso("2026-11-18T14:00:00Z")


def spans(text: str, lean: int | None = None) -> list[str]:
    """First and last day of each expression's likeliest meaning."""

    def day(moment: int) -> str:
        return datetime.fromtimestamp(moment / 1_000_000, UTC).strftime("%Y-%m-%d")

    found = [one.spans[0] for one in expressions(text, WEDNESDAY, lean=lean)]
    return [
        day(span.start) if span.end - span.start <= DAY_US else f"{day(span.start)}..{day(span.end - 1)}"
        for span in found
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("the boiler broke yesterday", "2026-11-17"),
        ("vorgestern war Markt", "2026-11-16"),
        ("gas man coming thurs am", "2026-11-19"),
        ("Pizza was on last fri", "2026-11-13"),
        ("mtg sat 10am", "2026-11-21"),
        ("pasado mañana hay mercado", "2026-11-20"),
        ("by tomorrow at nine", "2026-11-19"),
        ("last Friday", "2026-11-13"),
        ("last Wednesday", "2026-11-11"),
        ("this Friday at eleven", "2026-11-20"),
        ("am kommenden Montag", "2026-11-23"),
        ("el martes que viene", "2026-11-24"),
        ("letzte Woche", "2026-11-09..2026-11-15"),
        ("the week before last", "2026-11-02..2026-11-08"),
        ("nächsten Monat", "2026-12-01..2026-12-31"),
        ("el año pasado", "2025-01-01..2025-12-31"),
        ("three days ago", "2026-11-15"),
        ("vor drei Tagen", "2026-11-15"),
        ("hace tres días", "2026-11-15"),
        ("a week ago today", "2026-11-11"),
        ("in ten days", "2026-11-28"),
        ("dentro de diez días", "2026-11-28"),
        ("over the past two weeks", "2026-11-02..2026-11-18"),
        ("on 3 May 2024", "2024-05-03"),
        ("am 3. Mai 2024", "2024-05-03"),
        ("el 3 de mayo de 2024", "2024-05-03"),
        ("May 3rd, 2024", "2024-05-03"),
        ("2024-05-03", "2024-05-03"),
        ("13/05/2024", "2024-05-13"),
        ("between 3 and 9 May 2024", "2024-05-03..2024-05-09"),
        ("vom 3. bis 9. Mai 2024", "2024-05-03..2024-05-09"),
        ("in Q1 2025", "2025-01-01..2025-03-31"),
        ("the second weekend of May 2027", "2027-05-08..2027-05-09"),
        ("the last Friday in May 2027", "2027-05-28"),
        ("at the end of August 2025", "2025-08-21..2025-08-31"),
        ("last winter", "2025-12-01..2026-02-28"),
        ("en verano de 2025", "2025-06-01..2025-08-31"),
        ("Easter 2026", "2026-04-03..2026-04-06"),
        ("in 2019", "2019-01-01..2019-12-31"),
    ],
)
def test_an_expression_means_a_span_of_days(text, wanted):
    assert spans(text) == [wanted]


@pytest.mark.parametrize(
    "text",
    ["It may rain and we march on.", "a spring of water, winter coats", "Wednesdays are quiet", "I am 16",
     "two hours and three trips", "guten Morgen", "la mañana", "version 2.3", "the second paragraph", "room 4711"],
)  # fmt: skip
def test_what_is_no_time_is_left_alone(text):
    assert spans(text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Friday we celebrate at the lake", "2026-11-20"),  # nothing said otherwise: what is to come
        ("Friday we celebrated at the lake", "2026-11-13"),
        ("The review is scheduled for Monday", "2026-11-23"),
        ("Am Montag kamen die Maler", "2026-11-16"),
        ("On the 20th the auditors come", "2026-11-20"),
        ("we were in Rome in October", "2026-10-01..2026-10-31"),
        ("booked Rome for March", "2027-03-01..2027-03-31"),  # months lie where they are nearer
    ],
)
def test_the_verbs_say_whether_it_was_or_will_be(text, wanted):
    assert spans(text) == [wanted]


def test_a_part_of_a_day_narrows_it():
    [night] = expressions("in the night from Monday to Tuesday", WEDNESDAY, lean=-1)
    assert night.spans[0] == (from_iso("2026-11-16T18:00:00Z"), from_iso("2026-11-17T08:00:00Z"))
    [evening] = expressions("gestern Abend", WEDNESDAY)
    assert evening.spans[0] == (from_iso("2026-11-17T17:00:00Z"), from_iso("2026-11-18T00:00:00Z"))
    [morning] = expressions("this morning", WEDNESDAY)
    assert morning.spans[0] == (from_iso("2026-11-18T00:00:00Z"), from_iso("2026-11-18T12:00:00Z"))


def test_a_week_begins_on_monday():
    sunday = from_iso("2026-11-22T23:00:00Z")
    [week] = expressions("this week", sunday)
    assert week.spans[0] == (from_iso("2026-11-16T00:00:00Z"), from_iso("2026-11-23T00:00:00Z"))


@given(st.text(max_size=80), st.integers(0, 4_000_000_000_000_000))
def test_any_text_at_any_moment_is_read(text, moment):
    for one in expressions(text, moment):
        assert 0 <= one.begin < one.end and all(span.start < span.end for span in one.spans)


WORDS = """last next Monday the of May 3rd 31 February week ago in two before weekend 9999 end Friday morning quarter
    año vor Tagen am 3. since until first Easter Q5 0 999 years"""


@given(
    st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join),
    st.integers(0, 4_000_000_000_000_000),
)  # fmt: skip
def test_words_of_time_in_any_order_are_read(text, moment):
    for one in expressions(text, moment):
        assert all(span.start < span.end for span in one.spans)


@pytest.mark.parametrize("phrase", [*DAYS, *FESTIVALS, "last weekend", "el fin de semana", "pasado mañana", "Q3 2026"])
def test_a_phrase_is_looked_for_by_its_longest_word(phrase):
    assert expressions(f"It was {phrase}.", WEDNESDAY)


@pytest.mark.parametrize("number", ["2026-05-01", "8/5/2026", "8.5.2026", "on the 8th", "in 2026"])
def test_a_date_of_numbers_alone_is_met(number):
    assert len(expressions(f"It was {number}.", WEDNESDAY)) == 1


def test_verbs_say_which_way_a_day_points_in_any_case():
    assert spans("THE BOILER WAS FIXED ON FRIDAY") == spans("the boiler was fixed on friday") == ["2026-11-13"]


@pytest.mark.parametrize(
    "text",
    [
        "The visit got pushed to the 24th.",
        "They moved it to the 24th, same time.",
        "It's now on the 24th.",
        "The garage moved the car service to the 24th.",
        "Der Termin ist auf den 24. verschoben.",
        "La cita se ha cambiado al 24.",
    ],
)
def test_a_day_to_which_something_was_moved_is_to_come(text):
    assert spans(text) == ["2026-11-24"]


@pytest.mark.parametrize("text", ["It's the 2nd time.", "This is the 3rd floor.", "She moved to the 4th floor."])
def test_an_ordinal_of_a_thing_is_no_day(text):
    assert spans(text) == []


def test_blanks_behind_a_weekday_take_no_longer_than_other_text():
    began = perf_counter()
    expressions("monday" + " " * 3_900, WEDNESDAY)
    assert perf_counter() - began < 1.0  # 4.7 seconds where two runs of blanks stand side by side
