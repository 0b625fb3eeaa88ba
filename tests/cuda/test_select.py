"""The kernels of cuda/select.cu, launched from launch.json alone: ties, masks, and what lies below the last key."""

import numpy as np
import pytest
from emulator import emulate, include_folders
from numpy.testing import assert_array_equal

from context_graph.kernels.reference import dense as reference

pytestmark = pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known")


def best(scores, k, mask=None, below=None, build="plain", seed=0):
    """The k best of scores: their numbers, ids and the key after which more are looked for."""
    n = len(scores)
    lists = emulate("cg_select_scores", build, seed, scores=scores, mask=mask, n=n, k=k, below=below)["best"]
    return emulate("cg_select_merge", build, seed, best=lists, lists=lists.shape[1], k=k, first=0, ld=k)


@pytest.mark.parametrize("build, seed", [("plain", 0), ("plain", 7), ("address", 3)])
@pytest.mark.parametrize("n, k", [(3000, 128), (2049, 40), (31, 5), (1, 4)])
def test_the_best_scores_are_chosen_and_of_equal_ones_the_first(build, seed, n, k):
    rng = np.random.default_rng(n)
    scores = rng.integers(-40, 40, n).astype(np.float32)
    mask = (rng.random(n) < 0.7).astype(np.uint8)
    mask[0] = 1
    found = best(scores, k, mask, build=build, seed=seed)
    wanted, ids = reference.best(scores[None], k, mask)
    assert_array_equal(found["ids"], ids)
    assert_array_equal(found["scores"], wanted.astype(np.float32))


def test_minus_zero_ties_with_zero():
    scores = np.float32([-0.0, 0.0, -0.0, 0.0, -1.0])
    assert_array_equal(best(scores, 5)["ids"][0], np.arange(5))


def test_what_is_no_number_or_minus_infinity_is_never_chosen():
    scores = np.float32([np.nan, -np.inf, 2, np.inf, 1])
    assert_array_equal(best(scores, 4)["ids"][0], [2, 4, -1, -1])


def test_scans_below_the_last_key_give_each_row_once():
    scores = np.random.default_rng(2).integers(0, 30, 700).astype(np.float32)
    wanted, ids, below = reference.best(scores[None], 320, None)[1], [], None
    for _ in range(4):
        found = best(scores, 80, below=below)
        ids.append(found["ids"])
        below = found["below"]
    assert_array_equal(np.concatenate(ids, axis=1), wanted)


def test_many_lists_are_joined():
    rng = np.random.default_rng(3)
    keys = np.sort(rng.choice(2**40, (300, 6), replace=False).astype(np.uint64) << np.uint64(20), axis=1)[:, ::-1]
    found = emulate("cg_select_merge", best=np.ascontiguousarray(keys)[None], lists=300, k=6, first=0, ld=6)
    wanted = np.sort(keys.ravel())[::-1][:6]
    assert_array_equal(found["ids"][0], 2**32 - 1 - (wanted & np.uint64(2**32 - 1)).astype(np.int64))
    assert found["below"][0] == wanted[-1]
