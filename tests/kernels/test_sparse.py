from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from expectations import EXACT
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError
from context_graph.kernels import sparse

FLOAT_SUM = {"rtol": 2e-6, "atol": 1e-5}  # at most a few dozen float32 additions of numbers below 100


def bags(rng, n, vocabulary=50, most=20, counts=True):
    lengths = rng.integers(0, most, n)
    terms = [rng.choice(vocabulary, size, replace=False) for size in lengths]
    terms = np.concatenate([np.zeros(0, np.int64), *terms])
    values = rng.integers(1, 6, len(terms)) if counts else rng.standard_normal(len(terms))
    return terms, values.astype(np.float32), lengths


def matrix(terms, values, lengths, vocabulary=50):
    full = np.zeros((len(lengths), vocabulary))
    full[np.repeat(np.arange(len(lengths)), lengths), terms] = values
    return full


def bm25_of(full, query, weights, live, k1, b):
    """BM25 from the document-term matrix: another road to the same numbers."""
    lengths = full.sum(axis=1, keepdims=True)
    average = lengths[live].mean()
    tf = full[:, query]
    return (weights * tf * (k1 + 1) / (tf + k1 * (1 - b + b * lengths / average))).sum(axis=1)


@pytest.mark.parametrize("n", [1, 7, 300])
def test_scores_agree_with_the_document_term_matrix(backend, rng, n):
    terms, values, lengths = bags(rng, n)
    index = sparse.Index(backend=backend)
    index.append(terms, values, lengths)
    full = matrix(terms, values, lengths)
    query, weights = np.array([3, 11, 40, 49, 7]), rng.random(5).astype(np.float32)
    assert_allclose(index.dot(query, weights), full[:, query] @ weights, **FLOAT_SUM)
    if full.any():
        live = np.ones(n, bool)
        wanted = bm25_of(full, query, weights, live, 1.5, 0.6)
        assert_allclose(index.bm25(query, weights, k1=1.5, b=0.6), wanted, **FLOAT_SUM)
    assert_array_equal(index.df(np.arange(50)), (full != 0).sum(axis=0))
    assert_array_equal(index.lengths, full.sum(axis=1))


def test_windows_and_threads_change_no_bit(rng):
    terms, values, lengths = bags(rng, 70_000, most=12)
    query, weights = np.arange(50), rng.standard_normal(50).astype(np.float32)
    answers = []
    for backend in ("scalar", None):
        index = sparse.Index(backend=backend)
        index.append(terms, values, lengths)
        answers += [index.dot(query, weights, threads=threads) for threads in (1, 2)]
        answers += [index.dot(query[::-1], weights[::-1])]
        found, ids = index.search(query, weights, 30, bm25=True, threads=2)
        scores = index.bm25(query, weights, threads=1)
        order = np.lexsort((np.arange(len(scores)), -scores))[:30]
        assert_array_equal(ids, order)
        assert_array_equal(found, scores[order])
    for answer in answers[1:]:
        assert_array_equal(answer, answers[0])
    assert_allclose(answers[0], matrix(terms, values, lengths) @ weights, **FLOAT_SUM)


def zipf_bags(rng, n, vocabulary=400, most=14):
    """Documents whose terms are rare to frequent, so that a search leaves out most postings of the frequent ones."""
    chance = 1 / np.arange(1, vocabulary + 1) ** 1.1
    drawn = [np.unique(row) for row in rng.choice(vocabulary, (n, most), p=chance / chance.sum())]
    lengths = np.array([len(row) for row in drawn])
    terms = np.concatenate(drawn)
    return terms, rng.integers(1, 4, len(terms)).astype(np.float32), lengths


@pytest.fixture(scope="module")
def zipf():
    return zipf_bags(np.random.default_rng(5), 70_000)  # three windows


@pytest.mark.parametrize("loaded", [False, True], ids=["grown", "loaded"])
def test_a_search_that_leaves_postings_out_finds_the_best_of_all(zipf, loaded):
    index = sparse.Index()
    index.append(*zipf)
    if loaded:  # largest values are looked for at the first search, and lists that grow take them along
        arrays, index = index.to_arrays(), sparse.Index()
        index.load_arrays(arrays)
        index.append(np.array([0, 1, 399]), np.array([9, 1, 1], np.float32), np.array([2, 1]))
    rng = np.random.default_rng(6)
    for trial in range(24):
        query = rng.choice(400, rng.integers(1, 30), replace=False)
        df = index.df(query)
        weights = np.log(1 + (len(index) - df + 0.5) / (df + 0.5)).astype(np.float32)
        if trial % 4 == 1:
            weights = rng.random(len(query)).astype(np.float32)  # the frequent may weigh most
        if trial % 4 == 2:
            weights[:] = 1  # ties
        if trial % 4 == 3:
            weights[0] = -0.5  # a sum may sink: nothing is left out
        mask = rng.random(len(index)) < 0.3 if trial % 3 else None
        k, bm25 = int(rng.choice([1, 10, 300])), bool(trial % 2)
        scores = index.bm25(query, weights) if bm25 else index.dot(query, weights)
        shown = np.arange(len(index)) if mask is None else np.flatnonzero(mask)
        order = shown[np.lexsort((shown, -scores[shown]))][:k]
        for threads in (1, 2):
            found, ids = index.search(query, weights, k, mask=mask, bm25=bm25, threads=threads)
            assert_array_equal(ids, order)
            assert_array_equal(found, scores[order])


