"""Gating rows of 1536 among 13 experts, and fusing four of them: ours, NumPy, and torch where it is installed."""

import numpy as np
import pytest

from benchmarks.shapes import FUSEMOE, NATIVE, note, on_huge_pages, unit_rows
from context_graph.kernels import fusemoe
from context_graph.kernels.reference import fusemoe as reference

EXPERTS, D, DOUT, DIN = FUSEMOE
FAST = [name for name in NATIVE if name != "scalar"]


@pytest.fixture(scope="module", params=[1, 64, 1024])
def rows(request):
    return unit_rows(request.param, D, seed=1), on_huge_pages(unit_rows(EXPERTS, D))


@pytest.fixture(scope="module", params=[1, 64, 256])
def batch(request):
    rng = np.random.default_rng(2)
    projections = on_huge_pages(unit_rows(EXPERTS * DOUT, DIN).reshape(EXPERTS, DOUT, DIN))
    inputs = unit_rows(request.param, DIN, seed=3)
    ids = np.array([rng.permutation(EXPERTS)[:4] for _ in range(request.param)])
    weights = np.full(ids.shape, 0.25, np.float32)
    wanted = reference.fuse(inputs, projections, ids, weights)
    return inputs, {"f32": projections, "f16": on_huge_pages(projections.astype(np.float16))}, ids, weights, wanted


def touched(projections, ids) -> int:
    return projections[0].nbytes * len(np.unique(ids))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("backend", FAST)
def test_gate(benchmark, rows, backend, threads):
    x, experts = rows
    weights, _ = benchmark(fusemoe.gate, x, experts, backend=backend, threads=threads)
    note(benchmark, error=float(abs(weights - reference.gate(x, experts)[0]).max()))


def test_gate_quick(benchmark, rows):
    """As it is called without options: the fastest backend, all threads."""
    x, experts = rows
    weights, _ = benchmark(fusemoe.gate, x, experts)
    note(benchmark, error=float(abs(weights - reference.gate(x, experts)[0]).max()))


def test_gate_numpy(benchmark, rows):
    """In the expanded form, which loses a near centre."""
    x, experts = rows
    own, lengths = (experts**2).sum(axis=1), (x**2).sum(axis=1, keepdims=True)

    def gate():
        scores = -np.sqrt(np.maximum(lengths + own - 2 * (x @ experts.T), 0))
        ids = np.argpartition(-scores, 4, axis=1)[:, :4]
        best = np.take_along_axis(scores, ids, axis=1)
        powers = np.exp(best - best.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True), ids

    weights, _ = benchmark(gate)
    note(benchmark, error=float(abs(-np.sort(-weights, axis=1) - reference.gate(x, experts)[0]).max()))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("width", ["f32", "f16"])
@pytest.mark.parametrize("backend", FAST)
def test_fuse(benchmark, batch, backend, width, threads):
    inputs, projections, ids, weights, wanted = batch
    found = benchmark(fusemoe.fuse, inputs, projections[width], ids, weights, backend=backend, threads=threads)
    note(benchmark, bytes_read=touched(projections[width], ids), error=float(abs(found - wanted).max()))


def test_fuse_numpy(benchmark, batch):
    inputs, projections, ids, weights, wanted = batch
    experts = projections["f32"]

    def fuse():
        out = np.zeros((len(inputs), DOUT), np.float32)
        for expert in range(EXPERTS):
            rows, slots = np.nonzero(ids == expert)
            if len(rows):
                out[rows] += weights[rows, slots, None] * (inputs[rows] @ experts[expert].T)
        return out

    found = benchmark(fuse)
    note(benchmark, bytes_read=touched(experts, ids), error=float(abs(found - wanted).max()))


def test_gate_torch(benchmark, rows):
    torch = pytest.importorskip("torch")
    x, experts = map(torch.from_numpy, rows)

    def gate():
        best, ids = torch.topk(-torch.cdist(x, experts), 4, dim=1)
        return torch.softmax(best, dim=1).numpy(), ids

    weights, _ = benchmark(gate)
    note(benchmark, error=float(abs(weights - reference.gate(*rows)[0]).max()))
