"""How people say how they are called, and ask for it."""

import pytest

from context_graph.reading.introductions import asks_own_name, own_name

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
