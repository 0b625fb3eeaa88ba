import itertools
from fractions import Fraction

import numpy as np
import pytest
from expectations import EXACT, REDUCTION, ROUNDING, edges
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import modulation
from context_graph.kernels.reference import modulation as reference

COUNTS = (0, 1, 7, 8, 15, 16, 17, 33, 1000, 300_001)  # around every vector width, and past where answers are streamed
GRAPHS = ((1, 0), (1, 3), (5, 9), (300, 2000), (2500, 40_000), (20_000, 50_000))  # one tile and many


def signals(rng, m, dtype=np.uint8):
    bytes_ = rng.integers(0, 256, (3, m), dtype=np.uint8)
    return bytes_ if dtype == np.uint8 else (bytes_ / 255).astype(np.float32)


def random_graph(rng, n, m, backend, *, gained=True):
    offsets, targets = edges(rng, n, m)
    weights = rng.random(m, dtype=np.float32)
    kinds = dict(zip(("excitatory", "inhibitory", "modulatory"), signals(rng, m), strict=True)) if gained else {}
    effective = reference.effective_weight(weights, *kinds.values()) if gained else weights.astype(np.float64)
    return modulation.Graph(offsets, targets, weights, **kinds, backend=backend), (offsets, targets, effective)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("n", COUNTS)
def test_effective_weight_agrees_with_its_definition(backend, rng, n, dtype):
    base, kinds = rng.random(n, dtype=np.float32), signals(rng, n, dtype)
    found = modulation.effective_weight(base, *kinds, backend=backend)
    assert found.dtype == np.float32
    assert_allclose(found, reference.effective_weight(base, *kinds), **ROUNDING)
    out = np.empty(n + 1, np.float32)[1:]  # not on a cache line
    assert modulation.effective_weight(base, *kinds, out=out, backend=backend, threads=2) is out
    assert_array_equal(out, found)


@settings(max_examples=60, deadline=None)
@example((200, 0, 255, 1))  # the signals cancel but for one 510th
@given(st.tuples(*[st.integers(0, 255)] * 4))
def test_bytes_weigh_what_the_exact_fraction_says(backend, values):
    base, *kinds = values
    array = modulation.effective_weight(
        np.array([base / 255], np.float32), *(np.array([kind], np.uint8) for kind in kinds), backend=backend
    )
    e, i, m = (Fraction(kind, 255) for kind in kinds)
    exact = Fraction(float(np.float32(base / 255))) * (1 + e - i + m / 2)
    assert abs(Fraction(float(array[0])) - exact) <= Fraction(2, 2**23) * exact
    assert 0 <= array[0] <= 2.5 * np.float32(base / 255)


@pytest.mark.parametrize(("n", "m"), GRAPHS)
@pytest.mark.parametrize("gained", [True, False])
def test_spread_agrees_with_its_definition(backend, rng, n, m, gained):
    graph, plain = random_graph(rng, n, m, backend, gained=gained)
    activation = rng.standard_normal(n).astype(np.float32)
    for steps, keep in ((0, 0.5), (1, 0.0), (3, 0.7)):
        found = graph.spread(activation, steps=steps, keep=keep)
        assert found.dtype == np.float32
        assert_allclose(found, reference.spread(*plain, activation, steps=steps, keep=keep), **REDUCTION)


@pytest.mark.parametrize(("n", "m"), GRAPHS)
def test_pagerank_agrees_with_its_definition(backend, rng, n, m):
    graph, plain = random_graph(rng, n, m, backend)
    seeds = rng.random(n, dtype=np.float32)
    found = graph.pagerank(seeds, iterations=20, tolerance=0)
    wanted, done, _ = reference.pagerank(*plain, seeds / seeds.sum(), damping=0.85, iterations=20, tolerance=0)
    assert done >= found.iterations > 0
    assert_allclose(found.ranks, wanted, rtol=1e-5, atol=1e-7)
    assert found.ranks.sum(dtype=np.float64) == pytest.approx(1, abs=1e-5)


def test_pagerank_ends_when_nothing_changes_any_more(backend, rng):
    graph, plain = random_graph(rng, 300, 2000, backend)
    found = graph.pagerank(np.ones(300, np.float32), tolerance=1e-5)
    assert found.change <= 1e-5 and found.iterations < 100
    exact, *_ = reference.pagerank(*plain, np.full(300, 1 / 300), damping=0.85, iterations=500, tolerance=0)
    assert abs(found.ranks - exact).sum() < 1e-4


