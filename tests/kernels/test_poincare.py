import numpy as np
import pytest
from expectations import EXACT, ODD_SIZES, ball, unit_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import backends, poincare
from context_graph.kernels.reference import poincare as reference

COMPILED = [name for name in ("scalar", "avx2", "avx512") if backends()[name]["usable"]]

# A float32 sum of squares, the slacks' last bits, a logarithm: 2e-7 seen; nothing is added, so 0 is 0.
LENGTH = {"rtol": 1e-6, "atol": 0}
# A point of the unit ball rounded once; its sums are float64.
POINT = {"rtol": 1e-6, "atol": 2e-7}

seeds = st.integers(0, 2**32)
curvatures = st.sampled_from([0.01, 0.5, 1.0, 3.0])


def scaled(points, curvature):
    """Points of the unit ball as points of the ball of this curvature."""
    return (points / np.float32(np.sqrt(curvature))).astype(np.float32)


@pytest.mark.parametrize("d", ODD_SIZES)
@pytest.mark.parametrize("curvature", [1.0, 0.3])
def test_distance_agrees_with_its_definition(backend, rng, d, curvature):
    x, y = scaled(ball(rng, 37, d), curvature), scaled(ball(rng, 37, d), curvature)
    found = poincare.distance(x, y, curvature=curvature, backend=backend)
    assert found.shape == (37,) and found.dtype == np.float32
    assert_allclose(found, reference.distance(x, y, curvature=curvature), **LENGTH)


def test_the_definition_is_the_textbook_formula(rng):
    x, y = ball(rng, 100, 5).astype(np.float64), ball(rng, 100, 5).astype(np.float64)
    key = ((x - y) ** 2).sum(1) / ((1 - (x**2).sum(1)) * (1 - (y**2).sum(1)))
    assert_allclose(reference.distance(x, y), np.arccosh(1 + 2 * key), rtol=1e-9)


@pytest.mark.parametrize("radius", [0.0, 0.5, 0.9, 0.99, 0.999, 0.99999])
@pytest.mark.parametrize("size", [1e-6, 1e-4, 3e-4, 1e-2, 1.0])
def test_small_distances_keep_their_digits_at_every_depth(backend, rng, radius, size):
    x = (unit_rows(rng, 40, 64) * radius).astype(np.float32)
    step = unit_rows(rng, 40, 64) * size * (1 - radius**2) / 2
    y = poincare.project((x + step).astype(np.float32), eps=1e-6, backend=backend)
    found = poincare.distance(x, y, backend=backend)
    assert_allclose(found, reference.distance(x, y), **LENGTH)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, d=st.integers(1, 70), n=st.integers(1, 40), curvature=curvatures)
def test_distance_is_symmetric_to_the_last_bit_and_zero_only_for_equals(backend, seed, d, n, curvature):
    rng = np.random.default_rng(seed)
    x, y = (scaled(ball(rng, n, d, nearest_rim=1e-5), curvature) for _ in range(2))
    there = poincare.distance(x, y, curvature=curvature, backend=backend)
    assert_array_equal(there, poincare.distance(y, x, curvature=curvature, backend=backend))
    assert_array_equal(poincare.distance(x, x, curvature=curvature, backend=backend), 0)
    assert ((there > 0) == (x != y).any(axis=1)).all()


@settings(max_examples=40, deadline=None)
@given(seed=seeds, d=st.integers(1, 70), n=st.integers(1, 40))
def test_distance_obeys_the_triangle_inequality(backend, seed, d, n):
    rng = np.random.default_rng(seed)
    x, y, z = (ball(rng, n, d, nearest_rim=1e-5) for _ in range(3))
    way, first, second = (poincare.distance(a, b, backend=backend) for a, b in ((x, z), (x, y), (y, z)))
    assert (way <= (first + second) * (1 + 2e-6)).all()


