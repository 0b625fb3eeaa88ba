"""Texts without case: whoever looks for a word there finds it wherever a pattern that ignores case would."""

import re
import string
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.embed.stems import words
from context_graph.graph import statements
from context_graph.ingest import phrasing
from context_graph.reading.act_forms import DENIED, FORMS
from context_graph.reading.act_questions import ASKED, ONE
from context_graph.texts import caseless
from tests.expressions import compiled

EVERY_LETTER = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
OF_ACTS = [*FORMS.values(), *DENIED.values(), *ASKED.values(), ONE]
WITHOUT_CASE = [*OF_ACTS, phrasing._ANY_WORDED]
IN_THEM = st.sampled_from(sorted({word for form in WITHOUT_CASE for word in words(re.sub(r"\\.", " ", form.pattern))}))


@pytest.mark.long
def test_a_letter_without_case_is_the_one_that_a_pattern_takes_it_for():
    plain = {letter: caseless(letter) for letter in EVERY_LETTER}
    everything = "".join(EVERY_LETTER)
    assert all(len(low) == 1 for low in plain.values()) and len(caseless(everything)) == len(everything)
    for letter in string.ascii_lowercase:
        assert {*re.findall(letter, everything, re.I)} == {each for each, low in plain.items() if low == letter}
    assert all(low.isalnum() == letter.isalnum() and low.isspace() == letter.isspace() for letter, low in plain.items())


@pytest.mark.parametrize("form", WITHOUT_CASE)
def test_what_is_searched_in_texts_without_case_has_no_capital(form):
    bare = re.sub(r"\\.", "", form.pattern)
    assert bare == caseless(bare) and not form.flags & re.I


@given(text=st.lists(IN_THEM, min_size=1, max_size=8).map(" ".join), upper=st.randoms(use_true_random=False))
def test_without_case_a_pattern_finds_what_it_finds_ignoring_case(text, upper):
    told = "".join(upper.choice((letter, letter.upper(), "\u017f" if letter == "s" else letter)) for letter in text)
    for form in WITHOUT_CASE:
        ignoring = re.search(form.pattern, told, re.I)
        found = form.search(caseless(told))
        assert (found and found.start()) == (ignoring and ignoring.start())


@given(st.from_regex(compiled(statements.NEGATED)))
def test_a_negation_has_one_of_the_words_that_are_looked_for_first(text):
    assert any(word in caseless(text) for word in statements._NEGATIONS)


@given(st.from_regex(compiled(phrasing._ASIDE)))
def test_an_aside_has_one_of_the_words_that_are_looked_for_first(text):
    assert any(aside in caseless(text) for aside in phrasing._ASIDES)
