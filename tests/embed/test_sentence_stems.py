"""The stems of each sentence of a text."""

import pytest

from context_graph.embed.sentence_stems import best_sentence, sentence_stems, stem_set
from context_graph.embed.stems import stems


@pytest.mark.parametrize(
    "text",
    ["", "the of", "It's Anna's parseHTMLPage: she can’t.", "Straße, été, _x_ 3rd I/O", "One. Two! v1.2?\nThree。Four"],
)
def test_stems_of_words_taken_once_are_those_of_the_text(text):
    assert stem_set(text) == {*stems(text)}
    assert all(of == {*stems(sentence)} for sentence, of in sentence_stems(text))


@pytest.mark.parametrize("text", ["We went to buy a bike.", "Mum bought one.", "BOUGHT", "The colour was grey."])
def test_the_stems_of_a_question_are_met_in_any_form(text):
    asked = frozenset(stems("Which bicycle did mother buy, what color is it, and where did it go?"))
    assert best_sentence(f"Nobody was in. {text}", asked) == text


def test_of_sentences_that_answer_alike_the_first_is_taken():
    assert best_sentence("Bo has a cat. Bo has a dog.", frozenset(["bo"])) == "Bo has a cat."
    assert best_sentence("Bo has a cat. Bo has a dog.", frozenset()) == "Bo has a cat."
    assert best_sentence(" \n", frozenset(["bo"])) == " \n"
