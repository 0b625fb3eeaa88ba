"""Late interaction over 10,000 documents: ours, and NumPy's and torch's GEMM with a segmented maximum."""

import numpy as np
import pytest

from benchmarks.shapes import MAXSIM, NATIVE, note, unit_rows
from context_graph.kernels import maxsim
from context_graph.kernels.reference import maxsim as reference

THREADS = pytest.mark.parametrize("threads", [1, 2])
LONG = 500_000  # tokens from which on scalar takes seconds a call


@pytest.fixture(scope="module", params=MAXSIM, ids=lambda shape: "x".join(map(str, shape)))
def case(request):
    n, length, q, d = request.param
    tokens, query = unit_rows(n * length, d), unit_rows(q, d, seed=1)
    offsets = np.arange(0, n * length + 1, length)
    return tokens, offsets, query, reference.score(query, tokens, offsets)


@pytest.fixture
def native(request, case):
    if request.param == "scalar" and len(case[0]) > LONG:
        pytest.skip("seconds a call")
    return request.param


each_backend = pytest.mark.parametrize("native", NATIVE, indirect=True)


@THREADS
@each_backend
def test_codes(benchmark, case, native, threads):
    tokens, offsets, query, wanted = case
    index = maxsim.Index(tokens.shape[1], backend=native)
    index.append(tokens, np.diff(offsets))
    found = benchmark(index.score, query, threads=threads)
    note(benchmark, bytes_read=tokens.size, error=float(abs(found - wanted).max()))


@THREADS
@pytest.mark.parametrize("keep", ["float32", "float16"])
@each_backend
def test_kept(benchmark, case, native, keep, threads):
    tokens, offsets, query, wanted = case
    index = maxsim.Index(tokens.shape[1], keep=keep, backend=native)
    index.append(tokens, np.diff(offsets))
    found, ids = benchmark(index.search, query, 10, threads=threads)
    same = bool((ids == np.argsort(-wanted, kind="stable")[:10]).all())
    note(benchmark, bytes_read=tokens.size, error=float(abs(found - wanted[ids]).max()), same_ids=same)


@THREADS
@each_backend
def test_float32(benchmark, case, native, threads):
    tokens, offsets, query, wanted = case
    found = benchmark(maxsim.score, query, tokens, offsets, backend=native, threads=threads)
    note(benchmark, bytes_read=tokens.nbytes, error=float(abs(found - wanted).max()))


def test_numpy(benchmark, case):
    tokens, offsets, query, wanted = case
    found = benchmark(lambda: np.maximum.reduceat(tokens @ query.T, offsets[:-1]).sum(axis=1))
    note(benchmark, bytes_read=tokens.nbytes, error=float(abs(found - wanted).max()))


@THREADS
def test_torch(benchmark, case, threads):
    torch = pytest.importorskip("torch")
    tokens, offsets, query, wanted = case
    rows, asked, bounds = (torch.from_numpy(array) for array in (tokens, query, offsets))
    torch.set_num_threads(threads)
    found = benchmark(lambda: torch.segment_reduce(rows @ asked.T, "max", offsets=bounds).sum(1)).numpy()
    note(benchmark, bytes_read=tokens.nbytes, error=float(abs(found - wanted).max()))
