"""Which attribute a sentence is about."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from context_graph.embed.wordpiece import continuations, pieces
from context_graph.reading import attributes

SENTENCES = [
    ("Which town do I live in?", "home"), ("We found a bungalow with a garden and signed the lease.", "home"),
    ("What's my profession?", "job"), ("I found a position as a librarian.", "job"),
    ("Do I own an animal?", "pets"), ("Our old tomcat sleeps all day.", "pets"),
    ("How do I get to the office?", "commute"), ("On icy days I take the subway instead of my bicycle.", "commute"),
    ("How much do we have left to spend?", "money"), ("What may I drink in a bar?", "alcohol"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "attribute"), SENTENCES)
def test_a_sentence_leads_to_its_attribute(text, attribute):
    likely = attributes.of_text(text)
    names = attributes.model().names
    assert attribute in [names[i] for i in np.argsort(-likely)[:3]]


def test_what_is_about_none_of_them_has_none():
    none = 1 - attributes.of_text("A fox crossed the frozen lake and nobody laughed.").sum()
    assert none > 1 - attributes.of_text("I rent a flat in Ghent.").sum()


def test_probabilities_of_many_are_those_of_each():
    texts = [text for text, _ in SENTENCES] + ["", "🦊"]
    together = attributes.likelihoods(np.array([attributes.vector(text) for text in texts]))
    assert together.shape == (len(texts), len(attributes.model().names)) and together.dtype == np.float32
    assert (together >= 0).all() and (together.sum(axis=1) <= 1 + 1e-6).all()
    assert_allclose(together, np.array([attributes.of_text(text) for text in texts]), atol=1e-6)


def test_texts_one_after_the_other_are_read_as_each_alone():
    read = [np.array(pieces(text), np.int64) for text in ("", "We rent a flat.", "", "A vet named Wojciechowska.", "")]
    lengths = np.array([len(each) for each in read])
    together = attributes.vectors(np.concatenate(read), lengths)
    alone = [attributes.vectors(each, np.array([len(each)]))[0] for each in read]
    assert_allclose(together, alone, atol=1e-6)
    assert not together[lengths == 0].any()
    assert_allclose(np.linalg.norm(together[lengths > 0], axis=1), 1, atol=1e-6)


def test_a_text_may_begin_within_a_word():
    middle = np.flatnonzero(continuations())[:3]
    assert attributes.vectors(middle, np.array([3])).shape == (1, 256)
    assert attributes.vectors(np.zeros(0, np.int64), np.array([0, 0])).tolist() == [[0.0] * 256] * 2


def test_a_model_says_of_each_attribute_how_many_values_it_has():
    names, values, weights, near = attributes.model()
    assert len(names) == attributes.COUNT
    assert len(set(names)) == len(names) == len(values) == weights.shape[1] - 1
    assert {"one", "each", "many"} == set(values.tolist())
    assert values[names.index("home")] == "one" and values[names.index("children")] == "many"
    assert near.diagonal().all() and near[names.index("diet"), names.index("allergy")]
    assert not near[names.index("home"), names.index("car")]
