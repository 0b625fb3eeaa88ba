"""How something was at a past moment: the version that held then comes first, with its end."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.instants import DAY_US, from_iso
from context_graph.recall.question import Question
from tests.requirements import requirement

PORTS = ("The API runs on port 8080.", "The API moved to port 9090.", "The API moved to port 7070.")
DAYS = (0, 7, 17)  # from 1 January 2026


@pytest.fixture
def began(memory, clock):
    start = clock.time
    for text, day in zip(PORTS, DAYS, strict=True):
        clock.time = start + day * DAY_US
        memory.remember(Draft(text, "told in a conversation"))
    clock.time = start + 25 * DAY_US
    return start


def first_lines(memory, question, **fields):
    text = memory.inject(Question(question, **fields)).text
    return [line for line in text.splitlines() if line.startswith("> ")]


@pytest.mark.parametrize(("day", "holding"), [(2, 0), (9, 1), (20, 2)])
def test_as_of_a_moment_the_newest_of_then_comes_first(memory, began, day, holding):
    lines = first_lines(memory, "Which port does the API run on?", as_of=began + day * DAY_US)
    assert PORTS[holding] in lines[0] and "until" not in lines[0]
    assert not any(text in line for line in lines for text in PORTS[holding + 1 :])
    hits = memory.recall(Question("Which port does the API run on?", as_of=began + day * DAY_US)).hits
    assert hits[0].content == PORTS[holding]


@pytest.mark.parametrize(
    ("question", "holding"),
    [
        ("Which port did the API use on 3 January?", 0),
        ("Which port did the API use on 10 January?", 1),
        ("What port was the API on on January 20?", 2),
        ("Which port does the API use?", 2),
    ],
)
def test_a_question_for_a_past_day_is_told_what_held_on_it(memory, began, question, holding):
    lines = first_lines(memory, question)
    assert PORTS[holding] in lines[0]
    assert ("until" in lines[0]) == (holding < 2)


@pytest.fixture
def moved_office(memory, clock):
    """The office was in Bern from 1 March 2025 on, and somebody said what took its place on 1 February 2026."""
    clock.time = from_iso("2025-03-01T09:00:00Z")
    bern = memory.remember(Draft("The office is in Bern.", "told in a conversation")).node.id
    memory.remember(Draft("The bakery opens at seven.", "told in a conversation"))
    clock.time = from_iso("2026-02-01T09:00:00Z")
    memory.remember(Draft("The office is in Basel now.", "told", metadata={"supersedes": bern}))


@requirement("recall:the-closed-answers-how-it-was")
@pytest.mark.parametrize(
    "question",
    [
        "Where was the office before?",
        "Where was the office in May 2025?",
        "Where was the office on 5 May 2025?",
        "Where was the office last year?",
    ],
)
def test_what_the_store_has_closed_answers_how_it_was(memory, moved_office, question):
    first, *_ = first_lines(memory, question)
    assert "The office is in Bern." in first and "until 1 February 2026" in first


@pytest.mark.parametrize("question", ["Where is the office?", "Where is our office now?"])
def test_what_the_store_has_closed_answers_nothing_else(memory, moved_office, question):
    assert not any("Bern" in line for line in first_lines(memory, question))
    assert "The office is in Bern." not in [hit.content for hit in memory.recall(Question(question)).hits]


def test_how_it_was_is_asked_in_german(memory, clock):
    clock.time = from_iso("2025-03-01T09:00:00Z")
    bern = memory.remember(Draft("Das Büro ist in Bern.", "gesagt im Gespräch")).node.id
    clock.time = from_iso("2026-02-01T09:00:00Z")
    memory.remember(Draft("Das Büro ist jetzt in Basel.", "gesagt im Gespräch", metadata={"supersedes": bern}))
    first, *_ = first_lines(memory, "Wo war das Büro im Mai 2025?")
    assert "in Bern" in first


def test_of_what_is_asked_for_how_it_was_no_fact_of_today_comes_first(memory, clock):
    clock.time = from_iso("2025-03-01T09:00:00Z")
    berlin = memory.remember(Draft("I live in Berlin.", "told in a conversation")).node.id
    clock.time = from_iso("2026-02-01T09:00:00Z")
    memory.remember(Draft("I live in Munich now.", "told", metadata={"supersedes": berlin}))
    first, *_ = first_lines(memory, "Where did I live in 2025?")
    assert "Berlin" in first
