"""A candidate's name is told from its metadata as the store has them."""

import pytest

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
