"""What somebody must not eat is told wherever food is at stake, and nowhere else."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.dietary import is_about_food
from context_graph.recall.question import Question

ALLERGY = "Rowan is severely allergic to peanuts and cashews, carries an EpiPen."
OTHERS = (
    "Rowan's party is on the 24th at the soft play.",
    "We have a black lab, Bosun.",
    "The childminder is Sheila.",
    "Callum works offshore.",
)


@pytest.fixture
def household(memory, clock):
    for text in (ALLERGY, *OTHERS):
        memory.remember(Draft(text, "told in a conversation"))
        clock.pass_time(minutes=720)
    return memory


def lines_for(memory, question):
    return [line for line in memory.inject(question).text.splitlines() if line.startswith("> ")]


@pytest.mark.parametrize(
    "question",
    [
        "What should I cook for the kids tonight?",
        "Give me a recipe for brioche.",
        "suggest a snack for Rowan",
        "Could you plan a picnic for Saturday?",
        "lunchbox ideas",
    ],
)
def test_an_allergy_comes_first_where_food_is_asked_for(household, question):
    assert is_about_food(question)
    injected = household.inject(question)
    assert ALLERGY in lines_for(household, question)[0]
    assert "None of these" not in injected.text


@pytest.mark.parametrize(
    "question",
    ["What did we eat yesterday?", "Who makes the cake?", "Where should I park?", "When is dinner?", "", "food"],
)
def test_no_other_question_brings_it_in(household, question):
    assert not is_about_food(question)


def test_who_eats_meat_again_is_no_vegetarian(memory, clock):
    for text in ("I'm vegetarian.", "We have a dog.", "I eat meat again, no longer vegetarian."):
        memory.remember(Draft(text, "told in a conversation"))
        clock.pass_time(days=3)
    lines = lines_for(memory, "Suggest a recipe for dinner.")
    assert "no longer vegetarian" in lines[0]
    assert all("until" in line or "earlier" in line for line in lines if "I'm vegetarian." in line)


def test_what_is_forgotten_or_asked_of_another_time_is_not_told(household):
    question = Question("Give me a recipe for brioche.", as_of=household.present() - 30 * 86_400_000_000)
    assert ALLERGY not in household.inject(question).text
    (node,) = [hit.node for hit in household.recall("Rowan allergic peanuts").hits if hit.content == ALLERGY]
    household.forget(node.id)
    assert ALLERGY not in household.inject("Give me a recipe for brioche.").text
