"""Similarity by type: the arrays say what the definitions say, value by value."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from context_graph.cases.columns import NEUTRAL, column_of
from context_graph.cases.features import Feature, feature_of
from context_graph.errors import InvalidInput
from context_graph.models import from_iso
from tests.requirements import requirement

ROUNDING = 1e-9
WORDS = st.sampled_from(["red", "green", "blue"])
ORDER = ("low", "mid", "high")
VALUES = {
    "number": st.floats(-1e6, 1e6),
    "categorical": WORDS | st.integers(0, 3),
    "set": st.lists(WORDS | st.integers(0, 2), max_size=4),
    "ordinal": st.sampled_from(ORDER),
    "date": st.dates().map(lambda day: day.isoformat()),
    "boolean": st.booleans(),
    "text": st.sampled_from(["a cat sat", "the cat sat down", "stocks fell", "cats sat the cat down"]),
}


def feature(kind, **more):
    return TypeAdapter(Feature).validate_python(
        {"type": kind, **more} | ({"order": ORDER} if kind == "ordinal" else {})
    )


def embed(text):
    """Letters counted: a stand-in for meaning whose cosines can be worked out here."""
    counts = np.array([text.count(chr(97 + i)) + 0.01 for i in range(26)], np.float32)
    return counts / np.linalg.norm(counts)


def defined(kind, one, other, values):
    """How similar two values are, as the page says it, one pair at a time."""
    if other is None:
        return NEUTRAL
    if kind in ("number", "date"):
        line = (lambda text: from_iso(text) / 86_400e6) if kind == "date" else float
        known = [line(value) for value in values if value is not None]
        span, away = max(known) - min(known), abs(line(one) - line(other))
        return max(0.0, 1 - away / span) if span > 0 else float(away == 0)
    if kind == "ordinal":
        return 1 - abs(ORDER.index(one) - ORDER.index(other)) / 2
    if kind == "set":
        one, other = ({(type(value) is str, value) for value in each} for each in (one, other))
        return len(one & other) / len(one | other) if one | other else 1.0
    if kind == "text":
        different = sorted({value for value in values if value is not None})
        meant = max(0.0, float(embed(one) @ embed(other)))
        return 1.0 if one == other else (meant + shared_words(one, other, different)) / 2
    return float(type(one) is type(other) and one == other)


def shared_words(one, other, texts):
    """Cosine of tf-idf. Each word is its own stem, but for "cats"."""

    def counted(text):
        return Counter(text.replace("cats", "cat").split())

    def weighed(text):
        df = {word: sum(word in counted(each) for each in texts) for word in counted(text)}
        rarity = {word: math.log((1 + len(texts)) / (1 + those)) + 1 for word, those in df.items()}
        return {word: (1 + math.log(count)) * rarity[word] for word, count in counted(text).items()}

    a, b = weighed(one), weighed(other)
    dot = sum(a[word] * b[word] for word in a.keys() & b.keys())
    return dot / math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))


@requirement("cases:similarity-by-type")
@pytest.mark.parametrize("kind", VALUES)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_the_arrays_say_what_the_definition_says(kind, data):
    values = data.draw(st.lists(st.none() | VALUES[kind], min_size=1, max_size=12))
    query = data.draw(VALUES[kind])
    column = column_of(feature(kind), embed)
    for value in values:
        column.append("x", value)
    column.settle(np.ones(len(values), bool))
    similar = column.similarity(query)
    assert column.missing().tolist() == [value is None for value in values]
    expected = [defined(kind, query, value, values) for value in values]
    np.testing.assert_allclose(similar, expected, atol=1e-3 if kind == "text" else ROUNDING)
    assert ((similar >= 0) & (similar <= 1 + 1e-3)).all()
    rows = np.array([len(values) - 1, 0])
    np.testing.assert_array_equal(column.similarity(query, rows), similar[rows])


def test_a_declared_range_comes_before_that_of_the_cases():
    column = column_of(feature("number", min=0, max=100), embed)
    for value in (10, 20, 250):
        column.append("x", value)
    column.settle(np.ones(3, bool))
    assert column.similarity(10).tolist() == [1.0, 0.9, NEUTRAL] and column.unfit == 1


def test_the_range_is_that_of_live_cases():
    column = column_of(feature("number"), embed)
    for value in (0, 10, 1_000):
        column.append("x", value)
    column.settle(np.array([True, True, False]))
    assert column.similarity(5).tolist() == [0.5, 0.5, 0.0]


def test_words_of_a_list_are_the_same_whatever_their_case():
    words, sets = column_of(feature("categorical"), embed), column_of(feature("set"), embed)
    words.append("x", "Billing")
    sets.append("x", ["Slow", "EU"])
    assert words.similarity("billing").tolist() == [1.0] and sets.similarity(["eu", "slow"]).tolist() == [1.0]


def test_a_text_without_words_is_compared_by_its_vector_alone():
    column = column_of(feature("text"), embed)
    for text in ("a cat sat", "!?", "..."):
        column.append("x", text)
    assert column.similarity("!?")[1] == 1.0 and column.similarity("!?")[2] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, "number"), (0.5, "number"), (True, "boolean"), ("python", "categorical"), (["a"], "set"),
        ("2026-11-21", "date"), ("2026-11-21T10:00:00Z", "date"), ("2026-13-41", "categorical"),
        ("a longer text that says in many words what happened there", "text"),
        ("login fails", "categorical"), ("login fails again", "text"), ("x" * 49, "text"),
        (math.nan, None), (math.inf, None), ({"a": 1}, None), (None, None),
    ],
)  # fmt: skip
def test_a_value_has_a_type_by_itself(value, kind):
    inferred = feature_of(value)
    assert (inferred and inferred.type) == kind


@pytest.mark.parametrize(
    ("kind", "more", "value", "says"),
    [
        ("number", {}, "5", "must be a finite number, got '5'"),
        ("number", {}, True, "must be a finite number, got True"),
        ("number", {}, math.nan, "must be a finite number, got nan"),
        ("number", {"min": 0, "max": 10}, 11, "a number from 0 to 10, got 11"),
        ("ordinal", {}, "tiny", "one of low, mid, high, got 'tiny'"),
        ("categorical", {"values": ["a", "b"]}, "c", "one of a, b, got 'c'"),
        ("categorical", {}, ["a"], "a text, a number or true or false"),
        ("set", {}, "a", "a list of at most 1000"),
        ("set", {}, [["a"]], "a list of at most 1000"),
        ("text", {}, " ", "must be a text"),
        ("date", {}, "yesterday", "ISO 8601"),
        ("boolean", {}, 1, "true or false, got 1"),
    ],
)
def test_a_value_that_does_not_fit_is_told(kind, more, value, says):
    with pytest.raises(InvalidInput, match=says):
        feature(kind, **more).checked("x", value)
