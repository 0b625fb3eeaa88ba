"""Flat top-10, one query and 64: ours on every backend, faiss, NumPy, torch, and the memory read speed of the run."""

import itertools
import os

import faiss
import numpy as np
import pytest

from benchmarks.shapes import DENSE, NATIVE, note, on_huge_pages, unit_rows
from context_graph.kernels import dense
from context_graph.kernels.reference import dense as reference

faiss.cvar.distance_compute_blas_threshold = 20  # the shipped default scans batches query by query
THREADS = [1, 2]


SHAPES = [(n, d, q) for n, d in DENSE for q in (1, 64)]
TYPES = {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}


@pytest.fixture(scope="module", params=SHAPES, ids=lambda shape: "x".join(map(str, shape)))
def case(request):
    n, d, q = request.param
    rows, query = unit_rows(n, d), unit_rows(q, d, seed=1)
    return on_huge_pages(rows), query, reference.topk(query, rows, 10)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("backend", NATIVE)
def test_ours(benchmark, case, backend, dtype, threads):
    rows, query, (scores, ids) = case
    if backend == "scalar" and len(query) > 1:
        pytest.skip("seconds a call")
    index = dense.Index(rows.shape[1], dtype=dtype, backend=backend)
    index.append(rows)
    found, found_ids = benchmark(index.search, query, 10, threads=threads)
    note(
        benchmark,
        bytes_read=rows.size * TYPES[dtype],
        error=float(abs(found - scores).max()),
        same_ids=bool((found_ids == ids).all()),
    )


@pytest.mark.parametrize("threads", THREADS)
def test_faiss(benchmark, case, threads):
    rows, query, (scores, ids) = case
    faiss.omp_set_num_threads(threads)
    found, found_ids = benchmark(faiss.knn, query, rows, 10, metric=faiss.METRIC_INNER_PRODUCT)
    note(
        benchmark,
        bytes_read=rows.nbytes,
        error=float(abs(found - scores).max()),
        same_ids=bool((found_ids == ids).all()),
    )


def test_numpy(benchmark, case):
    rows, query, (_, ids) = case

    def search():
        found = query @ rows.T
        return np.argpartition(-found, 10, axis=1)[:, :10]

    best = benchmark(search)
    note(benchmark, bytes_read=rows.nbytes, same_ids=sorted(best[0]) == sorted(ids[0]))


def test_torch(benchmark, case):
    torch = pytest.importorskip("torch")
    rows, query, (_, ids) = case
    asked, given = torch.from_numpy(query), torch.from_numpy(rows)
    best = benchmark(lambda: torch.topk(asked @ given.T, 10).indices)
    note(benchmark, bytes_read=rows.nbytes, same_ids=bool((best.numpy() == ids).all()))


@pytest.mark.parametrize("threads", THREADS)
def test_memory_read(benchmark, case, threads):
    """The bound: the same bytes, with one multiply-add per 16 of them."""
    rows, _, _ = case
    doubles = rows.view(np.float32).reshape(-1, 4096)
    one = np.ones((1, 4096), np.float32)
    benchmark(dense.topk, one, doubles, 1, threads=threads)
    note(benchmark, bytes_read=rows.nbytes)


@pytest.fixture(scope="module", params=["100000x384", "100000x1536", "real"])
def prefilter_case(request):
    """Random directions, the hardest, for all rows are about equally far; real rows from an npz with base and query."""
    if request.param == "real":
        if "CONTEXT_GRAPH_ROWS" not in os.environ:
            pytest.skip("CONTEXT_GRAPH_ROWS does not name an npz file with the arrays base and query")
        with np.load(os.environ["CONTEXT_GRAPH_ROWS"]) as file:
            rows, queries = (file[name].astype(np.float32) for name in ("base", "query"))
    else:
        n, d = map(int, request.param.split("x"))
        rows, queries = unit_rows(n, d), unit_rows(50, d, seed=1)
    return on_huge_pages(rows), queries, reference.topk(queries, rows, 10)[1]


@pytest.mark.parametrize("oversample", [10, 50, 200])
@pytest.mark.parametrize("backend", NATIVE)
def test_prefiltered(benchmark, prefilter_case, backend, oversample):
    """Single queries, one after another, one thread."""
    rows, queries, ids = prefilter_case
    index = dense.Index(rows.shape[1], prefilter_bits=1, backend=backend)
    index.append(rows)
    found = [index.search(query[None], 10, oversample=oversample, threads=1)[1] for query in queries]
    turn = itertools.cycle(queries)
    benchmark(lambda: index.search(next(turn)[None], 10, oversample=oversample, threads=1))
    recall = np.mean([len(np.intersect1d(a, b)) / 10 for a, b in zip(found, ids, strict=True)])
    note(benchmark, bytes_read=rows.size // 8, recall=round(float(recall), 4))


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_not_prefiltered(benchmark, prefilter_case, dtype):
    """The exact searches beside it."""
    rows, queries, _ = prefilter_case
    index = dense.Index(rows.shape[1], dtype=dtype)
    index.append(rows)
    turn = itertools.cycle(queries)
    benchmark(lambda: index.search(next(turn)[None], 10, threads=1))
    note(benchmark, bytes_read=rows.size * TYPES[dtype])
