"""How likely a claim is right that a later result took the place of an earlier one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.ingest.draft import Draft
from context_graph.recall.current.claim_model import CLAIM, Trees, claim_log_odds, claim_values, trees
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement

TIERS = ("base", "minilm")
STUMPS = Trees(
    np.array([0, 3], np.int32), np.array([0, 0, 0, 1, 0, 0], np.int16), np.array([1, 0, 0, 5, 0, 0], np.float32),
    np.array([1, 1, 2, 4, 4, 5], np.int32), np.array([2, 1, 2, 5, 4, 5], np.int32),
    np.array([0, 0.5, -0.5, 0, 2, 3], np.float32), -1.0, 1,
)  # fmt: skip


@pytest.mark.parametrize(
    ("values", "expected"), [((0, 0), 1.5), ((2, 0), 0.5), ((1, 5), 1.5), ((2, 6), 1.5)]
)  # fmt: skip
def test_trees_add_what_their_leaves_say(values, expected):
    assert STUMPS.log_odds(values) == pytest.approx(expected)


@pytest.mark.parametrize("tier", TIERS)
def test_the_trees_of_the_package_end_in_leaves(tier):
    grown = trees(tier)
    nodes = grown.roots
    values = np.zeros(len(CLAIM), np.float32)
    for _ in range(grown.depth):
        nodes = np.where(values[grown.feature[nodes]] <= grown.threshold[nodes], grown.left[nodes], grown.right[nodes])
    assert np.array_equal(grown.left[nodes], nodes) and grown.feature.max() < len(CLAIM)


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60), st.floats(-9, 9), st.floats(1e-6, 1))
def test_every_claim_has_finite_odds(question, earlier, later, odds, likely):
    values = claim_values(question, (earlier, later), odds, likely, 0.5, (0.5, 0.0), (0, 3))
    assert len(values) == len(CLAIM) and all(map(math.isfinite, values))
    assert all(math.isfinite(claim_log_odds(values, tier)) for tier in TIERS)


@requirement("recall:one-change-one-thing")
@pytest.mark.parametrize(
    ("holds", "other", "question"),
    [
        ("Lena works Tuesday to Friday.", "The wholesaler doesn't deliver on Fridays any more.", "When is Lena here?"),
        ("Always run the formatter before commits.", "The queue ran out of memory on 3 May.", "What must I run first?"),
        ("Bread comes on Thursdays.", "Hof Lund delivers no more on Fridays.", "When is bread brought?"),
    ],
)  # fmt: skip
def test_what_shares_a_word_with_another_matter_is_not_its_news(memory, clock, holds, other, question):
    for text in (holds, "The window is blue.", other):
        clock.pass_time(days=9)
        memory.remember(Draft(text, "said to you"))
    lines = [line for line in inject(memory, Question(question)).text.splitlines() if line.startswith("> ")]
    assert holds in lines[0] and "earlier" not in lines[0]


@requirement("recall:one-change-one-thing")
@pytest.mark.parametrize(
    ("was", "now", "question"),
    [
        ("The boiler is leaking.", "The boiler is repaired.", "Is the boiler leaking?"),
        ("Bug: the chart shows the wrong day in Edge. Ole looks at it.", "The Edge chart bug is fixed, a zone.",
         "Is the Edge bug still open?"),
        ("Mara owes me 90 for the trip, Ben and Ida have paid.", "Mara paid me back.", "Does Mara still owe me money?"),
    ],
)  # fmt: skip
def test_what_is_settled_is_told_first(memory, clock, was, now, question):
    for text in (was, "The window is blue.", now):
        clock.pass_time(days=9)
        memory.remember(Draft(text, "said to you"))
    first, second, *_ = (line for line in inject(memory, Question(question)).text.splitlines() if line[:2] == "> ")
    assert now in first and was in second and ("earlier" in second or "until" in second)


@requirement("recall:one-change-one-thing")
def test_what_is_to_come_hides_no_change(memory, clock):
    """A third statement that begins in July took the place of the first, and the second was told behind it."""
    for text in (
        "Night shifts start at 21:15.",
        "Night shifts now start at 20:45.",
        "Starting in July I work 60 percent.",
    ):
        clock.pass_time(days=9)
        memory.remember(Draft(text, "said to you"))
    first, *others = (
        line
        for line in inject(memory, Question("When do my night shifts start?")).text.splitlines()
        if line[:2] == "> "
    )
    assert "20:45" in first
    assert any("21:15" in line and ("earlier" in line or "until" in line) for line in others)
