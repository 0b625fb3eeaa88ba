"""A word of a question that is typed wrong is asked as the memories have it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.retrieval.misspellings import corrected
from context_graph.server.dispatch import call

TOLD = (
    "The rehearsal is on Tuesdays.", "Sofia owns the billing service.", "We kept the tomatoes in the south bed.",
    "The wharf and the whare are closed.", "Kubectl and kubeadm are installed.", "My cousin is called Anika.",
)  # fmt: skip


@pytest.fixture
def asked(memory, tell):
    for text in TOLD:
        tell(text)
    corpus = memory.corpus
    return lambda question: corrected(corpus, question, lambda: corpus.columns.live)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("When is the rehersal?", "When is the rehearsal?"),
        ("When is the reheasral?", "When is the rehearsal?"),
        ("who owns bililng", "who owns billing"),
        ("Where are the tonatoes?", "Where are the tomatoes?"),
        ("Who maintians it?", "Who maintains it?"),
    ],
)
def test_a_misspelled_word_is_asked_as_the_memories_or_the_vocabulary_have_it(asked, question, meant):
    assert asked(question) == meant


@pytest.mark.parametrize(
    "question",
    [
        "", "When is the rehearsal?", "Who is Anita?", "What is kubectx?", "Run ./rehersal --now",
        "Wann ist der rehersal?", "where is the wharx", "what is in rehersal.txt",
    ],
)  # fmt: skip
def test_a_word_that_may_be_right_or_mean_several_stays(asked, question):
    assert asked(question) == question


def test_a_word_for_the_conversation_itself_stays(memory, tell):
    """It had become "summariize", for that has the stem of "summaries"."""
    tell("Two summaries of the meeting are due.")
    corpus = memory.corpus
    assert corrected(corpus, "Can you summarize it?", lambda: corpus.columns.live) == "Can you summarize it?"


def test_only_memories_that_count_decide(memory, tell):
    for text in TOLD:
        tell(text)
    corpus = memory.corpus
    nothing = np.zeros(len(corpus), bool)
    assert corrected(corpus, "Is kubetcl there?", lambda: corpus.columns.live) == "Is kubectl there?"
    assert corrected(corpus, "Is kubetcl there?", lambda: nothing) == "Is kubetcl there?"


def test_a_question_with_a_misspelled_word_is_answered(memory, tell):
    for text in TOLD:
        tell(text)
    context = call(memory, "inject_context", {"query": "When is the rehersal?"}).structured["context"]
    assert "Tuesdays" in context


@given(st.text(alphabet="abcdeé .-?", max_size=40))
def test_any_text_has_as_many_words_as_before(asked_any, text):
    assert len(asked_any(text).split()) == len(text.split())


@pytest.fixture(scope="module")
def asked_any(tmp_path_factory):
    from context_graph.memory import Memory
    from context_graph.settings import Settings

    with Memory(Settings(home=tmp_path_factory.mktemp("home"), tier="base")) as memory:
        memory.remember("The rehearsal is on Tuesdays.", rationale="said to you")
        corpus = memory.corpus
        yield lambda question: corrected(corpus, question, lambda: corpus.columns.live)
