"""The passage of a document that shows why it was found: only words that may have a wanted stem are stemmed."""

import pytest
import Stemmer
from hypothesis import given
from hypothesis import strategies as st

from context_graph.knowledge.search import _WORD, _spans, snippet, stems

TEXT = st.text(st.sampled_from("abdfsy _-.\n“éİKﬁſß3"), max_size=40)


@given(TEXT, TEXT)
def test_words_with_a_wanted_stem_are_those_of_reading_every_word(text, query):
    wanted = set(stems(query))
    stem_of = Stemmer.Stemmer("english").stemWord
    every = [(found.start(), stem_of(found[0].casefold())) for found in _WORD.finditer(text)]
    assert _spans(text, wanted) == [(start, stem) for start, stem in every if stem in wanted]


@pytest.mark.parametrize(("word", "query"), [("dying", "died"), ("ſtones", "stone"), ("Keys", "key"), ("skies", "sky")])
def test_a_word_is_found_in_another_form(word, query):
    filler = "nothing of it is here. " * 40
    assert word in snippet(f"{filler}{word} at last. {filler}", query)
