"""Runs of words that two statements share: those of `difflib`, found without its detours."""

from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from context_graph.reading.alignment import changed_places, matching_blocks, places_of

WORDS = st.lists(st.sampled_from("abcde"), max_size=12)


@given(WORDS, WORDS)
def test_runs_and_changes_are_those_of_difflib(a, b):
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    blocks = matching_blocks(a, places_of(b), len(b))
    assert blocks == matcher.get_matching_blocks()[:-1]
    assert changed_places(blocks, len(a), len(b)) == [code for code in matcher.get_opcodes() if code[0] != "equal"]
