"""The ten nearest of a million points of the ball: ours, numba's fused loop and NumPy with cached norms."""

import numba
import numpy as np
import pytest

from benchmarks.shapes import BALL, NATIVE, ball, note, on_huge_pages
from context_graph.kernels import poincare
from context_graph.kernels.reference import poincare as reference


@pytest.fixture(scope="module")
def case():
    n, d = BALL
    rows, query = ball(n, d), ball(1, d, seed=1)
    slacks = np.concatenate([reference.slack(part) for part in np.array_split(rows, 20)]).astype(np.float32)
    wanted = np.concatenate([reference.distance(query[0], part) for part in np.array_split(rows, 20)])
    return query, on_huge_pages(rows), on_huge_pages(slacks), wanted, np.argsort(wanted, kind="stable")[:10]


@numba.njit(parallel=True, fastmath=True)
def fused(query, rows, slacks, out):
    for i in numba.prange(rows.shape[0]):
        gap = np.float32(0)
        for x in range(rows.shape[1]):
            left = query[x] - rows[i, x]
            gap += left * left
        out[i] = gap / slacks[i]


def best_of(out):
    best = np.argpartition(out, 10)[:10]
    return best[np.argsort(out[best])]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("screened", [False, True], ids=["plain", "screened"])
@pytest.mark.parametrize("backend", NATIVE)
def test_nearest(benchmark, case, backend, screened, threads):
    query, rows, _, wanted, ids = case
    index = poincare.Index(rows.shape[1], backend=backend, screened=screened)
    index.append(rows)
    found, found_ids = benchmark(index.nearest, query, 10, threads=threads)
    error, same_ids = float(abs(found[0] / wanted[ids] - 1).max()), found_ids[0].tolist() == ids.tolist()
    size = rows.nbytes // (2 if screened else 1) + rows.shape[0] * 4
    note(benchmark, bytes_read=size, error=error, same_ids=same_ids)


@pytest.mark.parametrize("threads", [1, 2])
def test_nearest_numba(benchmark, case, threads):
    query, rows, slacks, wanted, ids = case
    numba.set_num_threads(threads)
    out, slack = np.empty(len(rows), np.float32), reference.slack(query)[0]

    def nearest():
        fused(query[0], rows, slacks, out)
        best = best_of(out)
        return np.arccosh(1 + 2 * out[best] / slack), best

    nearest()  # compiles
    found, best = benchmark(nearest)
    error = float(abs(found / wanted[ids] - 1).max())
    note(benchmark, bytes_read=rows.nbytes + slacks.nbytes, error=error, same_ids=best.tolist() == ids.tolist())


def test_nearest_numpy(benchmark, case):
    """Norms cached and the square expanded: the fast way to write it, and wrong where points are close."""
    query, rows, slacks, _, ids = case
    squares = 1 - slacks

    def nearest():
        return best_of((squares + (query @ query.T)[0, 0] - 2 * (rows @ query[0])) / slacks)

    best = benchmark(nearest)
    note(benchmark, bytes_read=rows.nbytes + slacks.nbytes, same_ids=best.tolist() == ids.tolist())


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("backend", NATIVE)
def test_distances(benchmark, case, backend, threads):
    query, rows, _, wanted, _ = case
    index = poincare.Index(rows.shape[1], backend=backend)
    index.append(rows)
    found = benchmark(index.distances, query, threads=threads)
    note(benchmark, bytes_read=rows.nbytes + rows.shape[0] * 4, error=float(abs(found[0] / wanted - 1).max()))


@pytest.mark.parametrize("backend", NATIVE)
def test_exp_map(benchmark, case, backend):
    _, rows, _, _, _ = case
    x, v = rows[:20_000], rows[20_000:40_000] * np.float32(0.1)
    found = benchmark(poincare.exp_map, x, v, backend=backend, threads=1)
    wanted = reference.project(reference.exp_map(x, v), eps=poincare.RIM)
    note(benchmark, bytes_read=2 * x.nbytes, error=float(abs(found - wanted).max()))
