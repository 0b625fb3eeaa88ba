"""Sequences that recur, and what they say of the next action."""

from itertools import chain, pairwise

from hypothesis import given
from hypothesis import strategies as st

from context_graph.inference.patterns import MIN_REPEATS, Foresight, Pattern, closed, repeated, unlike
from tests.requirements import requirement

CHAINS = st.lists(st.lists(st.sampled_from("abc"), max_size=12), max_size=6)


@requirement("knowledge:patterns")
@given(chains=CHAINS)
def test_a_pattern_occurs_as_often_as_it_says(chains):
    for one in repeated(chains):
        length = len(one.actions)
        windows = chain.from_iterable(
            [tuple(each[i : i + length]) for i in range(len(each) - length + 1)] for each in chains
        )
        assert list(windows).count(one.actions) == one.times >= MIN_REPEATS
        assert one.confidence == min(1.0, one.times / 10)


@given(chains=CHAINS)
def test_none_that_occurs_three_times_is_missed(chains):
    pairs = [pair for each in chains for pair in pairwise(each)]
    expected = {pair for pair in pairs if pairs.count(pair) >= MIN_REPEATS}
    assert {one.actions for one in repeated(chains) if len(one.actions) == 2} == expected


def test_what_a_longer_one_explains_is_not_told_again():
    patterns = repeated([["look", "read", "keep"]] * 3 + [["look", "read"]])
    assert list(closed(patterns)) == [Pattern(("look", "read"), 4), Pattern(("look", "read", "keep"), 3)]


def test_an_action_that_is_repeated_is_one_habit_however_often():
    patterns = repeated([["keep"] * 8, *[["look", "keep", "keep", "keep"]] * 3])
    assert [one.actions for one in unlike(closed(patterns))] == [("keep", "keep"), ("look", "keep", "keep", "keep")]


def test_the_longest_beginning_decides():
    foresight = Foresight(repeated([["a", "b", "c"]] * 3 + [["x", "b", "d"]] * 5))
    assert foresight.next(["a", "b"]).actions == ("a", "b", "c")
    assert foresight.next(["b"]).actions == ("b", "d")
    assert foresight.next(["q"]) is None and foresight.next([]) is None
