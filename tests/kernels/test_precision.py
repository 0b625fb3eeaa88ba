"""The error budgets of docs/kernels/precision.md, on every backend, where numbers are hardest.

Truth is the float64 definition; for the ball and its cones, whose float64 forms lose digits near the rim themselves,
50 digits of mpmath.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from expectations import ball, edges, unit_rows

from context_graph.kernels import (
    cones,
    dense,
    fusemoe,
    hdc,
    hebbian,
    hopfield,
    maxsim,
    modulation,
    poincare,
    sparse,
    transe,
)
from context_graph.kernels.reference import dense as dense_reference
from context_graph.kernels.reference import fusemoe as fusemoe_reference
from context_graph.kernels.reference import hebbian as hebbian_reference
from context_graph.kernels.reference import hopfield as hopfield_reference
from context_graph.kernels.reference import maxsim as maxsim_reference
from context_graph.kernels.reference import modulation as modulation_reference
from context_graph.kernels.reference import transe as transe_reference

PAGE = Path(__file__).parents[2] / "docs/kernels/precision.md"
ROW = re.compile(r"^\| `([\w.]+)` \|.*\| (relative|absolute) \| ([\d.e-]+) \|", re.MULTILINE)
BUDGETS = {name: (kind, float(budget)) for name, kind, budget in ROW.findall(PAGE.read_text("utf-8"))}
WIDTHS = (1, 3, 8, 31, 64, 65, 384, 1536)


def numbers(rows):
    """Rows as mpmath sees them, exactly."""
    mp = pytest.importorskip("mpmath", reason="mpmath is not installed").mp
    mp.dps = 50
    return mp, [[mp.mpf(float(value)) for value in row] for row in rows]


def hard_pairs(rng, d):
    """Points at all depths to the rim; near them, far from them, and across the ball."""
    x = ball(rng, 40, d, nearest_rim=1e-5)
    y = ball(rng, 40, d, nearest_rim=1e-5)
    near = x[:20] * np.float32(1 - 2e-6)
    y[:20] = near
    y[20:25] = -x[20:25]
    return x, y


def poincare_distance(backend, rng):
    for d in (1, 3, 64):
        x, y = hard_pairs(rng, d)
        (mp, xs), (_, ys) = numbers(x), numbers(y)
        truth = []
        for a, b in zip(xs, ys, strict=True):
            gap = sum((p - q) ** 2 for p, q in zip(a, b, strict=True))
            room = (1 - sum(p * p for p in a)) * (1 - sum(q * q for q in b))
            truth.append(float(mp.acosh(1 + 2 * gap / room)))
        yield poincare.distance(x, y, backend=backend), np.array(truth)


def cones_energy(backend, rng):
    for d in (3, 64):
        x, y = hard_pairs(rng, d)
        (mp, xs), (_, ys) = numbers(x), numbers(y)
        truth = []
        for a, b in zip(xs, ys, strict=True):
            w = [q - p for p, q in zip(a, b, strict=True)]
            n, g, q = (sum(i * j for i, j in zip(*pair, strict=True)) for pair in ((a, a), (w, a), (w, w)))
            angle = mp.atan2((1 - n) * mp.sqrt(max(n * q - g * g, mp.mpf(0))), (1 - n) * g - n * q)
            sine = mp.mpf("0.1") * (1 - n) / mp.sqrt(n)
            truth.append(float(max(angle - (mp.pi if sine >= 1 else mp.asin(sine)), mp.mpf(0))))
        yield cones.energy(x, y, backend=backend), np.array(truth)


def dense_scores(backend, rng):
    for d in WIDTHS:
        queries, rows = unit_rows(rng, 3, d), unit_rows(rng, 50, d)
        yield dense.scores(queries, rows, backend=backend), dense_reference.scores(queries, rows)


def transe_score(backend, rng):
    for d in WIDTHS:
        heads, relations, tails = (np.round(unit_rows(rng, 50, d) * 1024) / 1024 for _ in range(3))  # sums are exact
        tails[:10] = heads[:10] + relations[:10] * np.float32(1 + 1e-4)  # nearly true
        truth = transe_reference.score(heads, relations, tails)
        yield transe.score(heads, relations, tails, backend=backend), truth


def hopfield_patterns(rng):
    for d in (3, 64, 1536):
        for n in (1, 300):
            yield unit_rows(rng, 3, d), unit_rows(rng, n, d)
    equal = np.tile(unit_rows(rng, 1, 64), (1000, 1))
    yield unit_rows(rng, 3, 64), equal


def hopfield_output(backend, rng):
    for queries, patterns in hopfield_patterns(rng):
        for beta in (0.5, 8.0, 100.0):
            truth = hopfield_reference.retrieve(queries, patterns, beta=beta)[0]
            yield hopfield.retrieve(queries, patterns, beta=beta, backend=backend).output, truth


def hopfield_lse(backend, rng):
    for queries, patterns in hopfield_patterns(rng):
        for beta in (0.5, 8.0, 100.0):
            truth = hopfield_reference.retrieve(queries, patterns, beta=beta)[1]
            yield hopfield.retrieve(queries, patterns, beta=beta, backend=backend).lse, truth


def fusemoe_gate(backend, rng):
    for d in WIDTHS:
        x, experts = rng.standard_normal((5, d)).astype(np.float32), rng.standard_normal((13, d)).astype(np.float32)
        x[0] = experts[3] * np.float32(1 + 1e-5)  # where an expanded square would lose everything
        yield fusemoe.gate(x, experts, backend=backend)[0], fusemoe_reference.gate(x, experts)[0]


def fusemoe_fuse(backend, rng):
    for d in (3, 64, 1536):
        inputs, projections = unit_rows(rng, 4, d), unit_rows(rng, 5 * 20, d).reshape(5, 20, d)
        ids, weights = np.array([[0, 1], [4, 2], [3, -1], [1, 0]]), rng.random((4, 2), np.float32)
        found = fusemoe.fuse(inputs, projections, ids, weights, backend=backend)
        yield found, fusemoe_reference.fuse(inputs, projections, ids, weights)


def maxsim_maxima(backend, rng):
    for d in (3, 64, 128):
        query, tokens, offsets = unit_rows(rng, 7, d), unit_rows(rng, 60, d), np.array([0, 1, 40, 60])
        yield maxsim.maxima(query, tokens, offsets, backend=backend), maxsim_reference.maxima(query, tokens, offsets)


def sparse_dot(backend, rng):
    lengths = rng.integers(1, 30, 40)
    terms = np.concatenate([np.sort(rng.choice(60, n, replace=False)) for n in lengths])
    values, weights = rng.random(len(terms), np.float32), rng.random(20, np.float32)
    index = sparse.Index(backend=backend)
    index.append(terms, values, lengths)
    table = np.zeros((40, 60))
    table[np.repeat(np.arange(40), lengths), terms] = values
    yield index.dot(np.arange(20), weights), table[:, :20] @ weights.astype(np.float64)


def modulation_effective_weight(backend, rng):
    base, signals = rng.random(3000, np.float32), rng.integers(0, 256, (3, 3000), dtype=np.uint8)
    signals[:2, :1000] = [[0], [255]]  # 1 - 1 + m / 2
    found = modulation.effective_weight(base, *signals, backend=backend)
    yield found, modulation_reference.effective_weight(base, *signals)


def modulation_pagerank(backend, rng):
    offsets, targets = edges(rng, 500, 6000)
    weights, seeds = rng.random(6000, np.float32), rng.random(500, np.float32)
    graph = modulation.Graph(offsets, targets, weights, backend=backend)
    truth = modulation_reference.pagerank(
        offsets, targets, weights.astype(np.float64), seeds / seeds.sum(dtype=np.float64), damping=0.85, iterations=30,
        tolerance=0,
    )[0]  # fmt: skip
    yield graph.pagerank(seeds, iterations=30, tolerance=0).ranks, truth


def hebbian_update(backend, rng):
    offsets, targets = edges(rng, 300, 5000)
    weights, (pre, post) = rng.random(5000, np.float32), rng.random((2, 300), np.float32)
    for rule in ("plain", "soft", "oja"):
        truth = hebbian_reference.update(
            weights, offsets, targets, pre, post, rule=rule, rate=0.3, decay=0.01, least=0, most=1, normalise=False
        )
        yield (
            hebbian.update(
                weights.copy(), offsets, targets, pre, post, rule=rule, rate=0.3, decay=0.01, backend=backend
            ),
            truth,
        )


def hdc_distances(backend, rng):
    rows = hdc.items(np.arange(30), seed=1)
    bits = np.unpackbits(rows.view(np.uint8), axis=1)
    truth = (bits[:5, None] != bits[None]).sum(axis=2)
    yield hdc.distances(rows[:5], rows, backend=backend), truth


SAMPLES = {
    "poincare.distance": poincare_distance,
    "cones.energy": cones_energy,
    "dense.scores": dense_scores,
    "transe.score": transe_score,
    "hopfield.output": hopfield_output,
    "hopfield.lse": hopfield_lse,
    "fusemoe.gate": fusemoe_gate,
    "fusemoe.fuse": fusemoe_fuse,
    "maxsim.maxima": maxsim_maxima,
    "sparse.dot": sparse_dot,
    "modulation.effective_weight": modulation_effective_weight,
    "modulation.pagerank": modulation_pagerank,
    "hebbian.update": hebbian_update,
    "hdc.distances": hdc_distances,
}


def error_of(name, backend, rng) -> float:
    """The largest error of the samples, relative or absolute as the page counts it."""
    worst = 0.0
    for found, truth in SAMPLES[name](backend, rng):
        apart = abs(found.astype(np.float64) - truth)
        if BUDGETS[name][0] == "relative":
            apart = np.divide(apart, abs(truth), out=np.zeros_like(apart), where=truth != 0) + (truth == 0) * abs(found)
        worst = max(worst, float(apart.max()))
    return worst


@pytest.mark.parametrize("name", SAMPLES)
def test_the_error_stays_inside_its_budget(backend, rng, name):
    assert error_of(name, backend, rng) <= BUDGETS[name][1]


def test_every_budget_is_tested():
    assert set(BUDGETS) == set(SAMPLES)
