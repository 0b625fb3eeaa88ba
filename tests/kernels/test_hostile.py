"""What no backend can mean anything by is refused alike, in our words."""

import numpy as np
import pytest
from expectations import ball

from context_graph.errors import ArrayError
from context_graph.kernels import cones, dense, fusemoe, hdc, hopfield, maxsim, poincare, transe
from tests.requirements import requirement


@pytest.fixture
def rows(rng):
    return ball(rng, 6, 8)


@requirement("kernels:backends-refuse-alike")
def test_masked_arrays_are_refused_in_every_place(rows, backend):
    masked = np.ma.masked_array(rows, rows > 0)
    for call in (
        lambda: dense.topk(rows, masked, 2, backend=backend),
        lambda: dense.topk(masked, rows, 2, backend=backend),
        lambda: dense.scores(rows, rows, scale=np.ma.masked_array(rows[:, 0]), backend=backend),
        lambda: poincare.distance(rows, masked, backend=backend),
        lambda: transe.score(rows, masked, rows, backend=backend),
        lambda: cones.contains(masked, rows, backend=backend),
        lambda: fusemoe.gate(masked, rows, backend=backend),
        lambda: hopfield.retrieve(rows, masked, beta=2, backend=backend),
        lambda: maxsim.maxima(rows, masked, [0, 6], backend=backend),
    ):
        with pytest.raises(ArrayError, match=r"must be a plain array, got a masked one.*pass \w+\.filled\(0\) or"):
            call()
    with pytest.raises(ArrayError, match="x must be a plain array"):
        poincare.distance(masked, rows)
    with pytest.raises(ArrayError, match="present must be a plain array"):
        fusemoe.gate(rows, rows, present=np.ma.masked_array(np.ones(6, np.uint8)))


@requirement("kernels:backends-refuse-alike")
def test_scores_that_float32_cannot_hold_are_refused(rows, backend):
    huge = np.full((1, 8), 3e38, np.float32)
    for call in (
        lambda: dense.topk(huge, np.ones((2, 8), np.float32), 1, backend=backend),
        lambda: dense.scores(huge, np.ones((2, 8), np.float32), backend=backend),
        lambda: hopfield.retrieve(rows, rows, beta=1e300, backend=backend),
        lambda: hopfield.energy(rows, rows, beta=1e300, backend=backend),
    ):
        with pytest.raises(ArrayError, match="a score is not finite"):
            call()


@requirement("kernels:backends-refuse-alike")
def test_counts_are_integers(rows, backend):
    for value in (1.5, float("nan"), "2"):
        with pytest.raises(ArrayError, match="steps must be an integer, got"):
            hopfield.retrieve(rows, rows, beta=2, steps=value, backend=backend)
        with pytest.raises(ArrayError, match="by must be an integer, got"):
            hdc.permute(hdc.items([1], seed=0), value, backend=backend)


@requirement("kernels:backends-refuse-alike")
def test_curvatures_that_float32_cannot_hold_are_refused(rows, backend):
    for curvature in (1e-100, 1e-45, 1e-21, 1e21, 0.0, float("nan"), float("inf")):
        with pytest.raises(ArrayError, match="curvature must lie in"):
            poincare.distance(rows, rows, curvature=curvature, backend=backend)
        with pytest.raises(ArrayError, match="curvature must lie in"):
            poincare.distances(rows, rows, curvature=curvature)
    x, y = np.full((2, 1, 4), 0.1, np.float32)
    y = 2 * y
    for curvature in (1e-20, 1e-9):
        found = poincare.distance(x, y, curvature=curvature, backend=backend)
        assert found == pytest.approx(0.4, rel=1e-6)  # twice the Euclidean one