@pytest.mark.parametrize("d", ODD_SIZES)
def test_distances_and_nearest_have_the_bits_of_distance(backend, rng, d):
    rows, slow = ball(rng, 1103, d), backend == "reference"
    for q in (1, 2, 5):
        queries = ball(rng, q, d)
        wanted = [poincare.distance(query[None].repeat(1103, 0), rows, backend=backend) for query in queries]
        assert_array_equal(poincare.distances(queries, rows, backend=backend), wanted)
        found, ids = poincare.nearest(queries, rows, 20, backend=backend)
        assert_array_equal(found, np.take_along_axis(np.array(wanted), ids, axis=1))
        assert_allclose(found, np.sort(wanted, axis=1)[:, :20], **(EXACT if slow else LENGTH))


@settings(max_examples=40, deadline=None)
@given(seed=seeds, d=st.integers(1, 40), n=st.integers(0, 300), k=st.integers(0, 12), curvature=curvatures)
def test_an_index_answers_as_the_plain_scan(backend, seed, d, n, k, curvature):
    rng = np.random.default_rng(seed)
    rows, queries = scaled(ball(rng, n, d), curvature), scaled(ball(rng, 3, d), curvature)
    mask = rng.random(n) < 0.7
    index = poincare.Index(d, curvature=curvature, backend=backend)
    index.reserve(n // 3)
    for start in range(0, n, 70):
        index.append(rows[start : start + 70])
    assert len(index) == n
    for part in range(2):
        assert_array_equal(
            index.nearest(queries, k, mask=mask)[part],
            poincare.nearest(queries, rows, k, mask=mask, curvature=curvature, backend=backend)[part],
        )
    assert_array_equal(
        index.distances(queries), poincare.distances(queries, rows, curvature=curvature, backend=backend)
    )


@settings(max_examples=60, deadline=None)
@given(seed=seeds, d=st.integers(1, 80), n=st.integers(0, 3000), k=st.integers(0, 40), curvature=curvatures)
def test_screening_by_halves_never_changes_the_answer(seed, d, n, k, curvature):
    rng = np.random.default_rng(seed)
    rows = ball(rng, n, d, nearest_rim=1e-5)
    if n > 9:
        rows[n // 2 :] = rows[3] * np.float32(0.999)  # ties, and a crowd that halves cannot tell apart
        rows[n // 3 : n // 2] = np.clip(rows[4] + rng.standard_normal(d) * 1e-4, -0.1, 0.1) / np.sqrt(d)
    rows, queries = scaled(rows, curvature), scaled(np.concatenate([ball(rng, 2, d), rows[:1] * 0.5]), curvature)
    mask = rng.random(n) < 0.7
    for backend in COMPILED:
        plain = poincare.Index(d, curvature=curvature, backend=backend)
        screened = poincare.Index(d, curvature=curvature, backend=backend, screened=True)
        for start in range(0, n, 1000):
            plain.append(rows[start : start + 1000])
            screened.append(rows[start : start + 1000])
        if n > 20:
            plain.replace([2, 20], -rows[[3, 4]])
            screened.replace([2, 20], -rows[[3, 4]])
        for visible in (None, mask):
            wanted, wanted_ids = plain.nearest(queries, k, mask=visible)
            for threads in (1, 2):
                found, ids = screened.nearest(queries, k, mask=visible, threads=threads)
                assert_array_equal(ids, wanted_ids)
                assert_array_equal(found, wanted)


def test_screening_reads_few_rows_in_full(rng):
    index = poincare.Index(64, screened=True)
    index.append(ball(rng, 20_000, 64))
    index.nearest(ball(rng, 1, 64), 10)
    assert 10 <= index.rescored < 500
    assert index.nbytes == 20_000 * (64 * 4 + 4 + 64 * 2)


def test_an_index_gives_rows_back_and_replaces_them(backend, rng):
    rows = ball(rng, 90, 24)
    index = poincare.Index(24, backend=backend)
    assert index.append(rows[:80]).tolist() == list(range(80))
    index.append(rows[80:])
    index.replace([3, 85], -rows[[3, 85]])
    rows[[3, 85]] *= -1
    assert_array_equal(index.rows([85, 3, 3]), rows[[85, 3, 3]])
    padded = 32 if index.device is None else 24  # to a cache line, or to 16 bytes
    assert index.nbytes == 90 * (padded + 1) * 4
    found, ids = index.nearest(rows[[85]], 1)
    assert ids.tolist() == [[85]] and found[0, 0] == 0
    with pytest.raises(ArrayError, match="one row per id, got 2 rows for 1 ids"):
        index.replace([3], rows[:2])


def test_rows_start_on_cache_lines():
    index = poincare.Index(5)
    index.append(np.zeros((3, 5), np.float32))
    rows = index._columns.part("rows", slice(3))
    assert rows.ctypes.data % 64 == 0 and rows.strides[0] % 64 == 0


@pytest.mark.parametrize("d", ODD_SIZES)
@pytest.mark.parametrize("curvature", [1.0, 0.3])
def test_maps_agree_with_their_definitions(backend, rng, d, curvature):
    x, y = scaled(ball(rng, 37, d, nearest_rim=1e-2), curvature), scaled(ball(rng, 37, d, nearest_rim=1e-2), curvature)
    v = unit_rows(rng, 37, d) * rng.uniform(0, 2, (37, 1)).astype(np.float32) * (1 - curvature * (x**2).sum(1))[:, None]
    for name, second in (("exp_map", v.astype(np.float32)), ("log_map", y), ("mobius_add", y)):
        found = getattr(poincare, name)(x, second, curvature=curvature, backend=backend)
        wanted = getattr(reference, name)(x, second, curvature=curvature)
        assert found.shape == x.shape and found.dtype == np.float32
        assert_allclose(found, wanted, err_msg=name, **POINT)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, d=st.integers(1, 40), n=st.integers(1, 30), curvature=curvatures)
def test_exp_and_log_undo_each_other(backend, seed, d, n, curvature):
    """As far as float32 can tell: a point rounded to float32 has moved by 6e-8 / (1 - |x|²) in this metric."""
    rng = np.random.default_rng(seed)
    x, y = (scaled(ball(rng, n, d, nearest_rim=1e-2), curvature) for _ in range(2))
    options = {"curvature": curvature, "backend": backend}
    v = poincare.log_map(x, y, **options)
    moved = poincare.distance(y, poincare.exp_map(x, v, **options), **options)
    assert (moved * np.sqrt(curvature) <= 2e-4).all()
    # |v| in the metric at x is the distance.
    length = 2 * np.linalg.norm(v.astype(np.float64), axis=1) / reference.slack(x, curvature=curvature)
    assert_allclose(length, reference.distance(x, y, curvature=curvature), rtol=1e-6)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, d=st.integers(1, 40), n=st.integers(1, 30), curvature=curvatures)
def test_moebius_addition_has_a_zero_and_inverses_and_keeps_distances(backend, seed, d, n, curvature):
    rng = np.random.default_rng(seed)
    x, y, z = (scaled(ball(rng, n, d, nearest_rim=0.1), curvature) for _ in range(3))
    options = {"curvature": curvature, "backend": backend}
    nothing = np.zeros_like(x)
    assert_allclose(poincare.mobius_add(x, nothing, **options), x, **EXACT)
    assert_allclose(poincare.mobius_add(nothing, x, **options), x, **EXACT)
    assert_allclose(poincare.mobius_add(-x, x, **options), 0, atol=0 if backend != "reference" else 1e-15)
    there, back = poincare.mobius_add(z, x, **options), poincare.mobius_add(z, y, **options)
    assert_allclose(poincare.distance(there, back, **options), poincare.distance(x, y, **options), rtol=1e-4, atol=1e-4)


def test_a_way_of_no_length_leads_nowhere(backend):
    x = np.array([[0.0, 0.0], [0.3, -0.4], [0.0, 0.999]], np.float32)
    assert_array_equal(poincare.exp_map(x, np.zeros_like(x), backend=backend), x)
    assert_array_equal(poincare.log_map(x, x, backend=backend), np.zeros_like(x))


def test_no_map_leaves_the_ball(backend):
    x = np.array([[0.999, 0.0], [0.0, 0.0], [0.7, 0.7]], np.float32)
    far = np.array([[5.0, 1.0], [1e30, -1e30], [1e-30, 0.0]], np.float32)
    moved = poincare.exp_map(x, far, backend=backend)
    added = poincare.mobius_add(x, x, backend=backend)
    for points in (moved, added):
        assert (reference.slack(points) >= 1.9e-6).all()
    assert_array_equal(moved[2], x[2])
    assert poincare.distance(moved, added, backend=backend).dtype == np.float32


@settings(max_examples=40, deadline=None)
@given(seed=seeds, d=st.integers(1, 40), curvature=curvatures, eps=st.sampled_from([1e-6, 1e-5, 0.01, 0.5]))
def test_projection_moves_strays_only_and_once(backend, seed, d, curvature, eps):
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal((30, d)) * 10.0 ** rng.uniform(-3, 3, (30, 1))).astype(np.float32)
    found = poincare.project(x, curvature=curvature, eps=eps, backend=backend)
    assert_allclose(found, reference.project(x, curvature=curvature, eps=eps), rtol=1e-6, atol=1e-30)
    inside = np.sqrt(curvature) * np.linalg.norm(x.astype(np.float64), axis=1) <= 1 - eps
    assert_array_equal(found[inside], x[inside])
    assert_array_equal(poincare.project(found, curvature=curvature, eps=eps, backend=backend), found)
    assert (np.sqrt(curvature) * np.linalg.norm(found.astype(np.float64), axis=1) <= 1 - eps).all()


