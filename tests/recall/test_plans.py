"""A change that is announced for a day holds from that day on, and not before."""

import pytest

from context_graph.instants import from_iso, to_datetime
from tests.requirements import requirement

TOLD, ANNOUNCED = "2026-03-02", "2026-03-09"

PLANS = [
    ("A day ticket costs 3.20.", "The day ticket goes up to 3.50 on 1 June.", "What does a day ticket cost today?"),
    ("Our vet is Dr. Lund.", "Dr. Lund retires in September, Dr. Mora will take over.", "Who is our vet?"),
    ("Yoga costs 12 euros.", "Yoga goes up to 15 euros next month.", "What does yoga cost?"),
    ("I work at Kruse Maschinenbau.", "I start at Nordlicht on 1 August.", "Where do I work?"),
    ("The ferry leaves at 8:10.", "With the new timetable on 14 June the ferry leaves at 8:25.", "When is the ferry?"),
    ("I live in Kiel.", "I'm moving to Lund on 30 May.", "Where do I live?"),
    ("Wir wohnen in Barmbek.", "Im Juni ziehen wir nach Bergedorf.", "Wo wohnen wir zurzeit?"),
]  # fmt: skip


def lines(memory, before, plan, question, asked):
    for text, day in ((before, TOLD), ("The bees are on the roof.", TOLD), (plan, ANNOUNCED)):
        memory.remember(text, occurred_at=to_datetime(from_iso(day)))
    text = memory.inject(question, asked_at=to_datetime(from_iso(asked))).text
    return [line for line in text.splitlines() if line.startswith("> ")]


@requirement("recall:what-is-announced")
@pytest.mark.parametrize(("before", "plan", "question"), PLANS)
def test_what_is_announced_does_not_hold_yet(memory, before, plan, question):
    first, *_ = lines(memory, before, plan, question, "2026-03-10")
    assert before in first
    assert "until" not in first and "earlier than" not in first


@requirement("recall:what-is-announced")
@pytest.mark.parametrize(("before", "plan", "question"), PLANS)
def test_and_does_from_its_day_on(memory, before, plan, question):
    first, *others = lines(memory, before, plan, question, "2026-12-01")
    assert plan in first
    assert all("until" in line or "earlier than" in line for line in others if before in line)


@requirement("recall:what-is-announced")
@pytest.mark.parametrize(
    ("before", "plan", "question"),
    [
        ("Ich arbeite bei Petersen & Voss.", "Ab dem 1. Mai arbeite ich bei Hanse Plan.", "Wo arbeite ich gerade?"),
        ("Malte is tech lead.", "Malte is leaving us on 31 July, Leonie will be tech lead.", "Who is tech lead now?"),
    ],
)
def test_who_asks_for_now_is_told_what_holds_before_what_is_only_announced(memory, before, plan, question):
    assert before in lines(memory, before, plan, question, "2026-03-10")[0]
    assert plan in lines(memory, before, plan, question, "2026-09-10")[0]


def test_what_is_put_off_is_put_off_at_once(memory):
    first, second, *_ = lines(
        memory, "The recital is on 9 May.", "The recital moves to 16 May.", "When is the recital?", "2026-03-10"
    )
    assert "16 May" in first
    assert "until" in second or "earlier than" in second


def test_what_ends_on_an_announced_day_is_marked_with_that_day(memory):
    before, plan, question = PLANS[3]
    _, second, *_ = lines(memory, before, plan, question, "2026-12-01")
    assert "until 1 August 2026" in second