@pytest.mark.parametrize(("n", "m"), GRAPHS)
@pytest.mark.parametrize("hops", [0, 1, 4])
def test_strongest_paths_are_those_of_the_definition(backend, rng, n, m, hops):
    graph, (offsets, targets, effective) = random_graph(rng, n, m, backend)
    seeds = rng.integers(0, n, 3)
    strengths = rng.uniform(0.5, 1, 3).astype(np.float32)
    found, nodes = graph.strongest_paths(seeds, strengths=strengths, hops=hops, k=20)
    wanted, _ = reference.strongest_paths(offsets, targets, effective, seeds, strengths, hops=hops, k=20)
    assert nodes.shape == (20, hops + 1)
    assert_allclose(found, wanted, **ROUNDING)
    for strength, way in zip(found, nodes, strict=True):
        way = way[way >= 0].tolist()
        if not way:
            assert np.isneginf(strength)
            continue
        worth = max(s for seed, s in zip(seeds, strengths, strict=True) if seed == way[0])
        for here, there in itertools.pairwise(way):
            leading = slice(offsets[here], offsets[here + 1])
            worth *= min(1.0, effective[leading][targets[leading] == there].max())
        assert strength == pytest.approx(worth, rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 40), m=st.integers(0, 120), keep=st.floats(0, 1))
def test_spreading_creates_nothing(backend, seed, n, m, keep):
    rng = np.random.default_rng(seed)
    graph, _ = random_graph(rng, n, m, backend)
    activation = rng.random(n, dtype=np.float32)
    totals = [float(graph.spread(activation, steps=steps, keep=keep).sum(dtype=np.float64)) for steps in range(4)]
    assert all(after <= before * (1 + 1e-5) for before, after in itertools.pairwise(totals))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 30), m=st.integers(0, 90))
def test_more_hops_never_weaken_and_ties_take_the_shorter_way(backend, seed, n, m):
    rng = np.random.default_rng(seed)
    offsets, targets = edges(rng, n, m)
    weights = rng.choice(np.float32([0, 0.25, 0.5, 1, 2]), m).astype(np.float32)  # products are exact, ties frequent
    graph = modulation.Graph(offsets, targets, weights, backend=backend)
    before = {}
    for hops in range(5):
        found = graph.strongest_paths([0], hops=hops, k=n)
        wanted = reference.strongest_paths(
            offsets, targets, weights, np.array([0]), np.ones(1, np.float32), hops=hops, k=n
        )
        assert_allclose(found.strengths, wanted[0], **EXACT)
        assert_array_equal(found.nodes, wanted[1])
        reached = {way[way >= 0][-1]: s for s, way in zip(*found, strict=True) if s > 0}
        assert all(reached[node] >= strength for node, strength in before.items())
        before = reached


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 60),
    m=st.integers(0, 400),
    k=st.integers(0, 12),
    hops=st.integers(0, 5),
    seeds=st.integers(1, 4),
)
def test_what_cannot_be_among_the_best_is_left_out_without_a_trace(backend, seed, n, m, k, hops, seeds):
    rng = np.random.default_rng(seed)
    offsets, targets = edges(rng, n, m)
    weights = rng.choice(np.float32([0, 0.25, 0.5, 1, 2]), m).astype(np.float32)  # products are exact, ties frequent
    start = rng.choice(n, min(seeds, n), replace=False)
    strengths = rng.choice(np.float32([0.125, 0.5, 1]), len(start)).astype(np.float32)
    graph = modulation.Graph(offsets, targets, weights, backend=backend)
    found = graph.strongest_paths(start, strengths=strengths, hops=hops, k=k)
    wanted = reference.strongest_paths(offsets, targets, weights, start, strengths, hops=hops, k=k)
    assert_allclose(found.strengths, wanted[0], **EXACT)
    assert_array_equal(found.nodes, wanted[1])


@pytest.mark.parametrize("k", [1, 5, 40, 150, 400])
@pytest.mark.parametrize(
    "choices",
    [
        [1.0],
        1 - np.arange(8) / 256,  # next to each other
        2.0 ** np.array([-37, -30, 0]),  # four of them multiply to 2^-148, which float32 still has
        2.0 ** np.array([-8, -4, -3, -2, -1, 0, 1]),
    ],
)
def test_the_best_are_found_however_near_or_far_their_strengths_are(backend, choices, k):
    rng = np.random.default_rng(k)
    n, hops = 300, 3 if 1 - 7 / 256 in choices else 4  # so that products are exact
    for m in (400, 3000):
        sources = np.sort(np.concatenate([np.zeros(150, np.int64), rng.integers(0, n, m)]))  # node 0 has many edges
        offsets = np.searchsorted(sources, np.arange(n + 1))
        targets = rng.integers(0, n, m + 150).astype(np.uint32)
        weights = rng.choice(np.float32(choices), m + 150)
        graph = modulation.Graph(offsets, targets, weights, backend=backend)
        for seeds, strengths in (([0], [1]), ([3, 0, 3, 9], [0.5, 1, 2, 0.25])):
            given = np.array(strengths, np.float32)
            found = graph.strongest_paths(seeds, strengths=given, hops=hops, k=k)
            wanted = reference.strongest_paths(offsets, targets, weights, np.array(seeds), given, hops=hops, k=k)
            assert_array_equal(found.strengths, wanted[0])
            assert_array_equal(found.nodes, wanted[1])


