"""The question in the voice of the one it is about."""

from dataclasses import replace

import pytest

from context_graph.embed.minilm import model_file
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.recall.query import query_for, question_vectors
from context_graph.recall.sources import retrieve
from context_graph.retrieval.first_person import in_first_person, to_first_person
from context_graph.settings import Settings

needs_minilm = pytest.mark.skipif(model_file() is None, reason="needs the extra minilm")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("When did Ann move to Oslo?", "When did I move to Oslo?"),
        ("What is Ann's dog called?", "What is my dog called?"),
        ("What does Ann do with her brother when it suits her?", "What do I do with my brother when it suits me?"),
        ("Has Ann bought herself a car, or is it hers already?", "have I bought myself a car, or is it mine already?"),
        ("Which book did Ann recommend to Bob?", "Which book did I recommend to Bob?"),
        ("What is Ann Lee afraid of?", "What am I afraid of?"),
        ("what did ann say about her leg", "what did I say about my leg"),
        ("What did Ann's brother and Bob do?", "What did my brother and Bob do?"),
    ],
)
def test_a_question_about_one_is_put_in_their_words(question, said):
    assert to_first_person(question, "ann lee") == said


@pytest.mark.parametrize(
    "question",
    [
        "When did Bob move to Oslo?",
        "What have Ann and Bob both painted?",
        "Where do Bob and Ann live?",
        "Wo wohnt Ann?",
        "Annual report",
        "",
    ],
)
def test_a_question_that_is_about_another_or_two_or_not_english_is_in_no_voice(question):
    assert to_first_person(question, "ann") is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What did the user say about the door?", "What did I say about the door?"),
        ("what's the user's name?", "what's my name?"),
        ("What did User ask for?", "What did I ask for?"),
        ("How do I add a new user?", None),
        ("how to add a new user", None),
        ("Can any other user see it?", None),
        ("CAN ANY OTHER USER SEE IT?", None),
        ("what does user want", "what do I want"),
    ],
)
def test_a_role_is_a_name_only_where_it_is_used_as_one(question, said):
    assert to_first_person(question, "user") == said


@pytest.mark.parametrize(
    ("speaker", "question"),
    [
        ("@bob", "What does Bob like?"),
        ("o'neil", "What does O'Neil like?"),
        ("dr.smith", "What does Dr. Smith like?"),
        ("anna-lena roth", "What does Anna-Lena like?"),
        ("josé núñez", "What does José like?"),
        ("user_1", "What does user_1 like?"),
    ],
)
def test_a_name_is_found_by_its_words(speaker, question):
    assert to_first_person(question, speaker) == "What do I like?"


def test_a_name_is_text_not_a_pattern():
    assert to_first_person("What does AxJy like?", "a.j.*") is None


TURNS = (
    ("Ann", "I moved to Oslo in spring."),
    ("Bob", "Your dog must like the snow there."),
    ("Ann", "My dog Rex sleeps all day."),
    ("Bob", "I moved my bed to the kitchen."),
)


def told(memory):
    for speaker, text in TURNS:
        memory.remember(Draft(text, "a turn", speaker=speaker, session_id="s"))


def test_the_first_speaker_named_speaks(memory):
    told(memory)
    assert in_first_person(memory.corpus, "What did Bob tell Ann?") == ("bob", "What did I tell Ann?")
    assert in_first_person(memory.corpus, "What does the dog do?") == ("", "")


def test_the_base_tier_whose_vectors_know_no_sentence_asks_in_no_voice(memory):
    told(memory)
    assert question_vectors(memory, memory.corpus, "When did Ann move?").first_person is None


@pytest.fixture
def modelled(tmp_path, clock, ids):
    with Memory(Settings(home=tmp_path / "minilm", tier="minilm"), clock=clock, ids=ids) as memory:
        yield memory


def late(memory, vectors, mask):
    found = retrieve(memory, memory.corpus, query_for(memory, memory.corpus, vectors, mask, 10))
    return dict(zip(found.rows.tolist(), found.raw["late_rare"].tolist(), strict=True))


@needs_minilm
def test_turns_are_asked_in_the_voice_and_notes_are_not(modelled):
    told(modelled)
    modelled.remember(Draft("Ann moved to Oslo in spring.", "a note", session_id="t"))
    everyone = modelled.corpus.columns.live.copy()
    heard = question_vectors(modelled, modelled.corpus, "When did Ann move?")
    assert (heard.first_person.speaker, len(heard.first_person.tokens)) == ("ann", len(heard.first_person.idf))
    plain = late(modelled, replace(heard, first_person=None), everyone)
    asked = late(modelled, heard, everyone)
    assert asked[4] == plain[4]  # the note
    assert all(asked[row] != plain[row] for row in range(4))
    assert asked[0] > plain[0]  # "I moved to Oslo" is nearer to "When did I move?"


@needs_minilm
def test_where_the_speaker_is_not_heard_the_question_stays_as_it_is(modelled):
    told(modelled)
    bobs = modelled.corpus.columns.live.copy()
    bobs[[0, 2]] = False
    heard = question_vectors(modelled, modelled.corpus, "When did Ann move?")
    assert late(modelled, heard, bobs) == late(modelled, replace(heard, first_person=None), bobs)
