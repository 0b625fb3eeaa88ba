"""Only what says nothing new is known already: one word, sign or letter more is another fact."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.ingest.draft import Draft
from context_graph.ingest.duplicates import _normalised, adds_nothing, quotes, same_text
from tests.requirements import requirement

WHY = "said by the user; needed when it is asked about"

OTHER_FACTS = [
    ("Keep the cellar at -5 degrees.", "Keep the cellar at 5 degrees."),
    ("The account moved by +300 crowns.", "The account moved by -300 crowns."),
    ("The alarm rings when x > 5.", "The alarm rings when x < 5."),
    ("The loop ends at a == b.", "The loop ends at a != b."),
    ("The offset is 10 - 5.", "The offset is 10 + 5."),
    ("The gate opens with 8352#.", "The gate opens with 8352*."),
    ("The settings are in /etc/app.conf.", "The settings are in /etc/app/conf."),
    ("Send it to the US team.", "Send it to the us team."),
    ("Anna said: Ben will pay.", "Anna, said Ben, will pay."),
    ("The lamp is on.", "The lamp is on?"),
    ("C++ is used for the core.", "C is used for the core."),
    ("The answer is not no.", "The answer is no, not."),
    ("The port is 8.080.", "The port is 8080."),
    ("The locker is 12 34.", "The locker is 1234."),
    ("The dose is 5 mg.", "The dose is 5 µg."),
    ("Call the function A_b.", "Call the function Ab."),
    ("The scale goes to 2^10.", "The scale goes to 2\u00b9\u2070."),
    ("He takes the pills before meals.", "He takes the pills during meals."),
    ("Reach her by email first.", "Reach her by phone first."),
    ("The budget was approved on Monday.", "The budget was announced on Monday."),
    ("Deploy to staging on Fridays.", "Deploy to test on Fridays."),
    ("Send the summary in the morning before lunch.", "Send the summary in the evening before lunch."),
    ("Der Schlüssel liegt unter der Matte.", "Der Schlüssel liegt unter der Bank."),
    ("La reunión es el lunes.", "La reunión es el martes."),
    ("if ready:\n    start()\n    log()", "if ready:\n    start()\nlog()"),
]  # fmt: skip


@requirement("ingest:other-facts-are-kept")
@pytest.mark.parametrize(("one", "other"), OTHER_FACTS)
def test_another_fact_is_stored_beside_the_first(memory, one, other):
    first, second = memory.remember(Draft(one, WHY)), memory.remember(Draft(other, WHY))
    assert second.stored and second.node.id != first.node.id
    assert memory.store.node(second.node.id).content == other


@requirement("ingest:corrections-are-not-punished")
@pytest.mark.parametrize(("one", "other"), [*OTHER_FACTS, ("I live in Berlin.", "I don't live in Berlin any more.")])
def test_what_says_something_else_is_no_duplicate_and_not_punished(memory, one, other):
    memory.remember(Draft(one, WHY))
    second = memory.remember(Draft(other, WHY))
    assert second.duplicate_of is None
    assert second.reward.reward >= 0.0


@requirement("ingest:corrections-are-not-punished")
def test_what_replaces_a_memory_is_not_punished(memory):
    old = memory.remember(Draft("We use PostgreSQL 15.", WHY))
    new = memory.remember(Draft("We use PostgreSQL 16.", WHY, metadata={"supersedes": old.node.id}))
    assert new.reward.reward >= 0.0 and new.duplicate_of is None
    assert memory.store.node(old.node.id).superseded_by == new.node.id


@requirement("ingest:repetitions-join")
@pytest.mark.parametrize(
    "again",
    ["Anna plays the clarinet in Kiel", " Anna  plays the\nclarinet in Kiel. ", "Anna plays the clarinet in Kiel!"],
)
def test_the_same_text_is_stored_once(memory, again):
    first = memory.remember(Draft("Anna plays the clarinet in Kiel.", "a hobby", metadata={"tags": ["music"]}))
    more = {"tags": ["gift"], "mood": "glad"}
    second = memory.remember(Draft(again, "for the birthday", metadata=more, importance=0.9))
    assert not second.stored and second.node.id == first.node.id == second.duplicate_of
    kept = memory.store.node(first.node.id)
    assert kept.rationale == "a hobby\nfor the birthday" and kept.importance == 0.9
    assert (kept.metadata["tags"], kept.metadata["mood"]) == (["music", "gift"], "glad")


@requirement("ingest:repetitions-join")
@pytest.mark.parametrize(
    "beside",
    [
        {"metadata": {"place": "Jena"}},
        {"speaker": "Bob"},
        {"occurred_at": 1},
        {"name": "Hobby"},
        {"scope": "session"},
        {"domain": "code"},
    ],
)
def test_the_same_text_with_something_else_beside_it_is_stored(memory, beside):
    told = {"speaker": "Anna", "occurred_at": 2, "metadata": {"place": "Kiel"}}
    memory.remember(Draft("We moved the piano.", WHY, **told))
    assert memory.remember(Draft("We moved the piano.", WHY, **(told | beside))).stored


@requirement("ingest:repetitions-join")
def test_a_repetition_that_is_to_be_linked_is_linked_or_stored(memory, tell):
    piano, other = tell("We moved the piano."), tell("The stairs are narrow.", session_id="b")
    again = memory.remember(Draft("We moved the piano.", WHY, link_to=(other,)))
    assert again.stored and other in {edge.target for edge in memory.store.edges(again.node.id)}
    third = memory.remember(Draft("We moved the piano.", WHY, link_to=(other,)))
    assert not third.stored and third.node.id in (piano, again.node.id)


def test_the_same_text_is_found_among_many_that_are_alike(memory, tell):
    ids = [tell(f"The code of door {number} is {number}#.") for number in (4, 7)]
    tell("The code of door 7 is 7*.")
    assert tell(" The code of door  7 is 7#.") == ids[1]


@given(st.text(max_size=60))
def test_a_text_is_the_same_as_itself_in_another_form(text):
    assert same_text(text, unicodedata.normalize("NFD", text))
    assert same_text(text, f"  {text}  ".replace(" ", "  ")) or "\n" in text or any(c.isspace() for c in text)
    assert adds_nothing(text, text) and quotes(text, text)


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_same_text_adds_nothing(one, other):
    if same_text(one, other) and "\n" not in one + other:
        assert adds_nothing(one, other)
    assert same_text(one, other) == same_text(other, one)


def test_what_has_another_name_is_compared_with_no_words(memory, monkeypatch):
    """Passages of two documents are two memories whatever they say, and comparing words takes the longest."""
    from context_graph.ingest import known

    compared = []
    monkeypatch.setattr(known, "adds_nothing", lambda text, stored: compared.append(text) or True)
    for name in ("lamp.md", "pump.md"):
        memory.remember(Draft("The keeper Mira lights the lamp at dusk.", name=name))
    assert compared == []
    assert memory.remember(Draft("The keeper Mira lights the lamp at dawn.", name="pump.md")).duplicate_of
    assert compared


PARTS = ["Anna", "anna", "sings", ".", "!", " ", "  ", "\n", "\t", "\x1f", "\r\n", "\x0c", "é", "。"]
SHORT = st.lists(st.sampled_from(PARTS), max_size=8)


@given(one=SHORT, other=SHORT)
def test_texts_that_begin_apart_are_told_so_without_being_normalised(one, other):
    a, b = "".join(one), "".join(other)
    assert same_text(a, b) == (_normalised(a) == _normalised(b))
