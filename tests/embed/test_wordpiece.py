"""Our WordPiece agrees with the tokenizers library, which needs no network for it either."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph import _core
from context_graph.embed import wordpiece

tokenizers = pytest.importorskip("tokenizers")


@pytest.fixture(scope="module")
def theirs():
    return tokenizers.BertWordPieceTokenizer(str(wordpiece.VOCABULARY), lowercase=True)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "The quick brown fox.", "unaffable", "don't stop", "Zürich café naïve", "日本語 text",
        "a_b __init__.py",
        "x" * 101, "email@example.com +49 (0)30 1234", "ÅNGSTRÖM\tand\nlines", "emoji 🙂 here", "3.14e-5 == $7",
    ],
)  # fmt: skip
def test_pieces_are_those_of_the_library(theirs, text):
    assert list(wordpiece.pieces(text)) == theirs.encode(text, add_special_tokens=False).ids


@given(text=st.text(alphabet=st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=80))
def test_any_ascii_text_is_cut_the_same_way(theirs, text):
    assert list(wordpiece.pieces(text)) == theirs.encode(text, add_special_tokens=False).ids


@given(text=st.text(max_size=200))
def test_any_text_has_pieces_and_a_token_count(text):
    assert all(0 <= piece < 30_522 for piece in wordpiece.pieces(text))
    assert wordpiece.token_count(text) >= len(text.encode("utf-8", "replace")) / 4


@given(
    text=st.text(
        alphabet=st.one_of(st.sampled_from("\n\n aΣσ'é\u0301\u200d\r\u2028中.-_1"), st.characters(codec="utf-8"))
    )
)
def test_the_pieces_of_lines_are_those_of_the_text(text):
    assert wordpiece.token_count(text) == max(len(wordpiece.pieces(text)), -(-len(text.encode()) // 4))


def plainly(text: str, rows: dict[str, int], longest: int) -> list[int]:
    """What `_core.WordPieces` gives, letter by letter."""
    found = []
    for word in re.findall(r"[^\W_]+|[^\w\s]|_", text):
        cut, start = [], 0
        while start < len(word) <= longest:
            ends = range(len(word), start, -1)
            whole = {end: word[start:end] if start == 0 else "##" + word[start:end] for end in ends}
            end = next((end for end in ends if whole[end] in rows), None)
            if end is None:
                break
            cut.append(rows[whole[end]])
            start = end
        found += cut if start == len(word) else [0]
    return found


PIECES = [*"?ab_é中#1", "ab", "abba", "\U0001f642", "##", "##b", "##ba", "##é", "##中", "##1"]


@given(text=st.text(st.sampled_from("aab_b#é中\U0001f642 1\n.\u0301\ud800\u2028²") | st.characters(), max_size=40))
def test_any_vocabulary_cuts_any_text_as_plain_python_does(text):
    table = _core.WordPieces(PIECES, 0, 12)
    assert [*table.rows(text)] == plainly(text, {piece: row for row, piece in enumerate(PIECES)}, 12)


def test_a_vocabulary_has_a_piece_for_what_is_unknown():
    with pytest.raises(ValueError, match="what is unknown"):
        _core.WordPieces(["a"], 1, 100)
