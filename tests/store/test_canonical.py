"""Canonical JSON is one spelling, whoever writes it: the compiled writer agrees with Python's, or leaves it to that."""

import json
import math
from collections import Counter, OrderedDict
from enum import IntEnum, StrEnum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph import _core
from context_graph.errors import InvalidInput
from context_graph.store.chain import canonical


class Colour(StrEnum):
    RED = "ré\td"


class Level(IntEnum):
    HIGH = 7


def of_python(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=40)


@given(VALUES)
def test_it_writes_what_python_writes(value):
    assert canonical(value) == of_python(value)
    assert _core.canonical_json(value) in (None, of_python(value))


@pytest.mark.parametrize(
    "value",
    [
        {"b": 1, "a": {"é": [], "\U0001f600": (), "z": {}}, "": 0.1, "a\x00": -0.0, "\ud7ff": 1, "\ue000": 2},
        [1e16, 1e22, 5e-324, 1.5, 2**63 - 1, -(2**63), True, None, '\x00\x1f\x7f\u2028"\\/\b\f\n\r\t'],
        [Colour.RED, Level.HIGH, np.float64(0.1), (1, 2), {Colour.RED: 1}],
        "text",
        [[[[[1]]]]],
    ],
)
def test_values_that_the_compiled_writer_takes(value):
    assert _core.canonical_json(value) == of_python(value) == canonical(value)


@pytest.mark.parametrize("value", [2**70, OrderedDict(b=1, a=2), Counter("ab"), {1: "a", 2: "b"}])
def test_values_that_it_leaves_to_python(value):
    assert _core.canonical_json(value) is None
    assert canonical(value) == of_python(value)


def test_deep_values_are_left_to_python():
    value: list[object] = []
    for _ in range(150):
        value = [value]
    assert _core.canonical_json(value) is None
    assert canonical(value) == of_python(value)


@pytest.mark.parametrize("value", [math.nan, [math.inf], {"a": "\ud800"}, {"\udfff": 1}, {"a": object()}, {(1,): 2}])
def test_what_json_cannot_hold_is_refused(value):
    assert _core.canonical_json(value) is None
    with pytest.raises(InvalidInput, match="expected data that JSON can hold"):
        canonical(value)


def test_what_holds_itself_is_refused():
    value: list[object] = []
    value.append(value)
    with pytest.raises(InvalidInput):
        canonical(value)
