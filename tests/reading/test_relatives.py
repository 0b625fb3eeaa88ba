"""Who is close to the user, and what they are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.reading.relatives import relatives


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("I run a small bakery together with my sister Klara.", [("my sister", "Klara")]),
        ("My daughter Mia turns 4 in May.", [("my daughter", "Mia")]),
        ("My daughter Lotte is 7.", [("my daughter", "Lotte")]),  # unlike the first names in the table
        ("Klara is my sister", [("my sister", "Klara")]),
        ("Tom, my brother, has moved.", [("my brother", "Tom")]),
        ("My older sister is called Anna Maria.", [("my sister", "Anna Maria")]),
        ("Meine Schwester heißt Anna.", [("meine schwester", "Anna")]),
        ("My wife Marta and my son Ben", [("my wife", "Marta"), ("my son", "Ben")]),
        ("It is our dog Rex's birthday.", [("our dog", "Rex")]),
    ],
)
def test_those_whom_a_statement_names(text, named):
    assert relatives(text) == named


@pytest.mark.parametrize(
    "text",
    [
        "", "My dad loves Berlin.", "My mum. Anna is here.", "Sunday is my sister's day.", "Visited my sister Monday.",
        "Her sister Klara is here.", "Our landlord is Mr. Petzold.",
    ],
)  # fmt: skip
def test_what_names_nobody_close_gives_nothing(text):
    assert relatives(text) == []


@given(st.text())
def test_any_text_is_read(text):
    assert all(phrase and name for phrase, name in relatives(text))
