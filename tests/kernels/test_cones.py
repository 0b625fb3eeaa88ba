import numpy as np
import pytest
from expectations import ODD_SIZES, ball, unit_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import backends, cones
from context_graph.kernels.reference import cones as reference
from context_graph.kernels.reference import poincare

COMPILED = [name for name in ("scalar", "avx2", "avx512") if backends()[name]["usable"]]

# Radians: sums in float64, one rounding to float32. n q - g² leaves 2e-8 near the axis.
ANGLE = {"rtol": 2e-7, "atol": 1e-7}

seeds = st.integers(0, 2**32)
widths = st.sampled_from([0.01, 0.1, 0.5, 2.0])


def inside_cones(rng, apexes, width):
    """For each apex a point in its cone, found by walking outwards at less than the aperture, float32."""
    x = apexes.astype(np.float64)
    size = np.linalg.norm(x, axis=1, keepdims=True)
    axis = np.divide(x, size, out=np.zeros_like(x), where=size > 0)
    aside = rng.standard_normal(x.shape)
    aside -= (aside * axis).sum(axis=1, keepdims=True) * axis
    aside /= np.maximum(np.linalg.norm(aside, axis=1, keepdims=True), 1e-30)
    angle = np.minimum(reference.aperture(apexes, width=width), 1.5)[:, None] * rng.uniform(-0.9, 0.9, size.shape)
    step = (np.cos(angle) * axis + np.sin(angle) * aside) * rng.uniform(0.05, 1.5, size.shape) * (1 - size**2)
    return poincare.project(poincare.exp_map(x, step), eps=1e-4).astype(np.float32)


@pytest.mark.parametrize("d", ODD_SIZES)
@pytest.mark.parametrize("width", [0.1, 0.5])
def test_energy_and_aperture_agree_with_their_definitions(backend, rng, d, width):
    apexes, points = ball(rng, 61, d), ball(rng, 61, d)
    points[:30] = inside_cones(rng, apexes[:30], width)
    found = cones.energy(apexes, points, width=width, backend=backend)
    assert found.shape == (61,) and found.dtype == np.float32
    assert_allclose(found, reference.energy(apexes, points, width=width), **ANGLE)
    assert_allclose(
        cones.aperture(apexes, width=width, backend=backend), reference.aperture(apexes, width=width), **ANGLE
    )


def test_the_definition_is_the_textbook_formula(rng):
    x, y = ball(rng, 200, 4, nearest_rim=0.1).astype(np.float64), ball(rng, 200, 4, nearest_rim=0.1).astype(np.float64)
    xy, xx, yy = ((a * b).sum(axis=1) for a, b in ((x, y), (x, x), (y, y)))
    under = np.sqrt(xx) * np.linalg.norm(x - y, axis=1) * np.sqrt(1 + xx * yy - 2 * xy)
    assert_allclose(reference.angle(x, y), np.arccos((xy * (1 + xx) - xx * (1 + yy)) / under), atol=1e-7)


@pytest.mark.parametrize("d", ODD_SIZES)
def test_a_pair_is_decided_as_its_definition_says_wherever_float64_can_tell(backend, rng, d):
    """Apexes at all depths, points in their cones, beside them and on their very edge."""
    apexes = ball(rng, 400, d, nearest_rim=1e-5)
    points = ball(rng, 400, d, nearest_rim=1e-5)
    points[:200] = inside_cones(rng, apexes[:200], 0.1)
    found = cones.contains(apexes, points, backend=backend)
    assert found.dtype == np.bool_ and 60 <= found[:200].sum() < 200
    margin = reference.angle(apexes, points) - reference.aperture(apexes)
    clear = abs(margin) > 1e-7
    assert_array_equal(found[clear], margin[clear] < 0)
    assert_array_equal(cones.energy(apexes, points, backend=backend)[clear] == 0, found[clear])


