"""Rows that lie beyond 4 GB of their first one: `test_arrays.py` runs this with the emulated module.

Only the rows are touched, so they take a page each. An offset of 32 bits would come round to an earlier row.
"""

import ctypes

import numpy as np
import pytest
from expectations import ball, unit_rows
from numpy.testing import assert_array_equal

from context_graph import _core
from context_graph.kernels import cones, dense, fusemoe, hopfield, poincare, transe

pytestmark = pytest.mark.skipif(not hasattr(ctypes.CDLL(_core.__file__), "emulator_reserve"), reason="no emulator")

N, D, STRIDE = 9, 24, 2**30  # of a row in bytes: from the fifth on they lie beyond 2^32


def reserve(size):
    function = ctypes.CDLL(_core.__file__).emulator_reserve
    function.restype = ctypes.c_size_t
    address = function(ctypes.c_size_t(size))
    assert address, f"no {size} bytes of addresses"
    return address


def apart(rows):
    """The same rows on the device, STRIDE bytes apart."""
    address = reserve(N * STRIDE)
    for i, row in enumerate(rows):
        ctypes.memmove(address + i * STRIDE, row.tobytes(), row.nbytes)
    return _core.DeviceArray(address, rows.shape, (STRIDE, rows.itemsize), rows.dtype, 0, None)


def near(rows):
    return _core.DeviceArray.upload(np.ascontiguousarray(rows))


def numpy(found):
    return tuple(map(numpy, found)) if isinstance(found, tuple) else found.numpy()


rng = np.random.default_rng(20261125)
UNIT, BALL, FEW = unit_rows(rng, N, D), ball(rng, N, D), ball(rng, 3, D)
MANY = unit_rows(rng, 9, D)  # enough for the tensor cores
CASES = {
    "dense-topk": (UNIT, lambda rows: dense.topk(near(UNIT[::3]), rows, 4)),
    "dense-scores": (UNIT, lambda rows: dense.scores(near(UNIT[::3]), rows)),
    "dense-batch": (UNIT, lambda rows: dense.topk(near(MANY), rows, 4)),
    "dense-batch-halves": (UNIT.astype(np.float16), lambda rows: dense.topk(near(MANY), rows, 4)),
    "hopfield": (UNIT, lambda rows: hopfield.retrieve(near(UNIT[::3]), rows, beta=8.0)[0]),
    "hopfield-batch": (UNIT, lambda rows: hopfield.retrieve(near(MANY), rows, beta=8.0)[0]),
    "hopfield-batch-halves": (UNIT.astype(np.float16), lambda rows: hopfield.retrieve(near(MANY), rows, beta=8.0)[0]),
    "hopfield-energy": (UNIT, lambda rows: hopfield.energy(near(UNIT[::3]), rows, beta=8.0)),
    "poincare-nearest": (BALL, lambda rows: poincare.nearest(near(FEW), rows, 4)),
    "poincare-distances": (BALL, lambda rows: poincare.distances(near(FEW), rows)),
    "poincare-distance": (BALL, lambda rows: poincare.distance(near(BALL[::-1]), rows)),
    "cones-descendants": (BALL, lambda rows: cones.descendants(near(BALL[5:8] * 0.8), rows)),
    "cones-energy": (BALL, lambda rows: cones.energy(near(BALL[::-1]), rows)),
    "transe-nearest": (UNIT, lambda rows: transe.nearest(near(UNIT[:2]), near(UNIT[2:4]), rows, 4)),
    "transe-score": (UNIT, lambda rows: transe.score(near(UNIT), near(UNIT[::-1]), rows)),
    "fusemoe-gate": (UNIT, lambda rows: fusemoe.gate(near(UNIT[::3]), rows, k=2)),
}


@pytest.mark.parametrize("name", CASES)
def test_rows_beyond_4_gb_are_their_own(name):
    rows, call = CASES[name]
    for found, wanted in zip(numpy(call(apart(rows))), numpy(call(near(rows))), strict=True):
        assert_array_equal(found, wanted)
