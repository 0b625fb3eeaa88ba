"""What a context costs, and what it withholds, by its priority."""

from dataclasses import replace

import pytest

from context_graph.embed.embedder import Embedder
from context_graph.errors import InvalidInput
from context_graph.ingest.draft import Draft
from context_graph.recall import query
from context_graph.recall.inject import UNSURE, considered, inject
from context_graph.recall.question import Question
from tests.requirements import requirement

HARBOUR = ("The harbour office in Stralsund opens at seven.", "The mooring in Stralsund costs 40 euros a night.")


@pytest.fixture
def unread(monkeypatch):
    """From its call on, nothing reads a question with a model."""

    def begin():
        def refused(self, *args, **more):
            raise AssertionError("the question was embedded")

        monkeypatch.setattr(Embedder, "query", refused)

    return begin


def told(memory, question, **more):
    return inject(memory, Question(question, considered(2_048, more.get("priority", "normal"))), **more)


@requirement("inject:priority")
def test_a_low_priority_is_answered_by_words_without_a_model(memory, unread):
    for text in (*HARBOUR, "Greta sings in a choir."):
        memory.remember(text)
    unread()
    answer = told(memory, "When does the harbour office open?", priority="low")
    assert [hit.content for hit in answer.hits] == [HARBOUR[0]] and answer.tags
    assert [stage["stage"] for stage in answer.answer.stages] == ["by_words"]
    with pytest.raises(AssertionError, match="embedded"):
        told(memory, "When does the harbour office open?")


@requirement("inject:priority")
def test_a_low_priority_takes_what_a_search_has_left_in_the_cache(memory, unread):
    memory.remember(HARBOUR[0])
    searched = told(memory, "When does the harbour office open?")
    unread()
    cached = told(memory, "When does the harbour office open?", priority="low")
    assert cached.answer.reflex == "exact" and cached.text == searched.text


@requirement("inject:priority")
def test_words_of_time_are_words_at_a_low_priority(memory, monkeypatch):
    for day in (3, 21):
        memory.remember(f"Crane {day} of the quay was oiled.", metadata={"date": f"2025-05-{day:02d}"})
    monkeypatch.setattr(query, "time_fit", lambda *args: pytest.fail("memories were read for their times"))
    answer = told(memory, "Which crane of the quay was oiled on 21 May 2025?", priority="low")
    assert answer.hits[0].content.startswith("Crane 21")


@requirement("inject:priority")
def test_what_words_alone_have_answered_is_kept_for_nobody(memory):
    memory.remember(HARBOUR[0])
    assert told(memory, "When does the harbour office open?", priority="low").answer.reflex is None
    assert told(memory, "When does the harbour office open?").answer.reflex is None


@requirement("inject:priority")
def test_words_that_no_memory_has_are_told_nothing(memory):
    memory.remember(HARBOUR[0])
    for question in ("Which opera did Anna hear?", "who?", "…"):
        assert told(memory, question, priority="low").text == ""


def test_what_is_replaced_stands_behind_what_holds_at_a_low_priority_too(memory, clock):
    memory.remember("The choir meets on Mondays.")
    clock.pass_time(days=30)
    memory.remember("The choir has moved to Thursdays.")
    first = told(memory, "When does the choir meet?", priority="low").hits[0]
    assert first.content == "The choir has moved to Thursdays."


def test_a_low_priority_leaves_the_filters_of_a_question_in_force(memory):
    memory.remember(HARBOUR[0], domain="code")
    memory.remember(HARBOUR[1], domain="legal")
    asked = Question("What is in Stralsund?", 5, domain="legal")
    assert [hit.content for hit in inject(memory, asked, priority="low").hits] == [HARBOUR[1]]


@requirement("inject:priority")
def test_a_critical_priority_tells_what_is_below_the_bar(memory):
    texts = (*HARBOUR, "Stralsund lies on the Strelasund.")
    for text, speaker in zip(texts, ("Ben", "Greta", "Ben"), strict=True):
        memory.remember(text, metadata={"speaker": speaker})
    memory.settings = replace(memory.settings, abstain_below=1.0)
    question = "Which museums are in Stralsund?"
    assert told(memory, question).text == ""
    critical = told(memory, question, priority="critical")
    assert {hit.content for hit in critical.hits} == set(texts)
    assert UNSURE in critical.text, "nothing of it surely answers, and it says so"


@requirement("inject:priority")
def test_a_critical_priority_tells_more_than_a_few_and_whole(memory):
    rest = "It was noted by the watch, who saw to it that the crew had water, bread and a dry place for the night. "
    memory.remember_many([
        Draft(f"Crane {number} of the quay lifts {number + 3} tons. {rest * 2}", "a note") for number in range(60)
    ])  # fmt: skip
    asked = "What do the cranes of the quay lift?"
    texts = {}
    for priority in ("normal", "high", "critical"):
        question = Question(asked, considered(8_192, priority))
        texts[priority] = inject(memory, question, max_tokens=8_192, priority=priority)
    normal, critical = texts["normal"], texts["critical"]
    assert texts["high"].text == normal.text
    assert len(normal.hits) <= 30 < len(critical.hits)
    assert normal.distilled.applied != "none" == critical.distilled.applied
    assert critical.tokens <= 8_192
    assert all(hit.content.split(". ")[1] in critical.text for hit in critical.hits)
    small = inject(memory, Question(asked, considered(400, "critical")), max_tokens=400, priority="critical")
    assert 0 < small.tokens <= 400


def test_an_unknown_priority_is_refused(memory):
    with pytest.raises(InvalidInput, match="priority must be one of low, normal, high, critical"):
        memory.inject("Where is it?", priority="urgent")
    memory.remember(HARBOUR[0])
    assert "seven" in str(memory.inject("harbour office", priority="low"))
