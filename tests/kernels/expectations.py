"""Sizes and tolerances of the kernel tests."""

import numpy as np

ODD_SIZES = (1, 2, 3, 7, 8, 31, 64, 65, 1536)  # around every vector width

EXACT = {"rtol": 0, "atol": 0}  # integers, choices, and operations that round once
ROUNDING = {"rtol": 1e-6, "atol": 1e-7}  # a few float32 operations, 6e-8 each
REDUCTION = {"rtol": 1e-5, "atol": 2e-5}  # float32 sums of up to 1536 products of unit-sized rows
FIFTEEN_BITS = {"rtol": 0, "atol": 1e-4}  # a query token in 15 bits against unit tokens, d <= 128


def unit_rows(rng, n, d):
    """n random directions, float32."""
    rows = rng.standard_normal((n, d)).astype(np.float32)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30)


def ball(rng, n, d, *, nearest_rim=1e-3):
    """n random points of the unit ball at all depths, float32: radii 1 - 10^-u down to `nearest_rim` from the rim."""
    depth = 10.0 ** rng.uniform(np.log10(nearest_rim), 0, (n, 1))
    rows = unit_rows(rng, n, d).astype(np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30)
    return (rows * (1 - depth)).astype(np.float32)


def edges(rng, n, m):
    """A random graph of n nodes and m edges, some of them double: offsets and targets."""
    sources = np.sort(rng.integers(0, n, m)) if n else np.zeros(0, np.int64)
    offsets = np.searchsorted(sources, np.arange(n + 1)).astype(np.int64)
    return offsets, rng.integers(0, max(n, 1), len(sources)).astype(np.uint32)
