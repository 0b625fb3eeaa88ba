"""E8: what spreads along edges, against its definition in dense float64."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.embed import graph

ROUNDING = {"atol": 1e-5}  # float32 sums of at most 16 products a step


def definition(own, neighbours, weights, steps, restart):
    """A as a dense matrix, in float64."""
    n = len(own)
    adjacency = np.eye(n)
    np.add.at(adjacency, (np.repeat(np.arange(n), neighbours.shape[1]), neighbours.ravel()), weights.ravel())
    adjacency /= adjacency.sum(axis=1, keepdims=True)
    found = own.astype(np.float64)
    for _ in range(steps):
        found = (1 - restart) * adjacency @ found + restart * own
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


def joined(seed, n, most):
    dice = np.random.default_rng(seed)
    own = dice.standard_normal((n, 24)).astype(np.float32)
    weights = dice.uniform(0, 2.5, (n, most)).astype(np.float32) * (dice.random((n, most)) < 0.6)
    return own, dice.integers(0, n, (n, most)), weights.astype(np.float32)


@given(st.integers(0, 99), st.integers(1, 12), st.integers(0, 5), st.integers(0, 3), st.floats(0, 1))
def test_it_agrees_with_its_definition(seed, n, most, steps, restart):
    parts = joined(seed, n, most)
    found = graph.propagated(*parts, steps=steps, restart=restart)
    assert_allclose(found, definition(*parts, steps, restart), **ROUNDING)
    assert_allclose(np.linalg.norm(found, axis=1), 1, **ROUNDING)


def test_nothing_and_one_alone():
    nothing = np.zeros((0, 8), np.float32), np.zeros((0, 2), np.int64), np.zeros((0, 2), np.float32)
    assert graph.propagated(*nothing).shape == (0, 8)
    own = graph.unit(np.arange(1, 9, dtype=np.float32)[None])
    assert_allclose(graph.propagated(own, np.zeros((1, 2), np.int64), np.zeros((1, 2), np.float32)), own, **ROUNDING)


def test_a_node_without_edges_keeps_its_own_and_parts_do_not_mix():
    own = np.eye(5, dtype=np.float32)
    neighbours = np.array([[1], [0], [3], [2], [0]])
    found = graph.propagated(own, neighbours, np.array([[1], [1], [1], [1], [0]], np.float32))
    assert_allclose(found[4], own[4], **ROUNDING)
    assert_array_equal(found[:2, 2:], 0)
    assert_array_equal(found[2:4, :2], 0)


def test_a_name_passes_on_what_it_hears_in_the_second_step():
    own = np.array([[1, 0], [0, 1], [0, 0]], np.float32)  # two memories and the name that both hold
    neighbours, weights = np.array([[2, 0], [2, 0], [0, 1]]), np.array([[0.6, 0], [0.6, 0], [0.6, 0.6]], np.float32)
    first, second = (graph.propagated(own, neighbours, weights, steps=steps) for steps in (1, 2))
    assert first[0, 1] == 0 < second[0, 1] < second[0, 0]


def test_the_heavier_edge_is_heard_more():
    own = np.eye(3, dtype=np.float32)
    found = graph.propagated(own, np.array([[1, 2], [0, 0], [0, 0]]), np.array([[2, 1], [2, 0], [1, 0]], np.float32))
    assert found[0, 0] > found[0, 2] and found[0, 1] > found[0, 2]
