"""Sizes and data that benchmarks share, and the machine's own limit measured beside them."""

import numpy as np

from context_graph.kernels import backends
from context_graph.kernels._arrays import resident

SEED = 20261121
DENSE = [(100_000, 384), (100_000, 1536)]
MAXSIM = [(10_000, 40, 16, 128), (10_000, 122, 32, 128)]  # documents, tokens each, query tokens, dimensions
SPARSE = (100_000, 150, 30_000, 30)  # documents, pairs each at most, vocabulary, query terms
HDC = 100_000
BALL = (1_000_000, 64)  # points, dimensions
HOPFIELD = [(10_000, 1536), (100_000, 1536), (400_000, 256)]  # patterns, dimensions
FUSEMOE = (13, 1536, 1536, 1024)  # experts, what the gate sees, dimensions out, dimensions in
TRANSE = (300_000, 128)  # entities, dimensions
GRAPH = (1_000_000, 10_000_000)  # nodes, edges
SMALL_GRAPH = (100_000, 1_000_000)
NATIVE = [name for name in ("scalar", "avx2", "avx512") if backends()[name]["usable"]]


def unit_rows(n: int, d: int, seed: int = SEED) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((n, d), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def bags(n: int, most: int, vocabulary: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Documents of distinct terms with Zipf 0.8 frequencies: terms, counts, lengths."""
    rng = np.random.default_rng(SEED)
    chance = 1 / np.arange(1, vocabulary + 1) ** 0.8
    drawn = rng.choice(vocabulary, (n, most), p=chance / chance.sum())
    terms = [np.unique(row) for row in drawn]
    lengths = np.array([len(row) for row in terms])
    flat = np.concatenate(terms)
    return flat, rng.integers(1, 4, len(flat)).astype(np.float32), lengths


def ball(n: int, d: int, seed: int = SEED) -> np.ndarray:
    """Points of the unit ball at all depths down to 1e-3 from the rim."""
    depth = 10.0 ** np.random.default_rng(seed).uniform(-3, 0, (n, 1))
    return unit_rows(n, d, seed) * (1 - depth).astype(np.float32)


def edges(n: int, m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A random graph by source: offsets, targets, weights."""
    rng = np.random.default_rng(SEED)
    sources = np.sort(rng.integers(0, n, m))
    offsets = np.searchsorted(sources, np.arange(n + 1)).astype(np.int64)
    return offsets, rng.integers(0, n, m).astype(np.uint32), rng.random(m, dtype=np.float32)


def on_huge_pages(rows: np.ndarray) -> np.ndarray:
    """The same array where our own indexes live, so that a peer reads memory as fast as we do."""
    moved = resident(rows.shape, rows.dtype)
    moved[:] = rows
    return moved


def note(benchmark, *, bytes_read: int = 0, **facts) -> None:
    """Speed and error beside the time; the table is made from these."""
    if benchmark.stats:
        best = benchmark.stats.stats.min
        facts["gb_per_s"] = round(bytes_read / best / 1e9, 2) if bytes_read else None
    benchmark.extra_info.update(facts)
