"""How old those are whom a statement names, and whether they are older in a later one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.reading.ages import age_of, ages, asks_for_age, is_dead, is_older, just_born


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My daughter Lotte is 7 and sells the programmes.", {"Lotte": 7}),
        ("Lotte turned 8 yesterday, unicorn cake.", {"Lotte": 8}),
        ("We've got three kids: Nora (11), Emil (8) and little Bo who's 3.", {"Nora": 11, "Emil": 8, "Bo": 3}),
        ("Ben has just turned twelve.", {"Ben": 12}),
        ("Fietje wird 6.", {"Fietje": 6}),
        ("Rosa cumplió 9 años.", {"Rosa": 9}),
        ("Klara is 71 years old.", {"Klara": 71}),
        ("Lotte is 5 minutes late.", {}),
        ("Rent is 7 now.", {}),
        ("Ben is one of the best.", {}),
        ("", {}),
    ],
)
def test_the_ages_of_those_whom_a_statement_names(text, told):
    assert ages(text) == told


def test_somebody_is_older_later_and_nobody_younger():
    assert is_older("Lotte is 7.", "Lotte turned 8.")
    assert not is_older("Lotte turned 8.", "Lotte is 7.")
    assert not is_older("Lotte is 7.", "Ben turned 8.")


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("how old is Lotte", True),
        ("What is my daughter's age?", True),
        ("Wie alt ist Bo?", True),
        ("Where is Bo?", False),
    ],
)
def test_which_questions_ask_for_an_age(question, asks):
    assert asks_for_age(question) is asks


@given(st.text())
def test_any_text_is_read(text):
    assert all(age >= 0 for age in ages(text).values())


@pytest.mark.parametrize(
    ("text", "who", "years"),
    [
        ("Ylva is six.", "Ylva", 6),
        ("I turned 40 today.", "I", 40),
        ("It's Ylva's eighth birthday today.", "Ylva", 8),
        ("Dad had his 70th birthday.", "Dad", 70),
        ("Gran turned ninety-one.", "Gran", 91),
        ("Our cat is three now.", "the cat", 3),
        ("Our daughter Ylva, who is 6, sings.", "my daughter", 6),
        ("Ylva is six weeks old.", "Ylva", None),
        ("Ylva's friend Mia is six.", "Ylva", None),
        ("Ylva owns a cat who is three.", "Ylva", None),
        ("When Ylva is 12 she may ride.", "Ylva", None),
        ("Planning Ylva's eighth birthday.", "Ylva", None),
        ("Ylva is almost six.", "Ylva", None),
        ("My car turned 100,000.", "my car", None),
    ],
)
def test_how_old_somebody_is_by_a_statement(text, who, years):
    age = age_of(text, who)
    assert (age and age.years) == years


@pytest.mark.parametrize(
    ("text", "is_news"),
    [
        ("Ylva was born.", True),
        ("Ylva was born at 3:20 am, all are well.", True),
        ("My sister gave birth to Ylva this morning.", True),
        ("Ylva was born on Tuesday.", True),
        ("Ylva was born in Bergen.", False),
        ("Ylva was born in the morning.", False),
        ("Ylva was born on 3 March.", False),
        ("Ylva was born deaf.", False),
    ],
)
def test_a_birth_is_news_or_long_past(text, is_news):
    assert (just_born(text, "Ylva") is not None) is is_news


def test_nobody_grows_older_after_a_death():
    assert is_dead("Moss was put to sleep.") and not is_dead("Moss is late again.")
