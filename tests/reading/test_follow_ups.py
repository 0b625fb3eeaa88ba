"""What became of "it" is told of what was said just before."""

import pytest

from context_graph.reading.follow_ups import acts_on_it


@pytest.mark.parametrize(
    "text",
    ["I moved it to the meter box.", "Ben brought it back.", "Somebody took it, Karl has the only one left.",
     "So we cancelled it.", "I lent it to Sam.", "My brother fixed them yesterday.",
     "Ich habe ihn in die Schublade gelegt.",
     "Las he puesto en el cajón."],
)  # fmt: skip
def test_acts(text):
    assert acts_on_it(text)


@pytest.mark.parametrize(
    "text", ["", "I moved the key.", "It is broken.", "Should I move it?", "the shop sold it out", "I like it."]
)
def test_what_else_says_it(text):
    assert not acts_on_it(text)