def test_ties_go_to_the_lowest_id(backend):
    rows = np.full((900, 3), 0.5, np.float32)
    rows[400] = 0
    found, ids = poincare.nearest(np.zeros((1, 3), np.float32), rows, 4, backend=backend)
    assert ids.tolist() == [[400, 0, 1, 2]]
    assert found[0, 0] == 0 and len(set(found[0, 1:].tolist())) == 1


def test_empty_inputs_and_k_beyond_the_rows(backend):
    none, one = np.zeros((0, 5), np.float32), np.zeros((1, 5), np.float32)
    assert poincare.distance(none, none, backend=backend).shape == (0,)
    assert poincare.distances(one, none, backend=backend).shape == (1, 0)
    assert poincare.distances(none, one, backend=backend).shape == (0, 1)
    for name in ("exp_map", "log_map", "mobius_add"):
        assert getattr(poincare, name)(none, none, backend=backend).shape == (0, 5)
    assert poincare.project(none, backend=backend).shape == (0, 5)
    found, ids = poincare.nearest(one, one, 3, backend=backend)
    assert ids.tolist() == [[0, -1, -1]] and found.tolist() == [[0, np.inf, np.inf]]
    assert poincare.nearest(one, none, 1, backend=backend)[1].tolist() == [[-1]]
    assert poincare.Index(5, backend=backend).nearest(one, 2)[1].tolist() == [[-1, -1]]


