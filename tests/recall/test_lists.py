"""Where a list is asked for, what was said of its items since stands before it."""

import pytest

from context_graph.ingest.draft import Draft

TO_DO = "To do this week: book the dentist, return the drill to Karl, water the plants, file the tax form."


@pytest.fixture
def told(memory, clock):
    def tell(*texts):
        for text in texts:
            memory.remember(Draft(text, "told in a conversation"))
            clock.pass_time(minutes=720)
        return memory

    return tell


def lines_for(memory, question):
    return [line for line in memory.inject(question).text.splitlines() if line.startswith("> ")]


def test_what_is_done_comes_before_what_was_to_do(told):
    memory = told(TO_DO, "I returned the drill.", "The cat is called Miso.", "Dentist is booked for Tuesday at 9.")
    first, second, third = lines_for(memory, "What do I still have to do this week?")
    assert {"Dentist" in first, "drill" in first} == {"Dentist" in second, "drill" in second} == {True, False}
    assert TO_DO in third and "in part until" in third


def test_a_list_of_which_all_is_done_is_past(told):
    memory = told("Packing list: tent, stove, map.", "The stove and the map are packed.", "Ole brings the tent.")
    injected = memory.inject("What do I still need to pack?")
    assert ", until " in injected.text and "None of these" not in injected.text


def test_what_is_put_on_a_list_is_told_with_it(told):
    memory = told("Shopping list: oat milk, eggs, coffee.", "Also put lemons on the list.")
    assert "lemons" in lines_for(memory, "What's on the shopping list?")[0]


def test_what_is_kept_to_another_session_settles_nothing(told, memory):
    told(TO_DO)
    memory.remember(Draft("I returned the drill.", "told in a conversation", session_id="other", scope="session"))
    assert all("I returned" not in line for line in lines_for(memory, "What do I still have to do this week?"))
