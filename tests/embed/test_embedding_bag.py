"""Weighted sums of the rows of a table of bytes, against the same in float64."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from context_graph import _core

ROWS, WIDTHS = 7, (1, 31, 32, 33, 128, 256)


def summed(table, scale, rows, weights, starts):
    """What `_core.embedding_bag` gives, in float64."""
    values = scale[rows, None].astype(np.float64) * weights[:, None] * table[rows]
    ends = [*starts[1:], len(rows)]
    sums = [values[start:end].sum(axis=0) for start, end in zip(starts, ends[: len(starts)], strict=True)]
    return np.array(sums).reshape(len(starts), table.shape[1])


@given(st.data(), st.sampled_from(WIDTHS), st.lists(st.integers(1, 5), max_size=4))
def test_sums_are_those_of_each_row_times_its_weight(data, width, lengths):
    values = st.floats(-4, 4, width=32)
    table = data.draw(arrays.arrays(np.int8, (ROWS, width)))
    scale = data.draw(arrays.arrays(np.float32, ROWS, elements=values))
    rows = data.draw(arrays.arrays(np.int64, sum(lengths), elements=st.integers(0, ROWS - 1)))
    weights = data.draw(arrays.arrays(np.float32, sum(lengths), elements=values))
    starts = np.cumsum([0, *lengths[:-1]]) if lengths else np.zeros(0, np.int64)
    sums = _core.embedding_bag(table, scale, rows, weights, starts)
    assert sums.dtype == np.float32 and sums.shape == (len(lengths), width)
    np.testing.assert_allclose(sums, summed(table, scale, rows, weights, starts), rtol=1e-5, atol=1e-2)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"table": np.zeros((2, 4), np.int16)}, "table must be int8"),
        ({"table": np.zeros((4, 8), np.int8)[:, ::2]}, "table must be int8"),
        ({"scale": np.ones(3, np.float32)}, "scale must have a value for each row"),
        ({"rows": np.array([0, 4, 1])}, "rows must be of the table"),
        ({"rows": np.array([0, -1, 1])}, "rows must be of the table"),
        ({"rows": np.array([0, 1, 1], np.int32)}, "rows must be int64"),
        ({"weights": np.ones(2, np.float32)}, "weights must have a value for each"),
        ({"starts": np.array([0, 3])}, "starts must ascend"),
        ({"starts": np.array([1, 1])}, "starts must ascend"),
        ({"starts": np.array([-1, 1])}, "starts must ascend"),
    ],
)
def test_what_lies_outside_is_refused(change, told):
    given_arrays = {
        "table": np.ones((4, 4), np.int8), "scale": np.ones(4, np.float32), "rows": np.array([0, 3, 1]),
        "weights": np.ones(3, np.float32), "starts": np.array([0, 2]),
    }  # fmt: skip
    assert _core.embedding_bag(**given_arrays).tolist() == [[2.0] * 4, [1.0] * 4]
    with pytest.raises(ValueError, match=told):
        _core.embedding_bag(**given_arrays | change)
