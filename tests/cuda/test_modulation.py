"""The kernels of cuda/modulation.cu, launched from launch.json alone."""

import numpy as np
import pytest
from emulator import emulate, include_folders
from expectations import edges
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.kernels import modulation
from context_graph.kernels.reference import modulation as reference

pytestmark = [
    pytest.mark.long,  # its kernels take long to compile
    pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known"),
]
builds = pytest.mark.parametrize(
    "build, seed, n, m", [("plain", 0, 90, 700), ("plain", 9, 70, 30), ("address", 3, 40, 300)]
)
FLAG = {"not_finite": np.zeros(1, np.int32)}


def incoming(offsets, targets, *of_edges):
    """Offsets, sources and values of the same edges by target."""
    order = np.argsort(targets, kind="stable")
    sources = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)).astype(np.uint32)
    counts = np.bincount(targets, minlength=len(offsets) - 1)
    return np.concatenate([[0], np.cumsum(counts)]), sources[order], *(values[order] for values in of_edges)


@pytest.fixture
def scene(request):
    def make(n, m, gained=True):
        rng = np.random.default_rng(n + m)
        offsets, targets = edges(rng, n, m)
        weights, gains = rng.random(m, dtype=np.float32), rng.integers(0, 1276, m).astype(np.int16)
        effective = weights * (gains / 510.0) if gained else weights.astype(np.float64)
        return rng, offsets, targets, weights, gains if gained else None, effective

    return make