def test_threads_and_batches_change_no_bit(backend, rng):
    rows, queries = ball(rng, 9000, 130), ball(rng, 9, 130)
    index = poincare.Index(130, backend=backend)
    index.append(rows)
    one, two = index.nearest(queries, 9, threads=1), index.nearest(queries, 9, threads=2)
    alone = [index.nearest(queries[j : j + 1], 9, threads=3) for j in range(9)]
    for part in (0, 1):
        assert_array_equal(one[part], two[part])
        assert_array_equal(one[part], np.concatenate([answer[part] for answer in alone]))
    assert_array_equal(index.distances(queries, threads=1), index.distances(queries, threads=2))
    other = rows[::-1]
    for name in ("distance", "exp_map", "log_map", "mobius_add"):
        function = getattr(poincare, name)
        assert_array_equal(*(function(rows, other, backend=backend, threads=threads) for threads in (1, 2)))


def test_rows_that_lie_apart_give_the_same_answer(backend, rng):
    wide = ball(rng, 40, 64)
    queries = ball(rng, 2, 20)
    for view in (wide[:, 8:28], wide[::3, :20], wide[::-1, :20], np.asfortranarray(wide)[:, :20]):
        packed = np.ascontiguousarray(view)
        assert_array_equal(
            poincare.nearest(queries, view, 3, backend=backend), poincare.nearest(queries, packed, 3, backend=backend)
        )
        for name in ("distance", "exp_map", "log_map", "mobius_add"):
            function = getattr(poincare, name)
            assert_array_equal(
                function(view, view[::-1], backend=backend), function(packed, packed[::-1], backend=backend)
            )
        assert_array_equal(poincare.project(view, eps=0.5, backend=backend), poincare.project(packed, eps=0.5))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1.0, -3.0])