def test_sums_that_overflow_are_refused_though_postings_could_be_left_out(zipf):
    index = sparse.Index()
    index.append(*zipf)
    with pytest.raises(ArrayError, match="finite"):
        index.search([0, 1, 2], np.full(3, 1.5e38, np.float32), 10)


def test_growing_in_steps_equals_growing_at_once(backend, rng):
    terms, values, lengths = bags(rng, 90)
    whole, stepwise = sparse.Index(backend=backend), sparse.Index(backend=backend)
    assert whole.append(terms, values, lengths).tolist() == list(range(90))
    start = 0
    for length in lengths:
        stepwise.append(terms[start : start + length], values[start : start + length], [length])
        start += length
    query, weights = np.arange(0, 50, 5), np.ones(10, np.float32)
    assert_array_equal(whole.dot(query, weights), stepwise.dot(query, weights))
    assert_array_equal(whole.bm25(query, weights), stepwise.bm25(query, weights))
    assert len(stepwise) == 90 and stepwise.nbytes == whole.nbytes


def test_forgotten_documents_leave_df_and_average(backend, rng):
    terms, values, lengths = bags(rng, 60)
    index = sparse.Index(backend=backend)
    index.append(terms, values, lengths)
    full = matrix(terms, values, lengths)
    gone = [3, 17, 18, 59]
    index.discount(gone)
    index.discount([17])  # again: no effect
    live = np.setdiff1d(np.arange(60), gone)
    assert_array_equal(index.df(np.arange(50)), (full[live] != 0).sum(axis=0))
    assert index.average_length == pytest.approx(full[live].sum(axis=1).mean())
    query, weights = np.array([1, 2, 3]), np.ones(3, np.float32)
    assert_allclose(index.bm25(query, weights), bm25_of(full, query, weights, live, 1.2, 0.75), **FLOAT_SUM)
    index.restore(gone)
    assert_array_equal(index.df(np.arange(50)), (full != 0).sum(axis=0))


def test_search_ranks_masks_and_pads(backend):
    index = sparse.Index(backend=backend)
    assert index.search([1], np.ones(1, np.float32), 2)[1].tolist() == [-1, -1]
    assert index.bm25([1], np.ones(1, np.float32)).shape == (0,)
    index.append([1, 2, 1, 2], np.array([1, 1, 3, 1], np.float32), [2, 1, 0, 1])
    weights = np.ones(1, np.float32)
    scores, ids = index.search([1], weights, 6)
    assert ids.tolist() == [1, 0, 2, 3, -1, -1]
    assert scores.tolist() == [3, 1, 0, 0, -np.inf, -np.inf]
    assert index.search([1], weights, 2, mask=np.array([1, 0, 1, 1], bool))[1].tolist() == [0, 2]
    assert index.dot([1], weights, ids=[1, 0]).tolist() == [3, 1]
    assert index.dot([99], weights).tolist() == [0, 0, 0, 0]
    assert index.dot([], np.zeros(0, np.float32)).tolist() == [0, 0, 0, 0]


def test_postings_list_documents_in_order():
    index = sparse.Index()
    index.append([7, 9, 7], np.array([1, 2, 3], np.float32), [2, 1])
    documents, values = index.postings(7)
    assert documents.dtype == np.int64 and documents.tolist() == [0, 1] and values.tolist() == [1, 3]
    assert index.postings(8)[0].tolist() == []


def test_terms_and_table_read_the_matrix_by_document(rng):
    bag = bags(rng, 90)
    index = sparse.Index()
    index.append(*bag)
    ids, asked = np.array([7, 3, 88]), np.array([4, 99, 0, 31])
    assert_array_equal(index.table(asked, ids), np.pad(matrix(*bag), ((0, 0), (0, 50)))[np.ix_(ids, asked)])
    terms, lengths = index.terms_of(ids)
    start = np.concatenate([[0], np.cumsum(bag[2])])
    assert_array_equal(terms, np.concatenate([bag[0][start[i] : start[i + 1]] for i in ids]))
    assert_array_equal(lengths, bag[2][ids])
    assert index.table([], ids).shape == (3, 0) and index.table(asked, []).shape == (0, 4)
    assert index.terms_of([])[0].shape == (0,)