@pytest.mark.parametrize("kind", ["f32", "u8"])
@pytest.mark.parametrize("build, seed, n", [("plain", 0, 5000), ("plain", 5, 37), ("address", 2, 1030)])
def test_edges_weigh_the_bits_of_the_processor(kind, build, seed, n):
    rng = np.random.default_rng(n)
    base, signals = rng.random(n, dtype=np.float32), rng.integers(0, 256, (3, n), dtype=np.uint8)
    signals = signals if kind == "u8" else (signals / 255).astype(np.float32)
    names = dict(zip(("excitatory", "inhibitory", "modulatory"), signals, strict=True))
    found = emulate(f"cg_modulation_weigh_{kind}", build, seed, base=base, **names, n=n, **FLAG)
    assert_array_equal(found["out"], modulation.effective_weight(base, *signals, backend="scalar"))
    assert found["not_finite"][0] == 0
    base[n // 2] = np.nan
    assert emulate(f"cg_modulation_weigh_{kind}", build, seed, base=base, **names, n=n, **FLAG)["not_finite"][0] == 1


@builds
@pytest.mark.parametrize("gained", [True, False])
def test_activation_spreads(scene, build, seed, n, m, gained):
    rng, offsets, targets, weights, gains, effective = scene(n, m, gained)
    activation = rng.standard_normal(n).astype(np.float32)
    shares = emulate(
        "cg_modulation_shares", build, seed, offsets=offsets, weights=weights, gains=gains, n=n, least=1.0
    )["shares"]
    starts, sources, *values = incoming(offsets, targets, *([weights] if gains is None else [weights, gains]))
    found = emulate(
        "cg_modulation_spread", build, seed, offsets=starts, sources=sources, weights=values[0],
        gains=values[1] if gained else None, shares=shares, before=activation, n=n, keep=0.25, **FLAG,
    )  # fmt: skip
    wanted = reference.spread(offsets, targets, effective, activation, steps=1, keep=0.25)
    assert_allclose(found["after"], wanted, rtol=1e-5, atol=1e-5)


def moving(back):
    """What PageRank keeps on the device between two iterations."""
    return {"back_to_seeds": np.full(1, back, np.float32), "progress": np.zeros(2, np.int32)}


@builds
def test_ranks_move_on(scene, build, seed, n, m):
    rng, offsets, targets, weights, gains, effective = scene(n, m)
    seeds = rng.random(n, dtype=np.float32)
    seeds /= seeds.sum()
    shares = emulate(
        "cg_modulation_shares", build, seed, offsets=offsets, weights=weights, gains=gains, n=n, least=0.0
    )["shares"]
    starts, sources, in_weights, in_gains = incoming(offsets, targets, weights, gains)
    idle = shares == 0
    back = 0.15 + 0.85 * float(seeds[idle].sum())
    before = {"shares": shares, "seeds": seeds, "n": n, "damping": 0.85, "tolerance": 0.0, "change": np.zeros(1)}
    start = moving(0) | before | {"totals": np.zeros((0, 2)), "blocks": 0}
    assert_allclose(emulate("cg_modulation_progress", build, seed, **start)["back_to_seeds"], back, rtol=1e-6)
    found = emulate(
        "cg_modulation_rank", build, seed, offsets=starts, sources=sources, weights=in_weights, gains=in_gains,
        shares=shares, seeds=seeds, before=seeds, n=n, damping=0.85, **moving(back),
    )  # fmt: skip
    wanted, _, change = reference.pagerank(offsets, targets, effective, seeds, damping=0.85, iterations=1, tolerance=0)
    assert_allclose(found["after"], wanted, rtol=1e-5, atol=1e-7)
    assert_allclose(found["totals"].sum(axis=0), [change, wanted[idle].sum()], rtol=1e-5, atol=1e-6)
    for tolerance, bad, state in ((0.0, 0, 0), (2.0, 0, 1), (2.0, np.inf, 2)):
        totals = found["totals"] + bad
        given = moving(0) | before | {"totals": totals, "blocks": len(totals), "tolerance": tolerance}
        after = emulate("cg_modulation_progress", build, seed, **given)
        assert_array_equal(after["progress"], [1, state])
        if not bad:
            assert_allclose(after["change"], change, rtol=1e-5, atol=1e-6)
            assert_allclose(after["back_to_seeds"], 0.15 + 0.85 * wanted[idle].sum(), rtol=1e-5)
    settled = moving(back) | {"progress": np.int32([3, 1])}
    unmoved = emulate(
        "cg_modulation_rank", build, seed, offsets=starts, sources=sources, weights=in_weights, gains=in_gains,
        shares=shares, seeds=seeds, before=seeds, n=n, damping=0.85, after=np.full(n, 7, np.float32), **settled,
    )  # fmt: skip
    assert (unmoved["after"] == 7).all()


@pytest.mark.long
def test_no_thread_races_with_another(scene):
    _, offsets, targets, weights, gains, _ = scene(30, 200)
    starts, sources, in_weights, in_gains = incoming(offsets, targets, weights, gains)
    ones = np.ones(30, np.float32)
    shared = {"shares": ones, "before": ones, "n": 30}
    both = {"offsets": starts, "sources": sources, "weights": in_weights, "gains": in_gains}
    emulate("cg_modulation_spread", "thread", **both, **shared, keep=0.5, **FLAG)
    emulate("cg_modulation_rank", "thread", **both, **shared, seeds=ones, damping=0.85, **moving(0.15))
    keys = np.zeros(30, np.uint64)
    keys[[3, 4]] = np.uint64(0x3F800000) << np.uint64(32)
    emulate(
        "cg_modulation_relax", "thread", offsets=offsets, targets=targets, weights=weights, gains=gains,
        improved=keys, best=np.zeros(30, np.float32), n=30, keys=np.zeros(30, np.uint64),
    )  # fmt: skip


@pytest.mark.long
def test_every_edge_is_read_once(scene):
    _, offsets, targets, weights, gains, _ = scene(2000, 30_000)
    starts, sources, in_weights, in_gains = incoming(offsets, targets, weights, gains)
    ones = np.ones(2000, np.float32)
    moved = emulate(
        "cg_modulation_spread", "traffic", offsets=starts, sources=sources, weights=in_weights, gains=in_gains,
        shares=ones, before=ones, n=2000, keep=0.5, **FLAG,
    )  # fmt: skip
    gathered, offsets_by_eight_lanes, before = 8 * 30_000, 8 * 16 * 2000, 4 * 2000
    assert moved.loaded_bytes == 10 * 30_000 + gathered + offsets_by_eight_lanes + before
    n = 40_000
    base, signals = np.ones(n, np.float32), np.zeros((3, n), np.uint8)
    names = dict(zip(("excitatory", "inhibitory", "modulatory"), signals, strict=True))
    moved = emulate("cg_modulation_weigh_u8", "traffic", base=base, **names, n=n, **FLAG)
    assert moved.load_sector_bytes <= 1.15 * 7 * n and moved.store_sector_bytes <= 1.15 * 4 * n