@settings(max_examples=60, deadline=None)
@given(seed=seeds, d=st.integers(1, 70), n=st.integers(1, 1200), width=widths)
def test_every_backend_decides_every_pair_alike(seed, d, n, width):
    rng = np.random.default_rng(seed)
    apexes = ball(rng, n, d, nearest_rim=1e-6)
    points = inside_cones(rng, apexes, width)
    points[::3] = ball(rng, len(points[::3]), d)
    points[::7] = apexes[::7]
    answers = [cones.contains(apexes, points, width=width, backend=backend) for backend in COMPILED]
    up = [cones.ancestors(points[:3], apexes, width=width, backend=backend) for backend in COMPILED]
    down = [cones.descendants(apexes[:3], points, width=width, backend=backend) for backend in COMPILED]
    for found in (answers, up, down):
        for other in found[1:]:
            assert_array_equal(other, found[0])
    assert answers[0][::7].all()


@pytest.mark.parametrize("d", ODD_SIZES)
def test_ancestors_and_descendants_are_contains_over_all(backend, rng, d):
    apexes = ball(rng, 1103, d)
    for q in (1, 3):
        points = inside_cones(rng, apexes[:q], 0.1)
        up = cones.ancestors(points, apexes, backend=backend)
        assert up.shape == (q, 1103) and up.dtype == np.bool_
        down = cones.descendants(apexes[:q], apexes, backend=backend)
        for j in range(q):
            here = points[j : j + 1].repeat(1103, 0)
            assert_array_equal(up[j], cones.contains(apexes, here, backend=backend))
            above = apexes[j : j + 1].repeat(1103, 0)
            assert_array_equal(down[j], cones.contains(above, apexes, backend=backend))
            assert up[j, j] and down[j, j]


@settings(max_examples=60, deadline=None)
@given(seed=seeds, d=st.integers(2, 40), n=st.integers(1, 60), width=widths)
def test_nested_cones_stay_nested(backend, seed, d, n, width):
    """x in the cone of u, u in the cone of w: then x is in the cone of w, but for the rounding of points to float32."""
    rng = np.random.default_rng(seed)
    w = ball(rng, n, d, nearest_rim=0.02)
    u = inside_cones(rng, w, width)
    x = inside_cones(rng, u, width)
    nested = cones.contains(w, u, width=width, backend=backend) & cones.contains(u, x, width=width, backend=backend)
    assert (cones.energy(w, x, width=width, backend=backend)[nested] <= 1e-5).all()


@settings(max_examples=40, deadline=None)
@given(seed=seeds, d=st.integers(1, 40), n=st.integers(1, 40), width=widths)
def test_the_whole_ball_and_the_apex_itself_are_inside(backend, seed, d, n, width):
    rng = np.random.default_rng(seed)
    points = ball(rng, n, d, nearest_rim=1e-5)
    least = 2 * width / (1 + np.sqrt(1 + 4 * width**2))
    centre = (unit_rows(rng, n, d) * least * rng.uniform(0, 0.999, (n, 1))).astype(np.float32)
    for apexes in (centre, np.zeros_like(points), points):
        assert cones.contains(apexes, points, width=width, backend=backend).all()
        assert_array_equal(cones.energy(apexes, points, width=width, backend=backend), 0)
    assert_allclose(cones.aperture(centre, width=width, backend=backend), np.pi, rtol=1e-7)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, d=st.integers(2, 40), n=st.integers(1, 40))
def test_a_wider_constant_never_loses_a_point(backend, seed, d, n):
    rng = np.random.default_rng(seed)
    apexes, points = ball(rng, n, d), ball(rng, n, d)
    points[::2] = inside_cones(rng, apexes[::2], 0.1)
    energies = [cones.energy(apexes, points, width=width, backend=backend) for width in (0.05, 0.1, 0.4)]
    assert (energies[0] >= energies[1] - 1e-7).all() and (energies[1] >= energies[2] - 1e-7).all()


