"""Our WordPiece agrees with the tokenizers library, which needs no network for it either."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
