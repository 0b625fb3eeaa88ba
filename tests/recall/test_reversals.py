"""What goes back to an earlier state is told first; what a body does not bear is ended by nothing else."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.reading.reversals import goes_back

REST, GRAPHQL = "The API is REST.", "We switched the API to GraphQL."


def lines_for(memory, clock, texts, question):
    for text in texts:
        memory.remember(Draft(text, "told in a conversation"))
        clock.pass_time(days=5)
    return [line for line in memory.inject(question).text.splitlines() if line.startswith("> ")]


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        ((REST, GRAPHQL, "Scrap that, we keep REST."), "What does the API use?"),
        (("Yoga is on Mondays.", "Yoga moved to Wednesdays.", "Yoga stays on Mondays after all."), "When is yoga?"),
        (("I drink coffee with milk.", "I switched to oat milk.", "Nah, back to cow's milk."), "What milk do I take?"),
    ],
)
def test_who_goes_back_is_told_so_first(memory, clock, texts, question):
    lines = lines_for(memory, clock, texts, question)
    assert texts[2] in lines[0] and "earlier" not in lines[0] and "until" not in lines[0]
    assert any(texts[1] in line and ("earlier" in line or "until" in line) for line in lines)


@pytest.mark.parametrize(
    "later",
    ["We keep the REST docs in Notion.", "Scrap that, we keep gRPC.", "Scrap that.", "REST is back in fashion.", ""],
)
def test_what_takes_nothing_back_or_names_no_earlier_word_goes_nowhere(later):
    assert not goes_back(REST, GRAPHQL, later)


def test_an_allergy_is_ended_by_no_party(memory, clock):
    texts = (
        "Rowan is allergic to sesame, she had a reaction at a birthday party.",
        "Rowan's party is on the 24th at the soft play, the cake is not ordered yet.",
    )
    lines = lines_for(memory, clock, texts, "Can Rowan have hummus, is there sesame in it?")
    assert texts[0] in lines[0] and "earlier" not in lines[0]


def test_an_allergy_is_ended_by_what_is_about_it(memory, clock):
    texts = ("Rowan is allergic to cashews.", "Rowan is no longer allergic to cashews, the clinic says.")
    lines = lines_for(memory, clock, texts, "Is Rowan allergic to cashews?")
    assert texts[1] in lines[0]
    assert all("until" in line or "earlier" in line for line in lines if texts[0] in line)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            ["Lena runs the till.", "Lena is on leave, Omar runs the till.", "Lena is back in the shop."],
            "Who runs the till?",
        ),
        (
            ["Lena runs the till.", "Lena is off sick, Omar runs the till.", "Lena's back at the counter."],
            "Who runs the till?",
        ),
        (
            ["We swim in the lido.", "The lido is shut, we swim in the river.", "The lido's open again."],
            "Where do we swim?",
        ),
    ],
)
def test_who_is_back_where_they_belong_ends_the_stand_in(lines_for, told, question):
    lines = lines_for(told, question)
    assert all("until" in line or "earlier" in line for line in lines if told[1] in line)
    assert any(told[2] in line or (told[0] in line and "until" not in line) for line in lines)
