"""That somebody works for another company now."""

import pytest

from context_graph.reading.employers import asks_for_employer, new_employer


@pytest.mark.parametrize(
    "question",
    ["Where do I work?", "Where does Lena work now?", "Who do I work for?", "Which company is Bo with?",
     "Who is my employer?", "Does Ida still work at Kruse?"],
)  # fmt: skip
def test_an_employer_is_asked_for(question):
    assert asks_for_employer(question)


@pytest.mark.parametrize(
    "question", ["What do I work on?", "Where do I live?", "When do I work?", "Who works with me?", "What is my job?"]
)
def test_and_something_else(question):
    assert not asks_for_employer(question)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I work at Kruse Maschinenbau.", "First week at Nordlicht, so far so good."),
        ("I work for Kruse.", "I was hired by the Havel Clinic."),
        ("I'm a nurse at St. Anna.", "Signed with Havel Clinic yesterday!"),
        ("I started at Kruse in May.", "I left Kruse, I'm with Nordlicht now."),
        ("Lena works for Kruse.", "Lena took a job at Nordlicht."),
        ("My sister works at Kruse.", "My sister began working for Nordlicht."),
    ],
)
def test_a_new_employer_takes_the_place_of_the_old(earlier, later):
    assert new_employer(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I work at Kruse.", "Lena took a job at Nordlicht."),
        ("I work at Kruse.", "I also work at Nordlicht on weekends."),
        ("I work at Kruse.", "I used to work at Nordlicht."),
        ("I work at Kruse.", "I joined the rowing club."),
        ("I work at Kruse.", "I work at Kruse in the new building."),
        ("I work at Kruse.", "I have an interview at Nordlicht."),
        ("I live in Kiel.", "I work at Nordlicht."),
        ("I work at Kruse.", "I'm at Lisbon airport."),
        ("I work at Kruse.", "We are at Nordlicht's fair part-time."),
    ],
)
def test_anything_else_leaves_the_employer(earlier, later):
    assert not new_employer(earlier, later)