def test_a_point_behind_or_at_a_hairs_breadth_is_told_apart(backend):
    apex = np.array([[0.5, 0.0]], np.float32)
    for step in (1e-3, 1e-6, 6e-8):
        for sign, wanted in ((1, True), (-1, False)):
            point = np.array([[0.5 + sign * step, 0.0]], np.float32)
            assert cones.contains(apex, point, backend=backend).tolist() == [wanted]
            assert cones.ancestors(point, apex, backend=backend).tolist() == [[wanted]]
            assert cones.descendants(apex, point, backend=backend).tolist() == [[wanted]]


def test_empty_inputs_are_legal(backend):
    none, one = np.zeros((0, 5), np.float32), np.zeros((1, 5), np.float32)
    assert cones.contains(none, none, backend=backend).shape == (0,)
    assert cones.energy(none, none, backend=backend).shape == (0,)
    assert cones.aperture(none, backend=backend).shape == (0,)
    for scan in (cones.ancestors, cones.descendants):
        assert scan(one, none, backend=backend).shape == (1, 0)
        assert scan(none, one, backend=backend).shape == (0, 1)
        assert scan(one, one, backend=backend).tolist() == [[True]]


def test_threads_change_nothing_and_rows_may_lie_apart(backend, rng):
    wide = ball(rng, 9000, 160)
    apexes, points = wide[:, 5:135], np.ascontiguousarray(wide[:7, 5:135])
    packed = np.ascontiguousarray(apexes)
    for scan in (cones.ancestors, cones.descendants):
        one = scan(points, apexes, backend=backend, threads=1)
        assert_array_equal(one, scan(points, packed, backend=backend, threads=2))
        assert_array_equal(one[3:4], scan(points[3:4], packed, backend=backend, threads=3))
        assert one.any(axis=1).all()
    for pairs in (cones.contains, cones.energy):
        assert_array_equal(
            pairs(apexes, apexes[::-1], backend=backend, threads=1),
            pairs(packed, packed[::-1], backend=backend, threads=2),
        )


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1.0, -3.0])
def test_points_outside_the_ball_are_refused(backend, bad):
    rows = np.full((40, 6), 0.1, np.float32)
    broken = rows.copy()
    broken[17, 2] = bad
    for pairs in (cones.contains, cones.energy):
        with pytest.raises(ArrayError, match=r"apexes must be finite and inside the unit ball, .* in row 17; poincare"):
            pairs(broken, rows, backend=backend)
        with pytest.raises(ArrayError, match=r"points must be finite and inside the unit ball"):
            pairs(rows, broken, backend=backend)
    with pytest.raises(ArrayError, match="apexes must be finite"):
        cones.aperture(broken, backend=backend)
    for scan, first, second in ((cones.ancestors, "points", "apexes"), (cones.descendants, "apexes", "points")):
        with pytest.raises(ArrayError, match=f"{second} must be finite and inside the unit ball, .* in row 17"):
            scan(rows[:1], broken, backend=backend)
        with pytest.raises(ArrayError, match=f"{first} must be finite and inside the unit ball, .* in row 0"):
            scan(broken[17:18], rows, backend=backend)


def test_messages_say_what_was_expected_what_came_and_what_to_do():
    rows = np.zeros((4, 3), np.float32)
    with pytest.raises(ArrayError, match=r"apexes must have dtype float32, got float64; cast it with apexes\.astype"):
        cones.contains(rows.astype(np.float64), rows)
    with pytest.raises(ArrayError, match=r"apexes and points must have the same shape, got \(4, 3\) and \(2, 3\)"):
        cones.energy(rows, rows[:2])
    with pytest.raises(ArrayError, match="points and apexes must have the same number of columns, got 2 and 3"):
        cones.ancestors(rows[:, :2], rows)
    for width in (0, -1.0, np.nan, np.inf):
        with pytest.raises(ArrayError, match="width must be finite and above 0"):
            cones.contains(rows, rows, width=width)
    with pytest.raises(BackendUnavailable, match=r"cones\.contains has no backend 'cuda' .*usable: .*reference"):
        cones.contains(rows, rows, backend="cuda")


