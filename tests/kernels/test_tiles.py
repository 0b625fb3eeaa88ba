"""Batches on tiles (AMX) and by VDPBF16PS answer with the bits of those without, but for the sums of hopfield."""

import os
import subprocess
import sys

import numpy as np
import pytest
from expectations import REDUCTION, unit_rows
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from context_graph import _core
from context_graph.kernels import dense, hopfield, poincare
from context_graph.kernels.reference import hopfield as reference

WITHOUT = [reason for reason in (_core.why_not_amx(), _core.why_not_bfloat16()) if reason is not None]
here = pytest.mark.skipif(len(WITHOUT) == 2, reason="; ".join(WITHOUT))
WAYS = ((True, True), (False, True), (False, False))  # tiles, VDPBF16PS, neither; what a processor lacks stays off
SIZES = {
    "n": st.integers(1, 700),
    "d": st.integers(1, 140),
    "q": st.integers(1, 70),
    "k": st.integers(0, 40),
    "seed": st.integers(0, 2**32 - 1),
}


def each_way(call):
    """The answers of a call on tiles, by VDPBF16PS and without both."""
    answers = []
    try:
        for tiles, bfloat16 in WAYS:
            _core.use_amx(tiles)
            _core.use_bfloat16(bfloat16)
            answers.append(call())
    finally:
        _core.use_amx(True)
        _core.use_bfloat16(True)
    return answers


def assert_same_bits(call):
    *ways, neither = each_way(call)
    for way in ways:
        for one, other in zip(way, neither, strict=True):
            assert one.tobytes() == other.tobytes()


def some_rows(rng, n, d, size, spread=1e-2):
    """Rows among which many are alike and some are the same."""
    centres = rng.standard_normal((60, d))
    rows = centres[rng.integers(0, 60, n)] + rng.choice([0, 1e-6, 1e-3, spread], (n, 1)) * rng.standard_normal((n, d))
    return rows * size


@here
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int8"])
@given(**SIZES, size=st.sampled_from([1.0, 1e-3, 100.0]), spread=st.sampled_from([1e-2, 1.0]), hidden=st.booleans())
@example(n=700, d=96, q=64, k=10, seed=1, size=1.0, spread=1.0, hidden=True)
@example(n=673, d=33, q=17, k=1, seed=2, size=1.0, spread=1e-2, hidden=False)
@example(n=6000, d=140, q=70, k=5, seed=3, size=1.0, spread=1e-2, hidden=False)
@example(n=6000, d=33, q=70, k=5, seed=4, size=1.0, spread=1.0, hidden=False)
def test_dense_batches(dtype, n, d, q, k, seed, size, spread, hidden):
    rng = np.random.default_rng(seed)
    index = dense.Index(d, dtype=dtype, backend="avx512")
    index.append(some_rows(rng, n, d, size, spread).astype(np.float32))
    queries = some_rows(rng, q, d, size).astype(np.float32)
    mask = rng.random(n) < 0.7 if hidden else None
    assert_same_bits(lambda: index.search(queries, k, mask=mask))


@here
@pytest.mark.parametrize("size", [1e-30, 1e-22, 1e-18, 1e18])
def test_dense_batches_of_numbers_that_leave_the_range_of_bfloat16_products(size, rng):
    rows, queries = (some_rows(rng, n, 40, size).astype(np.float32) for n in (500, 20))
    if size == 1e-30:
        queries /= np.float32(size)  # scores are then those of rows that are nothing as tiles see them
        rows *= np.float32(1e-9)
    assert_same_bits(lambda: dense.topk(queries, rows, 5, backend="avx512"))


@here
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", ["rows", "queries"])
def test_what_is_not_finite_is_refused_on_tiles_too(bad, where, rng):
    arrays = {"rows": rng.random((900, 20), dtype=np.float32), "queries": rng.random((16, 20), dtype=np.float32)}
    arrays[where][-1, 3] = bad

    def refused():
        with pytest.raises(ValueError, match="finite"):
            dense.topk(arrays["queries"], arrays["rows"], 3, backend="avx512")

    each_way(refused)


