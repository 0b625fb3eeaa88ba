"""Between which two ends a question asks for the time."""

import pytest

from context_graph.reading.asked_length import NOW, asked_length, asks_since_when

ENDS = [
    ("How many days are there between my exam and the trip?", "my exam", "the trip"),
    ("How many days were between signing the lease and the move?", "signing the lease", "the move"),
    ("How much time passed from the offer to the contract?", "the offer", "the contract"),
    ("How many weeks after I ordered the desk was it delivered?", "I ordered the desk", "it delivered"),
    ("How many days before my wedding did I order the cake?", "I order the cake", "my wedding"),
    ("How long had I been saving when I bought the boat?", "I been saving", "I bought the boat"),
    ("How long did it take me to finish after I began the course?", "I began the course", "finish"),
    ("How long ago did I quit smoking?", "I quit smoking", NOW),
    ("How many months is it since we moved?", "we moved", NOW),
    ("How many days until the flight?", NOW, "the flight"),
    ("How long do I have left until the deadline?", NOW, "the deadline"),
]


@pytest.mark.parametrize(("question", "first", "second"), ENDS)
def test_both_ends_are_read(question, first, second):
    assert (first, second) in [(one.first, one.second) for one in asked_length(question)]


def test_what_has_been_so_began_and_who_is_old_was_born():
    (since,), (age,) = asked_length("How long have I been at Acme?"), asked_length("How old is Clara?")
    assert (since.since, since.age, since.second) == (True, False, NOW)
    assert (age.since, age.age, age.first) == (False, True, "Clara")


def test_a_list_is_parted_at_each_and():
    asked = asked_length("How many days lie between salt and pepper and sugar?")
    assert [(one.first, one.second) for one in asked] == [("salt", "pepper and sugar"), ("salt and pepper", "sugar")]


@pytest.mark.parametrize(
    "question",
    [
        "How long is the table?",
        "How long does CI take?",
        "How many cats do I have?",
        "When is the trip?",
        "",
        "How long?",
    ],
)
def test_other_questions_ask_for_none(question):
    assert asked_length(question) == ()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Since when have I not smoked?", "I not smoked"),
        ("Since when do we have the dog?", "we have the dog"),
        ("Since when am I at Acme?", "I been at Acme"),
        ("Since when are Ida and I a couple?", "Ida and I been a couple"),
        ("Since when is the shop closed?", "the shop been closed"),
    ],
)
def test_since_when_asks_how_long_it_has_been(question, first):
    (asked,) = asked_length(question)
    assert (asked.first, asked.second, asked.since) == (first, NOW, True)
    assert asks_since_when(question)


@pytest.mark.parametrize("question", ["How long ago did I quit?", "When did I quit?", "Seit vier Tagen?", ""])
def test_other_questions_do_not_ask_since_when(question):
    assert not asks_since_when(question)