@pytest.mark.parametrize("d", [1, 3, 63, 64, 65, 300, 1536])
@pytest.mark.parametrize("width", [0.02, 0.1, 0.8])
def test_an_index_answers_as_the_scans_do(backend, rng, d, width):
    """Rows at all depths, in the cones, beside them, on their very edge, and twice."""
    rows = ball(rng, 1500, d, nearest_rim=1e-6)
    rows[:400] = inside_cones(rng, rows[400:800], width)
    rows[900:1000] = rows[:100]
    asked = np.concatenate([rows[:3], rows[410:412], inside_cones(rng, rows[3:5], width), np.zeros((1, d), np.float32)])
    index = cones.Index(d, backend=backend)
    for first, last in ((0, 0), (0, 700), (700, 1500)):
        index.append(rows[first:last])
    for name in ("ancestors", "descendants"):
        for threads in (1, 3):
            found = getattr(index, name)(asked, width=width, threads=threads)
            assert found.dtype == np.bool_
            assert_array_equal(found, getattr(cones, name)(asked, rows, width=width, backend=backend))
    assert len(index) == 1500 and index.nbytes >= rows.nbytes


@settings(max_examples=60, deadline=None)
@given(seed=seeds, d=st.integers(1, 140), n=st.integers(1, 400), width=widths, size=st.floats(1e-12, 1))
def test_codes_decide_no_pair_otherwise(seed, d, n, width, size):
    """Points of one length, or near the centre, whose products with each other float32 can hardly tell apart."""
    rng = np.random.default_rng(seed)
    apexes = ball(rng, n, d, nearest_rim=1e-6) * np.float32(size)
    rows = np.concatenate([apexes, inside_cones(rng, apexes, width), ball(rng, n, d) * np.float32(size)])
    for backend in COMPILED:
        index = cones.Index(d, backend=backend)
        index.append(rows)
        for name in ("ancestors", "descendants"):
            wanted = getattr(cones, name)(rows[: 2 * n : n], rows, width=width, backend="scalar")
            assert_array_equal(getattr(index, name)(rows[: 2 * n : n], width=width), wanted)


def test_an_index_reads_few_rows_in_full_and_takes_other_rows_in(backend, rng):
    rows, index = ball(rng, 20_000, 64), cones.Index(64, backend=backend)
    index.reserve(20_000)
    assert index.append(rows).tolist() == [*range(20_000)]
    held = index.ancestors(rows[:1])
    assert held[0, 0] and (index.rescored < 200 or backend in ("reference", "scalar"))
    ids, others = np.array([7, 19_999]), np.stack([0.3 * rows[0], -rows[0]])
    index.replace(ids, others)
    assert_array_equal(index.rows(ids), others)
    rows[ids] = others
    assert_array_equal(index.ancestors(rows[:2]), cones.ancestors(rows[:2], rows, backend=backend))


def test_an_index_refuses_what_is_not_in_the_ball(backend):
    index = cones.Index(6, backend=backend)
    rows = np.full((4, 6), 0.1, np.float32)
    index.append(rows)
    for bad in (np.nan, np.inf, 1.0):
        broken = rows.copy()
        broken[2, 3] = bad
        with pytest.raises(ArrayError, match=r"rows must be finite and inside the unit ball, .* in row 2"):
            index.append(broken)
        with pytest.raises(ArrayError, match=r"rows must be finite and inside the unit ball, .* in row 2"):
            index.replace([0, 1, 2, 3], broken)
        with pytest.raises(ArrayError, match=r"points must be finite and inside the unit ball, .* in row 2"):
            index.ancestors(broken)
        with pytest.raises(ArrayError, match=r"apexes must be finite and inside the unit ball, .* in row 2"):
            index.descendants(broken)
    assert len(index) == 4
    with pytest.raises(ArrayError, match="rows must have one row per id, got 4 rows for 1 ids"):
        index.replace([0], rows)
    with pytest.raises(ArrayError, match="width must be finite and above 0"):
        index.ancestors(rows, width=0)
    with pytest.raises(ArrayError, match="dim must be at least 1, got 0"):
        cones.Index(0)
