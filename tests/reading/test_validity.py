"""Until when a statement holds by its own words."""

import pytest

from context_graph.instants import DAY_US
from context_graph.reading.validity import as_happened, validity
from tests.requirements import requirement

MONDAY = 1_793_577_600_000_000  # 2026-11-02


@pytest.mark.parametrize(
    ("text", "days", "partly"),
    [
        ("Primary on call this week: Arjun.", 7, False),
        ("This week Marcus has the pager.", 7, False),
        ("I'm off sick this week.", 7, False),
        ("I'm in Lisbon until Sunday.", 7, False),
        ("No deploys until Friday.", 5, False),
        ("Ich bin bis Freitag in Wien.", 5, False),
        ("Esta semana trabajo de noche.", 7, False),
        ("I'm on lates this month.", 29, False),
        ("Primary on call this week: Arjun. Rotation changes on Mondays at 09:00.", 7, True),
        ("I'm away until Friday, and Ana waters the plants.", 5, True),
        ("Ines is on vacation 3 November - 6 November.", 5, False),
        ("Ines is on vacation 3 November - 6 November, Mateo covers auth", 5, False),
        ("Freeze: no deploys from 3 to 6 November.", 5, False),
        ("Freeze 3-6 November", 5, False),
        ("We'll be in Crete November 3-6.", 5, False),
        ("The pool is closed 3-6 November.", 5, False),
        ("Das Freibad ist vom 3.-6. November geschlossen.", 5, False),
        ("Ich bin vom 3. bis 6. November in Rom.", 5, False),
        ("Tante Moni ist vom 3. bis zum 6. November bei uns.", 5, False),
        ("La biblioteca cierra del 3 al 6 de noviembre.", 5, False),
        ("Rota: Bea is on call 3/11-6/11.", 5, False),
        ("Our dentist is Dr. Kim, away from 3 to 6 November.", 5, True),
    ],
)
def test_it_ends_when_it_says(text, days, partly):
    held = validity(text, MONDAY + DAY_US // 3)
    assert held is not None and (held.end + 1 - MONDAY, held.partly) == (days * DAY_US, partly)


@pytest.mark.parametrize(
    "text",
    [
        "I must call Bo this week.",
        "We were in Rome 3-6 November.",
        "Wir waren vom 3. bis 6. November in Rom.",
        "The shop is open 10 to 18 on weekdays.",
        "The dishwasher fits 10 to 12 plates.",
        "The talk is on 3 November at 10-11.",
        "We moved the wiki this week.",
        "I was in Rome until Sunday.",
        "Finn's lessons are on Wednesdays as of this week.",
        "I'm in the emergency department from this week on.",
        "My shift runs until 6 pm.",
        "The shop is open Monday through Friday.",
        "She works from Monday until Thursday.",
        "The office is closed until further notice.",
        "I have to finish it by Friday.",
        "",
    ],
)
def test_what_is_to_be_done_has_happened_or_recurs_has_no_end(text):
    assert validity(text, MONDAY) is None


@requirement("recall:over-by-its-own-words")
def test_what_is_over_by_its_own_words_is_told_with_its_end(memory, clock, tell):
    tell("Primary on call this week: Arjun.")
    tell("The office is in Ghent.")
    clock.pass_time(days=1)
    assert "until" not in memory.inject("Who is on call?").text
    clock.pass_time(days=13)  # the answer of before is not told again
    first = next(line for line in memory.inject("Who is on call?").text.splitlines() if "Arjun" in line)
    assert "until 4 January 2026" in first
    assert "until" not in memory.inject("Who was on call before?").text


def test_as_of_a_moment_it_holds_then(memory, clock, tell):
    from context_graph.recall.question import Question

    then = clock.time
    tell("Primary on call this week: Arjun.")
    clock.pass_time(days=14)
    [hit] = memory.recall(Question("Who is on call?", as_of=then + DAY_US)).hits
    assert hit.until is None
    [hit] = memory.recall(Question("Who is on call?")).hits
    assert hit.until is not None and hit.replaced_by is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("From 1 February Omar will have the keys.", "From now on Omar has the keys."),
        ("As of 1 February, we'll bake in Ash.", "From now on we bake in Ash."),
        ("Starting 1 February I will be on nights", "From now on I am on nights"),
        ("From 1 February the fee is 30.", "From 1 February the fee is 30."),
    ],
)
def test_what_opens_with_its_day_has_begun_once_it_has_come(text, told):
    assert as_happened(text, MONDAY, MONDAY + 100 * DAY_US) == told
    assert as_happened(text, MONDAY, MONDAY + DAY_US) == text


def test_what_was_announced_for_a_day_holds_from_that_day_on(memory, clock, tell):
    for text in (
        "I'm Lou.",
        "Gosia has Pip on Fridays.",
        "Bought stamps.",
        "From 1 February Gran will have Pip on Fridays.",
    ):
        tell(text)
        clock.pass_time(days=2)
    lines = [line for line in memory.inject("Who has Pip on Fridays?").text.splitlines() if "Pip" in line]
    assert "Gosia" in lines[0]
    clock.pass_time(days=60)
    lines = [line for line in memory.inject("Who has Pip on Fridays?").text.splitlines() if "Pip" in line]
    assert "Gran" in lines[0]
    assert all("earlier" in line or "until" in line for line in lines if "Gosia" in line)
