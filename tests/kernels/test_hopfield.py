import numpy as np
import pytest
from expectations import ODD_SIZES, REDUCTION, unit_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import hopfield
from context_graph.kernels._arrays import floats
from context_graph.kernels.reference import hopfield as reference

each_beta = pytest.mark.parametrize("beta", [0.5, 8.0, 100.0])


def blurred(rng, patterns, q, noise=0.3):
    """The first q patterns with noise of that length on them."""
    return (patterns[:q] + noise * unit_rows(rng, q, patterns.shape[1])).astype(np.float32)


def assert_agree(found, wanted):
    output, lse, steps, converged, dropped = wanted
    assert [array.dtype for array in found] == [np.float32, np.float32, np.int64, bool, np.float32]
    assert_allclose(found.output, output, **REDUCTION)
    assert_allclose(found.lse, lse, rtol=1e-5, atol=1e-4)  # beta times the error of a score
    assert_array_equal(found.steps, steps)
    assert_array_equal(found.converged, converged)
    assert_allclose(found.dropped, dropped, rtol=1e-3, atol=1e-6)


@each_beta
@pytest.mark.parametrize("d", ODD_SIZES)
def test_retrieval_agrees_with_its_definition(backend, rng, d, beta):
    patterns = unit_rows(rng, 1103, d)
    for q in (1, 2, 3, 5, 39):
        queries = blurred(rng, patterns, q)
        found = hopfield.retrieve(queries, patterns, beta=beta, backend=backend)
        assert_agree(found, reference.retrieve(queries, patterns, beta=beta))
        energies = hopfield.energy(queries, patterns, beta=beta, backend=backend)
        assert energies.dtype == np.float32
        assert_allclose(energies, reference.energy(queries, patterns, beta=beta), **REDUCTION)


@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 300])
def test_few_patterns(backend, rng, n):
    patterns, queries = unit_rows(rng, n, 9), unit_rows(rng, 3, 9)
    found = hopfield.retrieve(queries, patterns, beta=3, steps=4, backend=backend)
    assert_agree(found, reference.retrieve(queries, patterns, beta=3, steps=4))
    if n == 1:
        assert_array_equal(found.output, patterns.repeat(3, 0))


@pytest.mark.parametrize("width", ["float16", "bfloat16"])
@pytest.mark.parametrize("d", ODD_SIZES)
def test_sixteen_bits_mean_their_numbers(backend, rng, d, width):
    if width == "bfloat16":
        width = pytest.importorskip("ml_dtypes").bfloat16
    stored = unit_rows(rng, 517, d).astype(width)
    numbers, queries = stored.astype(np.float32), unit_rows(rng, 5, d)
    for shortlist in (None, 7):
        found = hopfield.retrieve(queries, stored, beta=8, shortlist=shortlist, backend=backend)
        wanted = hopfield.retrieve(queries, numbers, beta=8, shortlist=shortlist, backend=backend)
        for part, same in zip(found, wanted, strict=True):
            assert_same_numbers(part, same, backend)
    energies = hopfield.energy(queries, stored, beta=8, backend=backend)
    assert_same_numbers(energies, hopfield.energy(queries, numbers, beta=8, backend=backend), backend)


def assert_same_numbers(found, wanted, backend):
    """A GPU reads eight halves where it reads four floats, so it adds in another order."""
    if backend == "cuda":
        assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    else:
        assert_array_equal(found, wanted)


@pytest.mark.parametrize("width", ["float16", "bfloat16"])
@pytest.mark.parametrize("n, d", [(300, 40), (129, 300), (5, 1)])
def test_many_queries_over_halves(backend, rng, n, d, width):
    """33 of them: on a device 32 queries share a pass over the rows."""
    if width == "bfloat16":
        width = pytest.importorskip("ml_dtypes").bfloat16
    stored, queries, mask = unit_rows(rng, n, d).astype(width), unit_rows(rng, 33, d), rng.random(n) < 0.8
    mask[0] = True
    numbers = stored.astype(np.float32)
    found = hopfield.retrieve(queries, stored, beta=20.0, mask=mask, backend=backend)
    assert_agree(found, reference.retrieve(queries, numbers, beta=20.0, mask=mask))
    energies = hopfield.energy(queries, stored, beta=20.0, mask=mask, backend=backend)
    assert_allclose(energies, reference.energy(queries, numbers, beta=20.0, mask=mask), **REDUCTION)


