"""The kernels of cuda/hebbian.cu, launched from launch.json alone."""

import numpy as np
import pytest
from emulator import emulate, include_folders
from expectations import edges
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.kernels import hebbian
from context_graph.kernels.reference import hebbian as reference

pytestmark = pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known")
HOW = {"rate": 0.3, "decay": 0.05, "least": 0.1, "most": 0.9}


def scene(n, m):
    rng = np.random.default_rng(n + m)
    offsets, targets = edges(rng, n, m)
    pre, post = rng.standard_normal((2, n)).astype(np.float32)
    return rng.random(m, dtype=np.float32), {"offsets": offsets, "targets": targets, "pre": pre, "post": post}


@pytest.mark.parametrize("rule", ["plain", "soft", "oja"])
@pytest.mark.parametrize("build, seed, n, m", [("plain", 0, 90, 700), ("plain", 9, 3, 500), ("address", 3, 40, 300)])
def test_edges_learn_the_bits_of_the_processor(rule, build, seed, n, m):
    weights, names = scene(n, m)
    for normalise in (0, 1):
        found = emulate(
            f"cg_hebbian_update_{rule}", build, seed, weights=weights.copy(), **names, n=n, **HOW,
            normalise=normalise, refused=None, not_finite=np.zeros(1, np.int32),
        )  # fmt: skip
        assert found["not_finite"][0] == 0
        if normalise:
            wanted = reference.update(weights, **names, rule=rule, **HOW, normalise=True)
            assert_allclose(found["weights"], wanted, rtol=1e-6, atol=1e-7)
        else:
            learned = hebbian.update(weights.copy(), **names, rule=rule, **HOW, backend="scalar")
            assert_array_equal(found["weights"], learned)


@pytest.mark.long
def test_no_thread_races_with_another():
    weights, names = scene(30, 200)
    emulate(
        "cg_hebbian_update_soft", "thread", weights=weights, **names, n=30, **HOW, normalise=1, refused=None,
        not_finite=np.zeros(1, np.int32),
    )  # fmt: skip


def test_what_is_not_finite_is_flagged_and_every_edge_moves_once():
    weights, names = scene(2000, 30_000)
    given = {"n": 2000, **HOW, "normalise": 0, "refused": None}
    moved = emulate(
        "cg_hebbian_update_plain", "traffic", weights=weights.copy(), **names, **given,
        not_finite=np.zeros(1, np.int32),
    )  # fmt: skip
    gathered, ends_by_eight_lanes = 4 * 30_000, 8 * (16 + 4) * 2000
    assert moved.loaded_bytes == 8 * 30_000 + gathered + ends_by_eight_lanes
    assert moved.stored_bytes == 4 * 30_000
    weights[7] = np.nan
    broken = emulate("cg_hebbian_update_plain", weights=weights, **names, **given, not_finite=np.zeros(1, np.int32))
    assert broken["not_finite"][0] == 1


@pytest.mark.parametrize("look", range(4))
def test_nothing_is_learned_where_a_look_found_something(look):
    weights, names = scene(40, 300)
    refused = np.full(4, 2**32 - 1, np.uint32)
    refused[look] = 17
    given = {**names, "n": 40, **HOW, "normalise": 1, "refused": refused, "not_finite": np.zeros(1, np.int32)}
    found = emulate("cg_hebbian_update_plain", weights=weights.copy(), **given)
    assert_array_equal(found["weights"], weights)


def test_a_row_of_zeros_stays_one():
    given = {"offsets": np.array([0, 3, 5]), "targets": np.zeros(5, np.uint32), "n": 2, "normalise": 1, "refused": None}
    given |= {"pre": np.zeros(2, np.float32), "post": np.zeros(2, np.float32), "not_finite": np.zeros(1, np.int32)}
    given |= {"rate": 0.0, "decay": 0.0, "least": 0.0, "most": 1.0}
    found = emulate("cg_hebbian_update_plain", weights=np.float32([0, 0, 0, 1, 3]), **given)
    assert_array_equal(found["weights"], np.float32([0, 0, 0, 0.5, 0.5]))  # 3 is cut to the most
