"""What may be shown of a stored text."""

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from context_graph.safety.display import printable, printable_json

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROLS = [chr(code) for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"] + list(BIDI)


@given(st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from(CONTROLS))))
def test_nothing_that_commands_a_terminal_is_left_and_the_rest_is_as_it_was(text):
    shown = printable(text)
    assert not set(shown) & set(CONTROLS)
    assert not any(unicodedata.category(letter) == "Cc" and letter not in "\t\n" for letter in shown)
    assert printable(shown) == shown
    if not set(text) & set(CONTROLS):
        assert shown == text


@given(st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from(CONTROLS))))
def test_json_keeps_its_values(text):
    shown = printable_json(json.dumps([text], ensure_ascii=False))
    assert json.loads(shown) == [text]
    assert not set(shown) & set(CONTROLS)


def test_a_reader_sees_what_was_there():
    assert printable("a\x1b]0;b\x07\x9bc \u202edef\r\n\tg\rh") == "a\\x1b]0;b\\x07\\x9bc \\u202edef\n\tg\\x0dh"
