"""Words that differ by more than an ending are one term."""

import pytest

from context_graph.embed import word_forms
from context_graph.embed.stems import stem_of, stems
from context_graph.embed.word_forms import base_form
from context_graph.ingest.draft import Draft
from context_graph.recall.question import Question
from tests.requirements import requirement


@requirement("recall:word-forms")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bought", "buying"), ("written", "writes"), ("children", "child"), ("kids", "children"), ("mum's", "mother"),
        ("colours", "color"), ("organising", "organizes"), ("theatre", "theaters"), ("women", "woman"),
        ("went", "goes"), ("died", "die"), ("tries", "trying"), ("buses", "bus"), ("auth", "authenticate"),
        ("repos", "repository"), ("dev", "development"), ("hourly", "hours"),
        ("delivery", "delivered"), ("teachers", "taught"), ("intolerant", "tolerates"), ("marriage", "married"),
        ("prescription", "prescribes"), ("owners", "owned"), ("gran's", "granny"),
    ],
)  # fmt: skip
def test_forms_of_one_word_have_one_stem(one, other):
    assert stems(one) == stems(other) != ()


@pytest.mark.parametrize(
    ("one", "other"), [("rose", "rise"), ("advise", "advize"), ("four", "for"), ("hours", "hors"), ("more", "moer")]
)
def test_other_words_stay_apart(one, other):
    assert base_form(one) == one and stem_of(one) != stem_of(other)


def test_a_base_form_is_its_own():
    assert all(base_form(base) == base for base in word_forms._BASE.values())


@requirement("recall:word-forms")
@pytest.mark.parametrize(
    ("question", "answer"),
    [("Who sells canoes?", "sold"), ("Who organizes the race?", "organisers"), ("How is my mother?", "mum")],
)
def test_what_was_told_in_another_form_is_found(memory, question, answer):
    for text in (
        "Ravi sold me his canoe.", "Ravi is a friend of my cousin.", "The organisers moved the race to the lake.",
        "The race is in June.", "My mum is in hospital.", "My sister is in Leeds.",
    ):  # fmt: skip
        memory.remember(Draft(text, "said to you"))
    assert answer in memory.recall(Question(question)).hits[0].node.content


@requirement("ingest:other-facts-are-kept")
def test_another_tense_is_another_statement(memory):
    first = memory.remember(Draft("I sell my paintings at the market.", "said to you"))
    second = memory.remember(Draft("I sold my paintings at the market.", "said to you"))
    assert second.node.id != first.node.id
