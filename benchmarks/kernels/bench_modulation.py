"""Edges under neurotransmitters: weighing ten million, ten PageRank iterations, the strongest four-hop ways."""

import numba
import numpy as np
import pytest
import scipy.sparse

from benchmarks.shapes import GRAPH, NATIVE, SEED, SMALL_GRAPH, edges, note
from context_graph.kernels import modulation
from context_graph.kernels.reference import modulation as reference

N, M = GRAPH
THREADS = pytest.mark.parametrize("threads", [1, 2])


@pytest.fixture(scope="module")
def signals():
    rng = np.random.default_rng(SEED)
    bytes_ = rng.integers(0, 256, (3, M), dtype=np.uint8)
    return {"u8": bytes_, "f32": (bytes_ / 255).astype(np.float32)}


@pytest.fixture(scope="module")
def graph():
    return edges(N, M)


@pytest.fixture(scope="module")
def small():
    return edges(*SMALL_GRAPH)


@numba.njit(parallel=True, fastmath=True)
def weigh(base, excitatory, inhibitory, modulatory, out):
    for i in numba.prange(base.shape[0]):
        out[i] = base[i] * (1 + excitatory[i] - inhibitory[i] + np.float32(0.5) * modulatory[i])


@numba.njit(fastmath=True)
def walk(offsets, targets, weights, seed, hops, best, frontier, improved):
    """Best product to every node, hop after hop, each hop from what the last improved."""
    best[:] = 0
    best[seed] = 1
    frontier[0], count = seed, 1
    strengths = np.ones(1, np.float32)
    for _ in range(hops):
        found = 0
        for i in range(count):
            for e in range(offsets[frontier[i]], offsets[frontier[i] + 1]):
                reached = strengths[i] * min(weights[e], np.float32(1))
                if reached > best[targets[e]]:
                    best[targets[e]] = reached
                    improved[found] = targets[e]
                    found += 1
        count = found
        strengths = np.empty(count, np.float32)
        for i in range(count):
            frontier[i] = improved[i]
            strengths[i] = best[improved[i]]


@THREADS
@pytest.mark.parametrize("dtype", ["u8", "f32"])
@pytest.mark.parametrize("backend", NATIVE)
def test_weigh(benchmark, signals, backend, dtype, threads):
    base, out = np.random.default_rng(1).random(M, dtype=np.float32), np.empty(M, np.float32)
    benchmark(modulation.effective_weight, base, *signals[dtype], out=out, backend=backend, threads=threads)
    error = abs(out - reference.effective_weight(base, *signals[dtype])).max()
    note(benchmark, bytes_read=8 * M + 3 * signals[dtype].itemsize * M, error=float(error))


@THREADS
def test_weigh_numba(benchmark, signals, threads):
    numba.set_num_threads(threads)
    base, out = np.random.default_rng(1).random(M, dtype=np.float32), np.empty(M, np.float32)
    weigh(base, *signals["f32"], out)  # compiles
    benchmark(weigh, base, *signals["f32"], out)
    note(benchmark, bytes_read=20 * M)


@THREADS
@pytest.mark.parametrize("kind", ["plain", "gained"])
@pytest.mark.parametrize("backend", NATIVE)
def test_pagerank(benchmark, graph, signals, backend, kind, threads):
    gains = (
        dict(zip(("excitatory", "inhibitory", "modulatory"), signals["u8"], strict=True)) if kind == "gained" else {}
    )
    resident = modulation.Graph(*graph, **gains, backend=backend)
    seeds = np.random.default_rng(2).random(N, dtype=np.float32)
    benchmark.pedantic(
        resident.pagerank, (seeds,), {"iterations": 10, "tolerance": 0, "threads": threads}, rounds=5, warmup_rounds=1
    )
    note(benchmark, bytes_read=10 * M * (8 if kind == "plain" else 10))


def test_pagerank_scipy(benchmark, graph):
    offsets, targets, weights = graph
    sums = np.add.reduceat(np.append(weights, 0), offsets[:-1])
    shares = (weights / np.repeat(np.maximum(sums, 1e-9), np.diff(offsets))).astype(np.float32)
    transposed = scipy.sparse.csr_matrix((shares, targets.astype(np.int32), offsets), shape=(N, N)).T.tocsr()
    seeds = np.random.default_rng(2).random(N, dtype=np.float32)

    def pagerank():
        ranks = seeds
        for _ in range(10):
            ranks = np.float32(0.15) * seeds + np.float32(0.85) * (transposed @ ranks)
        return ranks

    benchmark.pedantic(pagerank, rounds=3, warmup_rounds=1)
    note(benchmark, bytes_read=10 * M * 8)


@pytest.mark.parametrize("k", [10, 1000])
@pytest.mark.parametrize("backend", NATIVE)
def test_paths(benchmark, small, backend, k):
    resident = modulation.Graph(*small, backend=backend)
    found = benchmark(resident.strongest_paths, [7], hops=4, k=k)
    wanted, nodes = reference.strongest_paths(*small, np.array([7]), np.ones(1, np.float32), hops=4, k=k)
    note(benchmark, error=float(abs(found.strengths - wanted).max()), same_ids=bool((found.nodes == nodes).all()))


def test_paths_numba(benchmark, small):
    """Without keeping the ways, and without choosing the best."""
    n, m = SMALL_GRAPH
    best, frontier, improved = np.empty(n, np.float32), np.empty(m, np.int64), np.empty(m, np.int64)
    walk(*small, 7, 4, best, frontier, improved)  # compiles
    benchmark(walk, *small, 7, 4, best, frontier, improved)
    note(benchmark)
