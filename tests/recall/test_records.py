"""What was done once has no end, and a record of an event holds what nothing told later is about."""

import pytest


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (["Handed in the tax form.", "The tax form was accepted."], "When did I hand in the tax form?"),
        (["I mailed Greta the floor plan.", "Greta's floor plan is online now."], "Did I mail Greta the floor plan?"),
        (["The samples were shipped to Lund.", "Lund's samples work now."], "When were the samples shipped?"),
        (
            ["Minutes of the club: 14 members, Ulf counts.", "Ulf booked 2 bands, 4 June."],
            "How many members are there?",
        ),
        (["Receipt 7714: two lamps, tax 15.20.", "Edda paid 7714 in cash."], "How much tax was on receipt 7714?"),
        (
            [
                "Sent the Lund quote: 900 plus tax, course on 3 and 4 June in Kiel.",
                "The hourly fee rises to 80 from June on. Lund stays with the agreed one.",
            ],
            "When is the Lund course?",
        ),
        (["Summary of the call with Brandt: 40 seats.", "The fair is on, Brandt comes."], "How many seats has Brandt?"),
    ],
)
def test_what_was_done_is_not_over(lines_for, told, question):
    lines = lines_for(told, question)
    assert told[0] in lines[0] and "until" not in lines[0] and "earlier" not in lines[0]


def test_what_became_of_it_has_no_end_for_it(lines_for):
    told = ["Handed in the tax form.", "The tax form was accepted."]
    lines = lines_for(told, "Is the tax form accepted?")
    assert told[1] in lines[0]
    assert not any("until" in line for line in lines)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (["Rent is paid by Tom.", "Rent is paid by me now."], "Who pays the rent?"),
        (["Sent Brandt the offer: talk on 3 May.", "Brandt's talk moved to 10 May."], "When is the talk with Brandt?"),
        (
            ["Summary of the call with Brandt: they run Jira.", "Brandt moved from Jira to Linear."],
            "What does Brandt run?",
        ),
    ],
)
def test_what_a_record_says_may_change(lines_for, told, question):
    lines = lines_for(told, question)
    assert told[1] in lines[0]
    assert any("until" in line or "earlier" in line for line in lines if told[0] in line)
