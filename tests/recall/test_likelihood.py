"""How rare a word is that two statements share."""

from hypothesis import given
from hypothesis import strategies as st

from context_graph.ingest.draft import Draft
from context_graph.recall.current.likelihood import YOUNG, rareness
from context_graph.recall.inject import inject
from context_graph.recall.question import Question


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_how_rare_a_word_is_lies_between_nothing_and_one(holding, documents):
    assert -0.2 <= rareness(holding, max(holding, documents)) <= 1


@given(st.integers(2, 10**5), st.integers(1, 10**5))
def test_the_more_memories_have_a_word_the_less_rare_it_is(holding, more):
    documents = holding + more
    assert rareness(holding + more, documents) < rareness(holding, documents)


def test_among_few_memories_a_word_that_two_of_them_share_is_rare():
    assert rareness(2, 2) == rareness(2, YOUNG) == rareness(1, 5)


def test_a_name_of_whom_much_is_told_joins_nothing(memory, clock):
    """A line that shares but the names was told first, above what answers, as its news."""
    answer = "Swap in weeks 43 and 44: Anouk 43, Dmitri 44."
    for text in (
        "Team: Anouk (backend), Bilal (frontend), Chiara (tests), Dmitri (backend).",
        "On call in October: Anouk 41, Bilal 42, Dmitri 43.", "1:1s on Tuesdays: Anouk 10:00, Dmitri 11:00.", answer,
        "Retro moved to Thursday.", "Anouk and Dmitri go to the conference in Ghent.",
        "On call in November: Dmitri 45, Anouk 46.",
    ):  # fmt: skip
        clock.pass_time(days=1)
        memory.remember(Draft(text, "said to you"))
    context = inject(memory, Question("Who has week 44?")).text
    first = next(line for line in context.splitlines() if line.startswith("> "))
    assert answer in first and "earlier" not in first
