"""What shares a word with an answer, but is of another matter, leaves the answer unmarked."""

import pytest

CASES = [
    ("Our boat is a ketch called Marlin.", "The pump is loud this year. Called Mr Voss.", "What is our boat called?"),
    ("Our boat is a ketch called Marlin.", "The harbour master is called Ms Dahl.", "What's our boat's name?"),
    ("The shop is open Tue to Sat.", "I never remember the code that opens it.", "What days is the shop open?"),
    ("The lathe broke down again.", "The shop is too warm, 18 degrees are allowed.", "What's wrong with the lathe?"),
    ("The auditor came by, all fine but the doors.", "Auditor again on 3 September.", "What did the auditor find?"),
    ("The nanny takes 15 euros an hour.", "The nanny wants 18. I said I'd sleep on it.", "What does the nanny cost?"),
    ("Our van is a Fiat Ducato, licence B-12.", "new licence is B-77", "What's our van?"),
    ("I share the flat with my brother Ivo.", "Ivo sold his drums.", "What's my brother's name?"),
    ("My gran Elke is in Passau.", "Elke slipped, nothing broken.", "Where does my gran live?"),
    ("Nils got a brace, size 2.", "Nils has chess Fridays at 16:30 now.", "Which size is the brace of Nils?"),
    ("Bea can't have gluten.", "Bea is vegan since Sunday.", "What can't Bea eat?"),
    ("Jan plays chess on Mondays.", "Jan doesn't want to play, but he'll finish the cup.", "When is Jan's chess?"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "other", "question"), CASES)
def test_the_answer_is_called_neither_earlier_nor_past(lines_for, answer, other, question):
    line = next(line for line in lines_for([answer, other], question) if answer in line)
    assert "earlier" not in line and "until" not in line


@pytest.mark.parametrize(
    ("answer", "change", "question"),
    [
        ("Our boat is a ketch called Marlin.", "We renamed the boat, it's Petrel now.", "What is our boat called?"),
        ("The shop is open Tue to Sat.", "We open the shop Wed to Sun now.", "What days is the shop open?"),
        ("The nanny takes 15 euros an hour.", "The nanny takes 18 now.", "What does the nanny cost?"),
        ("Our van is a Fiat Ducato.", "Ivo sold the Ducato, we have a Transit now.", "What's our van?"),
        ("My gran Elke is in Passau.", "Elke moved in with us.", "Where does my gran live?"),
        ("Bea can't have gluten.", "Bea can eat gluten again.", "What can't Bea eat?"),
    ],
)  # fmt: skip
def test_what_changes_the_answer_still_comes_first(lines_for, answer, change, question):
    assert change in lines_for([answer, change], question)[0]
