import numpy as np
import pytest
from expectations import EXACT, FIFTEEN_BITS, REDUCTION, unit_rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import maxsim
from context_graph.kernels.reference import maxsim as reference

LENGTHS = [0, 1, 15, 16, 17, 0, 40, 300, 2]


def documents(rng, d, lengths=LENGTHS):
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return unit_rows(rng, offsets[-1], d), offsets


@pytest.mark.parametrize("d", [1, 2, 3, 7, 64, 65, 128])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_maxima_agree_with_their_definition(backend, rng, d, dtype):
    tokens, offsets = documents(rng, d)
    tokens = tokens.astype(dtype)
    for q in (1, 4, 5, 33):
        query = unit_rows(rng, q, d)
        found = maxsim.maxima(query, tokens, offsets, backend=backend)
        assert_allclose(found, reference.maxima(query, tokens, offsets), **REDUCTION)


@pytest.mark.parametrize("d", [1, 2, 3, 7, 64, 65, 128])
@pytest.mark.parametrize("q", [1, 3, 4, 16, 17])
def test_an_index_scores_its_codes(backend, rng, d, q):
    tokens, offsets = documents(rng, d)
    index = maxsim.Index(d, backend=backend)
    index.append(tokens[: offsets[4]], LENGTHS[:4])
    index.append(tokens[offsets[4] :], LENGTHS[4:])
    codes = np.concatenate([index.codes(i) for i in range(len(index))]).astype(np.float64)
    decoded = codes / np.maximum(np.linalg.norm(codes, axis=1, keepdims=True), 1)
    query = unit_rows(rng, q, d)
    found = index.maxima(query)
    assert_allclose(found, reference.maxima(query, decoded, offsets), **FIFTEEN_BITS)
    kept = np.diff(offsets) > 0
    assert_allclose(found[kept], reference.maxima(query, tokens, offsets)[kept], atol=0.02)  # rounding to codes
    assert_array_equal(index.maxima(query, ids=[7, 0, 1, 7]), found[[7, 0, 1, 7]])


def test_codes_score_to_the_same_bits_on_every_backend(rng):
    tokens, offsets = documents(rng, 100)
    query = unit_rows(rng, 9, 100)
    answers = [maxsim.Index(100, backend=backend) for backend in ("scalar", None)]
    for index in answers:
        index.append(tokens, np.diff(offsets))
    assert_array_equal(answers[0].maxima(query), answers[1].maxima(query))


def test_codes_alone_restore_a_document(rng):
    tokens, offsets = documents(rng, 128)
    index = maxsim.Index()
    index.append(3 * tokens, np.diff(offsets))  # only directions are kept
    copy = maxsim.Index()
    copy.append_int8(np.concatenate([index.codes(i) for i in range(len(index))]), np.diff(index.offsets))
    query = unit_rows(rng, 6, 128)
    assert_array_equal(copy.maxima(query), index.maxima(query))
    stateless = maxsim.maxima(query, np.concatenate([index.codes(i) for i in range(len(index))]), offsets)
    assert_array_equal(stateless, index.maxima(query))
    assert index.nbytes == offsets[-1] * (128 + 4) + 8 * (len(index) + 1)


def test_the_score_is_the_weighted_sum(backend, rng):
    tokens, offsets = documents(rng, 32)
    query, weights = unit_rows(rng, 5, 32), rng.standard_normal(5).astype(np.float32)
    wanted = reference.score(query, tokens, offsets, weights=weights)
    assert_allclose(maxsim.score(query, tokens, offsets, weights=weights, backend=backend), wanted, **REDUCTION)
    assert_allclose(
        maxsim.score(query, tokens, offsets, backend=backend), reference.score(query, tokens, offsets), **REDUCTION
    )


def test_negative_maxima_stay_negative(backend):
    tokens = -np.ones((3, 4), np.float32) / 2
    query = np.full((1, 4), 0.5, np.float32)
    assert maxsim.score(query, tokens, [0, 3], backend=backend) == -1
    index = maxsim.Index(4, backend=backend)
    index.append(tokens, [3])
    assert_allclose(index.score(query), [-1], rtol=1e-6)


