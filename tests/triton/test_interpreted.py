"""Triton kernels against the definitions, by Triton's interpreter on the CPU, or on a card with TRITON_INTERPRET=0."""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from expectations import EXACT, REDUCTION, ROUNDING, ball, edges, unit_rows
from numpy.testing import assert_allclose, assert_array_equal

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("triton", reason="triton is not installed")

from context_graph import kernels  # noqa: E402
from context_graph.errors import ArrayError, BackendUnavailable  # noqa: E402
from context_graph.kernels import hdc as bits  # noqa: E402
from context_graph.kernels.triton import (  # noqa: E402
    cones,
    fusemoe,
    hdc,
    hebbian,
    hopfield,
    maxsim,
    modulation,
    poincare,
)
from tests.triton.tensors import DEVICE, on  # noqa: E402

FAMILIES = ("cones", "fusemoe", "hebbian", "hopfield", "maxsim", "modulation", "poincare")
reference = SimpleNamespace(**{name: import_module(f"context_graph.kernels.reference.{name}") for name in FAMILIES})
SIZES = pytest.mark.parametrize("d", [1, 3, 16, 65, 200])


@pytest.fixture
def rng():
    return np.random.default_rng(20261121)


@SIZES
def test_distances_in_the_ball(rng, d):
    x, y = ball(rng, 9, d), ball(rng, 9, d)
    for c in (1.0, 0.7):
        found = poincare.distance(*on(x, y), curvature=c).cpu()
        assert_allclose(found, reference.poincare.distance(x, y, curvature=c), **ROUNDING)
        found = poincare.distances(*on(x[:3], y), curvature=c).cpu()
        assert_allclose(found, reference.poincare.distances(x[:3], y, curvature=c), **ROUNDING)


def test_distances_keep_their_digits_where_points_are_close_and_near_the_rim(rng):
    x = ball(rng, 8, 6, nearest_rim=1e-5)
    y = (x * (1 - 1e-5)).astype(np.float32)
    assert_allclose(poincare.distance(*on(x, y)).cpu(), reference.poincare.distance(x, y), rtol=1e-6)
    assert poincare.distance(*on(x, x)).cpu().tolist() == [0.0] * 8
    with pytest.raises(ArrayError, match="inside the ball"):
        poincare.distance(*on(x / x, x))


@SIZES
def test_cones_decide_as_defined(rng, d):
    x, y = ball(rng, 12, d, nearest_rim=0.01), ball(rng, 12, d, nearest_rim=0.01)
    y[:6] = x[:6] + (1 - np.linalg.norm(x[:6], axis=1, keepdims=True)) * 0.5 * x[:6]  # outward: inside
    y[0], x[1] = x[0], 0
    assert_array_equal(cones.contains(*on(x, y)).cpu(), reference.cones.contains(x, y))
    assert_array_equal(cones.ancestors(*on(y[:4], x)).cpu(), reference.cones.ancestors(y[:4], x))
    assert_array_equal(cones.descendants(*on(x[:4], y)).cpu(), reference.cones.descendants(x[:4], y))
    assert_allclose(cones.energy(*on(x, y)).cpu(), reference.cones.energy(x, y), rtol=1e-5, atol=1e-6)
    assert_allclose(cones.aperture(on(x)).cpu(), reference.cones.aperture(x), **ROUNDING)
    with pytest.raises(ArrayError, match="inside the ball"):
        cones.contains(*on(x, y * 0 + 2))


@SIZES
@pytest.mark.parametrize("n", [1, 5, 300])
def test_hopfield_retrieves(rng, d, n):
    queries, patterns = unit_rows(rng, 2, d), unit_rows(rng, n, d)
    for beta, steps in ((1.0, 1), (100.0, 2)):
        wanted = reference.hopfield.retrieve(queries, patterns, beta=beta, steps=steps)
        found = hopfield.retrieve(*on(queries, patterns), beta=beta, steps=steps)
        for part, expected in zip(found, wanted, strict=True):
            assert_allclose(part.cpu(), expected, rtol=1e-4, atol=2e-5)


def test_hopfield_hides_and_says_when_nothing_is_left(rng):
    queries, patterns = unit_rows(rng, 2, 16), unit_rows(rng, 20, 16)
    mask = rng.random(20) < 0.5
    wanted = reference.hopfield.retrieve(queries, patterns, beta=4.0, mask=mask)
    found = hopfield.retrieve(*on(queries, patterns), beta=4.0, mask=on(mask))
    assert_allclose(found[0].cpu(), wanted[0], **REDUCTION)
    nothing = hopfield.retrieve(*on(queries, patterns), beta=4.0, mask=on(np.zeros(20, bool)))
    assert not nothing[0].any() and torch.isneginf(nothing[1]).all()
    halves = hopfield.retrieve(*on(queries, patterns.astype(np.float16)), beta=4.0)
    assert_allclose(halves[0].cpu(), hopfield.retrieve(*on(queries, patterns), beta=4.0)[0].cpu(), atol=2e-3)
    with pytest.raises(ArrayError, match="at least one row"):
        hopfield.retrieve(*on(queries, patterns[:0]), beta=1.0)
    for steps, wrong in ((1.5, "an integer, got 1.5"), ("2", "an integer, got '2'"), (0, "1 or more, got 0")):
        with pytest.raises(ArrayError, match=f"steps must be {wrong}"):
            hopfield.retrieve(*on(queries, patterns), beta=1.0, steps=steps)
    with pytest.raises(ArrayError, match="finite"):
        hopfield.retrieve(*on(queries * np.nan, patterns), beta=1.0)


@SIZES
@pytest.mark.parametrize("kind", ["laplace", "softmax", "cosine"])
def test_gates_choose(rng, d, kind):
    x, experts = rng.standard_normal((4, d)).astype(np.float32), rng.standard_normal((13, d)).astype(np.float32)
    present = rng.random((4, 13)) < 0.4
    present[1] = False
    for options in ({}, {"k": 20}, {"present": present}, {"present": present[0], "temperature": 0.5}):
        wanted, ids = reference.fusemoe.gate(x, experts, kind=kind, **options)
        given = {name: on(value) if name == "present" else value for name, value in options.items()}
        found, found_ids = fusemoe.gate(*on(x, experts), kind=kind, **given)
        assert_array_equal(found_ids.cpu(), ids)
        assert_allclose(found.cpu(), wanted, rtol=1e-4, atol=1e-6)


def test_equal_experts_are_taken_in_order():
    assert fusemoe.gate(*on(np.zeros((1, 3), np.float32), np.ones((5, 3), np.float32)), k=3)[1].tolist() == [[0, 1, 2]]


@pytest.mark.parametrize("per_expert", [False, True])
def test_experts_are_added_up(rng, per_expert):
    shape = (3, 5, 37) if per_expert else (3, 37)
    inputs, projections = rng.standard_normal(shape).astype(np.float32), rng.standard_normal((5, 20, 37), np.float32)
    ids, weights = np.array([[4, 0], [2, -1], [-1, -1]]), rng.random((3, 2), np.float32)
    bias = rng.random((5, 20), np.float32)
    for b in (None, bias):
        wanted = reference.fusemoe.fuse(inputs, projections, ids, weights, bias=b)
        found = fusemoe.fuse(*on(inputs, projections, ids, weights), bias=None if b is None else on(b))
        assert_allclose(found.cpu(), wanted, rtol=1e-4, atol=1e-4)
    with pytest.raises(ArrayError, match=r"ids must lie in \[-1, 5\), got 0 to 9"):
        fusemoe.fuse(*on(inputs, projections, np.array([[0, 9]] * 3), weights))


def test_bits_are_counted(rng):
    x = bits.items(np.arange(40), seed=3)
    y = np.roll(x, 1, axis=0)
    given = on(x.view(np.int64), y.view(np.int64))
    assert_array_equal(hdc.hamming(*given).cpu(), bits.hamming(x, y, backend="reference"))
    assert_array_equal(hdc.distances(given[0][:3], given[1]).cpu(), bits.distances(x[:3], y, backend="reference"))
    assert_array_equal(hdc.bind(*given).cpu().numpy().view(np.uint64), bits.bind(x, y))


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_edges_weigh(rng, dtype):
    base, kinds = rng.random(1500, np.float32), rng.integers(0, 256, (3, 1500), dtype=np.uint8)
    kinds = kinds if dtype == np.uint8 else (kinds / 255).astype(np.float32)
    found = modulation.effective_weight(*on(base, *kinds)).cpu()
    assert_allclose(found, reference.modulation.effective_weight(base, *kinds), **ROUNDING)
    with pytest.raises(ArrayError, match="not finite"):
        modulation.effective_weight(*on(base * np.nan, *kinds))


def test_nodes_receive(rng):
    offsets, sources = edges(rng, 40, 900)
    weights, activation = rng.random(900, np.float32), rng.random(40, np.float32)
    targets = np.repeat(np.arange(40), np.diff(offsets))
    wanted = np.bincount(targets, weights.astype(np.float64) * activation[sources], 40)
    found = modulation.flow(*on(offsets, sources.astype(np.int32), weights, activation)).cpu()
    assert_allclose(found, wanted, **REDUCTION)


