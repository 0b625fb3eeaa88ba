"""The Triton kernels of sparse against their definition, by the interpreter, or on a card with TRITON_INTERPRET=0."""

import numpy as np
import pytest
from expectations import EXACT, REDUCTION
from numpy.testing import assert_allclose, assert_array_equal

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("triton", reason="triton is not installed")

from context_graph import kernels  # noqa: E402
from context_graph.errors import ArrayError  # noqa: E402
from context_graph.kernels.reference import sparse as reference  # noqa: E402
from context_graph.kernels.triton import dense, sparse  # noqa: E402
from tests.triton.tensors import on  # noqa: E402

DOCUMENTS, VOCABULARY = 9000, 60  # more than two windows


@pytest.fixture
def rng():
    return np.random.default_rng(20261121)


@pytest.fixture
def index(rng):
    """Documents of 0 to 11 terms, term 0 in every one but the empty."""
    sizes = rng.integers(0, 12, DOCUMENTS)
    terms = [np.append(0, rng.choice(np.arange(1, VOCABULARY), size - 1, replace=False)) for size in sizes if size]
    values = rng.integers(1, 5, sizes.sum()).astype(np.float32)
    filled = kernels.sparse.Index()
    filled.append(np.concatenate(terms), values, sizes)
    return filled


def lists(index, terms):
    """These terms, the rarest first, and tensors: an index's postings, and where the lists of the terms lie."""
    terms = terms[np.lexsort((terms, index.df(terms)))]
    arrays = index.to_arrays()
    at = np.searchsorted(arrays["terms"], terms)
    return terms, on(arrays["docs"].view(np.int32), arrays["values"], arrays["starts"][at], arrays["starts"][at + 1])


@pytest.mark.long
def test_sums_have_the_bits_of_the_index(rng, index):
    for count in (1, 9, VOCABULARY):
        terms, postings = lists(index, rng.choice(VOCABULARY, count, replace=False))
        weights = rng.standard_normal(count).astype(np.float32)
        assert_allclose(sparse.dot(*postings, on(weights), DOCUMENTS).cpu(), index.dot(terms, weights), **EXACT)
        given = {"k1": 0.9, "b": 0.4}
        found = sparse.bm25(*postings, *on(weights, index.lengths), average=index.average_length, **given).cpu()
        assert_allclose(found, index.bm25(terms, weights, **given), **EXACT)


def test_scores_agree_with_their_definition(rng, index):
    terms, postings = lists(index, rng.choice(VOCABULARY, 20, replace=False))
    weights = rng.random(20, np.float32)
    listed = [index.postings(term) for term in terms.tolist()]
    wanted = reference.dot(listed, weights, DOCUMENTS)
    assert_allclose(sparse.dot(*postings, on(weights), DOCUMENTS).cpu(), wanted, **REDUCTION)
    wanted = reference.bm25(listed, weights, index.lengths, average=3.5)
    found = sparse.bm25(*postings, *on(weights, index.lengths), average=3.5)
    assert_allclose(found.cpu(), wanted, **REDUCTION)


@pytest.mark.parametrize("dtype", ["int64", "uint32"])
def test_documents_are_integers_of_any_kind(rng, index, dtype):
    _, (docs, *rest) = lists(index, rng.choice(VOCABULARY, 5, replace=False))
    weights = on(rng.random(5, np.float32))
    wanted = sparse.dot(docs, *rest, weights, DOCUMENTS).cpu()
    assert_array_equal(sparse.dot(docs.to(getattr(torch, dtype)), *rest, weights, DOCUMENTS).cpu(), wanted)


def test_the_best_documents_are_those_of_a_search(rng, index):
    terms, postings = lists(index, rng.choice(VOCABULARY, 4, replace=False))
    weights, mask = rng.random(4, np.float32), rng.random(DOCUMENTS) < 0.9
    scores = sparse.bm25(*postings, *on(weights, index.lengths), average=index.average_length)
    top_scores, ids = dense.best(scores[None, :], 50, mask=on(mask))
    wanted, wanted_ids = index.search(terms, weights, 50, mask=mask, bm25=True)
    assert_array_equal(ids[0].cpu(), wanted_ids)
    assert_allclose(top_scores[0].cpu(), wanted, **EXACT)


def test_documents_beyond_the_count_are_left_out():
    docs, values, weights = np.array([0, 2, 5, 9]), np.ones(4, np.float32), np.ones(1, np.float32)
    arrays = on(docs, values, np.array([0]), np.array([4]), weights)
    assert sparse.dot(*arrays, 6).tolist() == [1, 0, 1, 0, 0, 1]
    assert sparse.dot(*arrays, 3).tolist() == [1, 0, 1]
    fallen = on(docs[::-1], values, np.array([0]), np.array([4]), weights)  # wrong, but it leads nowhere else
    assert sparse.dot(*fallen, 3).shape == (3,)


def test_nothing_in_is_nothing_out(index):
    _, postings = lists(index, np.arange(3))
    weights = on(np.ones(3, np.float32))
    assert sparse.dot(*postings, weights, 0).shape == (0,)
    assert not sparse.dot(*postings[:2], *(part[:0] for part in (*postings[2:], weights)), 5).any()
    none = on(*(np.zeros(0, dtype) for dtype in (np.int32, np.float32, np.int64, np.int64, np.float32, np.float32)))
    assert sparse.bm25(*none, average=0).shape == (0,)
    empty = on(np.zeros(2, np.int64), np.zeros(2, np.int64), np.ones(2, np.float32))
    assert sparse.dot(*none[:2], *empty, 3).tolist() == [0, 0, 0]


@pytest.mark.filterwarnings("ignore:(invalid value|overflow|divide):RuntimeWarning")  # of NumPy, which interprets
def test_what_is_wrong_is_said(index):
    _, (docs, values, starts, stops) = lists(index, np.arange(3))
    weights, lengths = on(np.ones(3, np.float32), index.lengths)
    for start, stop in ((starts - 1 - starts.min(), stops), (stops, starts), (starts, stops + len(docs))):
        with pytest.raises(ArrayError, match=rf"starts and stops must rise inside \[0, {len(docs)}\]"):
            sparse.dot(docs, values, start, stop, weights, DOCUMENTS)
    with pytest.raises(ArrayError, match="not finite"):
        sparse.dot(docs, values, starts, stops, weights * torch.inf, DOCUMENTS)
    for wrong in (-values, values * torch.nan):
        with pytest.raises(ArrayError, match="holds NaN or infinity, or a value of bm25 is below 0"):
            sparse.bm25(docs, wrong, starts, stops, weights, lengths, average=3.0)
    with pytest.raises(ArrayError, match=r"k1 must be at least 0 and b in \[0, 1\], got k1=-1, b=0.75"):
        sparse.bm25(docs, values, starts, stops, weights, lengths, average=3.0, k1=-1)
    with pytest.raises(ArrayError, match=r"weights must have shape \(3\), got \(2,\)"):
        sparse.dot(docs, values, starts, stops, weights[:2], DOCUMENTS)
