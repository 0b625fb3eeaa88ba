"""The Triton kernels of transe against their definition, by the interpreter, or on a card with TRITON_INTERPRET=0."""

import numpy as np
import pytest
from expectations import EXACT, REDUCTION, unit_rows
from numpy.testing import assert_allclose, assert_array_equal

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("triton", reason="triton is not installed")

from context_graph import kernels  # noqa: E402
from context_graph.errors import ArrayError  # noqa: E402
from context_graph.kernels.reference import dense  # noqa: E402
from context_graph.kernels.reference import transe as reference  # noqa: E402
from context_graph.kernels.triton import transe  # noqa: E402
from tests.triton.tensors import DEVICE, on  # noqa: E402

each_norm = pytest.mark.parametrize("norm", [1, 2])
OVERFLOW = pytest.mark.filterwarnings("ignore:(invalid value|overflow):RuntimeWarning")  # of NumPy, which interprets


@pytest.fixture
def rng():
    return np.random.default_rng(20261121)


@each_norm
@pytest.mark.parametrize("d", [1, 3, 16, 65, 200])
def test_scores_agree_with_their_definition(rng, d, norm):
    facts = [unit_rows(rng, 37, d) for _ in range(3)]
    found = transe.score(*on(*facts), norm=norm).cpu()
    assert found.shape == (37,) and found.dtype == torch.float32
    assert_allclose(found, reference.score(*facts, norm=norm), **REDUCTION)


@each_norm
@pytest.mark.parametrize("d", [1, 16, 200])
@pytest.mark.parametrize("q", [1, 3])
def test_nearest_chooses_what_score_says(rng, q, d, norm):
    heads, relations, tails = (unit_rows(rng, count, d) for count in (q, q, 200))
    mask = rng.random(200) < 0.7
    repeated = [on(np.tile(rows, (200, 1))) for pair in zip(heads, relations, strict=True) for rows in pair]
    pairs = zip(repeated[::2], repeated[1::2], strict=True)
    scores = [transe.score(h, r, on(tails), norm=norm).cpu().numpy() for h, r in pairs]
    for options in ({}, {"mask": mask}):
        there = {name: on(value) for name, value in options.items()}
        found, ids = transe.nearest(*on(heads, relations, tails), 220, norm=norm, **there)
        wanted, wanted_ids = dense.best(np.array(scores), 220, options.get("mask"))
        assert_array_equal(ids.cpu(), wanted_ids)
        assert_allclose(found.cpu(), wanted, **EXACT)


@each_norm
def test_the_tail_itself_scores_nothing_at_all(rng, norm):
    heads, relations = on(unit_rows(rng, 20, 33), unit_rows(rng, 20, 33))
    found = transe.score(heads, relations, heads + relations, norm=norm).cpu().numpy()
    assert_array_equal(found, 0)
    assert not np.signbit(found).any()


def test_ties_go_to_the_lowest_id():
    tails = np.ones((900, 3), np.float32)
    tails[400] = 0
    zero = on(np.zeros((1, 3), np.float32))
    for norm, away in ((1, -3), (2, -np.sqrt(np.float32(3)))):
        found, ids = transe.nearest(zero, zero, on(tails), 4, norm=norm)
        assert ids.tolist() == [[400, 0, 1, 2]]
        assert_array_equal(found.cpu(), np.array([[0, away, away, away]], np.float32))


def test_large_batches_are_taken_in_parts(rng, monkeypatch):
    facts = on(*(unit_rows(rng, count, 6) for count in (7, 7, 30)))
    whole = transe.nearest(*facts, 4)
    monkeypatch.setattr("context_graph.kernels.triton.dense.MAX_SCORES", 60)
    for part, wanted in zip(transe.nearest(*facts, 4), whole, strict=True):
        assert_array_equal(part.cpu(), wanted.cpu())


def test_rows_that_lie_apart_are_read(rng):
    wide = on(unit_rows(rng, 40, 64))
    for view in (wide[:, 8:28], wide[::3, :20], wide.T.contiguous().T[:, :20]):
        packed = view.contiguous()
        found = transe.nearest(view[:2], view[1:3], view, 3)
        for part, wanted in zip(found, transe.nearest(packed[:2], packed[1:3], packed, 3), strict=True):
            assert_array_equal(part.cpu(), wanted.cpu())


def test_nothing_in_is_nothing_out():
    none, some = on(np.zeros((0, 4), np.float32), np.ones((2, 4), np.float32))
    assert transe.score(none, none, none).shape == (0,)
    assert transe.nearest(none, none, some, 3)[1].shape == (0, 3)
    assert transe.nearest(some, some, none, 1)[1].tolist() == [[-1], [-1]]
    assert transe.nearest(some, some, some, 0)[0].shape == (2, 0)


@OVERFLOW
@each_norm
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(bad, norm):
    rows = np.ones((40, 6), np.float32)
    broken = rows.copy()
    broken[17, 2] = bad
    for facts in ((broken, rows, rows), (rows, broken, rows), (rows, rows, broken), (rows * 3e38, rows * 3e38, rows)):
        with pytest.raises(ArrayError, match="not finite"):
            transe.score(*on(*facts), norm=norm)
        with pytest.raises(ArrayError, match="not finite"):
            transe.nearest(*on(*facts), 1, norm=norm, mask=on(np.arange(40) != 17))
    with pytest.raises(ArrayError, match="not finite"):
        transe.nearest(*on(rows, broken, rows[:0]), 1, norm=norm)


def test_what_is_wrong_is_said():
    rows = on(np.ones((4, 3), np.float32))
    for norm in (0, 3):
        with pytest.raises(ArrayError, match=f"norm must be 1 or 2, got {norm}"):
            transe.score(rows, rows, rows, norm=norm)
    with pytest.raises(ArrayError, match=r"relations must have shape \(4, 3\), got \(2, 3\)"):
        transe.nearest(rows, rows[:2], rows, 1)
    with pytest.raises(ArrayError, match=r"tails must have shape \(4, 3\), got \(2, 3\)"):
        transe.score(rows, rows, rows[:2])
    with pytest.raises(ArrayError, match="k must be 0 or more, got -1"):
        transe.nearest(rows, rows, rows, -1)


@each_norm
def test_public_functions_lead_here(rng, norm):
    facts = [unit_rows(rng, 9, 16) for _ in range(3)]
    backend = "triton"
    found = kernels.transe.score(*on(*facts), norm=norm, backend=backend)
    assert found.device.type == DEVICE
    assert_allclose(found.cpu(), reference.score(*facts, norm=norm), **REDUCTION)
    ids = kernels.transe.nearest(*on(*facts), 3, norm=norm, backend=backend)[1].cpu()
    assert_array_equal(ids, reference.nearest(*facts, 3, norm=norm)[1])
