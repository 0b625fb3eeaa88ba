"""What somebody else is, has, likes or bears ends nothing of one's own, nor does it answer for oneself."""

import pytest

from context_graph.recall.inject import UNSURE
from tests.requirements import requirement

OF_TWO = [
    ("I'm scared of spiders", "my flatmate isn't scared of spiders at all", "am I scared of spiders?"),
    ("we have a dog", "the neighbours got rid of their dog", "do we have a dog?"),
    ("I live in Leeds", "my brother moved to York in March", "where do I live?"),
    ("my dentist is Dr. Hall", "Olga's got a new dentist, Dr. Moss", "who is my dentist?"),
    ("we're getting a divorce", "Ana and Luis called off their divorce", "are we getting divorced?"),
    ("I quit drinking last year", "Pete started drinking again", "do I drink?"),
    ("my nephew is allergic to eggs", "turns out I'm not allergic to eggs", "is my nephew allergic to eggs?"),
    ("my grandma is allergic to wool", "my aunt isn't allergic to wool after all", "is grandma allergic to wool?"),
    ("Ines is my boss", "Tom's got a new boss, a woman called Ruth", "who is my boss?"),
    ("my flatmate is called Jule", "Kai found a new flatmate, Bo", "who's my flatmate?"),
    ("our kids sleep at eight", "Mia's kids sleep at nine now", "when do our kids sleep?"),
]


@requirement("recall:another-matter-ends-nothing")
@pytest.mark.parametrize(("own", "other", "question"), OF_TWO)
def test_what_is_anothers_ends_nothing(lines_for, own, other, question):
    [first, *_] = lines_for([own, other], question)
    assert own in first
    assert "until" not in first
    assert "earlier" not in first


@pytest.mark.parametrize(
    ("before", "now", "question"),
    [
        ("I live with Tom", "Tom moved out", "who do I live with?"),
        ("my boss is Ines", "Ines quit", "who is my boss?"),
        ("I do the billing", "Karim does the billing now", "who does the billing?"),
        ("we live in Bonn", "my wife and I moved to Ulm", "where do we live?"),
        ("we have one car, a Golf", "my husband sold the car", "what car do we have?"),
        ("my son is allergic to nuts", "Ben isn't allergic to nuts after all", "is my son allergic to nuts?"),
        ("we need a new caterer", "Ana found a new caterer, Feast & Co", "do we have a caterer?"),
        ("I ride to work with Dad", "Dad sold his car", "how do I get to work?"),
    ],
)
def test_what_both_have_a_part_in_is_past(lines_for, before, now, question):
    [first, *_] = lines_for([before, now], question)
    assert now in first


@requirement("recall:nearest-of-ones-own")
@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("Tom's vegetarian", "am I vegetarian?"), ("our neighbours have two dogs", "do we have dogs?"),
        ("Kim's sister lives in Trier", "where does my sister live?"),
        ("my uncle wears size 44", "what's my shoe size?"),
        ("Kim's sister lives in Trier", "where does Kim live?"),
    ],
)  # fmt: skip
def test_what_is_anothers_answers_with_a_doubt(memory, lines_for, told, question):
    lines_for([told, "the pump needs oil"], question)
    assert UNSURE in memory.inject(question).text


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("The user's brother lives in Trier", "where does my brother live?"), ("User hates peas", "do I like peas?"),
        ("Lena drives a Skoda", "do I know anyone who drives a Skoda?"), ("Tom's vegetarian", "is Tom vegetarian?"),
        ("Kim's sister lives in Trier", "where does Kim's sister live?"),
        ("Lena drives a Skoda", "who drives a Skoda?"),
    ],
)  # fmt: skip
def test_who_is_asked_about_is_told_without_one(memory, lines_for, told, question):
    lines_for([told, "the pump needs oil"], question)
    assert UNSURE not in memory.inject(question).text