@here
@pytest.mark.parametrize("screened", [False, True])
@given(**SIZES, curvature=st.sampled_from([1.0, 0.04, 9.0]), spread=st.sampled_from([1e-2, 1.0]), hidden=st.booleans())
@example(n=700, d=64, q=64, k=10, seed=1, curvature=1.0, spread=1.0, hidden=False)
@example(n=700, d=3, q=64, k=10, seed=4, curvature=1.0, spread=1.0, hidden=True)
@example(n=6000, d=140, q=70, k=5, seed=3, curvature=1.0, spread=1e-2, hidden=False)
@example(n=6000, d=33, q=70, k=5, seed=4, curvature=1.0, spread=1.0, hidden=False)
def test_poincare_batches(screened, n, d, q, k, seed, curvature, spread, hidden):
    """At all depths down to 1e-6 from the rim, many points close to each other."""
    rng = np.random.default_rng(seed)

    def points(count):
        directions = some_rows(rng, count, d, 1.0, spread)
        directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-9)
        radii = 1 - 10.0 ** rng.uniform(-5.5, 0, (count, 1))
        return (directions * radii / np.sqrt(curvature)).astype(np.float32)

    index = poincare.Index(d, curvature=curvature, screened=screened, backend="avx512")
    index.append(points(n))
    queries = points(q)
    mask = rng.random(n) < 0.7 if hidden else None
    assert_same_bits(lambda: index.nearest(queries, k, mask=mask))


@here
@pytest.mark.parametrize("n, d", [(1, 5), (31, 32), (513, 100), (3000, 64), (1300, 384)])
@pytest.mark.parametrize("q", [12, 17, 33, 70])
def test_hopfield_batches_over_bfloat16(n, d, q, rng):
    """Sums have another order there, so these agree with the definition, without the bits of one query alone."""
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    patterns = unit_rows(rng, n, d).astype(bfloat16)
    queries = unit_rows(rng, q, d) + patterns[rng.integers(0, n, q)].astype(np.float32)
    mask = rng.random(n) < 0.8
    mask[0] = True
    options = {"beta": 20.0, "mask": mask, "steps": 3}
    one, two = (hopfield.retrieve(queries, patterns, backend="avx512", threads=t, **options) for t in (1, 2))
    wanted = reference.retrieve(queries, patterns.astype(np.float32), **options)
    assert_allclose(one.output, wanted[0], **REDUCTION)
    assert_allclose(one.lse, wanted[1], rtol=1e-5, atol=1e-4)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, two, strict=True))


@here
def test_batches_of_empty_rows_and_of_none():
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    for q, n, d in ((20, 900, 0), (20, 0, 4), (0, 900, 4)):
        queries, rows = np.zeros((q, d), np.float32), np.zeros((n, d), np.float32)
        assert_same_bits(lambda queries=queries, rows=rows: dense.topk(queries, rows, 3, backend="avx512"))
        if n > 0:
            found = hopfield.retrieve(queries, rows.astype(bfloat16), beta=1.0, backend="avx512")
            assert_allclose(found.lse, np.full(q, np.log(n)), rtol=1e-6)


@here
def test_rows_that_lie_apart(rng):
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    rows, queries = rng.standard_normal((3000, 200), dtype=np.float32), rng.standard_normal((30, 100), dtype=np.float32)
    for cut in (np.s_[:, :100], np.s_[::2, 100:], np.s_[::2, ::2]):
        assert_same_bits(lambda cut=cut: dense.topk(queries, rows[cut], 5, backend="avx512"))
        patterns = rows.astype(bfloat16)[cut]
        one = hopfield.retrieve(queries, patterns, beta=2.0, backend="avx512")
        other = hopfield.retrieve(queries, patterns.copy(), beta=2.0, backend="scalar")
        assert_allclose(one.output, other.output, **REDUCTION)


@here
@pytest.mark.parametrize("count", [1, 15, 16, 17, 31, 33, 50])
def test_blocks_that_are_not_whole(count, rng):
    """The last rows of a block, and queries that fill no group."""
    rows, queries = (rng.standard_normal((n, 70), dtype=np.float32) for n in (480 + count, 13))
    rows[-1] = 3 * queries[-1]
    assert_same_bits(lambda: dense.topk(queries, rows, 2, backend="avx512"))
    assert dense.topk(queries, rows, 2, backend="avx512")[1][-1, 0] == len(rows) - 1


@here
def test_threads_do_not_change_what_tiles_choose(rng):
    rows, queries = rng.standard_normal((9000, 96), dtype=np.float32), rng.standard_normal((33, 96), dtype=np.float32)
    one, two = (dense.topk(queries, rows, 7, backend="avx512", threads=threads) for threads in (1, 2))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, two, strict=True))


@pytest.mark.skipif(_core.why_not_amx() is not None, reason=f"{_core.why_not_amx()}")
def test_an_environment_variable_turns_tiles_off():
    code = "from context_graph import _core; print(_core.amx())"
    for value, expected in (("0", "False"), ("1", "True"), ("", "True")):
        environment = os.environ | {"CONTEXT_GRAPH_AMX": value}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected
