"""One point against the cones of a million apexes, and one cone against a million points: ours, numba and NumPy."""

import numba
import numpy as np
import pytest

from benchmarks.shapes import BALL, NATIVE, ball, note, on_huge_pages
from context_graph.kernels import cones

K = np.float32(0.1)


@pytest.fixture(scope="module")
def case():
    n, d = BALL
    rows = on_huge_pages(ball(n, d))
    apexes = rows[:1] * np.float32(0.3 / np.linalg.norm(rows[0]))
    rows[::1000] += 4 * apexes[0]  # a thousand of them lie around one axis
    rows[::1000] *= np.minimum(1, 0.9 / np.linalg.norm(rows[::1000], axis=1, keepdims=True))
    point = apexes * np.float32(3.1)
    wanted = cones.ancestors(point, rows, backend="scalar")[0], cones.descendants(apexes, rows, backend="scalar")[0]
    return point, apexes, rows, wanted


@numba.njit(parallel=True, fastmath=True)
def fused(point, rows, out):
    for i in numba.prange(rows.shape[0]):
        g = q = n = np.float32(0)
        for x in range(rows.shape[1]):
            w = point[x] - rows[i, x]
            g += w * rows[i, x]
            q += w * w
            n += rows[i, x] * rows[i, x]
        a = np.float32(1) - n
        narrow = n - K * K * a * a
        out[i] = narrow <= 0 or np.sqrt(max(n * q - g * g, np.float32(0)) * narrow) <= K * (a * g - n * q)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("backend", NATIVE)
def test_ancestors(benchmark, case, backend, threads):
    point, _, rows, (wanted, _) = case
    found = benchmark(cones.ancestors, point, rows, backend=backend, threads=threads)
    note(benchmark, bytes_read=rows.nbytes, found=int(found.sum()), wrong=int((found[0] != wanted).sum()))


@pytest.mark.parametrize("threads", [1, 2])
def test_ancestors_numba(benchmark, case, threads):
    point, _, rows, (wanted, _) = case
    numba.set_num_threads(threads)
    out = np.empty(len(rows), np.bool_)
    fused(point[0], rows, out)  # compiles
    benchmark(fused, point[0], rows, out)
    note(benchmark, bytes_read=rows.nbytes, found=int(out.sum()), wrong=int((out != wanted).sum()))


def test_ancestors_numpy(benchmark, case):
    """Squares expanded, norms cached: one matrix product."""
    point, _, rows, (wanted, _) = case
    n, y = (rows**2).sum(axis=1), (point**2).sum()

    def ancestors():
        dots = rows @ point[0]
        g, q, a = dots - n, n + y - 2 * dots, 1 - n
        narrow = n - K * K * a * a
        return (narrow <= 0) | (np.sqrt(np.maximum((n * q - g * g) * narrow, 0)) <= K * (a * g - n * q))

    found = benchmark(ancestors)
    note(benchmark, bytes_read=rows.nbytes, found=int(found.sum()), wrong=int((found != wanted).sum()))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("backend", NATIVE)
def test_descendants(benchmark, case, backend, threads):
    _, apexes, rows, (_, wanted) = case
    found = benchmark(cones.descendants, apexes, rows, backend=backend, threads=threads)
    note(benchmark, bytes_read=rows.nbytes, found=int(found.sum()), wrong=int((found[0] != wanted).sum()))
