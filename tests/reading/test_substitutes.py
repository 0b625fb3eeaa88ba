"""Who stands in for whom."""

import pytest

from context_graph.reading.substitutes import asks_for_somebody, substitute, takes_the_place


@pytest.mark.parametrize(
    ("text", "who", "other"),
    [
        ("Mr. Ahn broke his leg, Ms. Roth is filling in.", "Roth", "Ahn"),
        ("Kathrin is off sick until September, Jana is standing in.", "Jana", "Kathrin"),
        ("Lena is on sabbatical, Finn does it until spring.", "Finn", "Lena"),
        ("Kai broke his wrist, so Jonas sits in on drums until January.", "Jonas", "Kai"),
        ("Frau Sommer ist krank, Herr Albers vertritt sie.", "Herr Albers", "Sommer"),
        ("Moreau resigned from the board, Ana Ruiz replaced him.", "Ana Ruiz", "Moreau"),
        ("Havel didn't show up, my cousin Petr is doing it now", "my cousin Petr", "Havel"),
    ],
)
def test_who_stands_in_is_read_with_whom_for(text, who, other):
    stand_in = substitute(text)
    assert stand_in is not None and stand_in.who == who and stand_in.others == {other}


@pytest.mark.parametrize(
    "text", ["Tom does it well.", "After lunch the forms are filled in.", "The snow covers Oslo.", "Ida runs.", ""]
)
def test_what_people_do_otherwise_stands_in_for_nobody(text):
    assert substitute(text) is None


def test_only_whom_the_earlier_statement_names_is_replaced():
    away = "My boss Kim is away, Rosa is covering for her."
    assert takes_the_place("My boss is Kim.", away)
    assert not takes_the_place("My tax adviser is Paul.", away)
    assert not takes_the_place("My daughter is called Kim.", away)


@pytest.mark.parametrize(
    ("question", "asked"),
    [("Who's the nurse?", True), ("To whom do I report?", True), ("Wer leitet das?", True), ("Where is Kim?", False)],
)
def test_a_question_asks_for_somebody(question, asked):
    assert asks_for_somebody(question) is asked
