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


def days_told(memory, clock, *texts):
    """Each text 400 days after the one before, and asked 400 days after the last."""
    for text in texts:
        memory.remember(Draft(text, "said to you"))
        clock.pass_time(days=400)


def counted(memory, question):
    return next((line for line in context(memory, question).splitlines() if line.startswith("Counted:")), "")


FIRST, SECOND, THIRD = "from 1 January 2026", "from 5 February 2027", "from 11 March 2028"
"""The days on which `days_told` tells its texts."""


@requirement("recall:elapsed")
@pytest.mark.parametrize(
    ("texts", "question", "begin"),
    [
        (("Bought a blue canoe.", "The canoe got a new seat."), "How long have I had the canoe?", FIRST),
        (("Bought a blue canoe.", "Bought paddles for the canoe."), "How long have I had the canoe?", FIRST),
        (("New camera, a Pentax K70.", "The Pentax got a new strap."), "How long have I had the Pentax?", FIRST),
        (("We adopted a parrot, Kiwi.", "Kiwi got a bigger cage."), "How long have we had Kiwi?", FIRST),
        (("We got an oven.", "Got the oven repaired."), "How long have we had the oven?", FIRST),
        (("First day at Ostara Foods.", "I moved to nights at Ostara."), "How long have I been at Ostara?", FIRST),
        (("Moved into the loft on Mill Road.", "New sink in the loft."), "How long have I lived in the loft?", FIRST),
        (("Took up archery.", "Bought new archery gloves."), "How long have I been doing archery?", FIRST),
        (("Started judo.", "Stopped judo.", "Started judo again."), "How long have I been doing judo?", THIRD),
        (("Took up surfing.", "Gave up surfing.", "Surfing again."), "How long have I been surfing?", THIRD),
        (("Joined the choir.", "Left the choir.", "Back in the choir."), "Since when am I in the choir?", THIRD),
        (("Gave up coffee.",), "How long have I not drunk coffee?", FIRST),
        (("Stopped vaping.", "Started vaping again.", "Stopped vaping again."), "Since when have I not vaped?", THIRD),
        (("Quit my job at Tolk and started at Brisk today.",), "How long have I been at Brisk?", FIRST),
    ],
)  # fmt: skip
def test_what_is_so_is_counted_from_its_last_beginning(memory, clock, texts, question, begin):
    days_told(memory, clock, *texts)
    assert begin in counted(memory, question)


@requirement("recall:elapsed")
@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("Started judo.", "Stopped judo, my knee hurts."), "How long have I been doing judo?"),
        (("Stopped judo, my knee hurts.",), "How long have I been doing judo?"),
        (("Bought a canoe.", "Sold the canoe."), "How long have I had the canoe?"),
        (("Started at Brisk today.", "Brisk laid me off."), "How long have I been at Brisk?"),
        (("The canoe got a new seat.",), "How long have I had the canoe?"),
        (("My cousin bought a canoe.",), "How long have I had the canoe?"),
        (("I might buy a canoe.",), "How long have I had the canoe?"),
        (("The canoe leaks since yesterday.",), "How long have I had the canoe?"),
        (("Got the canoe out of the water.",), "How long have I had the canoe?"),
        (("Got a raise at Brisk.",), "How long have I been at Brisk?"),
        (("Took up surfing.", "Surfing again, great waves."), "How long have I been surfing?"),  # it may have gone on
        (("Moved to Ghent.", "Moved to Namur."), "How long have I lived in Ghent?"),
        (("Started smoking again.",), "How long have I not smoked?"),
        (("Met Clara for lunch.",), "How long have I known Clara?"),
    ],
)
def test_nothing_is_counted_from_an_end_or_from_something_else(memory, clock, texts, question):
    days_told(memory, clock, *texts)
    assert counted(memory, question) == ""


@requirement("recall:elapsed")
@pytest.mark.parametrize(
    ("texts", "question", "words"),
    [
        (("Ylva was born at 5 in the morning.",), "How old is Ylva?", ("from 1 January 2026", ": 1 year.")),
        (("My nephew Per was born.",), "How old is Per?", ("from 1 January 2026", ": 1 year.")),
        (("Ylva turned six today.",), "How old is Ylva?", ("6 years old on 1 January 2026", "now: 7 years.")),
        (("Uncle Per celebrated his fiftieth birthday.",), "How old is Uncle Per?", ("50 years old", "now: 51 years.")),
        (("Our cat Moss is three.",), "How old is Moss?", ("3 years old on 1 January 2026", "now: 4 or 5 years.")),
        (("I turned 30 today.",), "How old am I?", ("30 years old", "now: 31 years.")),
        (("Ylva is six.", "Ylva turned eight today."), "How old is Ylva?", ("8 years old", "now: 9 years.")),
    ],
)  # fmt: skip
def test_an_age_is_carried_forward_from_the_day_on_which_it_was_told(memory, clock, texts, question, words):
    days_told(memory, clock, *texts)
    line = counted(memory, question)
    assert all(each in line for each in words) and "[node_" in line


@requirement("recall:elapsed")
@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("Ylva was born in Bergen.",), "How old is Ylva?"),
        (("Ylva turned six today.", "Ylva turned four today."), "How old is Ylva?"),  # of two
        (("Uncle Per is 80.", "Uncle Per passed away."), "How old is Uncle Per?"),
        (("Our cat Moss is three.", "Moss died."), "How old is our cat?"),
        (("Ylva's friend Mia is six.",), "How old is Ylva?"),
        (("Planning Ylva's eighth birthday.",), "How old is Ylva?"),
    ],
)
def test_an_age_that_is_not_sure_is_not_carried_forward(memory, clock, texts, question):
    days_told(memory, clock, *texts)
    assert counted(memory, question) == ""


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("Stopped vaping.", "Started vaping again.", "Stopped vaping again."), "Since when have I not vaped?"),
        (("I play squash as of today.", "Gave up squash.", "Playing squash again."), "Since when do I play squash?"),
    ],
)
def test_since_when_is_asked_of_what_holds_now(memory, clock, texts, question):
    days_told(memory, clock, *texts)
    first, second, *_ = (line for line in context(memory, question).splitlines() if line.startswith("> "))
    assert texts[2] in first and "until" not in first and "earlier than" not in first
    assert texts[1] in second and ("until" in second or "earlier than" in second)
