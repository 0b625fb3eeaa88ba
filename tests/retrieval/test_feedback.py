"""A question about a subject is asked once more with the words of its best hits."""

import numpy as np
import pytest

from context_graph.recall.question import Question
from context_graph.retrieval import feedback

NOTES = (
    "boundary layer heating grows where the plate is hot and the gas dissociates",
    "heating of the plate: dissociates the gas, and the boundary layer grows",
    "the gas dissociates behind a strong shock",
    "bread rises where the kitchen is warm",
    "a kitchen needs a table and a lamp",
)


@pytest.fixture
def corpus(memory, tell):
    for note in NOTES:
        tell(note)
    return memory.corpus


def test_what_the_hits_say_finds_what_the_question_did_not_name(corpus):
    found = feedback.scores(corpus, np.array([0, 1]), np.arange(len(NOTES)))
    assert found.dtype == np.float32 and found.shape == (len(NOTES),)
    assert found[:2].min() > found[2] > found[3] >= found[4]


def test_only_the_heaviest_words_are_asked_for(corpus, monkeypatch):
    whole = feedback.scores(corpus, np.array([3]), np.arange(len(NOTES)))
    monkeypatch.setattr(feedback, "TERMS", 1)
    one = feedback.scores(corpus, np.array([3]), np.arange(len(NOTES)))
    assert 0 < one[3] < whole[3] and np.count_nonzero(one) <= np.count_nonzero(whole)


@pytest.mark.parametrize("hits", [[], [0], [4, 0]])
def test_rows_may_be_few_and_hits_too(corpus, hits):
    hits = np.array(hits, np.int64)
    assert feedback.scores(corpus, hits, np.zeros(0, np.int64)).shape == (0,)
    found = feedback.scores(corpus, hits, np.array([2, 4]))
    assert np.isfinite(found).all() and (len(hits) > 0 or not found.any())


def test_it_counts_where_the_question_names_nothing(memory, corpus, tell):
    tell("the plate is of steel")

    def parts(question):
        return [hit.parts for hit in memory.recall(Question(question, top_k=5)).hits]

    assert any("feedback" in told for told in parts("heating of a hot plate"))
    named = (
        memory.recall(Question("heating of a hot plate", top_k=5, record=False, newest_first=False))
        .hits[0]
        .node.content
    )
    assert named in NOTES[:2]


def test_of_one_or_two_hits_with_a_word_of_the_question_nothing_is_asked(memory, corpus):
    """What they say beside is not the subject, and what has no word of the question was found by likeness alone."""
    hits = memory.recall(Question("Is the kitchen clean?", top_k=5)).hits
    assert hits and all("feedback" not in hit.parts for hit in hits)


def test_it_is_silent_where_the_question_names_something(memory, corpus, tell):
    tell("Zofia Lind measured the heating of the plate.")
    answer = memory.recall(Question("What did Zofia Lind measure?", top_k=5))
    assert all("feedback" not in hit.parts for hit in answer.hits)


def test_without_its_weight_nothing_of_it_is_computed(memory, corpus, monkeypatch):
    memory.ranking["base"] = memory.ranking["base"].changed([("topic", "feedback", 0.0)])
    monkeypatch.setattr(feedback, "scores", lambda *_: pytest.fail("computed"))
    assert memory.recall(Question("heating of a hot plate", top_k=5)).hits
