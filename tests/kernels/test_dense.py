import numpy as np
import pytest
from expectations import EXACT, ODD_SIZES, REDUCTION, unit_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError
from context_graph.kernels import backends, dense
from context_graph.kernels.reference import dense as reference

DTYPES = ("float32", "float16", "bfloat16", "int8")


def kept_by(dtype, rows):
    """What an index of this dtype answers from, as float32."""
    if dtype == "bfloat16":
        bits = rows.view(np.uint32)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).view(np.float32)
    return rows.astype(np.float16).astype(np.float32) if dtype == "float16" else rows


@pytest.mark.parametrize("d", ODD_SIZES)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8])
def test_scores_agree_with_their_definition(backend, rng, d, dtype):
    rows = unit_rows(rng, 37, d)
    rows = (rows * 127).astype(np.int8) if dtype == np.int8 else rows.astype(dtype)
    scale = np.full(37, 1 / 127, np.float32) if dtype == np.int8 else None
    for q in (1, 3, 4, 9):
        queries = unit_rows(rng, q, d)
        found = dense.scores(queries, rows, scale=scale, backend=backend)
        assert found.shape == (q, 37) and found.dtype == np.float32
        assert_allclose(found, reference.scores(queries, rows, scale=scale), **REDUCTION)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_scale_counts_in_a_batch_too(backend, rng, dtype):
    rows, queries = unit_rows(rng, 40, 20).astype(dtype), unit_rows(rng, 9, 20)
    scale = rng.uniform(0.1, 3, 40).astype(np.float32)
    wanted = reference.scores(queries, rows, scale=scale)
    assert_allclose(dense.scores(queries, rows, scale=scale, backend=backend), wanted, **REDUCTION)
    found = dense.topk(queries, rows, 5, scale=scale, backend=backend)[0]
    assert_allclose(found, np.sort(wanted, axis=1)[:, :-6:-1], **REDUCTION)


@pytest.mark.parametrize("d", ODD_SIZES)
def test_topk_chooses_what_its_scores_say(backend, rng, d):
    rows, queries = unit_rows(rng, 1100, d), unit_rows(rng, 5, d)
    scores = dense.scores(queries, rows, backend=backend)
    found, ids = dense.topk(queries, rows, 20, backend=backend)
    best, best_ids = reference.best(scores, 20)
    assert_allclose(found, best, **EXACT)
    assert_array_equal(ids, best_ids)


# Around the tiles of a batch (4 rows, 3 or 4 queries), its groups (16 rows, 12 or 16 queries) and its chunks of 256.
@pytest.mark.parametrize("k", [128, 129, 300, 400])
def test_hundreds_are_each_chosen_once(backend, rng, k):
    queries, rows = unit_rows(rng, 2, 9), unit_rows(rng, 400, 9)
    scores = dense.scores(queries, rows, backend=backend)
    found, ids = dense.topk(queries, rows, k, backend=backend)
    assert_array_equal(ids, np.argsort(-scores, axis=1, kind="stable")[:, :k])
    assert_array_equal(found, np.take_along_axis(scores, ids, 1))


@pytest.mark.parametrize("d", [1, 5, 16, 24, 130, 255, 256, 257, 272, 530])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int8"])
def test_a_batch_gives_the_bits_of_its_queries_alone(backend, rng, d, dtype):
    for n in (1, 3, 4, 15, 16, 17, 35):
        rows, scale = unit_rows(rng, n, d), None
        if dtype == "int8":
            rows, scale = (rows * 127).astype(np.int8), rng.random(n).astype(np.float32)
        elif dtype == "bfloat16":
            rows = pytest.importorskip("torch").from_numpy(rows).bfloat16()
        else:
            rows = rows.astype(dtype)
        queries = unit_rows(rng, 49, d)
        alone = np.concatenate([dense.scores(query[None], rows, scale=scale, backend=backend) for query in queries])
        for q in (6, 8, 9, 12, 15, 17, 49):
            found = dense.scores(queries[:q], rows, scale=scale, backend=backend)
            other = backend == "reference" or tensor_cores(backend, dtype)
            assert_allclose(found, alone[:q], **(REDUCTION if other else EXACT), err_msg=f"{q} queries, {n} rows")


def tensor_cores(backend, dtype):
    """Whether a batch is summed in another order than its queries alone."""
    return backend == "cuda" and dtype != "int8"


def index_of(d, *, backend, **options):
    """An index; on "cuda" none that reads less of the rows first, which is said."""
    if backend == "cuda" and (options.get("dtype") == "int8" or options.get("prefilter_bits")):
        with pytest.raises(ArrayError, match="which backend 'cuda' does not do"):
            dense.Index(d, backend=backend, **options)
        pytest.skip("backend 'cuda' reads all rows in full")
    return dense.Index(d, backend=backend, **options)


def bits(backend):
    """A row in 16 bits has the sums of the same row in 32, but on a device, whose lanes hold other numbers of it."""
    return REDUCTION if backend == "cuda" else EXACT


def test_bfloat16_rows_are_the_upper_halves_of_floats(backend, rng):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    rows, queries = unit_rows(rng, 70, 40), unit_rows(rng, 20, 40)
    halves = rows.astype(ml_dtypes.bfloat16)
    wide = halves.astype(np.float32)
    assert_array_equal(wide, kept_by("bfloat16", rows))
    wanted = dense.scores(queries, wide, backend=backend)
    assert_allclose(dense.scores(queries, halves, backend=backend), wanted, **bits(backend))
    index = dense.Index(40, dtype="bfloat16", backend=backend)
    index.append(halves[:30])
    index.append(rows[30:])
    assert_array_equal(index.rows(range(70)), wide)
    assert_array_equal(index.search(queries, 5)[1], dense.topk(queries, wide, 5, backend=backend)[1])
    with pytest.raises(ArrayError, match="rows must be finite"):
        index.append(np.full((1, 40), 3.4e38, np.float32))  # rounds up to infinity
    with pytest.raises(ArrayError, match="rows must have dtype float32"):
        dense.scores(queries, halves.view(np.uint16), backend=backend)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [1, 10, 700])
def test_an_index_answers_as_the_plain_scan(backend, rng, dtype, k):
    rows, queries = unit_rows(rng, 600, 100), unit_rows(rng, 4, 100)
    index = index_of(100, dtype=dtype, backend=backend)
    for start in range(0, 600, 150):
        index.append(rows[start : start + 150])
    kept = kept_by(dtype, rows)
    mask = rng.random(600) < 0.7
    for prefix in (None, 1, 33, 100):
        p = prefix or 100
        found, ids = index.search(queries, k, mask=mask, prefix=prefix)
        wanted, wanted_ids = dense.topk(queries[:, :p], kept[:, :p], k, mask=mask, backend=backend)
        assert_allclose(found, wanted, **bits(backend))
        assert_array_equal(ids, wanted_ids)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), d=st.integers(1, 80), n=st.integers(0, 300), k=st.integers(0, 40), data=st.data())
def test_screening_by_bytes_never_changes_the_answer(seed, d, n, k, data):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n, d)).astype(np.float32)
    rows *= data.draw(st.sampled_from([1e-20, 1.0, 1e12])) * np.exp(rng.standard_normal((n, 1)) * 4).astype(np.float32)
    rows[rng.random((n, d)) < 0.02] *= 1000  # outliers widen the step
    rows[rng.random(n) < 0.3] = 0
    if n > 3:
        rows[1] = rows[3]  # a tie
    queries = rng.standard_normal((data.draw(st.sampled_from([2, 13, 33])), d)).astype(np.float32)
    for backend in ("scalar", None):
        index = dense.Index(d, dtype="int8", backend=backend)
        index.append(rows)
        found, ids = index.search(queries, k)
        wanted, wanted_ids = dense.topk(queries, rows, k, backend=backend)
        assert_array_equal(ids, wanted_ids)
        assert_array_equal(found, wanted)


