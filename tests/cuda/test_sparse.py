"""The kernels of cuda/sparse.cu, launched from launch.json alone: windows of documents, and the best of several."""

from itertools import pairwise

import numpy as np
import pytest
from emulator import emulate, include_folders
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.kernels.reference import dense
from context_graph.kernels.reference import sparse as reference

pytestmark = pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known")
N, AVERAGE = 8300, 12.0  # three windows of 4,096


def scene():
    """Lists of 4 terms, of which one is empty, with postings on both sides of every window's end."""
    rng = np.random.default_rng(1)
    lists = [np.flatnonzero(rng.random(N) < share) for share in (0.4, 0.05, 0)] + [np.arange(4000, 8200)]
    docs, starts = np.concatenate(lists).astype(np.uint32), np.concatenate([[0], np.cumsum([len(x) for x in lists])])
    values = rng.integers(1, 9, len(docs)).astype(np.float32)
    weights, lengths = rng.random(4).astype(np.float32), rng.integers(1, 30, N).astype(np.float32)
    postings = [(docs[a:b], values[a:b]) for a, b in pairwise(starts)]
    given = {"docs": docs, "values": values, "begins": starts[:-1], "ends": starts[1:], "weights": weights, "terms": 4}
    # x (k1 + 1) / (x + k1 (1 - b) + k1 b length / average)
    given |= {"lengths": lengths, "gain": 2.2, "flat": 0.3, "slope": 0.9 / AVERAGE, "n": N}
    return given, reference.bm25(postings, weights, lengths, average=AVERAGE), reference.dot(postings, weights, N)


def flag():
    return {"not_finite": np.zeros(1, np.int32)}


@pytest.mark.parametrize("grid", [None, [1, None, None]])
@pytest.mark.parametrize("build", ["plain", "address"])
def test_every_document_has_its_sum_in_whichever_window(build, grid):
    given, bm25, dot = scene()
    assert_allclose(emulate("cg_sparse_scores", build, 3, grid=grid, **given, **flag())["out"], bm25, rtol=2e-6)
    found = emulate("cg_sparse_scores", build, 3, grid=grid, **given | {"lengths": None}, **flag())
    assert_allclose(found["out"], dot, rtol=2e-6)
    assert found["not_finite"][0] == 0


@pytest.mark.parametrize("grid", [None, [1, None, None]])
def test_the_best_documents_that_the_mask_shows_are_found(grid):
    given, *_ = scene()
    mask = (np.random.default_rng(2).random(N) < 0.5).astype(np.uint8)
    scores = emulate("cg_sparse_scores", **given, **flag())["out"]
    search = emulate("cg_sparse_search", grid=grid, **given, mask=mask, k=90, below=None, **flag())["best"]
    found = emulate("cg_select_merge", best=search, lists=search.shape[1], k=90, first=0, ld=90)
    wanted = dense.best(scores[None], 180, mask)[1]
    assert_array_equal(found["ids"], wanted[:, :90])
    search = emulate("cg_sparse_search", grid=grid, **given, mask=mask, k=90, below=found["below"], **flag())["best"]
    found = emulate("cg_select_merge", best=search, lists=search.shape[1], k=90, first=0, ld=90)
    assert_array_equal(found["ids"], wanted[:, 90:])


def test_a_sum_that_is_not_finite_raises_the_flag():
    given, *_ = scene()
    weights = given["weights"].copy()
    weights[3] = np.inf
    assert emulate("cg_sparse_scores", **given | {"weights": weights}, **flag())["not_finite"][0] == 1
    search = emulate("cg_sparse_search", **given | {"weights": weights}, mask=None, k=3, below=None, **flag())
    assert search["not_finite"][0] == 1
