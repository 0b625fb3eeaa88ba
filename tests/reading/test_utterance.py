"""Speaker and date at the beginning of a text."""

import pytest

from context_graph.errors import InvalidInput
from context_graph.ingest.draft import Draft
from context_graph.models import from_iso
from context_graph.reading.utterance import read_head, utterance
from context_graph.recall.question import Question
from tests.requirements import requirement

WHY = "said in a conversation"


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Anna: I plant beans.", "Anna"),
        ("**Anna**: We plant beans.", "Anna"),
        ("Jean-Luc O'Brien: my ship sails.", "Jean-Luc O'Brien"),
        ("User: plant beans", "user"),
        ("Human: plant beans", "user"),
        ("AI: planted", "assistant"),
        ("Anna: Ich säe Bohnen.", "Anna"),
        ("(8 May 2023) Anna: beans", "Anna"),
        ("[2023-05-08 14:00] Anna: beans", "Anna"),
    ],
)
def test_who_speaks_is_read(text, speaker):
    head = read_head(text)
    assert (head.speaker, head.sure) == (speaker, True)


@pytest.mark.parametrize(
    "text",
    [
        "Note: I plant beans.",
        "TODO: my beans",
        "https://example.org: my page",
        "x: I",
        "anna: I plant",
        "Anna : I plant",
        "Anna: I plant\nBen: I water",
        "def f(x): return my",
        "{'Anna': 'I'}",
        "Lesson: we ship on Mondays",
        "12:30 I eat",
    ],
)
def test_a_heading_is_no_speaker(text):
    assert read_head(text).speaker is None


def test_a_name_without_a_sign_of_speech_is_left_open():
    head = read_head("Florence: rain and 12 degrees")
    assert head.speaker == "Florence" and not head.sure


@pytest.mark.parametrize(
    "label", ["Correction", "Work", "Health", "Remember", "Preference", "Travel", "Yesterday", "Hamburg"]
)
def test_a_word_unlike_a_first_name_is_a_heading(label):
    assert read_head(f"{label}: I moved to Bonn.").speaker is None


@pytest.mark.parametrize("name", ["Will", "Summer", "Priya", "Xiomara", "Björn", "Mary Ann"])
def test_a_first_name_speaks(name):
    assert read_head(f"{name}: I moved to Bonn.").speaker == name


@requirement("ingest:speaker-and-date-from-the-text")
def test_speaker_and_date_are_read_and_the_text_stays(memory):
    done = memory.remember(Draft("[8 May 2023] Anna: I moved to Kiel.", WHY))
    assert (done.node.speaker, done.node.occurred_at) == ("Anna", from_iso("2023-05-08"))
    assert done.node.content == "[8 May 2023] Anna: I moved to Kiel."
    assert done.understood == {"speaker": "Anna", "occurred_at": "2023-05-08T00:00:00.000Z"}
    assert memory.recall(Question("Where did Anna move in May 2023?")).hits[0].node.id == done.node.id


@requirement("ingest:speaker-and-date-from-the-text")
def test_what_fields_say_counts_more_than_the_text(memory):
    done = memory.remember(Draft("[8 May 2023] Anna: I moved.", WHY, speaker="Ben", occurred_at=7))
    assert (done.node.speaker, done.node.occurred_at, done.understood) == ("Ben", 7, {})


@requirement("ingest:speaker-and-date-from-the-text")
def test_whoever_spoke_before_speaks_again(memory):
    assert memory.remember(Draft("Anna: Sounds great!", WHY)).node.speaker is None
    memory.remember(Draft("Anna: I moved to Kiel.", WHY))
    assert memory.remember(Draft("Anna: Wonderful news!", WHY)).node.speaker == "Anna"


def test_what_has_a_name_is_a_document_and_no_utterance(memory):
    done = memory.remember(Draft("Seventeen: a tale of my youth.", WHY, name="Seventeen"))
    assert done.node.speaker is None and done.understood == {}


def test_an_utterance_is_embedded_as_one_whose_speaker_was_given(memory):
    told = memory.remember(Draft("Anna: I moved to Kiel.", WHY)).node
    given = memory.remember(Draft("I moved to Kiel.", WHY, speaker="Anna", session_id="another")).node
    rows = [memory.corpus.row_of[node.id] for node in (told, given)]
    assert (memory.corpus.bits.rows(rows)[0] == memory.corpus.bits.rows(rows)[1]).all()
    assert utterance(told.content, told.speaker) == given.content
    assert utterance("Anna: I moved.", "Ben") == "Anna: I moved."


@requirement("ingest:unreadable-dates-are-errors")
@pytest.mark.parametrize("date", ["last Tuesday", "soon", 20, {"day": 1}])
def test_a_date_that_cannot_be_read_is_an_error_that_names_the_formats(memory, date):
    with pytest.raises(InvalidInput, match=r"metadata\.date must be a date such as 2026-11-21"):
        memory.remember(Draft("The roof leaks.", WHY, metadata={"date": date}))
    assert memory.store.counts()["memories"] == 0


@pytest.mark.parametrize("date", ["8 May 2023", "May 8, 2023", "8. Mai 2023", "1:56 pm on 8 May, 2023"])
def test_a_date_as_people_write_it_is_read(memory, date):
    node = memory.remember(Draft("The roof leaks.", WHY, metadata={"date": date})).node
    assert from_iso("2023-05-08") <= node.occurred_at < from_iso("2023-05-09")


def test_a_heading_that_is_like_no_name_is_kept_for_who_knows_it_to_speak():
    head = read_head("Granite: I moved to Ghent.")
    assert (head.speaker, head.heading, head.sure) == (None, "Granite", False)
    assert read_head("Ines: I moved to Ghent.").speaker == "Ines"
