"""The Triton kernels of dense against their definition, by the interpreter, or on a card with TRITON_INTERPRET=0."""

import numpy as np
import pytest
from expectations import EXACT, REDUCTION, unit_rows
from numpy.testing import assert_allclose, assert_array_equal

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("triton", reason="triton is not installed")

from context_graph import kernels  # noqa: E402
from context_graph.errors import ArrayError  # noqa: E402
from context_graph.kernels.reference import dense as reference  # noqa: E402
from context_graph.kernels.triton import dense  # noqa: E402
from tests.triton.tensors import DEVICE, on  # noqa: E402

QUERIES = pytest.mark.parametrize("q", [1, 2, 17, 70])  # alone, below a block, above one, above the largest
OVERFLOW = pytest.mark.filterwarnings("ignore:(invalid value|overflow):RuntimeWarning")  # of NumPy, which interprets


@pytest.fixture
def rng():
    return np.random.default_rng(20261121)


@QUERIES
@pytest.mark.parametrize("d", [1, 3, 16, 65, 200])
def test_scores_agree_with_their_definition(rng, q, d):
    queries, rows = unit_rows(rng, q, d), unit_rows(rng, 70, d)
    assert_allclose(dense.scores(*on(queries, rows)).cpu(), reference.scores(queries, rows), **REDUCTION)


@QUERIES
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int8"])
def test_narrow_rows_are_read_as_they_are(rng, q, dtype):
    queries, rows = unit_rows(rng, q, 33), rng.standard_normal((70, 33), np.float32)
    there = on(rows * 100 if dtype == "int8" else rows).to(getattr(torch, dtype))
    scale = rng.random(70, np.float32) / 100
    wanted = reference.scores(queries, there.float().cpu().numpy(), scale=scale)
    assert_allclose(dense.scores(on(queries), there, scale=on(scale)).cpu(), wanted, **REDUCTION)


@pytest.mark.parametrize("q", [1, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("k", [0, 1, 10, 2100, 2103])
def test_the_best_are_those_of_the_scores(rng, q, k):
    queries, rows = unit_rows(rng, q, 8), unit_rows(rng, 2100, 8)
    mask = rng.random(2100) < 0.5
    for options in ({}, {"mask": mask}, {"mask": mask.astype(np.uint8) * 7}):
        there = {name: on(value) for name, value in options.items()}
        top_scores, ids = dense.topk(*on(queries, rows), k, **there)
        wanted, wanted_ids = reference.best(dense.scores(*on(queries, rows)).cpu().numpy(), k, options.get("mask"))
        assert top_scores.dtype == torch.float32 and ids.dtype == torch.int64
        assert_array_equal(ids.cpu(), wanted_ids)
        assert_allclose(top_scores.cpu(), wanted, **EXACT)


@QUERIES
def test_ties_go_to_the_lowest_id_whatever_their_sign(q):
    rows = np.zeros((1500, 2), np.float32)
    rows[[700, 1200], 0] = 1
    queries = np.tile(np.array([[1, 0]], np.float32), (q, 1))
    scale = np.where(np.arange(1500) % 2, -1, 1).astype(np.float32)  # every second score is -0.0
    ids = dense.topk(*on(queries, rows), 5, scale=on(scale))[1].cpu()
    assert_array_equal(ids, [[700, 1200, 0, 1, 2]] * q)
    assert_array_equal(dense.topk(*on(-queries, rows), 1500)[1].cpu()[:, -2:], [[700, 1200]] * q)


def test_large_batches_are_taken_in_parts(rng, monkeypatch):
    queries, rows = on(*(np.round(8 * unit_rows(rng, count, 6)) for count in (40, 30)))  # whose sums are exact
    whole = dense.topk(queries, rows, 4)
    monkeypatch.setattr(dense, "MAX_SCORES", 30 * 16)
    for part, wanted in zip(dense.topk(queries, rows, 4), whole, strict=True):
        assert_array_equal(part.cpu(), wanted.cpu())


def test_rows_that_lie_apart_are_read(rng):
    wide, queries = on(unit_rows(rng, 40, 64), unit_rows(rng, 3, 20))
    for view in (wide[:, 8:28], wide[::3, :20], wide.T.contiguous().T[:, :20]):
        assert_array_equal(dense.scores(queries, view).cpu(), dense.scores(queries, view.contiguous()).cpu())


def test_nothing_in_is_nothing_out():
    none, some = on(np.zeros((0, 4), np.float32), np.ones((2, 4), np.float32))
    assert dense.scores(none, some).shape == (0, 2) and dense.scores(some, none).shape == (2, 0)
    assert dense.topk(none, some, 3)[1].shape == (0, 3)
    assert dense.topk(some, none, 2)[1].tolist() == [[-1, -1]] * 2
    assert dense.topk(some[:1, :0], some[:, :0], 3)[1].tolist() == [[0, 1, -1]]
    hidden, ids = dense.topk(some, some, 1, mask=on(np.zeros(2, bool)))
    assert hidden.isneginf().all() and ids.tolist() == [[-1], [-1]]


@OVERFLOW
@QUERIES
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(q, bad):
    rows, queries = np.ones((70, 6), np.float32), np.ones((q, 6), np.float32)
    broken, broken_queries = rows.copy(), queries.copy()
    broken[17, 2] = broken_queries[-1, 2] = bad
    hidden = np.arange(70) != 17
    for arrays in ((queries, broken), (broken_queries, rows), (broken_queries, rows[:0])):
        with pytest.raises(ArrayError, match="not finite"):
            dense.topk(*on(*arrays), 1, mask=on(hidden[: len(arrays[1])]))
    with pytest.raises(ArrayError, match="not finite"):
        dense.scores(*on(queries * 3e38, rows * 3e38))


def test_what_is_wrong_is_said():
    rows = on(np.ones((4, 3), np.float32))
    for k, wrong in ((1.5, "an integer, got 1.5"), (-1, "0 or more, got -1"), (1 << 23, "at most 4, which are all")):
        with pytest.raises(ArrayError, match=f"k must be {wrong}"):
            dense.topk(rows, rows, k)
    with pytest.raises(ArrayError, match="rows must have dtype float32 or float16 or bfloat16 or int8, got float64"):
        dense.scores(rows, rows.double())
    with pytest.raises(ArrayError, match=r"rows must have shape \(any, 3\), got \(4, 2\)"):
        dense.scores(rows, rows[:, :2])
    with pytest.raises(ArrayError, match=r"mask must have shape \(4\), got \(3,\)"):
        dense.topk(rows, rows, 1, mask=rows[:3, 0] > 0)
    with pytest.raises(ArrayError, match=r"scale must have shape \(4\), got \(3,\)"):
        dense.scores(rows, rows, scale=rows[:3, 0])


def test_public_functions_lead_here(rng):
    queries, rows = unit_rows(rng, 2, 16), unit_rows(rng, 9, 16)
    backend = "triton"
    top_scores, ids = kernels.dense.topk(*on(queries, rows), 3, backend=backend)
    assert top_scores.device.type == DEVICE
    assert_array_equal(ids.cpu(), reference.topk(queries, rows, 3)[1])
    scores = kernels.dense.scores(*on(queries, rows), backend=backend)
    assert_allclose(scores.cpu(), reference.scores(queries, rows), **REDUCTION)
