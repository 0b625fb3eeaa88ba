"""What is asked of a day from which something was moved, or to which."""

import pytest

from context_graph.ingest.draft import Draft


@pytest.fixture
def told(memory, clock):
    def tell(*texts, days=8):
        for text in texts:
            memory.remember(Draft(text, "told in a conversation", metadata={"speaker": "user"}))
            clock.pass_time(minutes=days * 1_440)
        return memory

    return tell


def lines_for(memory, question):
    return [line for line in memory.inject(question).text.splitlines() if line.startswith("> ")]


def test_a_visit_that_was_moved_is_on_its_new_day(told):
    # told on Thursday 1 and Friday 9 January, asked on Saturday 17
    memory = told(
        "Ellie has orthodontist on the 14th at 3:45.", "Ellie's appointment got pushed to the 21st, same time."
    )
    (line,) = lines_for(memory, "What's on on Wednesday?")
    assert "21st" in line
    first, second = lines_for(memory, "What happened last Wednesday?")
    assert "21st" in first and "14th" in second and "until" in second


def test_what_is_told_after_a_day_leaves_it_as_it_was(told):
    memory = told("The cat is Miso.", "On Saturday we met Ole.", "We don't meet Ole any more.", days=3)
    (line,) = lines_for(memory, "What did we do on Saturday the 3rd?")
    assert "On Saturday we met Ole." in line and "until" not in line and "earlier" not in line


@pytest.mark.parametrize("question", ["Was machen wir im Juli?", "Was haben wir im Juli vor?"])
def test_a_plan_for_a_month_is_told_in_german(told, question):
    memory = told("Im Juli fahren wir nach Dänemark.", "Mein Bruder wohnt seit letztem Sommer in Emden.")
    assert "Dänemark" in lines_for(memory, question)[0]


def test_who_stood_in_for_a_stay_stands_behind_whoever_does_it_again(told):
    memory = told(
        "The auth service is owned by Ines.", "Ines is on vacation 10 - 13 January, Mateo covers auth", days=8
    )
    first, second = lines_for(memory, "who covers auth now?")
    assert "owned by Ines" in first and "until" not in first and "earlier" not in first
    assert "Mateo covers" in second and "until 13 January 2026" in second


def test_who_stands_in_comes_first_while_the_stay_lasts(told):
    memory = told("The auth service is owned by Ines.", "Ines is on vacation 3 - 9 January, Mateo covers auth", days=2)
    assert "Mateo covers" in lines_for(memory, "who covers auth now?")[0]