def test_bfloat16_is_the_upper_half_of_a_float():
    numbers = np.array([[1.0, -2.5, 0.0, 3e38]], np.float32)
    bits = (numbers.view(np.uint32) >> 16).astype(np.uint16)
    assert_allclose(floats(bits), numbers, rtol=2**-7)
    with pytest.raises(ArrayError, match="patterns must have dtype float32 or float16, got uint16"):
        hopfield.retrieve(numbers, bits, beta=1)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), d=st.integers(1, 70), n=st.integers(1, 400), beta=st.floats(0.1, 100))
def test_energy_never_rises(backend, seed, d, n, beta):
    rng = np.random.default_rng(seed)
    patterns, state = unit_rows(rng, n, d) * np.float32(rng.uniform(0.5, 2)), 2 * unit_rows(rng, 3, d)
    before = hopfield.energy(state, patterns, beta=beta, backend=backend)
    for _ in range(4):
        state = hopfield.retrieve(state, patterns, beta=beta, backend=backend).output
        after = hopfield.energy(state, patterns, beta=beta, backend=backend)
        assert (after <= before + 1e-5 * (1 + abs(before))).all()
        assert (after >= -1e-5 * (1 + (patterns**2).sum(axis=1).max())).all()
        before = after


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), n=st.integers(2, 600), noise=st.floats(0, 0.4))
def test_a_stored_pattern_is_retrieved_from_a_blurred_copy(backend, seed, n, noise):
    rng = np.random.default_rng(seed)
    patterns = unit_rows(rng, n, 64)
    queries = blurred(rng, patterns, min(n, 4), noise)
    scores = np.sort(queries.astype(np.float64) @ patterns.T, axis=1)
    gap = (scores[:, -1] - scores[:, -2]).min()
    if gap < 0.05:
        return
    beta = hopfield.beta_for(n, gap=gap, weight=0.999)
    found = hopfield.retrieve(queries, patterns, beta=beta, steps=8, backend=backend)
    nearest = patterns[(queries @ patterns.T).argmax(axis=1)]
    assert np.linalg.norm(found.output - nearest, axis=1).max() <= 2 * 0.001 + 1e-5
    assert found.converged.all()


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 900), d=st.integers(1, 40), beta=st.floats(0.1, 60))
def test_the_order_of_patterns_means_nothing(backend, seed, n, d, beta):
    rng = np.random.default_rng(seed)
    patterns, queries = unit_rows(rng, n, d), unit_rows(rng, 2, d)
    one = hopfield.retrieve(queries, patterns, beta=beta, backend=backend)
    other = hopfield.retrieve(queries, patterns[rng.permutation(n)], beta=beta, backend=backend)
    assert_allclose(one.output, other.output, rtol=1e-5, atol=1e-5)
    assert_allclose(one.lse, other.lse, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("shortlist", [None, 20])
def test_threads_and_batches_change_no_bit(backend, rng, shortlist):
    patterns = unit_rows(rng, 9000, 130)
    queries = np.concatenate([blurred(rng, patterns, 20), unit_rows(rng, 17, 130)])
    options = {"beta": 25, "steps": 3, "shortlist": shortlist, "backend": backend}
    one = hopfield.retrieve(queries, patterns, threads=1, **options)
    two = hopfield.retrieve(queries, patterns, threads=2, **options)
    three = hopfield.retrieve(queries, patterns, threads=3, **options)
    alone = [hopfield.retrieve(queries[j : j + 1], patterns, **options) for j in range(37)]
    for part, same, again, *each in zip(one, two, three, *alone, strict=True):
        assert_array_equal(part, same)
        assert_array_equal(part, again)
        if backend == "cuda":  # whose batches add in another order
            assert_allclose(part, np.concatenate(each), rtol=1e-4, atol=1e-5)
        else:
            assert_array_equal(part, np.concatenate(each))
    energies = [hopfield.energy(queries, patterns, beta=25, backend=backend, threads=t) for t in (1, 2)]
    assert_array_equal(*energies)


def test_equal_scores_give_the_mean_without_drift(backend):
    """A plain float32 sum of so many equal numbers would be off by far more."""
    patterns = np.full((70_000, 4), 0.1, np.float32)
    found = hopfield.retrieve(np.ones((1, 4), np.float32), patterns, beta=100, backend=backend)
    assert_allclose(found.output, np.float32(0.1), rtol=3e-6)
    assert_allclose(found.lse, 100 * 4 * np.float32(0.1) + np.log(70_000), rtol=3e-6)


def test_large_scores_do_not_overflow(backend, rng):
    patterns = 30 * rng.standard_normal((200, 16)).astype(np.float32)
    found = hopfield.retrieve(patterns[:2], patterns, beta=100, backend=backend)
    assert_allclose(found.output, patterns[:2], rtol=1e-6)
    assert np.isfinite(found.lse).all()


def test_a_mask_hides_and_nothing_left_is_zeros(backend, rng):
    patterns, queries = unit_rows(rng, 600, 12), unit_rows(rng, 5, 12)
    mask = rng.random(600) < 0.3
    for shortlist in (None, 9):
        found = hopfield.retrieve(queries, patterns, beta=9, mask=mask, shortlist=shortlist, backend=backend)
        assert_agree(found, reference.retrieve(queries, patterns[mask], beta=9, shortlist=shortlist))
        nothing = hopfield.retrieve(
            queries, patterns, beta=9, mask=np.zeros(600, np.uint8), shortlist=shortlist, steps=5, backend=backend
        )
        assert_array_equal(nothing.output, 0)
        assert np.isneginf(nothing.lse).all() and nothing.converged.all()
        assert_array_equal(nothing.steps, 2)
        assert_array_equal(nothing.dropped, 0)
    energies = hopfield.energy(queries, patterns, beta=9, mask=mask, backend=backend)
    assert_allclose(energies, reference.energy(queries, patterns[mask], beta=9), **REDUCTION)
    assert np.isposinf(hopfield.energy(queries, patterns, beta=9, mask=np.zeros(600, bool), backend=backend)).all()


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 500), shortlist=st.integers(1, 60), beta=st.floats(0.5, 60))
def test_a_shortlist_drops_no_more_than_it_says(backend, seed, n, shortlist, beta):
    rng = np.random.default_rng(seed)
    patterns, queries = unit_rows(rng, n, 16), unit_rows(rng, 3, 16)
    short = hopfield.retrieve(queries, patterns, beta=beta, shortlist=shortlist, backend=backend)
    full = hopfield.retrieve(queries, patterns, beta=beta, backend=backend)
    lost = 1 - np.exp(short.lse.astype(np.float64) - full.lse)
    assert (lost <= short.dropped + 1e-4).all() and (short.dropped <= 1).all()
    assert (np.linalg.norm(short.output - full.output, axis=1) <= 2 * short.dropped + 1e-4).all()
    if shortlist >= n:
        assert_array_equal(short.dropped, 0)