def test_an_empty_document_is_worth_minus_infinity_and_never_found(backend):
    index = maxsim.Index(4, backend=backend)
    assert index.search(np.ones((2, 4), np.float32), 2)[1].tolist() == [-1, -1]
    index.append(np.eye(4, dtype=np.float32), [0, 3, 1, 0])
    query = np.eye(4, dtype=np.float32)[[3, 3]]
    assert index.score(query, weights=np.array([0, 1], np.float32)).tolist()[0] == -np.inf
    assert index.search(query, 4)[1].tolist() == [2, 1, -1, -1]
    assert index.search(query, 4, mask=np.array([1, 1, 0, 1], np.uint8))[1].tolist() == [1, -1, -1, -1]


def test_ties_go_to_the_lowest_id(backend):
    index = maxsim.Index(2, backend=backend)
    index.append(np.ones((40, 2), np.float32), [1] * 40)
    assert index.search(np.ones((1, 2), np.float32), 3)[1].tolist() == [0, 1, 2]


def test_many_query_tokens_give_the_bits_of_each_alone(backend, rng):
    tokens, offsets, query = unit_rows(rng, 700, 72), np.array([0, 3, 3, 300, 301, 700]), unit_rows(rng, 33, 72)
    together = maxsim.maxima(query, tokens, offsets, backend=backend)
    for i in range(0, 33, 8):
        alone = maxsim.maxima(query[i : i + 1], tokens, offsets, backend=backend)
        assert_allclose(together[:, i : i + 1], alone, **(REDUCTION if backend == "reference" else EXACT))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_documents_beside_one_change_no_bit_of_it(backend, rng, dtype):
    """Alone it is shared by more workers than among short ones."""
    lengths = np.array([3, 0, *[1] * 40, 300, 2])
    tokens, query, offsets = unit_rows(rng, 345, 44).astype(dtype), unit_rows(rng, 5, 44), np.cumsum([0, *lengths])
    among = maxsim.maxima(query, tokens, offsets, backend=backend)[42:43]
    alone = maxsim.maxima(query, tokens[43:343], np.array([0, 300]), backend=backend)
    assert_allclose(among, alone, **(REDUCTION if backend == "reference" else EXACT))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(("of_tokens", "of_query"), [(1e-3, 1e-30), (1e-3, 1e30), (1e4, 1e-36), (1, 1)])
def test_large_and_small_tokens_keep_their_digits(backend, rng, dtype, of_tokens, of_query):
    tokens = (unit_rows(rng, 40, 128) * np.float32(of_tokens)).astype(dtype)
    query, offsets = unit_rows(rng, 3, 128) * np.float32(of_query), np.array([0, 13, 40])
    found = maxsim.maxima(query, tokens, offsets, backend=backend)
    wanted = reference.maxima(query, tokens, offsets)
    assert_allclose(found, wanted, rtol=0, atol=2e-7 * of_tokens * of_query)


def test_threads_change_no_bit(backend, rng):
    lengths = rng.integers(0, 30, 900)
    tokens, offsets = documents(rng, 64, lengths)
    query = unit_rows(rng, 8, 64)
    index = maxsim.Index(64, backend=backend)
    index.append(tokens, lengths)
    assert_array_equal(index.maxima(query, threads=1), index.maxima(query, threads=2))
    one, two = (maxsim.maxima(query, tokens, offsets, backend=backend, threads=threads) for threads in (1, 2))
    assert_array_equal(one, two)


@settings(max_examples=40, deadline=None)
@given(lengths=st.lists(st.integers(0, 40), min_size=1, max_size=30), seed=st.integers(0, 2**32), d=st.integers(1, 40))
def test_growing_in_steps_equals_growing_at_once(lengths, seed, d):
    rng = np.random.default_rng(seed)
    tokens, offsets = documents(rng, d, lengths)
    whole, stepwise = maxsim.Index(d), maxsim.Index(d)
    whole.append(tokens, lengths)
    for i, length in enumerate(lengths):
        stepwise.append(tokens[offsets[i] : offsets[i + 1]], [length])
    query = unit_rows(rng, 3, d)
    assert_array_equal(whole.maxima(query), stepwise.maxima(query))


def kept_index(tokens, lengths, keep, backend):
    index = maxsim.Index(tokens.shape[1], keep=keep, backend=backend)
    half = len(lengths) // 2
    first = int(np.sum(lengths[:half]))
    index.append(tokens[:first], lengths[:half])
    index.append(tokens[first:], lengths[half:])
    return index


