"""A compound that memories write as one word is found as two, and the other way round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.recall import query
from context_graph.recall.query import question_vectors
from context_graph.recall.sources import texts_of
from context_graph.retrieval.compounds import respelled

TOLD = (
    "The dishwasher leaks, the plumber comes on Thursday.",
    "Sunscreen goes on twice a day because of my eczema.",
    "My note book has blue pages.",
    "The screen of the phone is cracked.",
    "The sun sets behind the work bench.",
    "The workbench in the cellar is for the bikes.",
    "We had soup to day.",
    "The car is at the vet's with our pet.",
    "I enjoyeating late.",
    "BP 141/88 this morning, pulse 70.",
    "The form wants dates as DD/MM/YYYY.",
    "The pharmacy closes at 6 PM.",
)


@pytest.fixture
def asked(memory, tell):
    for text in TOLD:
        tell(text)
    corpus = memory.corpus
    return lambda question: respelled(
        corpus, question, lambda: corpus.columns.live, lambda rows: texts_of(memory, corpus, rows)
    )


@pytest.mark.parametrize(
    ("question", "spelled"),
    [
        ("What is wrong with the dish washer?", "What is wrong with the dishwasher?"),
        ("What is wrong with the Dish-Washer?", "What is wrong with the Dishwasher?"),
        ("When do I put on sun screen?", "When do I put on sunscreen?"),
        ("What colour is my notebook?", "What colour is my note book?"),
        ("", ""),
        ("sun", "sun"),
        ("sun screen", "sunscreen"),
        ("What was my last blood pressure?", "What was my last blood pressure BP?"),
    ],
)
def test_a_compound_is_spelled_as_the_memories_spell_it(asked, question, spelled):
    assert asked(question) == spelled


@pytest.mark.parametrize(
    "question",
    [
        "Where is the dishwasher?",  # known as it is
        "Is the sun on the screen?",  # other words between
        "The sun, screen and phone?",  # a comma between
        "Where is the work bench?",  # known both ways
        "Which carpet do I have?",  # its parts stand in one memory, not side by side
        "What did we eat today?",  # too short a part
        "When is the due date?",  # initials within another sign
        "Who is the project manager?",  # initials of an hour
        "Is the blood, pressure aside, fine?",  # a comma between
        "Where do I live?",
        "Does he enjoy eating?",  # a verb and its object: somebody left out a space
    ],
)
def test_what_the_memories_leave_in_doubt_stays(asked, question):
    assert asked(question) == question


def test_it_is_found_in_the_other_spelling(memory, tell):
    ids = [tell(text) for text in TOLD]
    for question, place in (("What is the sun screen for?", 1), ("What colour is my notebook?", 2)):
        assert memory.recall(question).hits[0].node.id == ids[place]
    assert question_vectors(memory, memory.corpus, "sun screen").terms.keys() == {
        *question_vectors(memory, memory.corpus, "sunscreen").terms
    }


@pytest.mark.parametrize("told", ["Sunscreen is in the bag.", "My note book is in the bag."])
def test_what_the_caller_may_not_see_decides_nothing(memory, tell, told):
    """Another session's memory or a forgotten one would show in how a question is read."""
    tell("The lamp is in the bag.")
    tell(told, scope="session", session_id="5e551011-0000-4000-8000-0000000000aa")
    memory.forget(tell(f"{told} Here."), reason="obsolete")
    question = "Where is my sun screen, where is my notebook?"
    respelling = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(query, "respelled", lambda *given: respelling.append(respelled(*given)) or respelling[-1])
        memory.recall(question)
    assert len(respelling) == 1 and "sun screen" in respelling[0] and "notebook" in respelling[0], respelling


def test_what_is_no_question_is_left_alone(memory, tell):
    """A word of a million letters has as many parts; a text of many words is no question."""
    looked_up = []

    class Watched:
        class terms:
            @staticmethod
            def postings(term):
                looked_up.append(term)
                return memory.corpus.terms.postings(term)

    tell("My note book has blue pages.")
    for text in ("notebook" * 100_000, "notebook " * 5_000, "x" * 1_000_000 + " sun screen"):
        assert respelled(Watched, text, lambda: memory.corpus.columns.live, lambda rows: []) == text
    assert len(looked_up) < 100


@given(st.text(max_size=60))
def test_of_an_empty_memory_any_text_stays_as_it_is(text):
    class Nothing:
        """A corpus of no memory."""

        class terms:
            @staticmethod
            def postings(term):
                return [], []

    assert respelled(Nothing, text, lambda: [], lambda rows: []) == text
