"""How likely it is that a later result took the place of an earlier one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.ingest.draft import Draft
from context_graph.reading.updates import update_odds
from context_graph.recall.current.claim_model import Trees, trees
from context_graph.recall.current.claim_signs import SIGNS, ClaimSigns, Ruled
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement

TIERS = ("base", "minilm")
STUMPS = Trees(
    np.array([0, 3], np.int32), np.array([0, 0, 0, 1, 0, 0], np.int16), np.array([1, 0, 0, 5, 0, 0], np.float32),
    np.array([1, 1, 2, 4, 4, 5], np.int32), np.array([2, 1, 2, 5, 4, 5], np.int32),
    np.array([0, 0.5, -0.5, 0, 2, 3], np.float32), -1.0, 1,
)  # fmt: skip


def signs_of(question, texts, pairs, ruled=None):
    alone, ranks = np.linspace(0.9, 0.1, len(texts)), range(len(texts))
    signs = ClaimSigns(question, texts, alone, ranks, lambda stems: 0.5, len(texts))
    return signs.of(np.array(pairs, np.int64).reshape(-1, 2), ruled or [None] * len(pairs))


def lines_after(memory, clock, texts, question):
    """What is told of a question where these were stored, nine days after each other."""
    for text in texts:
        clock.pass_time(days=9)
        memory.remember(Draft(text, "said to you"))
    return [line for line in inject(memory, Question(question)).text.splitlines() if line.startswith("> ")]


def test_trees_add_what_their_leaves_say():
    signs = np.array([(0, 0), (2, 0), (1, 5), (2, 6)], np.float32)
    assert STUMPS.log_odds(signs) == pytest.approx([1.5, 0.5, 1.5, 1.5])
    assert STUMPS.log_odds(signs[:0]).shape == (0,)


@pytest.mark.parametrize("tier", TIERS)
def test_the_trees_of_the_package_end_in_leaves(tier):
    grown = trees(tier)
    nodes = grown.roots
    values = np.zeros(len(SIGNS), np.float32)
    for _ in range(grown.depth):
        nodes = np.where(values[grown.feature[nodes]] <= grown.threshold[nodes], grown.left[nodes], grown.right[nodes])
    assert np.array_equal(grown.left[nodes], nodes) and grown.feature.max() < len(SIGNS)


@given(st.text(max_size=60), st.lists(st.text(max_size=60), min_size=2, max_size=5), st.floats(-9, 9), st.floats(0, 1))
def test_every_claim_has_finite_odds(question, texts, odds, likely):
    pairs = [(i, j) for j in range(len(texts)) for i in range(j)]
    signs = signs_of(question, texts, pairs, [Ruled(odds, likely), *[None] * (len(pairs) - 1)])
    assert signs.shape == (len(pairs), len(SIGNS)) and np.isfinite(signs).all()
    assert all(np.isfinite(trees(tier).log_odds(signs)).all() for tier in TIERS)


def test_two_are_compared_beside_the_others():
    texts = ["My doctor is called Okafor.", "My oculist is called Petrov.", "Rain again.", "So Okafor has retired."]
    doctor, oculist, rain = signs_of("Who is my doctor?", texts, [(0, 3), (1, 3), (2, 3)])
    beyond = SIGNS.index("weight beyond others")
    assert doctor[beyond] > 0 > oculist[beyond] and rain[SIGNS.index("another has more words")]
    assert doctor[SIGNS.index("names shared")] and not oculist[SIGNS.index("names shared")]


def test_what_means_the_same_is_compared_beside_the_others():
    texts = ["My lift to work is the tram.", "The gate sticks.", "I cycle in now."]
    meaning = np.array([(1.0, 0.1, 0.7), (0.1, 1.0, 0.2), (0.7, 0.2, 1.0)], np.float32)
    signs = ClaimSigns("How do I get to work?", texts, [0.9] * 3, range(3), lambda stems: 0.5, 3, meaning)
    lift, gate = signs.of(np.array([(0, 2), (1, 2)]), [None, None])
    of, beyond = SIGNS.index("meaning"), SIGNS.index("meaning beyond others")
    assert (lift[of], gate[of]) == pytest.approx((0.7, 0.2))
    assert (lift[beyond], gate[beyond]) == pytest.approx((0.5, -0.5))


def test_what_differs_in_one_word_opens_and_ends_the_same():
    (signs,) = signs_of("Where do I live?", ["I live in Oslo with Bo.", "I live in Graz with Bo."], [(0, 1)])
    same = [signs[SIGNS.index(sign)] for sign in ("same opening", "same ending")]
    assert same == pytest.approx([3 / 6, 2 / 6])


def test_signs_of_one_pair_are_those_among_all():
    texts = ["The van is white.", "The gate sticks.", "The van is sold."]
    alone, among = (signs_of("Which van is ours?", texts, pairs)[-1] for pairs in ([(0, 2)], [(0, 1), (1, 2), (0, 2)]))
    assert alone == pytest.approx(among, abs=1e-5)


@pytest.mark.parametrize(
    ("changes", "stays"),
    [
        ("The clutch gave out on the Opel, so I take the tram these days.", "The tram stop is behind the bakery."),
        ("Scratch that, it's the smaller tent after all.", "The tent has two entrances."),
        ("Paula has handed in her notice.", "Paula has two sons."),
    ],
)  # fmt: skip
def test_wording_tells_of_a_change(changes, stays):
    assert update_odds(changes)[0] > update_odds(stays)[0]


@requirement("recall:one-change-one-thing")
@pytest.mark.parametrize(
    ("holds", "other", "question"),
    [
        ("Lena works Tuesday to Friday.", "The wholesaler doesn't deliver on Fridays any more.", "When is Lena here?"),
        ("Always run the formatter before commits.", "The queue ran out of memory on 3 May.", "What must I run first?"),
        ("Bread comes on Thursdays.", "Hof Lund delivers no more on Fridays.", "When is bread brought?"),
        ("Nora goes to the Montessori school by the park.", "Open day at the Montessori school is on 3 May.",
         "Which school is Nora at?"),
        ("The copier stands in room 2.09.", "The copier still jams on cardboard.", "Where is the copier?"),
        ("Call me Tilly, not Mathilda.", "My lawyer is called Mathilda Grün, funny.", "What should you call me?"),
    ],
)  # fmt: skip
def test_what_shares_a_word_with_another_matter_is_not_its_news(memory, clock, holds, other, question):
    lines = lines_after(memory, clock, (holds, "The window is blue.", other), question)
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
    first, second, *_ = lines_after(memory, clock, (was, "The window is blue.", now), question)
    assert now in first and was in second and ("earlier" in second or "until" in second)


@requirement("recall:one-change-one-thing")
@pytest.mark.parametrize(
    ("was", "now", "question"),
    [
        ("My session with Greta is on Thursday at eight.", "Greta rang, she has to make that half past nine.",
         "What time is my session with Greta?"),
        ("We're ordering the carpet in dark red.", "Slept on it: we ended up with the beige one.",
         "Which carpet did we choose?"),
        ("Ilyas teaches me the oud on Tuesdays.", "Ilyas has gone back to Tunis, and Jana stepped in, same slot.",
         "Who teaches me the oud?"),
        ("Flight to Porto booked, 18 April, seat 11A.", "With Dad in hospital the whole Porto trip is off.",
         "Am I flying to Porto?"),
    ],
)  # fmt: skip
def test_a_change_told_in_other_words_is_told_first(memory, clock, was, now, question):
    lines = lines_after(memory, clock, (was, "The window is blue.", now), question)
    assert now in lines[0]
    assert all("earlier" in line or "until" in line for line in lines if was in line)


@requirement("recall:one-change-one-thing")
def test_what_is_to_come_hides_no_change(memory, clock):
    """A third statement that begins in July took the place of the first, and the second was told behind it."""
    texts = (
        "Night shifts start at 21:15.",
        "Night shifts now start at 20:45.",
        "Starting in July I work 60 percent.",
    )
    first, *others = lines_after(memory, clock, texts, "When do my night shifts start?")
    assert "20:45" in first
    assert any("21:15" in line and ("earlier" in line or "until" in line) for line in others)
