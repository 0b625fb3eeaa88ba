"""What was asked of somebody and never told is told with a doubt."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.attributes_asked import asks_for_the_untold
from context_graph.recall.inject import UNSURE, inject
from context_graph.recall.question import Question

STORY = ("Aoife's birthday is on 12 May.", "Bran is our puppy, he chews shoes.", "I see Dr. Weiss for my teeth.")
UNTOLD = ["What's Aoife's husband called?", "What is my licence plate?", "What's Bran's surname?"]
TOLD = ["When is Aoife's birthday?", "What is my dog called?", "What's her name?", "Where does Bran sleep?", ""]


@pytest.mark.parametrize("question", UNTOLD)
def test_something_of_somebody_that_nothing_has_a_word_for_is_untold(question):
    assert asks_for_the_untold(question, STORY)


@pytest.mark.parametrize("question", TOLD)
def test_what_is_told_in_a_word_near_it_or_asked_of_nobody_is_not(question):
    assert not asks_for_the_untold(question, STORY)


def test_other_languages_are_not_judged():
    assert not asks_for_the_untold("What is my dog called?", ["Fietje ist unser Rauhaardackel."])
    assert not asks_for_the_untold("Wie heißt Aoifes Mann?", STORY)
    assert not asks_for_the_untold("What's Aoife's husband called?", [])


@pytest.mark.parametrize(("question", "doubted"), [(UNTOLD[0], True), (TOLD[0], False)])
def test_a_context_says_that_none_surely_answers(memory, question, doubted):
    for text in STORY:
        memory.remember(Draft(text, "said to you"))
    told = inject(memory, Question(question)).text
    assert "Aoife" in told and (UNSURE in told) is doubted


@pytest.mark.parametrize(
    "question",
    ["Is Aoife pregnant?", "Does Aoife have a horse?", "is my brother married", "Has Aoife got any children?"],
)
def test_what_somebody_is_or_has_is_untold_where_nothing_has_a_word_for_it(question):
    assert asks_for_the_untold(question, ["Aoife sang all evening.", "My brother broke his ankle."])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Is Aoife married?", "Aoife's wife is called Bea."), ("Does Aoife have a dog?", "Aoife got a puppy."),
        ("Is Aoife still in Cork?", "Aoife sang all evening."), ("Does Aoife have to work?", "Aoife sang all evening."),
    ],
)  # fmt: skip
def test_what_a_text_has_a_word_near_to_or_asks_for_no_such_thing_is_not(question, text):
    assert not asks_for_the_untold(question, [text])
