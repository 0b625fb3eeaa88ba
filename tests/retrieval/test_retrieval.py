"""The parts of a search: dates and fields, fusion, context, stages, distillation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.embed.spaces import SPACES
from context_graph.index.batch import pack_tokens, unpack_tokens
from context_graph.index.columns import Codes, Columns, NameCodes
from context_graph.models import from_iso
from context_graph.reading import intent as fields
from context_graph.recall.query import query_for
from context_graph.retrieval import fusion, pipeline
from context_graph.retrieval.config import RANKING
from context_graph.retrieval.scores import QueryTerms, bm25, lexical
from context_graph.retrieval.view import View

EXACT = {"rtol": 0, "atol": 0}


def at(text: str) -> int:
    return from_iso(text)


def fit(question: str, *dates: str) -> list[float]:
    return fields.date_fit(fields.parse(question), np.array([at(date) for date in dates], np.int64)).tolist()


def test_a_day_is_spoken_of_in_the_days_after_it():
    dates = "2023-05-07", "2023-05-12", "2023-05-18", "2023-05-05", "2023-05-01"
    for question in ("What happened on 7 May 2023?", "on May 7th, 2023", "on 2023-05-07", "on the 7th of May"):
        assert fit(question, *dates) == [1.0, 1.0, 0.0, 0.5, 0.0]


def test_months_and_years_fit_within_and_a_little_after():
    assert fit("in May 2023", "2023-05-30", "2023-06-05", "2023-06-20", "2022-05-10") == [1.0, 0.5, 0.0, 0.0]
    assert fit("What did she do in December?", "2022-12-31", "2023-01-05") == [1.0, 0.5]
    assert_allclose(fit("in 2022", "2022-08-01", "2023-08-01"), [0.3, 0.0])


def test_verbs_are_no_months():
    assert not fields.parse("What may happen on the march?").dated
    assert fields.parse("on May 3").dated and fields.parse("in March 2024").dated


def test_impossible_dates_fit_nothing():
    assert fit("on 31 February 2023", "2023-02-28") in ([0.0], [0.5], [1.0])
    assert fit("on 99 May 2023", "2023-05-07") in ([0.0], [1.0])
    assert fields.date_fit(fields.parse("in May"), np.zeros(0, np.int64)).tolist() == []


def test_questions_say_what_kind_of_answer_they_want():
    assert fields.parse("When did Anna move?").when
    assert fields.parse("How many dogs does she have?").how_many
    assert fields.traits("Do you swim?").asks and not fields.traits("I swim.").asks
    assert fields.traits("We met last Friday").time_word and fields.traits("two dogs").number


def test_columns_grow_and_keep_what_they_hold():
    columns = Columns(a="i4", b="(3,)f4")
    for i in range(200):
        columns.append(a=[i], b=np.full((1, 3), i))
    assert columns.a.tolist() == list(range(200)) and columns.b[199].tolist() == [199] * 3
    assert len(columns) == 200 and columns.nbytes > 200 * 16
    with pytest.raises(AttributeError, match="columns: a, b"):
        _ = columns.c


def test_codes_are_given_in_the_order_of_appearance():
    codes = Codes()
    assert [codes.of(text) for text in ("x", "y", "x", None)] == [0, 1, 0, -1]
    assert codes.known("z") == -2 and len(codes) == 2


def test_names_are_found_by_their_first_words():
    names = NameCodes()
    for text in ("ann lee", "bob", "ann", "@cy", "!"):
        names.of(text)
    assert names.with_first_word(["ann", "lee", "cy"]) == {0, 2, 3}
    names.of("ann-lena")
    assert names.with_first_word({"ann"}) == {0, 2, 5} and names.with_first_word({"bob", "dan"}) == {1}


SCORES = st.lists(st.floats(-1e3, 1e3, width=32), min_size=2, max_size=30)


def standardised(values, **options):
    return fusion.standardised(values, fusion.scale_of(values, np.ones(len(values), bool), **options))


@given(values=SCORES)
def test_standardised_scores_have_mean_zero_and_at_most_unit_deviation(values):
    z = standardised(np.array(values))
    assert abs(float(z.mean())) < 1e-3
    assert float(z.std()) < 1 + 1e-3
    assert float(standardised(np.array(values), least=1e9).std()) < 1e-3


def test_memories_without_a_space_are_neutral_in_it():
    z = standardised(np.array([1.0, 3.0, np.nan]))
    assert_allclose(z, [-1, 1, 0])
    assert_array_equal(standardised(np.array([2.0, 2.0])), [0, 0])
    assert_array_equal(standardised(np.array([2.0, np.nan])), [0, 0])


def test_reciprocal_rank_orders_like_the_scores():
    parts = fusion.reciprocal_rank({"words": np.array([0.1, 0.9, 0.5])}, {"words": np.ones(3)}, np.ones(3, bool))
    assert_allclose(parts["words"], [1 / 63, 1 / 61, 1 / 62], rtol=1e-6)


def test_bm25_is_the_formula():
    idf, tf, length = np.array([2.0]), np.array([[1.0, 3.0, 0.0]]), np.array([10.0, 10.0, 10.0])
    assert_allclose(bm25(tf, length, idf), [2 * 2.2 / 2.2, 2 * 3 * 2.2 / 4.2, 0.0], rtol=1e-6)
    assert bm25(np.zeros((1, 0)), np.zeros(0), idf).shape == (0,)


@given(lengths=st.lists(st.integers(0, 5), max_size=6))
def test_token_codes_survive_the_store(lengths):
    chunks = [np.full((n, 128), n - 3, np.int8) for n in lengths]
    found = unpack_tokens(pack_tokens(chunks))
    assert [chunk.tolist() for chunk in found] == [chunk.tolist() for chunk in chunks]


@pytest.fixture
def dialogue(tell):
    """Six turns of two people, and a note without a speaker between them."""
    turns = ["Shall we swim?", "Yes, on Tuesday.", "Bring a towel.", "Gladly.", "And a cap.", "See you."]
    for i, text in enumerate(turns):
        tell(text, speaker="Anna" if i % 2 == 0 else "Bob", session_id="s")
        if i == 2:
            tell("A note about invoices.", session_id="n")


def test_only_turns_of_the_same_dialogue_are_neighbours(memory, dialogue):
    corpus = memory.corpus
    view = View(corpus, corpus.columns.live, None)
    total = view.around(np.ones(len(view)), 1, 1, np.add)
    by_row = dict(zip(view.rows.tolist(), total.tolist(), strict=True))
    assert by_row == {0: 2, 1: 3, 2: 3, 3: 1, 4: 3, 5: 3, 6: 2}
    narrow = View(corpus, corpus.columns.live, np.array([3, 5]))
    assert narrow.rows[narrow.candidate].tolist() == [5, 3] or set(narrow.rows[narrow.candidate].tolist()) == {3, 5}
    assert 2 in narrow.rows and len(narrow) < 7


def test_the_largest_of_the_neighbours_passes_over_what_is_unknown(memory, dialogue):
    """Each against its definition: rows of one session, so many before and after; NaN is no value."""
    corpus = memory.corpus
    view = View(corpus, corpus.columns.live, None)
    values = np.random.default_rng(0).random((len(view), 3), np.float32)
    values[[1, 4]] = np.nan
    turns = [at for at, row in enumerate(view.rows.tolist()) if corpus.columns.dialogue[row]]
    for before, after in ((1, 0), (2, 2), (0, 9)):
        found = view.around(values, before, after, np.fmax)
        for place, at in enumerate(turns):
            beside = values[turns[max(0, place - before) : place + after + 1]]
            assert_allclose(found[at], np.nanmax(beside, axis=0))


def test_a_hidden_turn_is_not_even_a_neighbour(memory, dialogue):
    corpus = memory.corpus
    mask = corpus.columns.live.copy()
    mask[1] = False
    assert 1 not in View(corpus, mask, None).rows


def test_hidden_turns_are_no_part_of_their_session(memory, dialogue, tell):
    tell("Towels again.", speaker="Anna", session_id="t")
    corpus = memory.corpus
    terms = QueryTerms.of(memory.embedder.query("towel"))

    def of_session(seen):
        view = View(corpus, seen, np.array([0, 7]))
        return lexical(corpus, terms, view, {"words_session"})["words_session"][view.candidate]

    assert (of_session(corpus.columns.live) > 0).all()
    hidden = corpus.columns.live & (np.arange(len(corpus)) != 2)
    assert set(np.sign(of_session(hidden)).tolist()) == {0.0, 1.0}


@pytest.mark.parametrize(
    "question",
    [
        "What books has Anna read?", "What are Anna's hobbies?", "Which instruments does Anna play?",
        "Where has Bob been?", "what has Bob painted?", "In what ways does Anna relax?", "How many dogs does Bob have?",
        "Who were her teachers?", "What kinds of boats do they own?", "List the dogs of Bob.",
        "name all her teachers",
    ],
)  # fmt: skip
def test_a_question_for_several_things_is_known(question):
    assert fields.parse(question).several and fields.parse(question.upper()).several


@pytest.mark.parametrize(
    "question",
    [
        "What does Anna play?", "What is Anna's boss called?", "What pet does Bob have?", "When did Anna move?",
        "Who did Bob have dinner with?", "Where does Bob live?", "Who is one of her teachers?",
        "What did her friends say?", "Does Anna have hobbies?", "What this means", "what", "", "  ?!",
        "the boats of Anna",
    ],
)  # fmt: skip
def test_a_question_for_one_thing_is_not_one_for_several(question):
    assert not fields.parse(question).several and not fields.parse(question.upper()).several


def test_what_else_a_session_says_does_not_answer_a_question_for_several_things(memory, tell, dialogue):
    from context_graph.recall.question import Question

    def spaces(question):
        return {name for hit in memory.recall(Question(question, top_k=7)).hits for name in hit.parts}

    assert "words_session" in spaces("What does Anna swim?")
    several = spaces("What lakes does Anna swim in?")
    assert "words_session" not in several and "words_near" in several


def test_every_stage_reports_what_it_kept(memory, dialogue):
    from context_graph.recall.question import Question

    answer = memory.recall(Question("When do Anna and Bob swim?", top_k=3))
    assert [s["stage"] for s in answer.stages] == [
        "candidates",
        "rescored",
        "fused",
        "aligned",
        "interacted",
        "fed_back",
        "linked",
        "expected",
        "ordered",
        "answered",
    ]
    assert answer.stages[0]["out"] == 7 and answer.stages[-1]["out"] == 3
    assert answer.hits[0].node.content == "Yes, on Tuesday."


def test_what_holds_the_kind_of_answer_that_is_asked_for_comes_first(memory, tell):
    from context_graph.recall.question import Question

    tell("Bethan's swarm is doing splendidly and the association is happy about the swarm.")
    answer = tell("The swarm cost me 40 for the association's box.")
    hits = memory.recall(Question("How much was the swarm of the association?", top_k=2)).hits
    assert hits[0].node.id == answer
    assert hits[0].parts["answer_type"] > 0 == hits[1].parts["answer_type"]


def test_large_stores_are_cut_before_they_are_fused(memory, tell, monkeypatch):
    from context_graph.recall.question import Question
    from context_graph.retrieval import pipeline

    for i in range(60):
        tell(f"Note {i} is about the number {i * 7} and boats.")
    wanted = tell("The lighthouse keeper collects blue tiles.")
    tell("He lives alone.", link_to=(wanted,))
    whole = memory.recall(Question("Who collects blue tiles?", top_k=5))
    for name, value in (("WHOLE_STORE", 30), ("DENSE_CANDIDATES", 20), ("MAX_RESCORED", 10), ("MAX_FUSED", 8)):
        monkeypatch.setattr(pipeline, name, value)
    cut = memory.recall(Question("Who collects blue tiles?", top_k=20))
    assert cut.hits[0].node.id == whole.hits[0].node.id == wanted
    assert cut.stages[1]["in"] > 10 and cut.stages[2]["out"] == 8
    assert cut.stages[1]["out"] == 10


def test_edges_bring_in_what_the_best_hits_are_linked_to_where_they_weigh(memory, tell, monkeypatch):
    from context_graph.recall.question import Question
    from context_graph.retrieval import pipeline

    wanted = tell("The lighthouse keeper collects blue tiles.")
    for i in range(60):
        tell(f"Note {i} is about the tiles of house {i * 7}.")
    linked = tell("He lives alone.", link_to=(wanted,))
    monkeypatch.setattr(pipeline, "MAX_FUSED", 8)
    found = [hit.node.id for hit in memory.recall(Question("Who collects blue tiles?", top_k=3, record=False)).hits]
    memory.ranking["base"] = memory.ranking["base"].changed([("links", "edges", 20.0)])
    weighed = [hit.node.id for hit in memory.recall(Question("Who collects blue tiles?", top_k=3, record=False)).hits]
    assert linked in weighed and linked not in found


def test_rank_fusion_is_an_option(memory, dialogue):
    from context_graph.retrieval.pipeline import search
    from context_graph.retrieval.types import Query

    vectors = memory.embedder.query("When do they swim?")
    corpus = memory.corpus
    found = search(corpus, Query(vectors, corpus.columns.live.copy(), 3, "base", RANKING["base"], method="rrf"))
    assert len(found.rows) == 3 and found.total[0] >= found.total[1]


@given(totals=st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0]), min_size=1, max_size=60), k=st.integers(1, 20))
def test_the_best_are_those_of_a_full_sort_with_ties_to_the_oldest(totals, k):
    from context_graph.retrieval.types import CandidatePool

    rows = np.random.default_rng(len(totals)).permutation(len(totals))
    found = CandidatePool(rows, np.array(totals, np.float32))
    assert found.best(k).tolist() == np.lexsort((rows, -np.array(totals)))[:k].tolist()


@pytest.mark.parametrize("score", sorted(RANKING["base"].tables["dialogue"]))
def test_every_score_counts_by_itself(memory, dialogue, score):
    """A score whose neighbour has no weight was once not computed."""
    from context_graph.recall.question import Question

    if score == "code":
        pytest.skip("the dialogue holds no code")
    alone = {name: {score: table.get(score, 1.0)} for name, table in RANKING["base"].tables.items()}
    memory.ranking["base"] = replace(RANKING["base"], tables=alone)
    hits = memory.recall(Question("When do Anna and Bob swim?", top_k=3, record=False)).hits
    assert all(score in hit.parts for hit in hits)


@pytest.mark.parametrize("question", ["Where is the towel?", "a towel and a cap, Anna and Bob", "Who sells canoes?"])
@pytest.mark.parametrize("taken", [1, 2, 5, 7])
def test_the_best_by_words_are_those_of_a_search(memory, dialogue, monkeypatch, question, taken):
    """Also where fewer memories than are taken have any word of the question."""
    monkeypatch.setattr(pipeline, "SPARSE_CANDIDATES", taken)
    corpus = memory.corpus
    mask = corpus.columns.live.copy()
    mask[4] = False
    query = query_for(memory, corpus, memory.embedder.query(question), mask, 3)
    terms = QueryTerms.of(query.vectors)
    expected = corpus.terms.search(terms.ids, terms.weights(corpus), taken, mask=mask, bm25=True)[1]
    found = pipeline._by_words(corpus, query, np.flatnonzero(mask))
    assert sorted(found.tolist()) == sorted(expected[expected >= 0].tolist())


def test_a_result_belongs_to_the_space_that_gave_most():
    parts = {
        "words": np.array([1.0, 0.2, 0.0]),
        "semantic": np.array([0.5, 0.3, 0.0]),
        "link": np.array([0.9, 0.0, 0.0]),
    }
    assert pipeline.dominant_spaces(parts, 3) == [SPACES["E6"].index, SPACES["E1"].index, 0]
    assert pipeline.dominant_spaces({}, 0) == []
