"""A candidate's name is told from its metadata as the store has them."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.ingest.known import Candidate
from context_graph.reading.fingerprints import NAMED
from context_graph.store.chain import canonical

NAMES = ("docs/a.md, Overview", 'say "aye"', "back\\slash", "Škoda", "tab\there", "", "line\nbreak")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_known_however_json_spells_it(name):
    candidate = Candidate("id", "text", canonical({NAMED: name, "line": 3}).decode())
    assert [candidate.has_name(other) for other in NAMES] == [other == name for other in NAMES]


def test_a_name_that_stands_elsewhere_is_none():
    candidate = Candidate("id", "text", canonical({NAMED: "docs/a.md", "heading": "docs/b.md"}).decode())
    assert not candidate.has_name("docs/b.md") and not Candidate("id", "text").has_name("docs/a.md")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The API listens on port 9090.", "The API moved to port 8080."),
        ("We deploy on Fridays.", "We deploy on Mondays now."),
    ],
)
def test_what_is_said_again_after_it_was_replaced_is_news(memory, clock, first, then):
    for text in (first, then):
        memory.remember(Draft(text, "told in a conversation"))
        clock.pass_time(days=2)
    again = memory.remember(Draft(first, "told in a conversation"))
    assert again.stored and again.duplicate_of is None
    context = memory.inject(first.removesuffix(".") + "?").text
    lines = [line for line in context.splitlines() if line.startswith("> ")]
    assert first in lines[0] and "until" not in lines[0] and "earlier" not in lines[0]
    clock.pass_time(days=2)
    assert not memory.remember(Draft(first, "told in a conversation")).stored
