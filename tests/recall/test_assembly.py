"""Hits as they are told."""

import numpy as np

from context_graph.recall.assembly import _rounded


def test_values_are_rounded_as_one_by_one():
    dice = np.random.default_rng(0)
    columns = [(dice.normal(size=2_000) * scale).astype(np.float32) for scale in (1e-5, 1e-3, 1.0, 100.0)]
    columns.append(np.array([0.00005, 0.00015, -0.00025, -1e-6, 0.12345, 0.5, -0.0, 1e12] * 250))
    columns.append(np.round(dice.normal(size=2_000), 5))
    expected = [[round(value, 4) for value in column.tolist()] for column in columns]
    assert repr(_rounded(columns, 2_000)) == repr(expected)
    assert _rounded([], 3) == []