@pytest.mark.parametrize("k", [300, 470, 600, 5000])
@pytest.mark.parametrize("common", [30, 8000])
def test_hops_that_find_less_than_the_first_ones_foretold(backend, k, common):
    # A tree of 20 and 400 nodes promises thousands more: the next hop meets the same `common` nodes again and again.
    leaves = np.arange(21, 421)
    ways = [(0, node, 0.875) for node in range(1, 21)]
    ways += [(1 + i // 20, leaf, 0.875) for i, leaf in enumerate(leaves)]
    ways += [(leaf, 421 + (17 * leaf + j) % common, 0.75) for leaf in leaves for j in range(20)]
    ways += [(leaf, 421 + common + i, 2.0**-10) for i, leaf in enumerate(leaves)]
    ways.sort(key=lambda way: way[0])
    sources, targets, weights = (np.array(column) for column in zip(*ways, strict=True))
    n = 821 + common
    plain = np.searchsorted(sources, np.arange(n + 1)), targets.astype(np.uint32), weights.astype(np.float32)
    found = modulation.Graph(*plain, backend=backend).strongest_paths([0], hops=4, k=k)
    wanted = reference.strongest_paths(*plain, np.array([0]), np.ones(1, np.float32), hops=4, k=k)
    assert_array_equal(found.strengths, wanted[0])
    assert_array_equal(found.nodes, wanted[1])


def test_the_quick_way_finds_the_paths_of_the_careful_way(backend, rng, monkeypatch):
    graph, _ = random_graph(rng, 300, 2000, backend)
    strengths = rng.uniform(0.5, 1, 3).astype(np.float32)
    asked = (([5, 7, 7], None), (np.array([5, 7, 7]), strengths), (np.array([5, 7, 7], np.int32), strengths))
    quick = [graph.strongest_paths(seeds, strengths=with_, k=20) for seeds, with_ in asked]
    monkeypatch.setenv("CONTEXT_GRAPH_THREADS", "1")
    for found, (seeds, with_) in zip(quick, asked, strict=True):
        careful = graph.strongest_paths(seeds, strengths=with_, k=20)
        assert found.strengths.dtype == np.float32 and found.nodes.dtype == np.int64
        for part, other in zip(found, careful, strict=True):
            assert_array_equal(part, other)


def test_compiled_backends_and_thread_counts_give_the_same_bits(backend, rng):
    if backend == "reference":
        pytest.skip("float64 throughout")
    state = rng.bit_generator.state
    answers = []
    first = backend if backend == "cuda" else "scalar"  # a device folds its lanes' sums in a tree of its own
    for name, threads in ((first, 1), (backend, 1), (backend, 2), (backend, 3)):
        rng.bit_generator.state = state
        graph, _ = random_graph(rng, 20_000, 3_000_000, name)
        activation = rng.random(20_000, dtype=np.float32)
        answers.append(
            (
                graph.spread(activation, steps=2, threads=threads),
                graph.pagerank(activation, iterations=3, threads=threads).ranks,
                *graph.strongest_paths([3, 5], hops=3, k=50),
            )
        )
    for answer in answers[1:]:
        for part, first in zip(answer, answers[0], strict=True):
            assert_array_equal(part, first)


def test_searches_after_each_other_do_not_see_each_other(backend, rng):
    graph, _ = random_graph(rng, 300, 2000, backend)
    other, _ = random_graph(rng, 50, 100, backend)
    first = graph.strongest_paths([1], k=30)
    other.strongest_paths([2], k=30)
    graph.strongest_paths([7], k=30)
    for part, again in zip(first, graph.strongest_paths([1], k=30), strict=True):
        assert_array_equal(part, again)


def test_a_walk_returns_from_where_it_cannot_go_on(backend):
    graph = modulation.Graph([0, 1, 1], [1], np.ones(1, np.float32), backend=backend)
    ranks = graph.pagerank(np.array([1, 0], np.float32), damping=0.5, tolerance=0).ranks
    assert_allclose(ranks, [2 / 3, 1 / 3], rtol=1e-6)


def test_seeds_are_listed_only_where_another_reaches_them_better(backend):
    graph = modulation.Graph([0, 1, 2, 2], [1, 2], np.array([0.5, 0.5], np.float32), backend=backend)
    found = graph.strongest_paths([0, 1], strengths=np.array([1, 0.25], np.float32), k=3)
    assert found.strengths.tolist() == [0.5, 0.25, -np.inf]
    assert found.nodes[:2].tolist() == [[0, 1, -1, -1, -1], [0, 1, 2, -1, -1]]
    assert graph.strongest_paths([0, 1], k=3).strengths.tolist() == [0.5, -np.inf, -np.inf]
    assert graph.strongest_paths([], k=1).nodes.tolist() == [[-1] * 5]
    assert graph.strongest_paths([0], k=0).strengths.shape == (0,)


def test_an_empty_graph_answers(backend):
    graph = modulation.Graph([0], [], np.zeros(0, np.float32), backend=backend)
    nothing = np.zeros(0, np.float32)
    assert graph.nodes == graph.edges == 0 and graph.nbytes >= 8
    assert graph.spread(nothing).shape == graph.pagerank(nothing).ranks.shape == (0,)
    assert graph.strongest_paths([], k=2).strengths.shape == (2,)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused(backend, rng, bad):
    ones = np.ones(20, np.float32)
    broken = ones.copy()
    broken[17] = bad
    for at in range(4):
        with pytest.raises(ArrayError, match="finite"):
            modulation.effective_weight(*(broken if at == i else ones for i in range(4)), backend=backend)
    graph, _ = random_graph(rng, 20, 60, backend)
    for wrong in (lambda: graph.spread(broken), lambda: graph.pagerank(broken)):
        with pytest.raises(ArrayError, match="finite"):
            wrong()
    with pytest.raises(ArrayError, match="weights must be finite"):
        modulation.Graph([0, 1], [0], broken[17:18], backend=backend)


def test_messages_say_what_was_expected_what_came_and_what_to_do():
    one, byte = np.ones(2, np.float32), np.ones(2, np.uint8)
    with pytest.raises(ArrayError, match="inhibitory must have dtype uint8, got float32"):
        modulation.effective_weight(one, byte, one, byte)
    with pytest.raises(ArrayError, match=r"got float32; .* np\.rint\(255 \* excitatory\)\.astype\(np\.uint8\)"):
        signals = {name: np.zeros(2, np.float32) for name in ("excitatory", "inhibitory", "modulatory")}
        modulation.Graph([0, 2, 2], [0, 1], np.ones(2, np.float32), **signals)
    with pytest.raises(ArrayError, match="modulatory must have 2 entries, got 1"):
        modulation.effective_weight(one, byte, byte, byte[:1])
    with pytest.raises(ArrayError, match="out must be contiguous and writable"):
        modulation.effective_weight(one, byte, byte, byte, out=np.ones(4, np.float32)[::2])
    for backend in ("reference", None):
        with pytest.raises(ArrayError, match=r"targets must lie in \[0, 2\), got 0 to 2"):
            modulation.Graph([0, 1, 2], np.array([0, 2], np.uint32), one, backend=backend)
    with pytest.raises(ArrayError, match=r"targets must lie in \[0, 2\), got 0 to 2"):
        modulation.Graph([0, 1, 2], [0, 2], one)
    with pytest.raises(ArrayError, match="offsets must rise from 0 to the 2 weights, got 0 to 1"):
        modulation.Graph([0, 1, 1], [0, 1], one)
    with pytest.raises(ArrayError, match=r"weights must be at least 0, got -1\.0"):
        modulation.Graph([0, 1, 2], [0, 1], -one)
    with pytest.raises(ArrayError, match="inhibitory is missing; give all three signals or none"):
        modulation.Graph([0, 1, 2], [0, 1], one, excitatory=byte)
    graph = modulation.Graph([0, 1, 2], [0, 1], one)
    with pytest.raises(ArrayError, match="seeds must be at least 0 and not all 0"):
        graph.pagerank(np.zeros(2, np.float32))
    with pytest.raises(ArrayError, match=r"keep must lie in \[0, 1\], got 1\.5"):
        graph.spread(one, keep=1.5)
    with pytest.raises(ArrayError, match=r"seeds must lie in \[0, 2\), got 0 to 9"):
        graph.strongest_paths([0, 9])
    with pytest.raises(ArrayError, match=r"seeds must be integers in one dimension, got float64"):
        graph.strongest_paths([0.5])
    with pytest.raises(ArrayError, match="k must be 0 or more, got -1"):
        graph.strongest_paths([0], k=-1)
    with pytest.raises(ArrayError, match="strengths must be above 0"):
        graph.strongest_paths([0], strengths=np.zeros(1, np.float32))
    with pytest.raises(BackendUnavailable, match=r"modulation\.spread has no backend 'neon'"):
        modulation.Graph([0], [], one[:0], backend="neon")
