"""The kernels of cuda/hopfield.cu, launched from launch.json alone: parts of the patterns, and their join."""

import numpy as np
import pytest
from emulator import emulate, include_folders
from expectations import unit_rows
from numpy.testing import assert_allclose
from test_dense import packed

from context_graph.kernels.reference import hopfield as reference

pytestmark = [
    pytest.mark.long,  # its kernels take long to compile
    pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known"),
]
LOG2_E = 1.4426950408889634


def joined(parts):
    given = {name: parts[name] for name in ("part_max", "part_sum", "part_out")}
    return emulate("cg_hopfield_join", **given, parts=given["part_max"].shape[1], d=given["part_out"].shape[2])


def masks(rng, n):
    return {"some": (rng.random(n) < 0.7).astype(np.uint8), "all": None, "none": np.zeros(n, np.uint8)}


# One part of several tiles, several parts, and a last part that has nothing.
@pytest.mark.parametrize("shown", ["all", "some", "none"])
@pytest.mark.parametrize("parts, rows_a_part", [(1, 100), (3, 40), (4, 34)])
@pytest.mark.parametrize("kind", ["f32", "f16"])
def test_a_step_is_the_softmax_over_all_parts(kind, parts, rows_a_part, shown):
    rng = np.random.default_rng(parts)
    n, d, q, beta = 100, 37, 2, 30.0
    queries, (values, rows) = unit_rows(rng, q, d), packed(unit_rows(rng, n, d), kind)
    values = np.sort(values @ queries[0])[:, None] * queries[0] + values  # scores rise, so what was mixed must shrink
    values, rows = packed(values.astype(np.float32), kind)
    mask = masks(rng, n)[shown]
    found = emulate(
        f"cg_hopfield_part_{kind}", queries=queries, patterns=rows, mask=mask, ids=None, n=n, d=d, parts=parts,
        rows_a_part=rows_a_part, scale=beta * LOG2_E, not_finite=np.zeros(1, np.int32),
    )  # fmt: skip
    assert found["not_finite"][0] == 0
    wanted, lse, *_ = reference.retrieve(queries, values, beta=beta, mask=mask)
    after = joined(found)
    assert_allclose(after["out"], wanted, rtol=1e-4, atol=1e-5)
    assert_allclose(after["lse"], lse, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("build", ["plain", "address"])
@pytest.mark.parametrize("kind, d", [("f32", 1536), ("f32", 1541), ("bf16", 3072), ("f16", 3085), ("f32", 6144)])
def test_warps_share_a_row_that_is_too_long_for_one(kind, d, build):
    rng = np.random.default_rng(d)
    n, beta = 21, 30.0
    queries, (values, rows) = unit_rows(rng, 1, d), packed(unit_rows(rng, n, d), kind)
    mask = (rng.random(n) < 0.7).astype(np.uint8)
    found = emulate(
        f"cg_hopfield_part_{kind}", build, queries=queries, patterns=rows, mask=mask, ids=None, n=n, d=d, parts=2,
        rows_a_part=11, scale=beta * LOG2_E, not_finite=np.zeros(1, np.int32),
    )  # fmt: skip
    wanted, lse, *_ = reference.retrieve(queries, values, beta=beta, mask=mask)
    after = joined(found)
    assert_allclose(after["out"], wanted, rtol=1e-4, atol=1e-5)
    assert_allclose(after["lse"], lse, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("shown", ["all", "some", "none"])
@pytest.mark.parametrize("parts, rows_a_part", [(1, 100), (3, 40)])
@pytest.mark.parametrize("kind", ["f32", "f16", "bf16"])
def test_a_batch_mixes_the_rows_by_their_weights(kind, parts, rows_a_part, shown):
    rng = np.random.default_rng(parts)
    n, d, q, beta = 100, 300, 19, 20.0
    queries, (values, rows) = unit_rows(rng, q, d), packed(unit_rows(rng, n, d), kind)
    mask = masks(rng, n)[shown]
    scores = (queries.astype(np.float64) @ values.T).astype(np.float32)
    found = emulate(
        f"cg_hopfield_mix_{kind}", scores=scores, q=q, patterns=rows, mask=mask, n=n, d=d, parts=parts,
        rows_a_part=rows_a_part, scale=beta * LOG2_E,
    )  # fmt: skip
    wanted, lse, *_ = reference.retrieve(queries, values, beta=beta, mask=mask)
    after = joined(found)
    assert_allclose(after["out"], wanted, rtol=1e-4, atol=1e-5)
    assert_allclose(after["lse"], lse, rtol=1e-5, atol=1e-4)