@pytest.mark.parametrize("q", [1, 16])
def test_screening_reads_few_rows_in_full(rng, q):
    index = dense.Index(256, dtype="int8")
    index.append(unit_rows(rng, 20_000, 256))
    index.search(unit_rows(rng, q, 256), 10)
    if q == 1 or backends()["avx512"]["usable"]:  # other backends read all rows for a batch
        assert 0 < index.rescored < 500 * q


def test_ties_go_to_the_lowest_id(backend):
    rows = np.ones((900, 3), np.float32)
    rows[400] = 2
    found, ids = dense.topk(np.ones((1, 3), np.float32), rows, 4, backend=backend)
    assert ids.tolist() == [[400, 0, 1, 2]]
    assert found.tolist() == [[6, 3, 3, 3]]


def test_minus_zero_ties_with_zero(backend):
    rows = np.array([[-0.0], [0.0]], np.float32)
    assert dense.topk(np.array([[1]], np.float32), rows, 2, backend=backend)[1].tolist() == [[0, 1]]


@pytest.mark.parametrize("dtype", DTYPES)
def test_k_beyond_the_rows_is_padded(backend, dtype):
    index = index_of(2, dtype=dtype, backend=backend)
    query = np.ones((1, 2), np.float32)
    found, ids = index.search(query, 2)
    assert ids.tolist() == [[-1, -1]] and np.isneginf(found).all()
    index.append(np.eye(2, dtype=np.float32))
    found, ids = index.search(query, 3, mask=np.array([False, True]))
    assert ids.tolist() == [[1, -1, -1]] and found[0, 0] == 1 and np.isneginf(found[0, 1:]).all()
    assert index.search(query, 0)[1].shape == (1, 0)
    assert index.search(np.zeros((0, 2), np.float32), 3)[1].shape == (0, 3)


def test_empty_inputs_are_legal(backend):
    none = np.zeros((0, 5), np.float32)
    assert dense.scores(none, none, backend=backend).shape == (0, 0)
    assert dense.topk(np.ones((2, 5), np.float32), none, 1, backend=backend)[1].tolist() == [[-1], [-1]]


