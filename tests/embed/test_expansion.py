"""E13: words that might have been used instead, and that their nearness matters."""

import tracemalloc

import numpy as np
import pytest

from context_graph.embed import expansion, static_table
from context_graph.embed.expansion import terms
from context_graph.embed.stems import stem_of, term_id
from context_graph.retrieval import expanded
from context_graph.retrieval.view import View

PAIRS = (
    ("A physician looked at her knee.", "Did she see a doctor?"),
    ("He sold his automobile in June.", "Which car did he own?"),
    ("They purchased tickets for the opera.", "Did they buy anything?"),
    ("Their kids like snow.", "What do the children enjoy?"),
    ("The attorney called twice.", "Has her lawyer phoned?"),
    ("The ocean was cold.", "How was the sea?"),
)


def of(word: str) -> int:
    return term_id(stem_of(word))


def test_the_table_is_searched_where_it_lies():
    terms("doctor")
    for cache in (expansion._cell, expansion._whole_words, static_table._inverse_norms):
        cache.cache_clear()
    tracemalloc.start()
    try:
        terms("physician")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 6 << 20  # the words of the vocabulary by number; vectors of them as floats would be 21 MB


def test_a_word_brings_the_words_nearest_to_it():
    found = terms("doctor")
    assert found[of("doctor")] == 1.0
    assert expansion.MIN_NEIGHBOUR_COSINE <= found[of("physician")] < 1.0
    assert len(found) <= 1 + expansion.NEIGHBOURS
    assert terms("the of and") == {} == terms("")


def test_words_have_the_same_neighbours_alone_as_together():
    asked = ["doctor", "", "car", "xylophone", "doctor"]
    expansion._cell.cache_clear()
    alone = [expansion._neighbours([word])[0] for word in asked]
    expansion._cell.cache_clear()
    assert expansion._neighbours(asked) == alone
    assert alone[1] == ()


def test_a_word_that_is_asked_for_is_worth_no_less_for_being_near_another():
    assert terms("doctor physician")[of("physician")] == 1.0


def ranks(memory, questions) -> np.ndarray:
    corpus = memory.corpus
    view = View(corpus, corpus.columns.live, None)
    found = [expanded.scores(corpus, question, view) for question in questions]
    order = [np.argsort(-scores, kind="stable") for scores in found]
    return np.array(
        [int(np.flatnonzero(view.rows[order[i]] == i)[0]) if found[i].any() else 99 for i in range(len(found))]
    )


@pytest.fixture
def told(tell):
    for text, _ in PAIRS:
        tell(text)


def test_neighbours_find_what_words_miss(memory, told, monkeypatch):
    questions = [question for _, question in PAIRS]
    assert (ranks(memory, questions) == 0).sum() >= 5
    words = ["doctor", "car", "buy", "children", "lawyer", "sea"]
    neighbours = dict(zip(words, expansion._neighbours(words), strict=True))
    moved = {word: neighbours[words[i - 1]] for i, word in enumerate(words)}
    for others in ({word: () for word in words}, moved):  # without neighbours, and with those of another word
        monkeypatch.setattr(
            expansion, "_neighbours", lambda asked, others=others: [others.get(word, ()) for word in asked]
        )
        assert (ranks(memory, questions) == 0).sum() <= 2
