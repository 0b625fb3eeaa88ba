import numpy as np
import pytest
from expectations import EXACT, ODD_SIZES, REDUCTION, unit_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import transe
from context_graph.kernels.reference import dense
from context_graph.kernels.reference import transe as reference

each_norm = pytest.mark.parametrize("norm", [1, 2])


@each_norm
@pytest.mark.parametrize("d", ODD_SIZES)
def test_scores_agree_with_their_definition(backend, rng, d, norm):
    heads, relations, tails = (unit_rows(rng, 37, d) for _ in range(3))
    found = transe.score(heads, relations, tails, norm=norm, backend=backend)
    assert found.shape == (37,) and found.dtype == np.float32
    assert_allclose(found, reference.score(heads, relations, tails, norm=norm), **REDUCTION)


@each_norm
@pytest.mark.parametrize("d", ODD_SIZES)
def test_nearest_chooses_what_score_says(backend, rng, d, norm):
    tails = unit_rows(rng, 1103, d)
    for q in (1, 2, 3, 4, 9):
        heads, relations = unit_rows(rng, q, d), unit_rows(rng, q, d)
        scores = [
            transe.score(h.repeat(1103, 0), r.repeat(1103, 0), tails, norm=norm, backend=backend)
            for h, r in zip(heads[:, None], relations[:, None], strict=True)
        ]
        found, ids = transe.nearest(heads, relations, tails, 20, norm=norm, backend=backend)
        best, best_ids = dense.best(np.array(scores), 20)
        assert_allclose(found, best, **EXACT)
        assert_array_equal(ids, best_ids)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), d=st.integers(1, 70), n=st.integers(1, 50), norm=st.sampled_from([1, 2]))
def test_scores_are_minus_a_distance(backend, seed, d, n, norm):
    """Never above 0, exactly 0 for the tail itself, and a detour is never nearer than the way itself."""
    rng = np.random.default_rng(seed)
    heads, relations, tails, others = (np.round(unit_rows(rng, n, d) * 64) / 64 for _ in range(4))  # sums are exact
    nothing = np.zeros_like(heads)
    score = transe.score(heads, relations, tails, norm=norm, backend=backend)
    assert (score <= 0).all()
    there = heads + relations
    exact = transe.score(heads, relations, there, norm=norm, backend=backend)
    assert_array_equal(exact, 0)
    assert not np.signbit(exact).any()
    detour = transe.score(there, nothing, others, norm=norm, backend=backend) + transe.score(
        others, nothing, tails, norm=norm, backend=backend
    )
    assert (score >= detour - 1e-5 * (1 + abs(detour))).all()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), d=st.integers(1, 40), n=st.integers(1, 300))
