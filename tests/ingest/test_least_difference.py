"""What is said of two texts before they are reworded holds of them afterwards."""

import random
from pathlib import Path

import pytest
from hypothesis import given, strategies

from benchmarks.quality import lives
from context_graph.ingest.duplicates import _worded
from context_graph.ingest.least_difference import least_difference
from tests.ingest.test_phrasing import OTHER, SAME

LINES = [line for line in (Path(lives.__file__).parent / "lives.txt").read_text("utf-8").splitlines() if line]
WORDS = [
    *sorted({word for pair in (*SAME, *OTHER) for text in pair for word in text.split()}),
    "there", "is", "a", "cup,", "on", "it", "was", "Mia", "who", "x.it", "whose", "İzmir", "ISTANBUL", "ﬁne", "Straße",
    "of", "my", "boat", "(and", "tea)", "Mondays;", "all", "not", "allowed", "don't", "’re", "per", "cent", "-", "–",
]  # fmt: skip


def check(one: str, other: str) -> None:
    differing, most_words = least_difference(one, other)
    for dash in (":", ";"):
        (words, of_one), (others, of_other) = _worded(one, dash), _worded(other, dash)
        assert differing <= len(of_one ^ of_other)
        assert differing == 0 or most_words >= min(len(words), len(others))


@pytest.mark.parametrize(("one", "other"), [*SAME, *OTHER])
def test_two_phrasings_differ_in_no_more_words_than_is_said(one, other):
    check(one, other)


def test_notes_of_people_differ_in_no_fewer_words_than_is_said():
    chosen = random.Random(3)
    for _ in range(1_500):
        one, other, more = chosen.choices(LINES, k=3)
        check(one, other)
        check(f"{one} {more}", f"{more} {other}")


@given(strategies.lists(strategies.sampled_from(WORDS), max_size=14), strategies.lists(strategies.sampled_from(WORDS)))
def test_words_in_any_order_differ_in_no_fewer_words_than_is_said(one, other):
    check(" ".join(one), " ".join(other))


@given(strategies.text(max_size=60), strategies.text(max_size=60))
def test_any_two_texts_differ_in_no_fewer_words_than_is_said(one, other):
    check(one, other)


def test_texts_of_different_things_differ_in_many_words():
    differing, _ = least_difference("The cellar of the mill floods each spring.", "Ana flies to Rome with Ben.")
    assert differing == 8  # "each" may stand for "every"
