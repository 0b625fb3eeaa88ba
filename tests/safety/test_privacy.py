"""What is marked as private never gets through, whatever is around it, and in linear time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.safety.privacy import GAP, TAG, without_private

SECRET = "tulip"
OPEN = st.sampled_from(["<private>", "<PRIVATE>", "<Private >", "< private>", '<private why="x">', "<private\n>"])
CLOSE = st.sampled_from(["</private>", "</PRIVATE>", "</ Private >", "< / private\n>"])
PLAIN = st.text(st.characters(exclude_characters="<", exclude_categories=["Cs"]), max_size=30).map(
    lambda text: text.replace(SECRET, "")
)


@pytest.mark.parametrize(
    ("text", "public"),
    [
        ("a <private>b</private> c", f"a {GAP} c"),
        ("a <Private>b</PRIVATE> c", f"a {GAP} c"),
        ("a <private>b", f"a {GAP}"),
        ("a <private>b<private>c</private>d</private> e", f"a {GAP} e"),
        ("a</private> b", f"{GAP} b"),
        ("a <private>b</private> c <private>d</private> e", f"a {GAP} c {GAP} e"),
        ("<private></private>", GAP),
        ("a <private b", f"a {GAP}"),
        ("a <private>b</private c", f"a {GAP}"),
        ("a <private/> b", f"a {GAP}"),
        ("a <private>b</privat> c</private> d", f"a {GAP} d"),
    ],
)
def test_what_is_marked_leaves_a_gap(text, public):
    found = without_private(text)
    assert (found.text, found.cut) == (public, True)


@pytest.mark.parametrize(
    "text",
    ["", "private", "a < b", "<private_key> stays", "<private-repo>", "a </privately> b", "<p>rivate</p>", "<<>>"],
)
def test_a_text_without_marks_stays_as_it_is(text):
    found = without_private(text)
    assert found.text == text and not found.cut


@given(st.text())
def test_any_text_without_the_word_stays_as_it_is(text):
    plain = text.replace("<", "(")
    assert without_private(plain).text == plain


@given(st.lists(st.tuples(PLAIN, OPEN, PLAIN, CLOSE), max_size=5), PLAIN)
def test_nothing_between_marks_gets_through_and_the_rest_stays(passages, tail):
    text = "".join(f"{before}{mark}{inside}{SECRET}{close}" for before, mark, inside, close in passages) + tail
    found = without_private(text)
    assert SECRET not in found.text
    assert found.text == "".join(before + GAP for before, *_ in passages) + tail


@given(st.lists(st.one_of(OPEN, CLOSE, PLAIN), max_size=12), OPEN)
def test_marks_in_any_order_hide_what_follows_an_open_one(pieces, mark):
    before = "".join(pieces)
    assert SECRET not in without_private(f"{before}{mark}{SECRET}").text


@given(st.lists(st.one_of(OPEN, CLOSE, PLAIN), max_size=12))
def test_filtering_twice_changes_nothing_more(pieces):
    once = without_private("".join(pieces)).text
    assert without_private(once).text == once


@pytest.mark.parametrize(
    "pump",
    ["<", "< ", "<private", "<private>", "</private>", "<private></private>", f"<{' ' * 50}", "</ private ", "a"],
)
def test_time_grows_with_the_length_and_no_faster(pump):
    def cost(size: int) -> float:
        text = (pump * size)[:size]
        return min(_timed(text) for _ in range(3))

    small = max(cost(100_000), 1e-3)
    assert cost(800_000) < 8 * small * 5  # eight times the text; quadratic time would be 64 times


def _timed(text: str) -> float:
    started = time.process_time()
    without_private(text)
    return time.process_time() - started


def test_the_mark_has_the_name_that_is_documented():
    assert TAG == "private" and GAP == "[REDACTED:private]"
