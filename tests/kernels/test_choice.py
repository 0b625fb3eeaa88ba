"""k in every family that chooses: an integer, bounded by what there is before anything is allocated."""

import subprocess
import sys

import numpy as np
import pytest
from expectations import ball
from numpy.testing import assert_array_equal

from context_graph.errors import ArrayError
from context_graph.kernels import dense, fusemoe, hdc, maxsim, modulation, poincare, sparse, transe
from tests.requirements import requirement

N = 7


def chosen_by(backend):
    """Of every operation with a k: k -> (scores, ids) and what pads the scores."""
    rng = np.random.default_rng(3)
    rows, words = ball(rng, N, 24), hdc.items(np.arange(N), seed=0)
    lengths = np.ones(N, np.int64)

    def filled(index, *given):
        index.append(*given)
        return index

    kinds = ({}, {"dtype": "int8"}, {"prefilter_bits": 1}) if backend != "cuda" else ({},)
    found = {
        "dense.topk": (lambda k: dense.topk(rows[:2], rows, k, backend=backend), -np.inf),
        "maxsim.nearest": (lambda k: maxsim.nearest(rows[:2], rows, range(N + 1), k, backend=backend), -np.inf),
        "poincare.nearest": (lambda k: poincare.nearest(rows[:2], rows, k, backend=backend), np.inf),
        "transe.nearest": (lambda k: transe.nearest(rows[:2], rows[2:4], rows, k, backend=backend), -np.inf),
        "fusemoe.gate": (lambda k: fusemoe.gate(rows[:2], rows, k=k, backend=backend), 0),
    }
    vectors = filled(hdc.Index(backend=backend), words)
    found["hdc.Index"] = (lambda k: vectors.search(words[:2], k), hdc.BEYOND)
    for options in kinds:
        index = filled(dense.Index(24, backend=backend, **options), rows)
        found[f"dense.Index {options}"] = (lambda k, index=index: index.search(rows[:2], k), -np.inf)
    for keep in (None, "float32"):
        index = filled(maxsim.Index(24, keep=keep, backend=backend), rows, lengths)
        found[f"maxsim.Index {keep}"] = (lambda k, index=index: index.search(rows[:2], k), -np.inf)
    for screened in (False, True) if backend != "cuda" else (False,):
        index = filled(poincare.Index(24, screened=screened, backend=backend), rows)
        found[f"poincare.Index {screened}"] = (lambda k, index=index: index.nearest(rows[:2], k), np.inf)
    terms = filled(sparse.Index(backend=backend), np.arange(N), np.ones(N, np.float32), lengths)
    found["sparse.Index"] = (lambda k: terms.search(np.arange(2), np.ones(2, np.float32), k), -np.inf)
    ring = modulation.Graph(range(N + 1), np.roll(np.arange(N), -1), np.ones(N, np.float32), backend=backend)
    found["Graph.strongest_paths"] = (lambda k: ring.strongest_paths([0], hops=2, k=k), -np.inf)
    return found


@requirement("kernels:k-is-bounded-by-what-there-is")
def test_k_beyond_all_is_padded_by_every_backend(backend):
    for name, (choose, worst) in chosen_by(backend).items():
        few, wide = choose(N), choose(N + 300)
        for had, got, pad in zip(few, wide, (worst, -1), strict=True):
            had, got = (part.T if name == "Graph.strongest_paths" else part for part in (had, got))
            assert got.dtype == had.dtype, name
            assert_array_equal(got[..., :N], had, err_msg=name)
            assert_array_equal(got[..., N:], np.full_like(got[..., N:], pad), err_msg=name)


@requirement("kernels:k-is-bounded-by-what-there-is")
def test_an_absurd_k_is_refused_by_every_backend(backend):
    for name, (choose, _) in chosen_by(backend).items():
        for k in (2**31, 2**40, 2**63 - 1, 2**70):
            with pytest.raises(ArrayError, match="k must be"):
                choose(k)
                pytest.fail(name)
        for k in (-1, 1.5, float("nan"), "three", None):
            with pytest.raises(ArrayError, match=r"k must be (an integer|0 or more)"):
                choose(k)
                pytest.fail(name)


def test_hops_are_bounded_too():
    for backend in (None, "reference"):
        graph = modulation.Graph([0, 1, 1], [1], np.ones(1, np.float32), backend=backend)
        with pytest.raises(ArrayError, match="hops must be at most 2"):
            graph.strongest_paths([0], hops=2**31 - 2, k=1)


UNDER_A_LIMIT = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
import numpy as np
from context_graph.errors import ArrayError
from context_graph.kernels import dense, fusemoe, maxsim, poincare, transe
x = np.full((37, 24), 0.1, np.float32)
for choose in (
    lambda k: maxsim.nearest(x[:3], x, np.array([0, 20, 37]), k=k),
    lambda k: dense.topk(x[:3], x, k),
    lambda k: poincare.nearest(x[:3], x, k),
    lambda k: transe.nearest(x[:3], x[:3], x, k),
    lambda k: fusemoe.gate(x[:3], x, k=k),
):
    for k in (2**28, 2**31):
        try:
            choose(k)
        except ArrayError as refused:
            assert "k must be at most" in str(refused), refused
        else:
            raise SystemExit("answered")
"""


@requirement("kernels:k-is-bounded-by-what-there-is")
def test_an_absurd_k_costs_no_memory():
    ran = subprocess.run([sys.executable, "-c", UNDER_A_LIMIT], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-2000:]
