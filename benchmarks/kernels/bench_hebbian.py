"""One step of learning on 10 million edges: ours on plain arrays and on a resident graph, numba's fused loop, NumPy."""

import numba
import numpy as np
import pytest

from benchmarks.shapes import GRAPH, NATIVE, edges, note
from context_graph.kernels import hebbian, modulation

N, M = GRAPH
RATE = 0.01
THREADS = pytest.mark.parametrize("threads", [1, 2])


@pytest.fixture(scope="module")
def case():
    pre, post = np.random.default_rng(3).random((2, N), dtype=np.float32)
    return *edges(N, M), pre, post


@numba.njit(parallel=True, fastmath=True)
def update(weights, offsets, targets, pre, post, rate):
    for s in numba.prange(offsets.shape[0] - 1):
        gain = rate * pre[s]
        for e in range(offsets[s], offsets[s + 1]):
            learned = weights[e] + gain * post[targets[e]] * (np.float32(1) - weights[e])
            weights[e] = min(max(learned, np.float32(0)), np.float32(1))


@THREADS
@pytest.mark.parametrize("backend", NATIVE)
def test_graph(benchmark, case, backend, threads):
    *graph, pre, post = case
    resident = modulation.Graph(*graph, backend=backend)
    benchmark(hebbian.learn, resident, pre, post, rate=RATE, threads=threads)
    note(benchmark, bytes_read=12 * M)


@THREADS
@pytest.mark.parametrize("backend", NATIVE)
def test_arrays(benchmark, case, backend, threads):
    offsets, targets, weights, pre, post = case
    learning = weights.copy()
    benchmark(hebbian.update, learning, offsets, targets, pre, post, rate=RATE, backend=backend, threads=threads)
    note(benchmark, bytes_read=12 * M)


@THREADS
def test_numba(benchmark, case, threads):
    offsets, targets, weights, pre, post = case
    numba.set_num_threads(threads)
    learning = weights.copy()
    update(learning, offsets, targets, pre, post, np.float32(RATE))  # compiles
    benchmark(update, learning, offsets, targets, pre, post, np.float32(RATE))
    note(benchmark, bytes_read=12 * M)


def test_numpy(benchmark, case):
    offsets, targets, weights, pre, post = case
    sources, learning = np.repeat(np.arange(N), np.diff(offsets)), weights.copy()

    def step():
        learned = learning + np.float32(RATE) * pre[sources] * post[targets] * (1 - learning)
        np.clip(learned, 0, 1, out=learning)

    benchmark.pedantic(step, rounds=3, warmup_rounds=1)
    note(benchmark, bytes_read=12 * M)
