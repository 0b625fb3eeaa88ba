"""How people say how they are called, and ask for it."""

import pytest

from context_graph.reading.introductions import asks_own_age, asks_own_name, own_age, own_name

INTRODUCED = [
    ("My name is Marek.", "Marek"),
    ("Hi, I'm Marek, I run a small shop.", "Marek"),
    ("I am Marek Wolski, 38, from Gdansk.", "Marek Wolski"),
    ("Hello! This is Marek from accounting.", "Marek"),
    ("You can call me Mo.", "Mo"),
    ("From now on please call me Mo", "Mo"),
    ("My friends call me Bear, by the way.", "Bear"),
    ("Hey, Ana here, remember me?", "Ana"),
    ("I go by Zoë.", "Zoë"),
    ("Ich heiße Jana.", "Jana"),
    ("Me llamo Lucía.", "Lucía"),
]

OTHERS = [
    "I'm Polish.", "I'm Marek's brother.", "My dog's name is Rex.", "Never call me Jim.", "Nobody calls me Bob.",
    "The dentist called me.", "They call me every day.", "I'm CTO at Acme.", "This is Germany's best bakery.",
    "Ich bin Lehrer.", "",
]  # fmt: skip

ASKED = [
    "What is my name?", "What's my full name?", "How am I called?", "What do people call me?", "Do you know my name?",
    "Wie heiße ich?", "¿Cómo me llamo?", "what is my name",
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), INTRODUCED)
def test_an_introduction_has_a_name(text, name):
    assert own_name(text) == name


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_introduction_has_none(text):
    assert own_name(text) == ""


@pytest.mark.parametrize("question", ASKED)
def test_the_own_name_is_asked_for(question):
    assert asks_own_name(question)


@pytest.mark.parametrize("question", ["What is my dog's name?", "What is the name of my street?", "Who called me?", ""])
def test_other_names_are_not(question):
    assert not asks_own_name(question)


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("I'm 34 and I run a small law office.", "34"), ("Hi! I'm Tomasz, 22, studying in Delft.", "22"),
        ("I am 61 years old.", "61"), ("I turned 40 last week.", "40"), ("Ich bin 29.", "29"), ("Age: 45", "45"),
        ("I'm Dana and 52.", "52"), ("I'm 30 minutes away.", ""), ("I'm 80 percent done.", ""), ("My dog is 7.", ""),
        ("I'm 5 km from home.", ""), ("I have 34 books.", ""), ("", ""),
    ],
)  # fmt: skip
def test_an_age_is_read_where_somebody_tells_their_own(text, age):
    assert own_age(text) == age


@pytest.mark.parametrize(
    "question", ["How old am I?", "What's my age?", "Do you know how old I am?", "Wie alt bin ich"]
)
def test_who_asks_for_their_age_is_understood(question):
    assert asks_own_age(question) and not asks_own_name(question)


@pytest.mark.parametrize("question", ["How old is Karin?", "How old am I allowed to be?", "When was I born?", ""])
def test_other_questions_ask_for_no_age(question):
    assert not asks_own_age(question)