def test_the_tail_of_a_fact_is_found(backend, seed, d, n):
    rng = np.random.default_rng(seed)
    tails = rng.standard_normal((n, d)).astype(np.float32)
    heads, relations = tails[: n // 2 + 1], np.zeros((n // 2 + 1, d), np.float32)
    found, ids = transe.nearest(heads, relations, tails, 1, backend=backend)
    assert_array_equal(tails[ids[:, 0]], heads)
    assert_array_equal(found, 0)


def test_ties_go_to_the_lowest_id(backend):
    tails = np.ones((900, 3), np.float32)
    tails[400] = 0
    zero = np.zeros((1, 3), np.float32)
    for norm, away in ((1, -3), (2, -np.sqrt(np.float32(3)))):
        found, ids = transe.nearest(zero, zero, tails, 4, norm=norm, backend=backend)
        assert ids.tolist() == [[400, 0, 1, 2]]
        assert_array_equal(found, np.array([[0, away, away, away]], np.float32))


def test_a_mask_hides_and_k_beyond_the_tails_is_padded(backend):
    tails, zero = np.eye(2, dtype=np.float32), np.zeros((1, 2), np.float32)
    found, ids = transe.nearest(zero, zero, tails, 3, mask=np.array([False, True]), backend=backend)
    assert ids.tolist() == [[1, -1, -1]] and found[0, 0] == -1 and np.isneginf(found[0, 1:]).all()
    assert transe.nearest(zero, zero, tails[:0], 1, backend=backend)[1].tolist() == [[-1]]
    assert transe.nearest(zero[:0], zero[:0], tails, 2, backend=backend)[1].shape == (0, 2)
    assert transe.nearest(zero, zero, tails, 0, backend=backend)[1].shape == (1, 0)
    assert transe.score(zero[:0], zero[:0], zero[:0], backend=backend).shape == (0,)


@each_norm
def test_threads_and_batches_change_no_bit(backend, rng, norm):
    tails = unit_rows(rng, 9000, 130)
    heads, relations = unit_rows(rng, 9, 130), unit_rows(rng, 9, 130)
    one = transe.nearest(heads, relations, tails, 9, norm=norm, backend=backend, threads=1)
    two = transe.nearest(heads, relations, tails, 9, norm=norm, backend=backend, threads=2)
    alone = [
        transe.nearest(heads[j : j + 1], relations[j : j + 1], tails, 9, norm=norm, backend=backend) for j in range(9)
    ]
    for part in (0, 1):
        assert_array_equal(one[part], two[part])
        assert_array_equal(one[part], np.concatenate([answer[part] for answer in alone]))
    long = unit_rows(rng, 9000, 260)
    scores = [
        transe.score(long, long[::-1], long, norm=norm, backend=backend, threads=threads) for threads in (1, 2, 3)
    ]
    assert_array_equal(scores[0], scores[1])
    assert_array_equal(scores[0], scores[2])


def test_rows_that_lie_apart_give_the_same_answer(backend, rng):
    wide = unit_rows(rng, 40, 64)
    heads, relations = unit_rows(rng, 2, 20), unit_rows(rng, 2, 20)
    for view in (wide[:, 8:28], wide[::3, :20], wide[::-1, :20], np.asfortranarray(wide)[:, :20]):
        found = transe.nearest(heads, relations, view, 3, backend=backend)
        wanted = transe.nearest(heads, relations, np.ascontiguousarray(view), 3, backend=backend)
        assert_array_equal(found, wanted)
        assert_array_equal(
            transe.score(view[:2], view[1:3], view[2:4], backend=backend),
            transe.score(*(np.ascontiguousarray(view[i : i + 2]) for i in range(3)), backend=backend),
        )


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(backend, bad):
    rows = np.ones((40, 6), np.float32)
    broken = rows.copy()
    broken[17, 2] = bad
    for facts in ((broken, rows, rows), (rows, broken, rows), (rows, rows, broken)):
        with pytest.raises(ArrayError, match="finite"):
            transe.score(*facts, backend=backend)
    with pytest.raises(ArrayError, match="finite"):
        transe.nearest(rows[:1], rows[:1], broken, 1, backend=backend)
    with pytest.raises(ArrayError, match=r"heads must be finite, got NaN or infinity at \[0, 2\]"):
        transe.nearest(broken[17:18], rows[:1], rows, 1, backend=backend)


def test_messages_say_what_was_expected_what_came_and_what_to_do():
    rows = np.ones((4, 3), np.float32)
    with pytest.raises(ArrayError, match=r"tails must have dtype float32, got float64; cast it with tails\.astype"):
        transe.score(rows, rows, rows.astype(np.float64))
    with pytest.raises(ArrayError, match="norm must be 1 or 2, got '2'"):
        transe.score(rows, rows, rows, norm="2")
    with pytest.raises(ArrayError, match="norm must be 1 or 2, got 3"):
        transe.score(rows, rows, rows, norm=3)
    with pytest.raises(ArrayError, match=r"heads and relations must have the same shape, got \(4, 3\) and \(2, 3\)"):
        transe.nearest(rows, rows[:2], rows, 1)
    with pytest.raises(ArrayError, match=r"heads and tails must have the same shape, got \(4, 3\) and \(2, 3\)"):
        transe.score(rows, rows, rows[:2])
    with pytest.raises(ArrayError, match="heads and tails must have the same number of columns, got 3 and 2"):
        transe.nearest(rows, rows, rows[:, :2], 1)
    with pytest.raises(ArrayError, match="mask must have 4 entries, got 3"):
        transe.nearest(rows, rows, rows, 1, mask=np.ones(3, bool))
    with pytest.raises(ArrayError, match="k must be 0 or more, got -1"):
        transe.nearest(rows, rows, rows, -1)
    with pytest.raises(BackendUnavailable, match=r"transe\.score has no backend 'cuda' .*usable: .*scalar, reference"):
        transe.score(rows, rows, rows, backend="cuda")
