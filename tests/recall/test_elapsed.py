"""The time between two events, or from one until now, is counted where the dates are told, and only then."""

from datetime import date

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.elapsed import DAY, MONTH, YEAR, Elapsed
from context_graph.server.dispatch import call
from tests.requirements import requirement

TOLD = [
    "Started at Acme today.",
    "My sister Clara was born on 2 March 1990.",
    "We bought the car in June 2021.",
    "Ordered the sofa on 12 January.",
    "The sofa was delivered today.",
    "The regatta is on 20 February.",
    "The chess club meets at the library.",
    "Omar's birthday is on 14 January.",
]

COUNTED = [
    ("How long have I been at Acme?", "from 4 January 2026", "till now: 24 days"),
    ("How old is Clara?", "from 2 March 1990", "till now: 35 years"),
    ("How long have we had the car?", "from June 2021", "till now: about 4 years, 7 months"),
    ("How many days after I ordered the sofa was it delivered?", "from 12 January 2026", "4 days"),
    ("How many days until the regatta?", "from now till 20 February 2026", "23 days"),
]


@pytest.fixture
def told(memory, clock):
    """What was told, each three days after the other; asked three days after the last."""
    for text in TOLD:
        clock.pass_time(days=3)
        memory.remember(Draft(text, "said to you"))
    clock.pass_time(days=3)
    return memory


def context(memory, question):
    return call(memory, "inject_context", {"query": question}).structured["context"]


@requirement("recall:elapsed")
@pytest.mark.parametrize(("question", "begin", "end"), COUNTED)
def test_the_time_is_counted_from_the_days_that_are_told(told, question, begin, end):
    (line,) = [line for line in context(told, question).splitlines() if line.startswith("Counted:")]
    assert begin in line and end in line and "[node_" in line
    assert "None of these surely" not in context(told, question)


@requirement("recall:elapsed")
@pytest.mark.parametrize(
    "question",
    [
        "How long is the sofa?",  # no time
        "How long have I known Clara?",  # nobody told when they met
        "How old is the car?",  # bought, not born
        "How old is Omar?",  # in which year is not known
        "How long have I been in the chess club?",  # no date of a beginning
        "How many days until the chess club meets?",  # every week
    ],
)
def test_without_a_date_for_it_nothing_is_counted(told, question):
    assert "Counted:" not in context(told, question)


@requirement("recall:elapsed")
def test_of_two_days_that_may_be_meant_none_is_counted(told, memory, clock):
    memory.remember(Draft("The regatta in Kiel is on 3 May.", "said to you"))
    memory.remember(Draft("The regatta in Lindau is on 7 June.", "said to you"))
    assert "Counted:" not in context(memory, "How many days until the regatta?")


@requirement("recall:elapsed")
@pytest.mark.parametrize("text", ["I was born on 5 May 1992.", "My birthday is 5 May 1992."])
def test_the_own_age_is_counted(told, text):
    assert "Counted" not in context(told, "How old am I?")
    told.remember(Draft(text, "said to you"))
    assert "from 5 May 1992" in context(told, "How old am I?") and "33 years" in context(told, "How old am I?")


def test_what_an_assistant_said_is_no_date_of_the_user(memory):
    memory.remember(Draft("The regatta is on 20 February 2026.", "said", speaker="Assistant"))
    assert "Counted:" not in context(memory, "How many days until the regatta?")


def test_what_it_is_counted_from_is_told_with_it(told):
    arguments = {"query": "How many days until the regatta?", "max_tokens": 100}
    small = call(told, "inject_context", arguments).structured["context"]
    assert "Counted:" not in small or "The regatta is" in small


def test_what_was_today_is_no_time_ago_and_what_is_today_is_no_day_away(memory, clock):
    memory.remember(Draft("I took the blue pill today.", "said to you"))
    memory.remember(Draft("The regatta is on 1 January.", "said to you"))
    assert "Counted:" not in context(memory, "How long ago did I take the blue pill?")
    assert "0 days" in context(memory, "How many days until the regatta?")


def test_what_was_put_off_is_counted_to_its_new_day(told, memory, clock):
    clock.pass_time(days=1)
    memory.remember(Draft("The regatta was moved to 1 March.", "said to you"))
    assert "till 1 March 2026" in context(memory, "How many days until the regatta?")


def test_the_day_is_the_last_of_a_shorter_month():
    def between(first, second, exact=DAY):
        return Elapsed((first, None), (second, None), exact).length

    assert between(date(2025, 1, 31), date(2025, 2, 28)) == "28 days"
    assert between(date(2025, 1, 31), date(2025, 3, 1)) == "29 days (1 month, 1 day)"
    assert between(date(2024, 2, 29), date(2025, 2, 28)) == "365 days (11 months, 30 days)"
    assert between(date(2024, 2, 29), date(2025, 3, 1)) == "366 days (1 year, 1 day)"
    assert between(date(2019, 1, 1), date(2026, 1, 1), YEAR) == "about 7 years"
    assert between(date(2025, 12, 1), date(2026, 3, 1), MONTH) == "about 3 months"
