"""Queries of a few keywords, as agents write them."""

import pytest

from context_graph.reading.keyword_queries import (
    as_question,
    is_for_an_attribute,
    is_keywords,
    names_an_attribute,
)
from context_graph.recall.normalization import as_asked


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("user's employer", "What is my employer?"), ("the user's hobbies", "What are my hobbies?"),
        ("user work", "What is my work?"), ("user location and timezone", "What is my location and timezone?"),
        ("User profile", "What do you know about me?"), ("facts about the user", "What do you know about me?"),
        ("user information and preferences", "What do you know about me?"),
        ("user context", "What do you know about me?"), ("Who is the user?", "What do you know about me?"),
        ("everything about the user", "What do you know about me?"),
        ("what is user's name?", "what is my name?"), ("where does user live", "where do I live"),
    ],
)  # fmt: skip
def test_what_is_asked_of_the_user_in_keywords_is_asked_as_the_user_would(query, question):
    assert as_asked(query) == question


@pytest.mark.parametrize(
    "query",
    ["user accounts", "user table schema", "user moved to Oslo", "user prefers tabs", "users", "multi user support",
     "user id", "Does user input get checked?", ""],
)  # fmt: skip
def test_users_of_software_and_statements_stay_as_they_are(query):
    assert as_question(query) == query and as_asked(query) == query


def test_a_question_without_a_verb_is_keywords():
    for question in ("which database version", "How much sugar?", "how many tomato plants", "Which bank?"):
        assert is_keywords(question)
    for question in ("Which is it?", "Which planet has rings?", "how many are there", "what time"):
        assert not is_keywords(question)


def test_keywords_are_no_sentence():
    assert is_keywords("blood pressure") and is_keywords("wedding")
    assert not is_keywords("Where do I live?") and not is_keywords("the deploy of last week failed")


@pytest.mark.parametrize(
    ("query", "named"), [("Hobbies", True), ("preferred editor", True), ("quantum physics", False)]
)
def test_keywords_name_what_a_person_has(query, named):
    assert names_an_attribute(query) is named


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("operating system", True),
        ("preferred language for code examples", True),
        ("web framework of Orchard", True),
        ("Who marries us?", False),
        ("where was it", False),
        ("moons of Jupiter", False),
        ("history of the Ottoman Empire", False),
        ("", False),
    ],
)
def test_words_that_mean_what_a_person_has_are_for_that(query, named):
    assert is_for_an_attribute(query) is named


@pytest.mark.parametrize("query", ["\ud800", "job \udfff", "\0 job"])
def test_half_of_a_surrogate_pair_is_no_keyword(query):
    assert names_an_attribute(query) is ("job" in query)
