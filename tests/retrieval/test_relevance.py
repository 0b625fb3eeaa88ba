"""What is first is said to be most relevant, and what is told is told in the order of the ranks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from context_graph.recall.telling import selected_hits
from context_graph.retrieval.relevance import NAMED, answered, in_order, overview, worth_telling
from context_graph.server.dispatch import call
from tests.requirements import requirement

SHARES = st.lists(st.floats(0, 1, width=32), max_size=40)
TEXTS = (
    "Anna plays the clarinet in the town orchestra.",
    "The clarinet was bought in Halle.",
    "The rent is due on the third.",
    "Bob repairs clarinets and oboes.",
    "The orchestra rehearses on Friday evening.",
    "Oboes need two reeds.",
    "The harbour was foggy in March.",
    "Anna moved from Halle to Kiel.",
    "A reed lasts three weeks.",
    "The printer is red.",
)


@given(SHARES)
def test_what_is_in_order_never_rises_and_has_the_same_mean(values):
    given_ones = np.array(values, np.float32)
    found = in_order(given_ones)
    assert (np.diff(found) <= 1e-6).all() and len(found) == len(values)
    assert np.isclose(found.sum(), given_ones.sum(), atol=1e-4)
    assert np.allclose(in_order(found), found, atol=1e-6)


@given(SHARES)
def test_what_is_in_order_already_stays(values):
    falling = np.sort(np.array(values, np.float32))[::-1]
    assert np.allclose(in_order(falling), falling, atol=1e-6)


@requirement("recall:order-and-percentage-agree")
@pytest.mark.parametrize(
    "query", ["Which instrument does Anna play?", "orchestra Friday", "reed", "Where did Anna live?", "red"]
)
def test_the_first_result_is_said_to_be_the_most_relevant(memory, tell, query):
    for text in TEXTS:
        tell(text)
    found = [result["similarity"] for result in call(memory, "search_graph", {"query": query}).structured["results"]]
    assert len(found) > 2 and found == sorted(found, reverse=True)


@requirement("recall:the-question-is-judged")
def test_memories_are_told_in_the_order_of_their_ranks(memory, tell):
    for text in TEXTS:
        tell(text)
    answer = memory.recall(Question("Which instrument does Anna play in the orchestra?"))
    hits = selected_hits(answer, 0.3, "base")
    ranks = [answer.hits.index(hit) for hit in hits]
    assert ranks and ranks == sorted(ranks) and ranks[0] == 0


@requirement("recall:the-question-is-judged")
def test_a_question_about_nothing_here_is_told_nothing(memory, tell):
    for text in TEXTS:
        tell(text)
    found = inject(memory, Question("What is the boiling point of liquid nitrogen at sea level?"))
    assert found.abstained and found.distilled.text == "" and found.answer.answered < 0.3


@pytest.mark.parametrize("tier", ["base", "minilm"])
def test_a_question_is_judged_higher_the_more_its_results_match(tier):
    nothing, all_of_it = np.zeros((12, 6), np.float32), np.ones((12, 6), np.float32)
    assert answered(nothing, tier) < 0.01 < 0.99 < answered(all_of_it, tier)
    assert answered(np.zeros((0, 6), np.float32), tier) == answered(nothing, tier)
    assert overview(all_of_it).tolist() == [1.0] * 11


@pytest.mark.parametrize("tier", ["base", "minilm"])
def test_fewer_are_told_where_the_first_stands_out(tier):
    even, steep, likely = np.zeros(30, np.float32), -np.arange(30, dtype=np.float32) * 5, np.full(30, 0.5)
    nobody = np.zeros((30, len(NAMED)), np.float32)
    assert worth_telling(even[:0], likely[:0], nobody[:0], tier).tolist() == []
    few, many = (worth_telling(scores, likely, nobody, tier).sum() for scores in (steep, even))
    assert 1 <= few < many <= 30
    assert worth_telling(even[:1], likely[:1], nobody[:1], tier).tolist() == [True]


@pytest.mark.parametrize("tier", ["base", "minilm"])
def test_what_names_lead_to_is_told_from_further_down(tier):
    scores, likely = -np.arange(30, dtype=np.float32), np.full(30, 0.05)
    nobody, everybody = np.zeros((30, len(NAMED))), np.full((30, len(NAMED)), 2.0)
    assert worth_telling(scores, likely, nobody, tier).sum() < worth_telling(scores, likely, everybody, tier).sum()


def test_of_plain_statements_those_about_something_else_are_not_told():
    alone = np.array([0.4, 0.35, 0.01, 0.01, 0.01, 0.3], np.float32)
    scores, nobody = np.zeros(6, np.float32), np.zeros((6, len(NAMED)))
    assert worth_telling(scores, alone, nobody, "minilm", plain=np.ones(6, bool)).tolist() == [1, 1, 1, 1, 0, 1]
    assert worth_telling(scores, alone, nobody, "minilm", plain=np.zeros(6, bool)).all()


def test_beside_a_sure_answer_only_what_is_about_the_same_is_told():
    nobody, plain = np.zeros((5, len(NAMED))), np.ones(5, bool)
    for best, expected in ((0.9, [1, 0, 0, 0, 1]), (0.6, [1, 1, 0, 0, 1]), (0.4, [1, 1, 1, 1, 1])):
        alone = np.array([best, 0.009, 0.009, 0.009, 0.06], np.float32)
        assert worth_telling(np.zeros(5, np.float32), alone, nobody, "base", plain=plain).tolist() == expected


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("best", [0.98, 0.3])
def test_of_brief_statements_few_that_only_share_a_name_are_told(exchanged, best):
    said, nobody, scores = np.full(9, exchanged), np.zeros((9, len(NAMED))), np.zeros(9, np.float32)
    alone = np.array([best, *[0.09 * best] * 7, 0.2 * best], np.float32)
    kept = worth_telling(scores, alone, nobody, "base", plain=~said, exchanged=said, brief=np.ones(9, bool))
    assert kept.tolist() == [1, 1, 1, 1, 1, 1, 0, 0, 1]
    beside_a_long_one = np.arange(9) > 0
    kept = worth_telling(scores, alone, nobody, "base", plain=~said, exchanged=said, brief=beside_a_long_one)
    assert exchanged is False or best == 0.98 or kept.all()


@pytest.mark.parametrize("tier", ["base", "minilm"])
def test_what_says_how_to_answer_takes_no_place_of_an_answer(tier):
    scores, likely = -np.arange(30, dtype=np.float32), np.full(30, 0.1)
    nobody, standing = np.zeros((30, len(NAMED))), np.arange(30) < 5
    alone = worth_telling(scores[5:], likely[5:], nobody[5:], tier)
    assert worth_telling(scores, likely, nobody, tier, standing=standing)[5:].tolist() == alone.tolist()
    assert worth_telling(scores, likely, nobody, tier)[5:].sum() < alone.sum()