@pytest.mark.parametrize("dtype", DTYPES)
def test_threads_and_batches_change_no_bit(backend, rng, dtype):
    rows, queries = unit_rows(rng, 9000, 130), unit_rows(rng, 18, 130)
    index = index_of(130, dtype=dtype, backend=backend)
    index.append(rows)
    one, two = index.search(queries, 9, threads=1), index.search(queries, 9, threads=2)
    alone = [index.search(queries[j : j + 1], 9, threads=3) for j in range(18)]
    for part in (0, 1):
        assert_array_equal(one[part], two[part])
        if not tensor_cores(backend, dtype):
            assert_array_equal(one[part], np.concatenate([answer[part] for answer in alone]))
    assert_array_equal(index.scores(queries, threads=1), index.scores(queries, threads=2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_can_be_read_replaced_and_scored_by_id(backend, rng, dtype):
    rows = unit_rows(rng, 50, 24)
    index = index_of(24, dtype=dtype, backend=backend)
    assert index.append(rows[:30]).tolist() == list(range(30))
    assert index.append(rows[:0]).tolist() == []
    index.append(rows[30:])
    index.replace([3, 49], -rows[[3, 49]])
    rows[[3, 49]] *= -1
    kept = kept_by(dtype, rows)
    assert len(index) == 50 and index.nbytes > 0
    assert_array_equal(index.rows([49, 3, 3]), kept[[49, 3, 3]])
    assert_array_equal(index.rows([49, 3, 3], prefix=7), kept[[49, 3, 3], :7])
    assert_array_equal(index.scores(rows[:2], ids=[7, 3]), index.scores(rows[:2])[:, [7, 3]])
    assert index.search(rows[[49]], 1)[1].tolist() == [[49]]


def test_rows_that_lie_apart_are_scanned_in_place(backend, rng):
    wide = unit_rows(rng, 40, 64)
    queries = unit_rows(rng, 2, 20)
    for view in (wide[:, 8:28], wide[::3, :20], wide[:, ::3][:, :20], wide[::-1, :20], np.asfortranarray(wide)[:, :20]):
        assert_allclose(dense.scores(queries, view, backend=backend), reference.scores(queries, view), **REDUCTION)


def test_rows_start_on_cache_lines():
    index = dense.Index(5)
    index.append(np.ones((3, 5), np.float32))
    rows = index._columns.part("rows", slice(3))
    assert rows.ctypes.data % 64 == 0 and rows.strides[0] % 64 == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(backend, bad):
    rows = np.ones((40, 6), np.float32)
    query = np.ones((1, 6), np.float32)
    broken = rows.copy()
    broken[17, 2] = bad
    with pytest.raises(ArrayError, match=r"finite"):
        dense.scores(query, broken, backend=backend)
    with pytest.raises(ArrayError, match=r"finite"):
        dense.topk(query, broken, 1, backend=backend)
    with pytest.raises(ArrayError, match="queries must be finite"):
        dense.topk(broken[17:18], rows, 1, backend=backend)
    with pytest.raises(ArrayError, match=r"rows must be finite, got NaN or infinity at \[17, 2\]"):
        dense.Index(6, backend=backend).append(broken)


def test_messages_say_what_was_expected_what_came_and_what_to_do():
    rows, query = np.ones((4, 3), np.float32), np.ones((1, 3), np.float32)
    with pytest.raises(ArrayError, match=r"rows must have dtype float32 .*got float64; cast it with rows\.astype"):
        dense.topk(query, rows.astype(np.float64), 1)
    with pytest.raises(ArrayError, match=r"queries must have shape \(rows, d\), got \(3,\)"):
        dense.topk(query[0], rows, 1)
    with pytest.raises(ArrayError, match="same number of columns, got 2 and 3"):
        dense.topk(query[:, :2], rows, 1)
    with pytest.raises(ArrayError, match="mask must have 4 entries, got 3"):
        dense.topk(query, rows, 1, mask=np.ones(3, bool))
    with pytest.raises(ArrayError, match="k must be 0 or more, got -1"):
        dense.topk(query, rows, -1)
    with pytest.raises(ArrayError, match=r"threads must be at least 1, got 0"):
        dense.topk(query, rows, 1, threads=0)
    with pytest.raises(ArrayError, match=r"ids must lie in \[0, 0\), got 2 to 2"):
        dense.Index(3).rows([2])
    with pytest.raises(ArrayError, match="dtype must be 'float32', 'float16', 'bfloat16' or 'int8', got 'int4'"):
        dense.Index(3, dtype="int4")
    with pytest.raises(ArrayError, match=r"prefix must lie in \[1, 3\], got 4"):
        dense.Index(3).search(query, 1, prefix=4)
    with pytest.raises(ArrayError, match="dim must be at least 1"):
        dense.Index(0)
    with pytest.raises(ArrayError, match="at most 8192"):
        dense.Index(10_000, dtype="int8")


def clusters(rng, n, d):
    """Rows in groups, as meanings are: a search has near rows to find."""
    centres = unit_rows(rng, 1 + n // 50, d)
    rows = centres[rng.integers(0, len(centres), n)] + 0.7 * unit_rows(rng, n, d)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def prefiltered(rows, backend, dtype="float32"):
    index = index_of(rows.shape[1], dtype=dtype, prefilter_bits=1, backend=backend)
    index.append(rows[:100])
    index.append(rows[100:])
    return index


@pytest.mark.parametrize("d", [1, 5, 64, 256, 257, 384, 600])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_signs_choose_the_candidates_of_their_definition(backend, rng, d, dtype):
    if backend in ("reference", "cuda"):
        pytest.skip("searches exactly")
    rows, queries = unit_rows(rng, 700, d), unit_rows(rng, 4, d)
    index, kept = prefiltered(rows, backend, dtype), kept_by(dtype, rows)
    chosen = index.search(queries, 40, oversample=1)[1]
    estimates = reference.sign_estimates(queries, kept)
    for line, found in zip(estimates, chosen, strict=True):
        assert len(set(found.tolist())) == 40
        least = np.sort(line)[
            -40
        ]  # where the query lies between two of its sixteen numbers, rounding may choose either
        assert (line[found] >= least - 0.02 * abs(line).max()).all()


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_prefiltered_rows_have_exact_scores_and_all_candidates_make_the_exact_answer(backend, rng, dtype):
    rows, queries = clusters(rng, 900, 200), clusters(rng, 7, 200)
    index = prefiltered(rows, backend, dtype)
    plain = index_of(200, dtype=dtype, backend=backend)
    plain.append(rows)
    mask = rng.random(900) < 0.5
    for k in (0, 1, 10, 1000):
        for options in ({}, {"mask": mask}):
            wanted = plain.search(queries, k, **options)
            for part, other in zip(index.search(queries, k, oversample=900, **options), wanted, strict=True):
                assert_array_equal(part, other)
    found, ids = index.search(queries, 10, oversample=3, threads=2)
    assert_array_equal(found, np.take_along_axis(plain.scores(queries), ids, axis=1))
    for part, other in zip(index.search(queries, 10, oversample=3, threads=1), (found, ids), strict=True):
        assert_array_equal(part, other)
    for part, other in zip(index.search(queries, 5, prefix=50), plain.search(queries, 5, prefix=50), strict=True):
        assert_array_equal(part, other)


def test_every_backend_chooses_the_same_candidates(rng):
    rows, queries = unit_rows(rng, 3000, 300), unit_rows(rng, 3, 300)
    usable = [name for name in ("scalar", "avx2", "avx512") if backends()[name]["usable"]]
    answers = [prefiltered(rows, name).search(queries, 50, oversample=1)[1] for name in usable]
    for answer in answers:
        assert [set(line) for line in answer.tolist()] == [set(line) for line in answers[0].tolist()]


def test_most_near_rows_are_found_by_their_signs(backend, rng):
    rows, queries = clusters(rng, 5000, 256), clusters(rng, 20, 256)
    found = prefiltered(rows, backend).search(queries, 10)[1]
    exact = dense.topk(queries, rows, 10)[1]
    hits = [len(np.intersect1d(a, b)) for a, b in zip(found, exact, strict=True)]
    assert np.mean(hits) >= 9.5


def test_signs_follow_what_is_replaced(backend, rng):
    rows = clusters(rng, 400, 64)
    index = prefiltered(rows, backend)
    far = -rows[3:4]
    index.replace([3], far)
    assert index.search(far, 1, oversample=5)[1].tolist() == [[3]]
    empty = index_of(64, prefilter_bits=1, backend=backend)
    assert empty.search(far, 2)[1].tolist() == [[-1, -1]]
    empty.append(np.zeros((2, 64), np.float32))
    assert empty.search(np.zeros((1, 64), np.float32), 2)[1].tolist() == [[0, 1]]


def test_a_prefilter_says_what_it_takes():
    with pytest.raises(ArrayError, match="prefilter_bits must be 0 or 1, got 4"):
        dense.Index(4, prefilter_bits=4)
    with pytest.raises(ArrayError, match=r"prefilter_bits goes with dtype .*, got 'int8'"):
        dense.Index(4, dtype="int8", prefilter_bits=1)
    with pytest.raises(ArrayError, match="oversample must be 0 or more, got -1"):
        dense.Index(4, prefilter_bits=1, backend="scalar").search(np.ones((1, 4), np.float32), 1, oversample=-1)
