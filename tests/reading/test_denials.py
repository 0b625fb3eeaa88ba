"""What is denied is so in the words that it was said with."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.reading.denials import denies
from context_graph.recall.inject import inject
from context_graph.recall.question import Question

DENIED = [
    ("The water is off, and the shed key hangs at Erwin's.", "No, the key isn't at Erwin's, it's at Frau Nowak's."),
    ("The spare keys are with Mum.", "The keys aren't with Mum, they're with Paul."),
    ("Bo eats fish and meat.", "Bo doesn't eat fish any more."),
    ("Der Schlüssel hängt bei Erwin.", "Der Schlüssel hängt nicht bei Erwin, sondern bei Frau Nowak."),
]
LEFT_ALONE = [
    ("The key is at Erwin's.", "The key isn't at Ada's."),
    ("I eat fish.", "I don't eat much fish."),
    ("Bo doesn't eat fish.", "Bo doesn't eat fish."),
    ("The key is at Erwin's.", "If the key isn't at Erwin's, ring me."),
    ("The key is at Erwin's.", "I'm not sure the key is at Erwin's."),
    ("Bo eats fish.", "Not fish."),
    ("", ""),
]


@pytest.mark.parametrize(("earlier", "later"), DENIED)
def test_a_clause_is_denied_in_its_words(earlier, later):
    assert denies(earlier, later)


@pytest.mark.parametrize(("earlier", "later"), LEFT_ALONE)
def test_nothing_else_is_denied(earlier, later):
    assert not denies(earlier, later)


def test_what_was_denied_is_told_after_the_denial(memory, clock):
    for text in DENIED[0]:
        clock.pass_time(days=1)
        memory.remember(Draft(text, "said to you"))
    context = inject(memory, Question("Who has the shed key?")).text
    assert context.index(DENIED[0][1]) < context.index(DENIED[0][0]) and "earlier than the line above" in context
