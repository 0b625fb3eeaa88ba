"""Where values of a case are read in a memory: each source, each type, and what is left open."""

import pytest

from context_graph.cases.features import Boolean, Categorical, Date, Number, Ordinal, Set
from context_graph.cases.mapping import Source, Unread, checked_reading
from context_graph.models import from_iso
from context_graph.reading.metadata import CASE


def read(memory, source, text="Nothing much.", feature=None, **more):
    node = memory.remember(text, **more).node
    assert CASE not in node.metadata
    one = Source.parse(source, "features")
    rows = memory.corpus.row_of
    facts = []
    if one.kind == "fact":
        import numpy as np

        from context_graph.derived import Facts

        visible = memory.corpus.visible(memory.viewer(memory.caller), now=memory.present())
        stated = memory.view(Facts).stated(memory.corpus, np.array([rows[node.id]]), visible)
        facts = [fact for _, fact in stated]
    reading = one.read(node, facts, feature)
    return checked_reading("it", feature, reading)


@pytest.mark.parametrize(
    ("text", "source", "value"),
    [
        ("It was down for 40 minutes.", "number:minutes", 40),
        ("It was down for 40 minutes.", "number:minute", 40),
        ("A 40-minute outage.", "number:minutes", 40),
        ("Gone for 40min today.", "number:min", 40),
        ("Severity 2, and minutes 40.", "number:severity", 2),
        ("Severity: 2, 3 retries.", "number:severity", 2),
        ("The severity was 2.5 at first.", "number:severity", 2.5),
        ("It cost $1,200 in all.", "number:$", 1200),
        ("It lost -3 degrees.", "number:degrees", -3),
        ("40 minutes, yes, 40 minutes.", "number:minutes", 40),
        ("The load was at 95% then.", "number:%", 95),
    ],
)
def test_a_number_is_the_one_next_to_a_word(memory, text, source, value):
    assert read(memory, source, text) == value


@pytest.mark.parametrize(
    "text",
    ["It took 40 minutes, then 3 minutes.", "It took 1,5 minutes.", "It took forty minutes.", "Release v1.40 minutes."],
)
def test_a_number_that_is_open_is_none(memory, text):
    with pytest.raises(Unread, match="number:minutes"):
        read(memory, "number:minutes", text)


def test_words_stand_alone_and_one_of_them_is_the_value(memory):
    assert read(memory, "word:search|bill", "The billing and the SEARCH failed.") == "search"
    with pytest.raises(Unread, match="2 things: search, billing"):
        read(memory, "word:search|billing", "The billing and the search failed.")
    assert read(memory, "word:search|billing", "Billing and search failed.", Set()) == ["search", "billing"]
    assert read(memory, "word:deploy", "A deploy came before.", Boolean()) is True
    assert read(memory, "word:deploy", "Nobody deployed.", Boolean()) is False
    assert read(memory, "word:c++|c#", "Written in C++.") == "c++"


def test_tags_metadata_speaker_date_and_text(memory):
    assert read(memory, "tags", "One.", tags=["red", "old"]) == ["red", "old"]
    assert read(memory, "tag:RED|blue", "Two.", tags=["red", "old"]) == "RED"
    assert read(memory, "tag:old", "Three.", Boolean(), tags=["red", "old"]) is True
    assert read(memory, "metadata:a.b", "Four.", metadata={"a": {"b": 7}}) == 7
    assert read(memory, "metadata:a.b", "Five.", metadata={"a.b": [1, 2]}, feature=Set()) == [1, 2]
    assert read(memory, "speaker", "Hello there.", speaker="Anna") == "Anna"
    assert read(memory, "text", "All of the text.") == "All of the text."
    date = read(memory, "date", "Six.", Date(), metadata={"date": "2026-03-02"})
    assert from_iso(date) == from_iso("2026-03-02")


def test_a_fact_is_what_the_memory_states(memory):
    assert read(memory, "fact:work at", "Anna works at Lumen. She lives in Bergen.") == "Lumen"
    assert read(memory, "fact:Anna live in", "Anna lives in Bergen.") == "Bergen"
    with pytest.raises(Unread, match="fact:live in is not in it"):
        read(memory, "fact:live in", "Nobody said where.")


def test_values_take_the_form_of_the_type_where_that_is_without_doubt(memory):
    value = lambda given, feature: read(memory, "metadata:x", f"Note {given}.", feature, metadata={"x": given})  # noqa: E731
    assert value("40 minutes", Number()) == 40 and value("1,200", Number()) == 1200
    assert value("Yes", Boolean()) is True
    assert value("HIGH", Ordinal(order=("low", "high"))) == "high"
    assert value("Rust", Categorical(values=("rust", "python"))) == "rust"
    assert from_iso(value("2 March 2026", Date())) == from_iso("2026-03-02")
    assert value("one", Set()) == ["one"]
    for given, feature, says in (
        ("soon", Number(), "must be a finite number"), ("maybe", Boolean(), "must be true or false"),
        ("middling", Ordinal(order=("low", "high")), "one of low, high"), ("4/5/2026", Date(), "date"),
        ({"y": 1}, None, "no value of a feature"), (101, Number(max=100), "a number from"),
    ):  # fmt: skip
        with pytest.raises(Unread, match=says):
            value(given, feature)