@pytest.mark.parametrize(("asked", "most"), [((), np.inf), ((3, 4, 1000), np.inf), ((3,), 12)])
def test_pagerank_over_shared_terms_agrees_with_the_matrix(rng, asked, most):
    terms, values, lengths = bags(rng, 60)
    compiled, defined = sparse.Index(), sparse.Index(backend="reference")
    for index in (compiled, defined):
        index.append(terms, values, lengths)
        index.discount([5])
    ids, seeds = np.arange(2, 42), rng.random(40)
    mass = compiled.pagerank(ids, seeds, terms=asked, most=most)
    assert_allclose(mass, defined.pagerank(ids, seeds, terms=asked, most=most), rtol=1e-12)
    assert 0.2 < mass.sum() < 1 and (mass > 0).all()  # the terms hold the rest


def test_pagerank_prefers_what_shares_a_rare_term_with_the_seed():
    index = sparse.Index()
    for held in ([1, 2], [2, 9], [1, 9], [3, 9]):  # 2 is shared by two, 9 by three, 3 by nobody
        index.append(held, np.ones(2, np.float32), [2])
    mass = index.pagerank([0, 1, 2, 3], np.array([1.0, 0, 0, 0]))
    assert mass[0] > mass[1] == pytest.approx(mass[2]) and mass[2] > mass[3] > 0
    assert_allclose(mass, index.pagerank([0, 1, 2, 3], np.array([8.0, 0, 0, 0])))
    by_name = index.pagerank([0, 1, 2, 3], np.array([1.0, 0, 0, 0]), terms=[9])
    assert by_name[3] > mass[3]


def test_pagerank_without_a_link_is_none():
    index = sparse.Index()
    index.append([1, 2, 3], np.ones(3, np.float32), [1, 1, 1])
    assert index.pagerank([0, 1, 2], np.ones(3)) is None
    assert index.pagerank([], np.zeros(0)) is None
    with pytest.raises(ArrayError, match="seeds must be at least 0, got -1"):
        index.pagerank([0], -np.ones(1))
    with pytest.raises(ArrayError, match=r"ids must lie in \[0, 3\)"):
        index.pagerank([3], np.ones(1))


def test_terms_may_be_any_64_bit_number_and_zeros_are_dropped():
    index = sparse.Index()
    big = 2**63 - 1
    index.append(np.array([big, 5], np.uint64), np.array([2, 0], np.float32), [2])
    assert index.df([big, 5]).tolist() == [1, 0]
    assert_allclose(index.dot([big], np.array([1.5], np.float32)), [3], **EXACT)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.integers(0, 40), factor=st.floats(0.125, 8, width=32))
def test_scores_are_linear_in_the_weights(seed, n, factor):
    rng = np.random.default_rng(seed)
    terms, values, lengths = bags(rng, n, counts=False)
    index = sparse.Index()
    index.append(terms, values, lengths)
    query, weights = np.arange(50), rng.random(50).astype(np.float32)
    scaled = index.dot(query, weights * np.float32(factor))
    assert_allclose(scaled, index.dot(query, weights) * factor, rtol=1e-4, atol=1e-4)


def test_searches_may_run_while_documents_come_in(rng):
    terms, values, lengths = bags(rng, 5000)
    index = sparse.Index()
    query, weights = np.arange(50), np.ones(50, np.float32)
    with ThreadPoolExecutor(4) as pool:
        searches = [pool.submit(index.search, query, weights, 5) for _ in range(200)]
        start = 0
        for length in lengths.tolist():
            index.append(terms[start : start + length], values[start : start + length], [length])
            start += length
        assert all(search.result()[1].shape == (5,) for search in searches)
    assert len(index) == 5000


def test_wrong_inputs_are_named(backend):
    index = sparse.Index(backend=backend)
    one = np.ones(1, np.float32)
    with pytest.raises(ArrayError, match="terms must be unique in a document, got 4 twice in document 1"):
        index.append([4, 4, 4], np.ones(3, np.float32), [1, 2])
    with pytest.raises(ArrayError, match="terms must be unique in a document, got 7 twice in document 0"):
        index.append([7, 4, 7], np.ones(3, np.float32), [3])
    with pytest.raises(ArrayError, match="add up to the 1 terms"):
        index.append([4], one, [2])
    with pytest.raises(ArrayError, match=r"terms must lie in \[0, 2\^63\)"):
        index.append([-1], one, [1])
    with pytest.raises(ArrayError, match="values must be finite"):
        index.append([1], one * np.nan, [1])
    with pytest.raises(ArrayError, match="values must have dtype float32, got float64"):
        index.append([1], np.ones(1), [1])
    with pytest.raises(ArrayError, match="weights must have 1 entries, got 2"):
        index.dot([1], np.ones(2, np.float32))
    with pytest.raises(ArrayError, match=r"ids must lie in \[0, 0\)"):
        index.discount([0])
    with pytest.raises(ArrayError, match="k1 must be at least 0"):
        index.bm25([1], one, k1=-1)
    index.append([1], -one, [1])
    with pytest.raises(ArrayError, match="bm25 needs positive values"):
        index.bm25([1], one)
