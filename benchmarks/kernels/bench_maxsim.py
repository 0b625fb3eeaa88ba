"""Late interaction over 400,000 tokens: ours, and NumPy's GEMM with a segmented maximum."""

import numpy as np
import pytest

from benchmarks.shapes import MAXSIM, NATIVE, note, unit_rows
from context_graph.kernels import maxsim
from context_graph.kernels.reference import maxsim as reference


@pytest.fixture(scope="module")
def case():
    n, length, q, d = MAXSIM
    tokens, query = unit_rows(n * length, d), unit_rows(q, d, seed=1)
    offsets = np.arange(0, n * length + 1, length)
    return tokens, offsets, query, reference.score(query, tokens, offsets)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("backend", NATIVE)
def test_codes(benchmark, case, backend, threads):
    tokens, offsets, query, wanted = case
    index = maxsim.Index(tokens.shape[1], backend=backend)
    index.append(tokens, np.diff(offsets))
    found = benchmark(index.score, query, threads=threads)
    note(benchmark, bytes_read=tokens.size, error=float(abs(found - wanted).max()))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("backend", NATIVE)
def test_float32(benchmark, case, backend, threads):
    tokens, offsets, query, wanted = case
    found = benchmark(maxsim.score, query, tokens, offsets, backend=backend, threads=threads)
    note(benchmark, bytes_read=tokens.nbytes, error=float(abs(found - wanted).max()))


def test_numpy(benchmark, case):
    tokens, offsets, query, wanted = case
    found = benchmark(lambda: np.maximum.reduceat(tokens @ query.T, offsets[:-1]).sum(axis=1))
    note(benchmark, bytes_read=tokens.nbytes, error=float(abs(found - wanted).max()))


@pytest.mark.parametrize("threads", [1, 2])
def test_torch(benchmark, case, threads):
    torch = pytest.importorskip("torch")
    tokens, offsets, query, wanted = case
    rows, asked, bounds = (torch.from_numpy(array) for array in (tokens, query, offsets))
    torch.set_num_threads(threads)
    found = benchmark(lambda: torch.segment_reduce(rows @ asked.T, "max", offsets=bounds).sum(1)).numpy()
    note(benchmark, bytes_read=tokens.nbytes, error=float(abs(found - wanted).max()))
