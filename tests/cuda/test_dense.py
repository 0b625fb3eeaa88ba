"""The kernels of cuda/dense.cu, launched from launch.json alone."""

import numpy as np
import pytest
from emulator import emulate, include_folders
from expectations import unit_rows
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.kernels.reference import dense as reference

pytestmark = [
    pytest.mark.long,  # its kernels take long to compile
    pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known"),
]


def as_bfloat(rows):
    """float32 values that bfloat16 holds, and their 16 bits."""
    bits = rows.view(np.uint32) & 0xFFFF0000
    return bits.view(np.float32), (bits >> 16).astype(np.uint16)


def packed(rows, kind):
    """The values the rows mean, and their bytes with a stride of a multiple of 16."""
    if kind == "bf16":
        values, rows = as_bfloat(rows)
    elif kind == "i8":
        rows = values = np.round(rows * 127).astype(np.int8)
    else:
        rows = values = rows.astype({"f32": np.float32, "f16": np.float16}[kind])
    raw = rows.view(np.uint8).reshape(len(rows), -1)
    padded = np.full((len(rows), -(-raw.shape[1] // 16) * 16), 0xFF, np.uint8)
    padded[:, : raw.shape[1]] = raw
    return values.astype(np.float64), padded


def nearest(kernel, k, build="plain", seed=0, ids_below=None, **arguments):
    """The scan and the merge, as a caller from outside makes them."""
    scan = emulate(kernel, build, seed, k=min(k, 128), not_finite=np.zeros(1, np.int32), **arguments)
    lists = scan["best"].shape[1]
    merged = emulate("cg_select_merge", build, seed, best=scan["best"], lists=lists, k=k, first=0, ld=k)
    return merged["scores"], merged["ids"], scan


@pytest.mark.parametrize("kind", ["f32", "f16", "bf16", "i8"])
@pytest.mark.parametrize("build, seed, n, d", [("plain", 0, 300, 70), ("plain", 9, 300, 64), ("address", 3, 90, 37)])
def test_the_best_rows_are_found(kind, build, seed, n, d):
    rng = np.random.default_rng(n + d)
    queries, (values, rows) = unit_rows(rng, 2, d), packed(unit_rows(rng, n, d), kind)
    mask = (rng.random(n) < 0.8).astype(np.uint8)
    arguments = {"queries": queries, "rows": rows, "n": n, "mask": mask, "scale": None}
    scores, ids, scan = nearest(f"cg_dense_topk_{kind}", 7, build, seed, **arguments)
    wanted, wanted_ids = reference.topk(queries.astype(np.float64), values, 7, mask=mask)
    assert_array_equal(ids, wanted_ids)
    assert_allclose(scores, wanted, rtol=1e-5, atol=1e-5)
    assert scan["not_finite"][0] == 0
    plain = emulate(
        f"cg_dense_scores_{kind}", build, seed, not_finite=np.zeros(1, np.int32), **without(arguments, "mask")
    )
    assert_array_equal(np.take_along_axis(plain["out"], ids, 1), scores)


def without(arguments, name):
    return {key: value for key, value in arguments.items() if key != name}


@pytest.mark.long
def test_no_thread_races_with_another():
    rng = np.random.default_rng(5)
    queries, (values, rows) = unit_rows(rng, 1, 20), packed(unit_rows(rng, 40, 20), "f32")
    _, ids, _ = nearest("cg_dense_topk_f32", 4, "thread", queries=queries, rows=rows, n=40, scale=None, mask=None)
    assert_array_equal(ids, reference.topk(queries, values, 4)[1])


@pytest.mark.long
@pytest.mark.parametrize("kind", ["f32", "f16", "bf16", "i8"])
def test_a_scan_reads_each_row_once(kind):
    rng = np.random.default_rng(6)
    n, d = 200, 384
    queries, (_, rows) = unit_rows(rng, 1, d), packed(unit_rows(rng, n, d), kind)
    moved = nearest(f"cg_dense_topk_{kind}", 8, "traffic", queries=queries, rows=rows, n=n, scale=None, mask=None)[2]
    blocks, least = moved["best"].shape[1], rows.nbytes
    for bytes_read in (moved.loaded_bytes, moved.load_sector_bytes):
        assert bytes_read - blocks * queries.nbytes <= 1.15 * least


def test_more_than_128_are_found_below_the_last_key():
    rng = np.random.default_rng(8)
    queries, (values, rows) = unit_rows(rng, 1, 16), packed(unit_rows(rng, 400, 16), "f32")
    arguments = {"queries": queries, "rows": rows, "n": 400, "scale": None, "mask": None}
    scores, ids, below = np.zeros((1, 200), np.float32), np.zeros((1, 200), np.int64), None
    for first, k in ((0, 128), (128, 72)):
        best = emulate("cg_dense_topk_f32", k=k, below=below, not_finite=np.zeros(1, np.int32), **arguments)["best"]
        part = emulate(
            "cg_select_merge", best=best, lists=best.shape[1], k=k, first=first, ld=200, scores=scores, ids=ids
        )
        scores, ids, below = part["scores"], part["ids"], part["below"]
    assert_array_equal(ids, reference.topk(queries, values, 200)[1])


def test_a_score_that_is_not_finite_raises_the_flag_and_is_not_chosen():
    rows = np.ones((40, 4), np.float32)
    rows[7, 2] = np.nan
    arguments = {"queries": np.ones((1, 4), np.float32), "rows": rows.view(np.uint8), "n": 40, "scale": None}
    _, ids, scan = nearest("cg_dense_topk_f32", 3, mask=None, **arguments)
    assert scan["not_finite"][0] == 1 and 7 not in ids
    hidden = np.ones(40, np.uint8)
    hidden[7] = 0
    assert nearest("cg_dense_topk_f32", 3, mask=hidden, **arguments)[2]["not_finite"][0] == 0


BATCHES = ["f32", "f16", "bf16"]


def batch(kernel, kind, queries, rows, build="plain", seed=0, **more):
    """The queries in parts, and the kernel on them."""
    (q, d), padded = queries.shape, -(-queries.shape[1] // 32) * 32
    split = emulate(f"cg_dense_split_{kind}", build, seed, queries=queries, q=q, d=d, padded=padded)
    given = {"parts": split["parts"], "step": split["step"], "q": q, "d": d, "padded": padded}
    given |= {"rows": rows, "n": len(rows), "stride": rows.shape[1], "not_finite": np.zeros(1, np.int32)}
    return emulate(f"cg_dense_{kernel}_batch_{kind}", build, seed, **given, **more)


# Around the tiles: 128 rows, 32 queries, 32 numbers of d.
@pytest.mark.parametrize("kind", BATCHES)
@pytest.mark.parametrize("n, d, q, k", [(300, 100, 40, 20), (129, 33, 33, 128), (128, 32, 32, 1), (5, 1, 9, 3)])
def test_tensor_cores_find_what_the_definition_finds(kind, n, d, q, k):
    rng = np.random.default_rng(n)
    values, rows = packed(unit_rows(rng, n, d), kind)
    queries = (unit_rows(rng, q, d) * 10.0 ** rng.integers(-30, 31, (q, 1))).astype(np.float32)
    found = batch("scores", kind, queries, rows)
    size = np.abs(queries).astype(np.float64) @ np.abs(values).T
    assert (np.abs(found["out"] - queries.astype(np.float64) @ values.T) <= 2.5e-7 * size).all()
    assert found["not_finite"][0] == 0
    mask = (rng.random(n) < 0.7).astype(np.uint8)
    scan = batch("topk", kind, queries, rows, k=k, mask=mask, below=None)
    merged = emulate("cg_select_merge", best=scan["best"], lists=scan["best"].shape[1], k=k, first=0, ld=k)
    wanted, wanted_ids = reference.best(found["out"], k, mask)
    assert_array_equal(merged["ids"], wanted_ids)
    assert_array_equal(merged["scores"], wanted.astype(np.float32))


@pytest.mark.parametrize("kind", BATCHES)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_batch_with_a_query_that_is_not_finite_raises_the_flag(kind, bad):
    rng = np.random.default_rng(9)
    queries, (_, rows) = unit_rows(rng, 9, 40), packed(unit_rows(rng, 20, 40), kind)
    queries[4, 39] = bad
    assert batch("scores", kind, queries, rows)["not_finite"][0] == 1
    assert batch("topk", kind, queries, rows, k=2, mask=None, below=None)["not_finite"][0] == 1


@pytest.mark.parametrize("kind", BATCHES)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_row_that_is_not_finite_raises_the_flag_of_a_batch_unless_it_is_hidden(kind, bad):
    rng = np.random.default_rng(13)
    queries, rows = unit_rows(rng, 9, 40), unit_rows(rng, 150, 40)
    rows[140, 39] = bad
    values, rows = packed(rows, kind)
    shown = np.ones(150, np.uint8)
    shown[140] = 0
    assert batch("scores", kind, queries, rows)["not_finite"][0] == 1
    assert batch("topk", kind, queries, rows, k=2, mask=None, below=None)["not_finite"][0] == 1
    scan = batch("topk", kind, queries, rows, k=2, mask=shown, below=None)
    merged = emulate("cg_select_merge", best=scan["best"], lists=scan["best"].shape[1], k=2, first=0, ld=2)
    assert scan["not_finite"][0] == 0
    values[140] = 0
    assert_array_equal(merged["ids"], reference.topk(queries, values, 2, mask=shown)[1])


def test_a_batch_keeps_the_precision_of_floats_of_any_size():
    rng = np.random.default_rng(14)
    n, d, q = 130, 200, 9
    near = unit_rows(rng, 1, d)  # most products have one sign, so their rounding shows
    rows = (near + 0.5 * unit_rows(rng, n, d)) * 10.0 ** rng.integers(-30, 31, (n, 1))
    queries = ((near + 0.5 * unit_rows(rng, q, d)) * 10.0 ** rng.integers(-6, 7, (q, 1))).astype(np.float32)
    values, rows = packed(rows, "f32")
    found = batch("scores", "f32", queries, rows)
    size = np.linalg.norm(queries.astype(np.float64), axis=1)[:, None] * np.linalg.norm(values, axis=1)
    error = (found["out"] - queries.astype(np.float64) @ values.T) / size
    assert np.abs(error).max() <= 5e-7 and abs(error.mean()) <= 1.5e-7
    assert found["not_finite"][0] == 0


@pytest.mark.long
@pytest.mark.parametrize("kind", BATCHES)
def test_a_batch_reads_rows_once_for_32_queries(kind):
    rng = np.random.default_rng(10)
    queries, (_, rows) = unit_rows(rng, 40, 384), packed(unit_rows(rng, 256, 384), kind)
    moved = batch("topk", kind, queries, rows, "traffic", k=8, mask=None, below=None)
    parts = moved["parts"].nbytes * 2  # tiles of rows
    assert moved.loaded_bytes - parts <= 1.15 * 2 * rows.nbytes  # two groups of queries


@pytest.mark.parametrize("kind", ["f32", "f16", "bf16", "i8"])
def test_a_scale_multiplies_the_score_of_its_row(kind):
    rng = np.random.default_rng(11)
    queries, (values, rows) = unit_rows(rng, 2, 37), packed(unit_rows(rng, 60, 37), kind)
    scale = rng.uniform(0.1, 9, 60).astype(np.float32)
    arguments = {"queries": queries, "rows": rows, "n": 60, "scale": scale}
    wanted = queries.astype(np.float64) @ values.T * scale
    scores, ids, _ = nearest(f"cg_dense_topk_{kind}", 7, mask=None, **arguments)
    assert_array_equal(ids, np.argsort(-wanted, axis=1, kind="stable")[:, :7])
    found = emulate(f"cg_dense_scores_{kind}", not_finite=np.zeros(1, np.int32), **arguments)["out"]
    assert_allclose(found, wanted, rtol=1e-5, atol=1e-4)
    assert_array_equal(np.take_along_axis(found, ids, 1), scores)


@pytest.mark.parametrize("kind", BATCHES)
def test_a_batch_finds_what_lies_below_a_key(kind):
    rng = np.random.default_rng(12)
    queries, (_, rows) = unit_rows(rng, 9, 40), packed(unit_rows(rng, 300, 40), kind)
    out = batch("scores", kind, queries, rows)["out"]
    wanted = reference.best(out, 12, None)[1]
    found, below = [], None
    for first in (0, 5):
        scan = batch("topk", kind, queries, rows, k=5 if first == 0 else 7, mask=None, below=below)["best"]
        k = scan.shape[2]
        merged = emulate("cg_select_merge", best=scan, lists=scan.shape[1], k=k, first=0, ld=k)
        found.append(merged["ids"])
        below = merged["below"]
    assert_array_equal(np.concatenate(found, axis=1), wanted)
