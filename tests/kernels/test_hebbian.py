import numpy as np
import pytest
from expectations import ROUNDING, edges
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import hebbian, modulation
from context_graph.kernels.reference import hebbian as reference

each_rule = pytest.mark.parametrize("rule", ["plain", "soft", "oja"])
GRAPHS = ((1, 0), (1, 3), (5, 9), (300, 2000), (3, 5000), (20_000, 50_000), (60_000, 30_000), (60_000, 5_000))


def scene(rng, n, m):
    offsets, targets = edges(rng, n, m)
    pre, post = rng.standard_normal((2, n)).astype(np.float32)
    return rng.random(m, dtype=np.float32), offsets, targets, pre, post


@each_rule
@pytest.mark.parametrize("normalise", [False, True])
@pytest.mark.parametrize(("n", "m"), GRAPHS)
def test_learning_agrees_with_its_definition(backend, rng, n, m, rule, normalise):
    weights, *rest = scene(rng, n, m)
    how = {"rule": rule, "rate": 0.3, "decay": 0.05, "least": 0.1, "most": 0.9, "normalise": normalise}
    wanted = reference.update(weights, *rest, **how)
    graph = modulation.Graph(*rest[:2], weights, backend=backend)
    assert hebbian.update(weights, *rest, **how, backend=backend) is weights
    assert_allclose(weights, wanted, **ROUNDING)
    hebbian.learn(graph, *rest[2:], **how)
    assert_allclose(graph.weights, wanted, **ROUNDING)


@each_rule
def test_compiled_backends_thread_counts_and_layouts_give_the_same_bits(backend, rng, rule):
    if backend == "reference":
        pytest.skip("float64 throughout")
    start, *rest = scene(rng, 20_000, 3_000_000)
    first = hebbian.update(start.copy(), *rest, rule=rule, backend="scalar", threads=1)
    for threads in (1, 2, 3):
        again = hebbian.update(start.copy(), *rest, rule=rule, backend=backend, threads=threads)
        assert_array_equal(again, first)
        graph = modulation.Graph(*rest[:2], start, backend=backend)
        hebbian.learn(graph, *rest[2:], rule=rule, threads=threads)
        assert_array_equal(graph.weights, first)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 40), m=st.integers(0, 120), rate=st.floats(0, 1))
def test_soft_weights_stay_between_nothing_and_one_without_a_clamp(backend, seed, n, m, rate):
    rng = np.random.default_rng(seed)
    weights, offsets, targets, *_ = scene(rng, n, m)
    pre, post = rng.random((2, n), dtype=np.float32)
    for _ in range(5):
        before = weights.copy()
        hebbian.update(weights, offsets, targets, pre, post, rate=rate, least=-9, most=9, backend=backend)
        assert (weights >= before).all() and (weights <= 1 + 1e-6).all()


def test_ojas_rule_settles_where_source_over_target(backend):
    weights = np.array([0.9], np.float32)
    pre, post = np.array([0.3, 0], np.float32), np.array([0, 0.6], np.float32)
    for _ in range(200):
        hebbian.update(weights, [0, 1, 1], [1], pre, post, rule="oja", rate=0.5, backend=backend)
    assert weights[0] == pytest.approx(0.5, abs=1e-6)


def test_normalised_rows_sum_to_one_and_empty_ones_stay(backend, rng):
    weights, offsets, targets, *_ = scene(rng, 50, 400)
    weights[offsets[3] : offsets[4]] = 0
    nothing = np.zeros(50, np.float32)
    graph = modulation.Graph(offsets, targets, weights, backend=backend)
    hebbian.update(weights, offsets, targets, nothing, nothing, normalise=True, backend=backend)
    hebbian.learn(graph, nothing, nothing, normalise=True)
    for learned in (weights, graph.weights):
        sums = np.add.reduceat(np.append(learned, 0), offsets[:-1])
        filled = (np.diff(offsets) > 0) & (np.arange(50) != 3)
        assert_allclose(sums[filled], 1, rtol=1e-6)
        assert (learned[offsets[3] : offsets[4]] == 0).all()


def test_what_a_graph_learned_changes_what_flows(backend):
    graph = modulation.Graph([0, 2, 2, 2], [1, 2], np.array([0.5, 0.4], np.float32), backend=backend)
    assert graph.strongest_paths([0], k=1).nodes[0, 1] == 1
    before = graph.spread(np.array([1, 0, 0], np.float32), keep=0)
    hebbian.learn(graph, np.array([1, 0, 0], np.float32), np.array([0, 0, 1], np.float32), rule="plain", rate=0.5)
    assert graph.strongest_paths([0], k=1).nodes[0, 1] == 2
    after = graph.spread(np.array([1, 0, 0], np.float32), keep=0)
    assert_allclose(before, [0, 0.5, 0.4], rtol=1e-6)
    assert_allclose(after, np.array([0, 0.5, 0.9]) / 1.4, rtol=1e-6)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_activity_that_is_not_finite_changes_no_weight(backend, rng, bad):
    weights, offsets, targets, pre, post = scene(rng, 20, 60)
    broken = pre.copy()
    broken[7] = bad
    graph, before = modulation.Graph(offsets, targets, weights, backend=backend), weights.copy()
    for ends in ((broken, post), (pre, broken)):
        with pytest.raises(ArrayError, match="finite"):
            hebbian.update(weights, offsets, targets, *ends, backend=backend)
        with pytest.raises(ArrayError, match="finite"):
            hebbian.learn(graph, *ends)
    assert_array_equal(weights, before)
    assert_array_equal(graph.weights, before)
    weights[3] = np.nan
    with pytest.raises(ArrayError, match="finite"):
        hebbian.update(weights, offsets, targets, pre, post, backend=backend)


@pytest.mark.parametrize("edge", [0, 7, 15, 16, 58, 59])  # in every part of a vector, and behind the last one
def test_a_weight_that_is_not_finite_is_seen_wherever_it_lies(backend, rng, edge):
    weights, offsets, targets, pre, post = scene(rng, 20, 60)
    broken = weights.copy()
    broken[edge] = np.nan
    with pytest.raises(ArrayError, match="finite"):
        hebbian.update(broken, offsets, targets, pre, post, backend=backend)
    if backend == "reference":
        return  # a graph refuses NaN, and in float64 no product of activities is infinite
    weights[edge] = 1
    pre[np.repeat(np.arange(20), np.diff(offsets))[edge]] = post[targets[edge]] = 3e38
    graph = modulation.Graph(offsets, targets, weights, backend=backend)
    with pytest.raises(ArrayError, match="finite"):
        hebbian.learn(graph, pre, post, rate=0.5)


def test_messages_say_what_was_expected_what_came_and_what_to_do():
    weights, one = np.ones(2, np.float32), np.ones(1, np.float32)
    with pytest.raises(ArrayError, match="rule must be one of plain, soft, oja, got 'hebb'"):
        hebbian.update(weights, [0, 2], [0, 0], one, one, rule="hebb")
    with pytest.raises(ArrayError, match="pre must have 1 entries, got 2"):
        hebbian.update(weights, [0, 2], [0, 0], weights, one)
    with pytest.raises(ArrayError, match="weights must be a NumPy array to be written into, got list"):
        hebbian.update([1.0, 1.0], [0, 2], [0, 0], one, one)
    with pytest.raises(ArrayError, match=r"least must not exceed most, got 2 and 1"):
        hebbian.update(weights, [0, 2], [0, 0], one, one, least=2)
    with pytest.raises(ArrayError, match="rate must be finite, got nan"):
        hebbian.update(weights, [0, 2], [0, 0], one, one, rate=float("nan"))
    for backend in ("reference", None):
        with pytest.raises(ArrayError, match=r"targets must lie in \[0, 1\), got 0 to 7"):
            hebbian.update(weights, [0, 2], np.array([0, 7], np.uint32), one, one, backend=backend)
    with pytest.raises(ArrayError, match="least must be at least 0 for the weights of a graph, got -1"):
        hebbian.learn(modulation.Graph([0, 2], [0, 0], weights), one, one, least=-1)
    with pytest.raises(BackendUnavailable, match=r"hebbian\.update has no backend 'neon'"):
        hebbian.update(weights, [0, 2], [0, 0], one, one, backend="neon")
