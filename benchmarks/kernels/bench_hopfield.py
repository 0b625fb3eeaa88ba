"""One Hopfield update of one query and of 64: ours in both widths, NumPy, and torch where it is installed."""

import numpy as np
import pytest

from benchmarks.shapes import HOPFIELD, NATIVE, note, on_huge_pages, unit_rows
from context_graph.kernels import hopfield
from context_graph.kernels.reference import hopfield as reference

BETA = 8.0
SHAPES = [(n, d, q) for n, d in HOPFIELD for q in (1, 64) if q == 1 or n * d < 2**27]


@pytest.fixture(scope="module", params=SHAPES, ids=lambda shape: "x".join(map(str, shape)))
def case(request):
    n, d, q = request.param
    patterns, queries = on_huge_pages(unit_rows(n, d)), unit_rows(q, d, seed=1)
    wanted = reference.retrieve(queries[:1], patterns, beta=BETA)[0]
    return queries, {"f32": patterns, "f16": on_huge_pages(patterns.astype(np.float16))}, wanted


def error(found, wanted) -> float:
    """Against the length of the answer."""
    return float(np.linalg.norm(found[:1] - wanted) / np.linalg.norm(wanted))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("width", ["f32", "f16"])
@pytest.mark.parametrize("backend", [name for name in NATIVE if name != "scalar"])
def test_ours(benchmark, case, backend, width, threads):
    queries, patterns, wanted = case
    rows = patterns[width]
    found = benchmark(hopfield.retrieve, queries, rows, beta=BETA, backend=backend, threads=threads)
    note(benchmark, bytes_read=rows.nbytes, error=error(found.output, wanted))


def test_numpy(benchmark, case):
    queries, patterns, wanted = case
    rows = patterns["f32"]

    def retrieve():
        scores = BETA * (queries @ rows.T)
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        return scores @ rows

    found = benchmark(retrieve)
    note(benchmark, bytes_read=rows.nbytes, error=error(found, wanted))


def test_torch(benchmark, case):
    torch = pytest.importorskip("torch")
    queries, patterns, wanted = case
    asked, rows = torch.from_numpy(queries), torch.from_numpy(patterns["f32"])
    attend = torch.nn.functional.scaled_dot_product_attention
    found = benchmark(lambda: attend(asked[None], rows[None], rows[None], scale=BETA)[0].numpy())  # reads them twice
    note(benchmark, bytes_read=rows.nbytes, error=error(found, wanted))