@pytest.mark.parametrize("keep", ["float32", "float16"])
@pytest.mark.parametrize("d", [1, 3, 7, 64, 128, 200])
def test_an_index_that_keeps_tokens_answers_as_the_tokens_do(backend, rng, d, keep):
    documents = {"reference": 40, "scalar": 40, "cuda": 9}.get(backend, 400)  # emulated launches take milliseconds
    lengths = rng.integers(0, 60 if backend != "cuda" else 6, documents)
    lengths[7] = 400 if backend != "cuda" else 40  # more than are scored at a time
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    tokens = unit_rows(rng, offsets[-1], d) * rng.uniform(0.5, 2, (offsets[-1], 1)).astype(np.float32)
    index = kept_index(tokens, lengths, keep, backend)
    tokens = tokens.astype(keep)
    mask = rng.random(len(lengths)) < 0.7
    for q in (1, 4, 17) if backend != "cuda" else (4,):
        query, weights = unit_rows(rng, q, d), rng.standard_normal(q).astype(np.float32)
        assert_array_equal(index.maxima(query), maxsim.maxima(query, tokens, offsets, backend=backend))
        for k in (0, 1, 10, 500):
            for options in ({}, {"weights": weights}, {"mask": mask}):
                found = index.search(query, k, **options)
                wanted = maxsim.nearest(query, tokens, offsets, k, backend=backend, **options)
                assert_array_equal(found[1], wanted[1])
                assert_array_equal(found[0], wanted[0])
    assert_array_equal(index.maxima(query, ids=[7, 0, 7]), index.maxima(query)[[7, 0, 7]])
    assert_array_equal(index.search(query, 5, threads=3)[0], index.search(query, 5, threads=1)[0])


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    lengths=st.lists(st.integers(0, 30), min_size=1, max_size=60),
    d=st.integers(1, 24),
    q=st.integers(1, 18),
    k=st.integers(1, 8),
    kinds=st.integers(1, 6),
    scale=st.sampled_from([1e-30, 1e-3, 1.0, 1e6]),
)
def test_codes_never_hide_one_of_the_best(backend, seed, lengths, d, q, k, kinds, scale):
    rng = np.random.default_rng(seed)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    some = rng.standard_normal((kinds, d))  # few different tokens, so that documents tie or nearly do
    tokens = some[rng.integers(0, kinds, offsets[-1])] * scale
    tokens = (tokens * (1 + 1e-6 * rng.standard_normal(tokens.shape))).astype(np.float32)
    query = rng.standard_normal((q, d)).astype(np.float32)
    query[rng.random(q) < 0.2] = 0
    index = kept_index(tokens, lengths, "float32", backend)
    for part, wanted in zip(
        index.search(query, k), maxsim.nearest(query, tokens, offsets, k, backend=backend), strict=True
    ):
        assert_array_equal(part, wanted)


def test_of_kept_tokens_few_documents_are_scored_in_full(backend, rng):
    if backend in ("reference", "cuda"):
        pytest.skip("scores every document")
    lengths = np.full(2000, 20)
    index = kept_index(unit_rows(rng, 40_000, 64), lengths, "float32", backend)
    index.search(unit_rows(rng, 8, 64), 10)
    assert 10 <= index.rescored < 50
    assert index.nbytes == 40_000 * (64 + 4 + 256) + 8 * 2001 + 8 * 2000


def test_long_tokens_keep_their_digits(backend, rng):
    query, tokens, offsets = unit_rows(rng, 3, 1000), unit_rows(rng, 40, 1000), np.array([0, 13, 40])
    found = maxsim.maxima(query, tokens, offsets, backend=backend)
    assert_allclose(found, reference.maxima(query, tokens, offsets), rtol=0, atol=2e-7)


