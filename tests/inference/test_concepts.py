"""Which concepts a text names, however long it is."""

import pytest

from context_graph.derived import ConceptNames
from context_graph.inference.concepts import MAX_WORDS_OF_A_TEXT, named_in


@pytest.fixture
def stated(memory, tell):
    for text in ("Heavy rain causes floods.", "Floods cause damage.", "Damage causes rain checks."):
        tell(text)
    return lambda text: [node.name.lower() for node in named_in(memory, text, memory.caller)]


def test_the_longest_of_names_within_each_other_in_reading_order(stated):
    assert stated("Does damage follow heavy rain?") == ["damage", "heavy rain"]
    assert stated("") == stated("nothing of it") == []


def test_of_a_long_text_the_first_words_are_read(stated, monkeypatch):
    asked = []
    readings = ConceptNames.readings
    monkeypatch.setattr(ConceptNames, "readings", lambda self, phrase: asked.append(phrase) or readings(self, phrase))
    text = "damage " + " ".join(f"w{i}" for i in range(20_000)) + " floods"
    assert stated(text) == ["damage"]
    assert len(asked) == len(set(asked)) <= 6 * MAX_WORDS_OF_A_TEXT
