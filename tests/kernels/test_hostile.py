"""What no backend can mean anything by is refused alike, in our words."""

import numpy as np
import pytest
from expectations import ball

from context_graph.errors import ArrayError
from context_graph.kernels import cones, dense, fusemoe, hdc, hopfield, maxsim, modulation, poincare, sparse, transe
from tests.requirements import requirement


@pytest.fixture
def rows(rng):
    return ball(rng, 6, 8)


@requirement("kernels:backends-refuse-alike")
def test_masked_arrays_are_refused_in_every_place(rows, backend):
    def path():
        return modulation.Graph([0, 1, 1], [1], np.ones(1, np.float32), backend=backend)

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
        lambda: path().strongest_paths(np.ma.masked_array([0, 1], [False, True])),
        lambda: path().strongest_paths([0], strengths=np.ma.masked_array(np.ones(1, np.float32))),
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
        with pytest.raises(ArrayError, match=r"a score is not finite.*float32"):
            call()


FAR = {  # a sum that float32 cannot hold, before the root of a length and the choice of the best
    "maxima": lambda huge, **to: maxsim.maxima(huge, np.ones((2, 8), np.float32), [0, 2], **to),
    "maxima, not the best": lambda huge, **to: maxsim.maxima(-huge, np.eye(8, dtype=np.float32) * 9, [0, 8], **to),
    "maxsim.nearest": lambda huge, **to: maxsim.nearest(huge, np.ones((2, 8), np.float16), [0, 2], 1, **to),
    "sum of differences": lambda huge, **to: transe.score(huge, 0 * huge, 0 * huge, norm=1, **to),
    "sum of squares": lambda huge, **to: transe.score(huge, 0 * huge, 0 * huge, norm=2, **to),
    "head + relation": lambda huge, **to: transe.score(huge, huge, huge, norm=1, **to),
    "hidden tail": lambda huge, **to: transe.nearest(
        0 * huge, 0 * huge, np.concatenate([huge, 0 * huge]), 1, mask=np.array([False, True]), **to
    ),
    "head + relation to the nearest": lambda huge, **to: transe.nearest(huge, huge, huge, 1, norm=1, **to),
    "gate by distance": lambda huge, **to: fusemoe.gate(huge, 0 * huge, **to),
    "gate by product": lambda huge, **to: fusemoe.gate(huge, 0 * huge - 9, kind="softmax", **to),
    "gate by cosine": lambda huge, **to: fusemoe.gate(huge, huge, kind="cosine", **to),
    "gate of one length": lambda huge, **to: fusemoe.gate(0 * huge, huge, kind="cosine", **to),
    "absent expert": lambda huge, **to: fusemoe.gate(huge, np.zeros((2, 8), np.float32), present=ABSENT, **to),
    "effective weight": lambda huge, **to: modulation.effective_weight(huge[0], huge[0], 0 * huge[0], huge[0], **to),
    "sparse.dot": lambda huge, **to: postings(huge[0], **to).dot(np.arange(8), huge[0]),
    "sparse.search": lambda huge, **to: postings(huge[0], **to).search(np.arange(8), huge[0], 1),
    "output": lambda huge, **to: fuse(huge, 1.0, **to),
    "output of small weight": lambda huge, **to: fuse(huge, 1e-9, **to),
    "output with its weight": lambda huge, **to: fuse(huge / 1e9, 1e30, **to),
    "output with its bias": lambda huge, **to: fuse(huge / 10, 0.1, bias=np.full((1, 3), 3e38, np.float32), **to),
}
ABSENT = np.array([True, False])


def postings(values, **options):
    index = sparse.Index(**options)
    index.append(np.arange(8), values, [8])
    return index


def fuse(inputs, weight, **options):
    projections, chosen = np.ones((1, 3, 8), np.float32), np.zeros((1, 1), np.int64)
    return fusemoe.fuse(inputs, projections, chosen, np.full((1, 1), weight, np.float32), **options)


UNSCORED = ("hidden tail", "absent expert", "gate of one length")
"""Rows whose numbers are in no score: a device does not look at them."""


@requirement("kernels:backends-refuse-alike")
@pytest.mark.parametrize("name", FAR)
def test_sums_that_float32_cannot_hold_are_refused(name, backend):
    if backend == "cuda" and name in UNSCORED:
        pytest.skip("a device looks at what it scores only")
    with pytest.raises(ArrayError, match=r"an? (score|output|effective weight) is not finite.*float32"):
        FAR[name](np.full((1, 8), 3e38, np.float32), backend=backend)
    FAR[name](np.full((1, 8), 1e5, np.float32), backend=backend)


@requirement("kernels:backends-refuse-alike")
@pytest.mark.parametrize("name", ["sum of squares", "gate by distance", "gate by cosine"])
def test_squares_that_float32_cannot_hold_are_refused(name, backend):
    """1e20 and the length are float32, their squares are not."""
    with pytest.raises(ArrayError, match="a score is not finite"):
        FAR[name](np.full((1, 8), 1e20, np.float32), backend=backend)


@requirement("kernels:backends-refuse-alike")
@pytest.mark.parametrize("threads", [1.5, "2", np.ones(2)])
def test_threads_are_a_whole_number(rows, threads):
    calls = (
        lambda: dense.scores(rows, rows, threads=threads),
        lambda: dense.Index(8).search(rows, 1, threads=threads),
        lambda: transe.score(rows, rows, rows, threads=threads),  # by the short way, as the next three
        lambda: poincare.distance(rows, rows, threads=threads),
        lambda: cones.contains(rows, rows, threads=threads),
        lambda: fusemoe.gate(rows, rows, threads=threads),
    )
    for call in calls:
        with pytest.raises(ArrayError, match=r"threads must be an integer, got .*; leave it out"):
            call()


@requirement("kernels:backends-refuse-alike")
@pytest.mark.parametrize("text", ["several", "-1", "1.5", "0"])
def test_threads_of_the_environment_are_a_whole_number(rows, monkeypatch, text):
    monkeypatch.setenv("CONTEXT_GRAPH_THREADS", text)
    with pytest.raises(ArrayError, match=f"CONTEXT_GRAPH_THREADS must be .*got '?{text}'?"):
        dense.scores(rows, rows)


@requirement("kernels:backends-refuse-alike")
def test_sizes_of_an_index_are_whole_numbers():
    for make in (dense.Index, poincare.Index, maxsim.Index):
        for dim in ("a", None, 8.5):
            with pytest.raises(ArrayError, match=f"dim must be an integer, got {dim!r}"):
                make(dim)
        with pytest.raises(ArrayError, match="dim must"):
            make(0)
    for index in (dense.Index(8), poincare.Index(8), hdc.Index()):
        with pytest.raises(ArrayError, match="rows must be 0 or more, got -1"):
            index.reserve(-1)
        with pytest.raises(ArrayError, match=r"rows must be an integer, got 1\.5"):
            index.reserve(1.5)
    with pytest.raises(ArrayError, match="tokens must be 0 or more, got -1"):
        maxsim.Index().reserve(1, -1)


@requirement("kernels:backends-refuse-alike")
def test_numbers_are_numbers(rows):
    for wrong in ("a", None, [1.0, 2.0]):
        with pytest.raises(ArrayError, match="curvature must be a number, got"):
            poincare.distance(rows, rows, curvature=wrong)
        with pytest.raises(ArrayError, match="beta must be a number, got"):
            hopfield.retrieve(rows, rows, beta=wrong)


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