def test_a_query_stops_when_it_rests(backend, rng):
    patterns = np.eye(8, dtype=np.float32)
    queries = np.array([[1, 0, 0, 0, 0, 0, 0, 0], [0.8, 0.5, 0, 0, 0, 0, 0, 0]], np.float32)
    found = hopfield.retrieve(queries, patterns, beta=40, steps=10, backend=backend)
    assert found.steps.tolist() == [1, 2] and found.converged.all()
    once = hopfield.retrieve(queries, patterns, beta=40, steps=1, backend=backend)
    assert once.steps.tolist() == [1, 1] and once.converged.tolist() == [True, False]


def test_rows_that_lie_apart_give_the_same_answer(backend, rng):
    wide, queries = unit_rows(rng, 80, 64), unit_rows(rng, 2, 20)
    for view in (wide[:, 8:28], wide[::3, :20], wide[::-1, :20], np.asfortranarray(wide)[:, :20]):
        for shortlist in (None, 3):
            options = {"beta": 7, "shortlist": shortlist, "backend": backend}
            found = hopfield.retrieve(queries, view, **options)
            wanted = hopfield.retrieve(queries, np.ascontiguousarray(view), **options)
            assert_array_equal(found.output, wanted.output)
            assert_array_equal(found.lse, wanted.lse)