@pytest.mark.parametrize("rule", ["plain", "soft", "oja"])
def test_edges_learn(rng, rule):
    offsets, targets = edges(rng, 30, 1300)
    weights, (pre, post) = rng.random(1300, np.float32), rng.standard_normal((2, 30)).astype(np.float32)
    how = {"rule": rule, "rate": 0.3, "decay": 0.05, "least": 0.1, "most": 0.9}
    wanted = reference.hebbian.update(weights, offsets, targets, pre, post, **how, normalise=False)
    sources = np.repeat(np.arange(30), np.diff(offsets)).astype(np.int32)
    given = on(weights, sources, targets.astype(np.int32), pre, post)
    assert hebbian.update(*given, **how) is given[0]
    assert_allclose(given[0].cpu(), wanted, **ROUNDING)
    with pytest.raises(ArrayError, match="no weight was changed"):
        hebbian.update(*given[:3], given[3] * np.inf, given[4])


@pytest.mark.parametrize("d", [1, 16, 65, pytest.param(1536, marks=pytest.mark.long)])
def test_documents_are_scored_by_their_best_tokens(rng, d):
    query, tokens = unit_rows(rng, 35, d), unit_rows(rng, 90, d)
    offsets = np.array([0, 1, 1, 50, 90])
    wanted = reference.maxsim.maxima(query, tokens, offsets)
    assert_allclose(maxsim.maxima(*on(query, tokens, offsets)).cpu(), wanted, **REDUCTION)
    weights = rng.random(35, np.float32)
    wanted = reference.maxsim.score(query, tokens, offsets, weights=weights)
    found = maxsim.score(*on(query, tokens, offsets), weights=on(weights))
    assert_allclose(found.cpu(), wanted, rtol=1e-5, atol=1e-4)
    with pytest.raises(ArrayError, match="offsets must rise from 0 to the 90 tokens"):
        maxsim.maxima(*on(query, tokens, offsets[:-1]))


def test_nothing_in_is_nothing_out():
    none = on(np.zeros((0, 4), np.float32))
    some = on(np.full((2, 4), 0.1, np.float32))
    assert poincare.distance(none, none).shape == (0,) and poincare.distances(none, some).shape == (0, 2)
    assert cones.contains(none, none).shape == (0,) and cones.ancestors(some, none).shape == (2, 0)
    assert hopfield.retrieve(none, some, beta=1.0)[0].shape == (0, 4)
    assert fusemoe.gate(none, some)[0].shape == (0, 4) and fusemoe.gate(some, none)[1].tolist() == [[-1] * 4] * 2
    assert maxsim.maxima(some, none, on(np.zeros(3, np.int64))).isneginf().all()


def test_what_is_wrong_is_said():
    rows = on(np.full((2, 4), 0.1, np.float32))
    with pytest.raises(ArrayError, match="y must have dtype float32, got float64"):
        poincare.distance(rows, rows.double())
    with pytest.raises(ArrayError, match=r"y must have shape \(2, 4\), got \(1, 4\)"):
        poincare.distance(rows, rows[:1])
    with pytest.raises(ArrayError, match="y must be a torch tensor beside the others, got ndarray"):
        poincare.distance(rows, np.zeros((2, 4), np.float32))


def test_public_functions_lead_here(rng):
    x, y = ball(rng, 5, 8), ball(rng, 5, 8)
    backend = "triton"
    found = kernels.poincare.distance(*on(x, y), curvature=0.5, backend=backend)
    assert found.device.type == DEVICE
    assert_allclose(found.cpu(), reference.poincare.distance(x, y, curvature=0.5), **ROUNDING)
    ids = kernels.fusemoe.gate(*on(x, y), k=2, backend=backend)[1].cpu()
    assert_array_equal(ids, reference.fusemoe.gate(x, y, k=2)[1])
    with pytest.raises(BackendUnavailable, match=r"poincare\.nearest has no kernel in Triton; it has dist"):
        kernels.poincare.nearest(*on(x, y), 2, backend=backend)
    with pytest.raises(BackendUnavailable, match=r"hebbian\.update in Triton takes weights, sources, .* got offsets"):
        kernels.hebbian.update(*on(x[0], np.arange(9), np.arange(8) % 5, x[:, 0], x[:, 1]), backend=backend)
    with pytest.raises(BackendUnavailable, match="it takes torch tensors"):
        kernels.poincare.distance(x, y, backend="triton")
    assert kernels.backends()["triton"] == {"usable": True, "reason": ""}


def test_equal_scores_come_out_equal_and_runs_repeat(rng):
    queries, patterns = on(unit_rows(rng, 2, 16), np.tile(unit_rows(rng, 1, 16), (300, 1)))
    first, again = (hopfield.retrieve(queries, patterns, beta=9.0) for _ in range(2))
    assert_allclose(first[0].cpu(), patterns[:1].expand(2, -1).cpu(), rtol=1e-5, atol=1e-6)
    assert_allclose(first[0].cpu(), again[0].cpu(), **EXACT)
