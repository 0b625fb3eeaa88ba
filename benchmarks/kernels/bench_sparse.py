"""Top-100 of 100,000 documents by BM25 and dot product: ours, and bm25s with its compiled backend."""

import bm25s
import numpy as np
import pytest

from benchmarks.shapes import NATIVE, SEED, SPARSE, bags, note
from context_graph.kernels import sparse


@pytest.fixture(scope="module")
def case():
    n, most, vocabulary, asked = SPARSE
    terms, values, lengths = bags(n, most, vocabulary)
    rng = np.random.default_rng(SEED)
    query = np.unique(rng.choice(terms, 2 * asked))[:asked]
    return terms, values, lengths, query, rng.random(len(query)).astype(np.float32)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bm25", [False, True], ids=["dot", "bm25"])
@pytest.mark.parametrize("backend", NATIVE)
def test_ours(benchmark, case, backend, bm25, threads):
    terms, values, lengths, query, weights = case
    index, exact = sparse.Index(backend=backend), sparse.Index(backend="reference")
    index.append(terms, values, lengths)
    exact.append(terms, values, lengths)
    benchmark(index.search, query, weights, 100, bm25=bm25, threads=threads)
    found, wanted = (each.bm25(query, weights) if bm25 else each.dot(query, weights) for each in (index, exact))
    note(benchmark, error=float(abs(found - wanted).max()), postings=int(index.df(query).sum()))


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_bm25s(benchmark, case, backend):
    terms, values, lengths, query, _ = case
    repeated = np.repeat(terms, values.astype(int))
    stops = np.cumsum(np.add.reduceat(values.astype(int), np.concatenate([[0], np.cumsum(lengths)[:-1]])))[:-1]
    corpus = [part.tolist() for part in np.split(repeated, stops)]
    retriever = bm25s.BM25(k1=1.2, b=0.75, backend=backend)
    names = {int(term): int(term) for term in range(SPARSE[2])}
    retriever.index((corpus, names), show_progress=False)
    asked = [query.astype(np.int32).tolist()]
    benchmark(retriever.retrieve, asked, k=100, show_progress=False, n_threads=1 if backend == "numba" else 0)
    note(benchmark)