def test_wrong_inputs_are_named(backend):
    tokens, query = np.ones((3, 4), np.float32), np.ones((1, 4), np.float32)
    with pytest.raises(ArrayError, match="offsets must rise from 0 to the 3 tokens"):
        maxsim.maxima(query, tokens, [0, 2], backend=backend)
    with pytest.raises(ArrayError, match="finite"):
        maxsim.maxima(query, tokens * np.nan, [0, 3], backend=backend)
    index = maxsim.Index(4, backend=backend)
    with pytest.raises(ArrayError, match="add up to the 3 tokens, got a sum of 2"):
        index.append(tokens, [2])
    with pytest.raises(ArrayError, match="query must have 4 columns"):
        index.maxima(query[:, :2])
    with pytest.raises(ArrayError, match=r"codes must lie in \[-127, 127\]"):
        index.append_int8(np.full((1, 4), -128, np.int8), [1])
    with pytest.raises(ArrayError, match="at least one token"):
        index.score(query[:0])
    with pytest.raises(ArrayError, match=r"ids must lie in \[0, 0\)"):
        index.codes(0)
    with pytest.raises(ArrayError, match=r"dim must lie in \[1, 512\]"):
        maxsim.Index(600)
    with pytest.raises(ArrayError, match="keep must be 'float32', 'float16' or None, got 'int8'"):
        maxsim.Index(4, keep="int8")
    kept = maxsim.Index(4, keep="float16", backend=backend)
    with pytest.raises(ArrayError, match="takes tokens, not codes"):
        kept.append_int8(np.ones((1, 4), np.int8), [1])
    with pytest.raises(ArrayError, match="tokens in float16 must be finite"):
        kept.append(np.full((1, 4), 1e6, np.float32), [1])
    assert len(kept) == 0
    kept.append(tokens, [3])
    with pytest.raises(ArrayError, match="at least one token"):
        kept.search(query[:0], 1)
    with pytest.raises(ArrayError, match="query must have 4 columns"):
        kept.search(query[:, :2], 1)


@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_nearest_lists_the_best_documents(backend, rng, dtype):
    query = unit_rows(rng, 4, 16)
    tokens = np.round(unit_rows(rng, 60, 16) * 100).astype(dtype)
    offsets = np.array([0, 7, 7, 30, 59, 60])
    scores = maxsim.score(query, tokens, offsets, backend=backend)
    for mask in (None, np.array([True, True, False, True, True])):
        order = [i for i in np.argsort(-scores, kind="stable") if i != 1 and (mask is None or mask[i])]
        found, ids = maxsim.nearest(query, tokens, offsets, 6, mask=mask, backend=backend)
        assert ids.tolist() == order + [-1] * (6 - len(order))
        assert_array_equal(found[: len(order)], scores[order])
        assert np.isneginf(found[len(order) :]).all()


@pytest.fixture
def with_and_without_tiles():
    if (reason := _core.why_not_amx()) is not None:
        pytest.skip(reason)

    def answers(ask):
        both = []
        for on in (True, False):
            _core.use_amx(on)
            both.append(ask())
        return both

    yield answers
    _core.use_amx(True)


@pytest.mark.parametrize("d", [128, 96, 64, 20, 1, 200, 512])
@pytest.mark.parametrize("q", [1, 7, 16, 17, 32, 40])
def test_tiles_change_no_bit(with_and_without_tiles, rng, d, q):
    lengths = rng.integers(0, 50, 150)
    lengths[[0, 3, 4, -1]] = 0, 300, 16, 0
    tokens, query = unit_rows(rng, lengths.sum(), d), unit_rows(rng, q, d)
    weights, mask = rng.standard_normal(q).astype(np.float32), rng.random(len(lengths)) < 0.8
    codes, kept = maxsim.Index(d), kept_index(tokens, lengths, "float32", None)
    codes.append(tokens, lengths)
    some = np.concatenate([np.arange(70), [3, 3, 149], np.arange(20, 100)])  # runs of documents and single ones
    for ask in (
        lambda: codes.maxima(query),
        lambda: codes.maxima(query, ids=some),
        lambda: codes.maxima(query, threads=2),
        *(lambda k=k: kept.search(query, k, weights=weights, mask=mask) for k in (1, 10, 200)),
    ):
        for with_tiles, without in zip(*with_and_without_tiles(ask), strict=True):
            assert_array_equal(with_tiles, without)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**32),
    lengths=st.lists(st.integers(0, 40), min_size=1, max_size=60),
    d=st.integers(1, 140),
    q=st.integers(1, 36),
)
def test_tiles_change_no_bit_of_ragged_documents(with_and_without_tiles, seed, lengths, d, q):
    rng = np.random.default_rng(seed)
    tokens, query = unit_rows(rng, sum(lengths), d), unit_rows(rng, q, d)
    codes, kept = maxsim.Index(d), kept_index(tokens, lengths, "float16", None)
    codes.append(tokens, lengths)
    for ask in (lambda: codes.maxima(query), lambda: kept.search(query, 3)):
        for with_tiles, without in zip(*with_and_without_tiles(ask), strict=True):
            assert_array_equal(with_tiles, without)