def test_empty_queries_give_empty_answers(backend):
    none = np.zeros((0, 3), np.float32)
    found = hopfield.retrieve(none, np.eye(3, dtype=np.float32), beta=1, backend=backend)
    assert [array.shape for array in found] == [(0, 3), (0,), (0,), (0,), (0,)]
    assert hopfield.energy(none, np.eye(3, dtype=np.float32), beta=1, backend=backend).shape == (0,)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(backend, bad):
    rows = np.ones((40, 6), np.float32)
    broken = rows.copy()
    broken[17, 2] = bad
    for shortlist in (None, 4):
        with pytest.raises(ArrayError, match="finite"):
            hopfield.retrieve(rows[:1], broken, beta=1, shortlist=shortlist, backend=backend)
    with pytest.raises(ArrayError, match="finite"):
        hopfield.energy(rows[:1], broken, beta=1, backend=backend)
    with pytest.raises(ArrayError, match=r"queries must be finite, got NaN or infinity at \[0, 2\]"):
        hopfield.retrieve(broken[17:18], rows, beta=1, backend=backend)


@pytest.mark.parametrize("n", [3, 10, 1000])
@pytest.mark.parametrize("weight", [0.4, 0.5, 0.99])
def test_beta_for_gives_the_leader_its_weight(n, weight):
    scores = np.full(n, 0.2)
    scores[0] += 0.7
    powers = np.exp(hopfield.beta_for(n, gap=0.7, weight=weight) * scores)
    assert_allclose(powers[0] / powers.sum(), weight)


def test_messages_say_what_was_expected_what_came_and_what_to_do():
    rows = np.ones((4, 3), np.float32)
    with pytest.raises(ArrayError, match=r"patterns must have at least one row, got shape \(0, 3\)"):
        hopfield.retrieve(rows, rows[:0], beta=1)
    with pytest.raises(ArrayError, match=r"patterns must have dtype float32 or float16, got float64; cast it with"):
        hopfield.retrieve(rows, rows.astype(np.float64), beta=1)
    with pytest.raises(ArrayError, match="queries and patterns must have the same number of columns, got 3 and 2"):
        hopfield.energy(rows, rows[:, :2], beta=1)
    for beta in (0, -1, np.nan, np.inf):
        with pytest.raises(ArrayError, match="beta must be finite and above 0, got"):
            hopfield.retrieve(rows, rows, beta=beta)
    with pytest.raises(ArrayError, match="steps must be 1 or more, got 0"):
        hopfield.retrieve(rows, rows, beta=1, steps=0)
    with pytest.raises(ArrayError, match="tolerance must be 0 or more, got nan"):
        hopfield.retrieve(rows, rows, beta=1, tolerance=np.nan)
    with pytest.raises(ArrayError, match="shortlist must be 1 or more, or None for all patterns, got 0"):
        hopfield.retrieve(rows, rows, beta=1, shortlist=0)
    with pytest.raises(ArrayError, match="mask must have 4 entries, got 3"):
        hopfield.retrieve(rows, rows, beta=1, mask=np.ones(3, bool))
    with pytest.raises(ArrayError, match="n of 2 or more"):
        hopfield.beta_for(1, gap=0.5)
    for n, weight in ((10, 0.05), (10, 0.1), (2, 0.5), (10, 1.0)):  # at 1 / n and below, beta would be none
        with pytest.raises(ArrayError, match=rf"1 / n < weight < 1, got n={n} and weight={weight}"):
            hopfield.beta_for(n, gap=0.5, weight=weight)
    with pytest.raises(BackendUnavailable, match=r"hopfield\.retrieve has no backend 'cuda' .*usable: .*reference"):
        hopfield.retrieve(rows, rows, beta=1, backend="cuda")
