"""How something was at a past moment: the version that held then comes first, with its end."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.reading.calendar_spans import DAY_US
from context_graph.recall.question import Question

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
