"""What a call costs beyond the work: one row of eight numbers, beside the smallest calls of NumPy and torch.

`test_named` names a backend and the threads.
"""

import numpy as np
import pytest

from benchmarks.shapes import NATIVE
from context_graph.kernels import cones, poincare, transe

X, Y = np.full((1, 8), 0.1, np.float32), np.full((1, 8), 0.2, np.float32)
CALLS = {
    "poincare.distance": (poincare.distance, (X, Y)),
    "cones.contains": (cones.contains, (X, Y)),
    "transe.score": (transe.score, (X, Y, X)),
    "numpy.add": (np.add, (X, Y)),
}


@pytest.mark.parametrize("name", CALLS)
def test_numpy(benchmark, name):
    operation, arrays = CALLS[name]
    benchmark(operation, *arrays)


@pytest.mark.parametrize("name", [name for name in CALLS if name != "numpy.add"])
def test_named(benchmark, name):
    operation, arrays = CALLS[name]
    benchmark(operation, *arrays, backend=NATIVE[-1], threads=1)


@pytest.mark.parametrize("name", [*(name for name in CALLS if name != "numpy.add"), "torch.add"])
def test_torch(benchmark, name):
    torch = pytest.importorskip("torch")
    operation, arrays = CALLS.get(name, (torch.add, (X, Y)))
    benchmark(operation, *map(torch.from_numpy, arrays))
