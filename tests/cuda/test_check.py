"""The kernels of cuda/check.cu, launched from launch.json alone: what is not allowed is flagged, and led nowhere."""

import numpy as np
import pytest
from emulator import emulate, include_folders
from numpy.testing import assert_array_equal

pytestmark = pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known")
NOTHING = 2**32 - 1


def flag():
    return np.full(1, NOTHING, np.uint32)


@pytest.mark.parametrize(
    "offsets, total, step, lowest",
    [
        ([0, 3, 3, 600], 600, 600, NOTHING), ([1, 600], 600, 600, 0), ([0, 599], 600, 600, 1),
        ([0, 9, 3, 600], 600, 600, 2), ([0, 700, 600], 600, 600, 1), ([-1, 600], 600, 600, 0),
        ([0, 700, 600], 600, 2**62, 1), ([0, 600, 600], 600, 2**62, NOTHING),
        ([0, 10, 21, 30], 30, 10, 2), ([0, 10, 20, 30], 30, 10, NOTHING), ([0], 0, 9, NOTHING),
    ],
)  # fmt: skip
def test_offsets_rise_from_nothing_to_their_end_in_steps(offsets, total, step, lowest):
    given = {"offsets": np.array(offsets), "entries": len(offsets), "total": total, "step": step}
    for build in ("plain", "address"):
        found = emulate("cg_check_offsets", build, **given, bad=flag())
        assert found["bad"][0] == lowest
        assert_array_equal(found["safe"], np.clip(offsets, 0, total))


def test_an_id_that_is_none_becomes_nothing_and_its_row_is_named():
    ids = np.array([[0, -1], [8, 3], [9, 0], [-2, 1], [2**62, 0]])
    found = emulate("cg_check_ids", ids=ids.ravel(), count=10, width=2, least=-1, end=9, bad=flag())
    assert found["bad"][0] == 2
    assert_array_equal(found["safe"].reshape(5, 2), np.where((ids < -1) | (ids >= 9), -1, ids))


def test_nodes_beyond_the_last_and_numbers_that_are_not_finite_are_found():
    nodes = np.arange(300)
    for wrong, lowest in ((None, NOTHING), (300, 290), (-1, 290), (2**33, 290)):
        given = nodes if wrong is None else np.where(nodes == 290, wrong, nodes)
        narrow = emulate("cg_check_narrow", nodes=given, count=300)["narrow"]
        assert emulate("cg_check_nodes", nodes=narrow, count=300, n=300, bad=flag())["bad"][0] == lowest
    values = np.ones(300, np.float32)
    assert emulate("cg_check_finite", values=values, count=300, bad=flag())["bad"][0] == NOTHING
    for bad in (np.nan, np.inf, -np.inf):
        values[290] = bad
        assert emulate("cg_check_finite", values=values, count=300, bad=flag())["bad"][0] == 290
    values[7] = np.nan
    assert emulate("cg_check_finite", values=values, count=300, bad=flag())["bad"][0] == 7
