"""Hamming top-10 over 100,000 vectors of 10,000 bits, bundles and text encoding: ours, faiss and NumPy."""

import faiss
import numpy as np
import pytest

from benchmarks.shapes import HDC, NATIVE, SEED, note
from context_graph.kernels import hdc


@pytest.fixture(scope="module")
def rows():
    return hdc.items(np.arange(HDC), seed=SEED)


def queries(q):
    return hdc.items(np.arange(HDC, HDC + q), seed=SEED)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("q", [1, 64])
@pytest.mark.parametrize("backend", NATIVE)
def test_search(benchmark, rows, backend, q, threads):
    index = hdc.Index(backend=backend)
    index.append(rows)
    benchmark(index.search, queries(q), 10, threads=threads)
    note(benchmark, bytes_read=q * rows.nbytes)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("q", [1, 64])
def test_faiss(benchmark, rows, q, threads):
    faiss.omp_set_num_threads(threads)
    index = faiss.IndexBinaryFlat(10_000)
    index.add(np.ascontiguousarray(rows.view(np.uint8)[:, :1250]))
    benchmark(index.search, np.ascontiguousarray(queries(q).view(np.uint8)[:, :1250]), 10)
    note(benchmark, bytes_read=q * rows.nbytes)


def test_numpy(benchmark, rows):
    query = queries(1)
    benchmark(lambda: np.argpartition(np.bitwise_count(rows ^ query).sum(axis=1), 10)[:10])
    note(benchmark, bytes_read=rows.nbytes)


@pytest.mark.parametrize("backend", [*NATIVE, "reference"])
def test_bundle_of_100(benchmark, rows, backend):
    benchmark(hdc.bundle, rows[:100], backend=backend)
    note(benchmark, bytes_read=100 * 1280)


@pytest.mark.parametrize("backend", NATIVE)
def test_encode_2000_characters(benchmark, backend):
    text = np.random.default_rng(SEED).integers(32, 96, 2000)
    benchmark(hdc.encode, text, [0, 2000], backend=backend, threads=1)
    note(benchmark)
