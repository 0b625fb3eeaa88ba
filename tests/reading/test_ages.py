"""How old those are whom a statement names, and whether they are older in a later one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.reading.ages import ages, asks_for_age, is_older


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
