"""Whether an earlier statement says more than a later one ends."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.current.remainder import leaves_more
from context_graph.recall.inject import inject
from context_graph.recall.question import Question

MORE = [
    ("Standup is daily at 09:45 on Teams.", "Standup moved to 10:15."),
    ("The billing service listens on port 8081 locally and 443 outside.", "Billing moved to port 8090."),
    ("I prefer tabs over spaces, and short commit messages.", "I prefer spaces now."),
    ("To do: renew the ID card, buy winter tyres, call Berit.", "ID card's done."),
    ("I charge 85 an hour, 120 at night.", "Correction: 90 an hour, the 120 at night stays."),
    ("El viaje a Lisboa es del 5 al 8 de diciembre, con Marta.", "Marta no puede venir, viene Pilar."),
    ("Gift for Dad: a drill. Mum gets a scarf.", "No drill for Dad, he has one."),
]
ALL = [
    ("I live in Berlin.", "I live in Munich now."),
    ("I live in Oslo, Norway.", "I moved to Lima."),
    ("We're meeting Ada at the Corner House on Thursday at 7.", "Thursday with Ada is off."),
    ("I owe Stefan 50 euros.", "Paid Stefan back."),
    ("", "x"),
]


@pytest.mark.parametrize(("earlier", "later"), MORE)
def test_a_piece_that_the_later_one_says_nothing_against_is_left(earlier, later):
    assert leaves_more(earlier, later)


@pytest.mark.parametrize(("earlier", "later"), ALL)
def test_what_is_replaced_as_a_whole_leaves_nothing(earlier, later):
    assert not leaves_more(earlier, later)


def test_what_still_holds_is_told_as_ended_in_part(memory, clock):
    for text in ("I charge 85 an hour, 120 at night.", "Correction: it is 90 an hour, the 120 at night stays."):
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))
    told = inject(memory, Question("What do I charge at night?")).text
    assert "in part until" in told


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Iris borrowed 120 from me for the boat.", "Iris paid back 50."),
        ("We owe the roofer 1,400.", "Sent the roofer 600 today."),
        ("I teach on Mondays and Wednesdays. They pay 31 an hour.", "Wednesdays moved to Fridays."),
    ],
)
def test_a_part_that_is_paid_or_moved_leaves_the_rest(earlier, later):
    assert leaves_more(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"), [("We owe the roofer 1,400.", "Paid the roofer 1,400."), ("Iris owes me 50.", "Iris moved.")]
)
def test_what_is_paid_in_full_leaves_nothing(earlier, later):
    assert not leaves_more(earlier, later)
