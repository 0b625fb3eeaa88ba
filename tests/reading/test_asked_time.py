"""What a question asks of time."""

import pytest

from context_graph.models import from_iso
from context_graph.reading.asked_time import AskedTime, asked_time
from tests.requirements import requirement

NOW = from_iso("2026-11-18T14:00:00Z")  # a Wednesday


def asked(question: str) -> AskedTime:
    return asked_time(question, NOW)


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("What was my first car?", "first"),
        ("Which was the latest release?", "last"),
        ("Wer war der letzte Gast?", "last"),
        ("¿Cuál fue la primera visita?", "first"),
        ("What concert is next?", "next"),
        ("What did I do last week?", None),
        ("What colour is the door?", None),
        ("How long do sessions last?", None),
        ("how long will the milk last in the fridge", None),
        ("Does the snow last until Easter?", None),
        ("How long did the last meeting take?", "last"),
        ("How long was our last call?", "last"),
        ("What did I do last?", "last"),
        ("Is the book in first or third person?", None),
        ("Is it on the first or the second floor?", None),
        ("What is Anna's last name?", None),
        ("Which was the first or the best?", "first"),
    ],
)
def test_an_order_is_read(question, order):
    assert asked(question).order == order


@pytest.mark.parametrize(
    ("question", "event", "side", "within"),
    [
        ("What came after the flood?", "flood", 1, None),
        ("What did we do the day before the flood?", "flood", -1, (1, 1)),
        ("What happened two days after the flood?", "flood", 1, (2, 2)),
        ("Was passierte, bevor der Keller volllief?", "Keller volllief", -1, None),
        ("¿Qué pasó después de la boda?", "boda", 1, None),
        ("What did I do before Sunday?", "", 0, None),  # a time, no event
        ("Seit wann wohne ich hier?", "", 0, None),
    ],
)
def test_an_event_is_read(question, event, side, within):
    found = asked(question)
    assert (found.event, found.side, found.within) == (event, side, within)


def test_two_events_bound_a_time():
    found = asked("What happened between the kick-off and the launch?")
    assert (found.event, found.until) == ("kick-off", "launch")
    assert asked("What happened between the flood and the day on which we moved?").until


@requirement("recall:a-length-asks-for-both-events")
@pytest.mark.parametrize(
    "question",
    [
        "How many days passed between the kick-off and the launch?",
        "How many more tiles did I lay between when I began and when the kitchen was done?",
        "How long after the flood did we move?",
        "Wie viele Wochen lagen zwischen dem Umzug und der Hochzeit?",
        "Between the flat near the park and the house, which one is cheaper?",
        "Between the flat near the park and the house which one is cheaper?",
    ],
)
def test_what_is_measured_or_compared_bounds_no_time(question):
    assert not asked(question).event and not asked(question).until


@pytest.mark.parametrize(
    "question",
    [
        "What do I take before breakfast?", "What should I do before the wedding?", "Where do we go after the wedding?",
        "What happens before a release?", "What happens before breakfast?",
        "What must I buy before I fly?", "Was nehme ich vor dem Essen ein?",
        "Was muss ich vor der Reise noch erledigen?", "¿Qué tomo antes de dormir?",
    ],
)  # fmt: skip
def test_what_is_always_or_yet_to_be_done_before_something_was_told_at_any_time(question):
    assert not asked(question).event


@pytest.mark.parametrize(
    "question",
    [
        "What came after the storm?", "Who did I meet before the trip?", "What have I done since the move?",
        "Was haben wir vor dem Umzug gekauft?", "¿Qué hicimos antes de la boda?", "Which vet had we before Dr. Blum?",
    ],
)  # fmt: skip
def test_what_was_before_something_has_its_time(question):
    assert asked(question).event


def test_several_expressions_meet():
    [span] = asked("What did I do on Tuesday last week?").spans
    assert span == (from_iso("2026-11-10"), from_iso("2026-11-11"))


def test_since_and_until_are_open_on_one_side():
    assert asked("What have I done since Monday?").spans[0] == (from_iso("2026-11-16"), NOW)
    assert asked("What is due by Friday?").spans[0] == (NOW, from_iso("2026-11-21"))
    assert asked("What did we eat before noon yesterday?").spans[0] == (
        from_iso("2026-11-17"), from_iso("2026-11-17T11:00:00Z"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What has changed since the 5th?", "2026-11-05", None),
        ("Was ist seit dem 5. passiert?", "2026-11-05", None),
        ("What has happened since September?", "2026-09-01", None),
        ("What did I note from the 5th on?", "2026-11-05", None),
        ("What happened between the 5th and the 9th?", "2026-11-05", "2026-11-10"),
        ("What did we buy between the 5th and 9th?", "2026-11-05", "2026-11-10"),
        ("Who called before the 5th?", None, "2026-11-05"),
    ],
)
def test_a_day_or_month_bounds_a_time(question, start, end):
    [span] = asked(question).spans
    assert start is None or span.start == from_iso(start)
    assert span.end == (NOW if end is None else from_iso(end))


