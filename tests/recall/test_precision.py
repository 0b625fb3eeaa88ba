"""Of what a question finds, what is told is what may answer it, and nothing answers what was never told."""

import numpy as np
import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.answer_model import answer_probabilities
from context_graph.recall.answer_signs import SIGNS, signs
from context_graph.recall.inject import UNSURE, inject
from context_graph.recall.precision import MUCH_LIKELIER, likeliest_first
from context_graph.recall.question import Question
from tests.requirements import requirement

TOLD = [
    "My locker opens with 4471, it's number 88.", "Mo's got a tortoise called Brisket.",
    "The alarm in the hall was put in by Mr Okafor.", "The rent goes out on the 28th, my share is 615.",
    "I keep the spare key with the lady at number 3.", "Jette is writing a thesis on tidal mud.",
    "The washing machine only drains on the 40 degree programme.", "We agreed on no shoes past the front door.",
    "I run along the canal on Sunday mornings.", "My bike is a dark green Raleigh.",
]  # fmt: skip


@pytest.fixture
def flat(memory, clock):
    for text in TOLD:
        memory.remember(Draft(text, "said to you"))
        clock.pass_time(days=1)
    return memory


@requirement("recall:none-for-what-was-never-told")
@pytest.mark.parametrize(
    "question",
    [
        "What is the code of the alarm?",
        "When does my driving licence run out?",
        "How old is the washing machine?",
        "Where does Jette live?",
    ],
)
def test_what_was_never_told_is_not_answered_by_what_is_like_it(flat, question):
    answer = inject(flat, Question(question))
    assert not answer.hits or UNSURE in answer.text


@requirement("recall:beside-the-best")
@pytest.mark.parametrize(
    ("question", "place"),
    [("What colour is my bike?", 9), ("How do I open my locker?", 0), ("What is Jette writing?", 5)],
)
def test_beside_what_answers_little_else_is_told(flat, question, place):
    answer = inject(flat, Question(question))
    assert answer.hits[0].content == TOLD[place] and UNSURE not in answer.text
    assert len(answer.hits) <= 2


def test_what_may_end_the_best_in_other_words_stays_beside_it(lines_for):
    lines = lines_for(
        ["I go to work in the Skoda.", "The choir sings on Mondays.", "The clutch gave out, these days I cycle in."],
        "How do I get to work?",
    )
    assert any("I cycle in" in line for line in lines)


def test_each_of_the_first_results_has_a_probability(flat):
    answer = inject(flat, Question("How do I open my locker?")).answer
    probabilities = answer_probabilities("How do I open my locker?", answer, "base")
    assert [*probabilities] == [hit.id for hit in answer.hits[: len(probabilities)]]
    assert max(probabilities, key=lambda id: probabilities[id]) == answer.hits[0].id
    assert all(0 < p < 1 for p in probabilities.values())


@requirement("recall:likeliest-first")
@pytest.mark.parametrize(("times", "comes_first"), [(0.5, False), (MUCH_LIKELIER, False), (MUCH_LIKELIER + 0.1, True)])
def test_what_is_much_likelier_to_answer_is_told_first(flat, times, comes_first):
    first, second, third = inject(flat, Question("Mo's bike and locker", top_k=3)).answer.hits
    probabilities = {first.id: 0.1, second.id: 0.05, third.id: 0.1 * times}
    order = [third, first, second] if comes_first else [first, second, third]
    assert likeliest_first((first, second, third), probabilities) == order


def test_what_was_not_judged_keeps_its_place(flat):
    hits = inject(flat, Question("Mo's bike and locker", top_k=3)).answer.hits
    assert likeliest_first(hits, {hits[2].id: 0.9}) == [*hits]
    assert likeliest_first((), {}) == []


@pytest.mark.parametrize("question", ["¿Dónde está la llave?", "Wo ist der Schlüssel?"])
def test_a_question_in_another_language_is_not_judged(flat, question):
    assert not answer_probabilities(question, inject(flat, Question(question)).answer, "base")


@pytest.mark.parametrize("question", ["?", "the", "How do I open my locker?", "Mo", "x" * 5_000])
def test_signs_are_finite_whatever_is_asked(flat, question):
    judged = signs(question, inject(flat, Question(question)).answer)
    assert judged.shape[1] == len(SIGNS) and np.isfinite(judged).all()