def test_points_outside_the_ball_are_refused(backend, bad):
    rows = np.zeros((40, 6), np.float32)
    broken = rows.copy()
    broken[17, 2] = bad
    for name in ("distance", "log_map", "mobius_add"):
        for first, second, which in ((broken, rows, "x"), (rows, broken, "y")):
            with pytest.raises(ArrayError, match=rf"{which} must be finite and inside the ball.* in row 17; project"):
                getattr(poincare, name)(first, second, backend=backend)
    with pytest.raises(ArrayError, match="x must be finite and inside the ball"):
        poincare.exp_map(broken, rows, backend=backend)
    for name, arguments in (("distances", ()), ("nearest", (1,))):
        with pytest.raises(ArrayError, match="rows must be finite and inside the ball"):
            getattr(poincare, name)(rows[:1], broken, *arguments, backend=backend)
        with pytest.raises(ArrayError, match="queries must be finite and inside the ball"):
            getattr(poincare, name)(broken[17:18], rows, *arguments, backend=backend)
    index = poincare.Index(6, backend=backend)
    with pytest.raises(ArrayError, match="rows must be finite and inside the ball"):
        index.append(broken)
    assert len(index) == 0
    if not np.isfinite(bad):
        with pytest.raises(ArrayError, match="v must be finite"):
            poincare.exp_map(rows, broken, backend=backend)
        with pytest.raises(ArrayError, match="x must be finite"):
            poincare.project(broken, backend=backend)


def test_messages_say_what_was_expected_what_came_and_what_to_do():
    rows = np.zeros((4, 3), np.float32)
    with pytest.raises(ArrayError, match=r"x must have dtype float32, got float64; cast it with x\.astype"):
        poincare.distance(rows.astype(np.float64), rows)
    with pytest.raises(ArrayError, match=r"x and y must have the same shape, got \(4, 3\) and \(2, 3\)"):
        poincare.distance(rows, rows[:2])
    with pytest.raises(ArrayError, match=r"x and v must have the same shape"):
        poincare.exp_map(rows, rows[:2])
    with pytest.raises(ArrayError, match="queries and rows must have the same number of columns, got 2 and 3"):
        poincare.nearest(rows[:, :2], rows, 1)
    for curvature in (0, -1.0, np.nan, np.inf):
        with pytest.raises(ArrayError, match="curvature must lie in"):
            poincare.distance(rows, rows, curvature=curvature)
    with pytest.raises(ArrayError, match=r"eps must lie in \[1e-06, 1\), got 0"):
        poincare.project(rows, eps=0)
    with pytest.raises(ArrayError, match="mask must have 4 entries, got 3"):
        poincare.nearest(rows, rows, 1, mask=np.ones(3, bool))
    with pytest.raises(ArrayError, match="a screened index needs a curvature of at least 1e-09, got 1e-10"):
        poincare.Index(3, curvature=1e-10, screened=True)
    with pytest.raises(ArrayError, match="dim must be at least 1"):
        poincare.Index(0)
    with pytest.raises(BackendUnavailable, match=r"poincare\.distance has no backend 'cuda' .*usable: .*reference"):
        poincare.distance(rows, rows, backend="cuda")