def test_what_is_planned_from_a_month_on_lies_ahead():
    [span] = asked("What do we have from March on?").spans
    assert span.start == from_iso("2027-03-01") and span.end > from_iso("2028-01-01")


def test_a_question_for_nothing_but_a_time_is_known():
    assert asked("What happened yesterday?").general and asked("Was war gestern los?").general
    assert asked("What changed this week?").general
    assert not asked("What broke yesterday?").general


def test_when_something_will_be_is_asked_of_what_lies_ahead():
    assert asked("When does the plumber come?").ahead
    assert not asked("When did the plumber come?").ahead


def test_a_question_without_time_asks_for_none():
    assert not asked("What may I eat?").something and not asked("Who drinks coffee in the morning?").something


@pytest.mark.parametrize(("question", "general"), [("When do I write?", False), ("What did I write last week?", True)])
def test_when_something_is_done_is_a_question_for_that(question, general):
    assert asked_time(question, NOW).general == general


@pytest.mark.parametrize(
    "question",
    [
        "May the lights be on after 23:00?",
        "May I park on the lawn?",
        "What does Juli do in the afternoon?",
        "How old is April?",
        "What do I take in the morning?",
        "Can I call at 9?",
    ],
)
def test_leave_a_person_and_what_is_always_so_are_no_time(question):
    assert not asked_time(question, NOW).spans


@pytest.mark.parametrize(
    "question",
    [
        "What happened in May?",
        "May 2026, what did we do?",
        "What did we do in June?",
        "Where do I go on Monday morning?",
        "What do I have this afternoon?",
        "What happened yesterday evening?",
        "What was Thursday's workout?",
    ],
)
def test_a_month_and_a_part_of_one_day_are_a_time(question):
    assert asked_time(question, NOW).spans


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("Was machen wir im Juli?", 2027),
        ("Was haben wir im Juli vor?", 2027),
        ("Was hast du im Juli vor?", 2027),
        ("Was steht im Juli an?", 2027),
        ("Was haben wir im Juli gemacht?", 2026),
        ("Was war im Juli?", 2026),
        ("What was on in July?", 2026),
    ],
)
def test_a_german_question_for_a_month_looks_ahead_unless_it_lies_in_the_past(question, year):
    assert asked(question).spans[0].start == from_iso(f"{year}-07-01T00:00:00Z")


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What did I do on Saturday the 7th?", "2026-11-07"),
        ("What did I do on Sunday the 4th?", "2026-10-04"),
        ("What are we doing on Friday the 18th?", "2026-12-18"),
        ("Was habe ich am Samstag, dem 7. gemacht?", "2026-11-07"),
        ("¿Qué hice el sábado 7?", "2026-11-07"),
    ],
)
def test_a_weekday_with_its_day_of_the_month_is_that_date(question, day):
    assert asked(question).spans[0].start == from_iso(f"{day}T00:00:00Z")


@pytest.mark.parametrize("question", ["Who looks after auth?", "Who was the cat named after?", "Wer schaut nach Oma?"])
def test_an_after_that_belongs_to_its_verb_names_no_event(question):
    assert not asked(question).event


@pytest.mark.parametrize(
    "question",
    [
        "Who looks after the web frontend?", "who looked after payments?", "Who takes after her mother?",
        "Who cleans up after the dog?", "Who was named after the pilot?", "Who sits next to Max?",
        "Who is following the release?", "What stands before the host in the URL?", "Which day rate do I charge?",
        "Why did we choose Rust in the first place?",
    ],
)  # fmt: skip
def test_words_for_a_time_that_stand_for_something_else_are_no_time(question):
    assert not asked_time(question, NOW).something


@pytest.mark.parametrize(
    ("question", "event"),
    [
        ("What did we run after the move?", "move"),
        ("Who did I call after the storm?", "storm"), ("What happened following the release?", "release"),
    ],
)  # fmt: skip
def test_what_was_done_after_something_has_an_event(question, event):
    assert asked_time(question, NOW).event == event
