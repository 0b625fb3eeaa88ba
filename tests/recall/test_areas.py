"""Questions for all of an area of life: each statement of it is told, and what is about something else is not."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.areas import _at_work, _introduced
from context_graph.recall.inject import inject
from context_graph.recall.profile import profile
from context_graph.recall.question import Question
from tests.requirements import requirement

LIFE = [
    "My sister Bea teaches maths in Delft.", "The gym raised its prices.", "I take ramipril for my blood pressure.",
    "Our apprentice is called Wim, second year.", "Grandma is in hospital with her hip.", "Bea's wedding is in June.",
    "Wim is allergic to latex.", "I don't eat pork.", "Our van is a Ford Transit with a roof rack.",
    "Always answer in short sentences.", "I'm taking an evening course in bookkeeping.", "My left knee is swollen.",
    "It rained all day.", "Tom from accounting handles the invoices.",
]  # fmt: skip


@pytest.fixture
def told(memory, clock):
    """The places of what a context says of this life."""
    for text in LIFE:
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))

    def told(question: str) -> set[int]:
        context = inject(memory, Question(question)).text
        return {place for place, text in enumerate(LIFE) if text in context}

    return told


@requirement("recall:all-of-a-kind")
@pytest.mark.parametrize(
    ("question", "answering", "others"),
    [
        ("What do you know about my family?", {0, 4, 5}, {1, 3, 6, 8, 9, 12, 13}),
        ("Tell me about my relatives.", {0, 4, 5}, {1, 3, 6, 8, 9, 12, 13}),
        ("How is my health these days?", {2, 11}, {0, 1, 4, 6, 8, 9, 12}),
        ("What do you know about my colleagues?", {3, 6, 13}, {0, 1, 2, 4, 8, 9, 12}),
        ("Who works for me?", {3, 6, 13}, {0, 1, 2, 4, 8, 9, 12}),
        ("What do you know about my vehicles?", {8}, {0, 1, 2, 4, 9, 12}),
        ("Which courses am I taking?", {10}, {1, 2, 12}),
    ],
)
def test_an_area_is_told_as_a_whole(told, question, answering, others):
    places = told(question)
    assert answering <= places
    assert not others & places


def test_who_asks_for_one_thing_is_told_it_first(memory, clock):
    for text in ("I work at the harbour office.", "My boss is Rik.", "We open at nine.", "My shift ends at six."):
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))
    lines = [line for line in inject(memory, Question("Where do I work?")).text.splitlines() if line.startswith("> ")]
    assert "harbour office" in lines[0]


def test_in_a_conversation_no_area_is_told_as_a_whole(memory, clock):
    for speaker, text in (("Ada", "My brother is a nurse."), ("Ben", "My brother is a cook."), ("Ada", "Nice!")):
        clock.pass_time(minutes=1)
        memory.remember(Draft(text, "said in a chat", speaker=speaker, session_id="s"))
    question = "What do you know about my family?"
    assert len(profile(memory, question, memory.caller).nodes) == 2
    assert not profile(memory, question, memory.caller, of_one=False).nodes


@pytest.mark.parametrize(
    ("text", "area", "names"),
    [
        ("My aunt Vera keeps goats.", "family", ["Vera"]), ("Our apprentice is called Luca.", "colleagues", ["Luca"]),
        ("Unser Lehrling heißt Kevin.", "colleagues", ["Kevin"]), ("Team: Maren leads, Dipo tests.", "colleagues",
        ["Maren", "Dipo"]), ("The bus was late.", "family", []),
    ],
)  # fmt: skip
def test_who_is_introduced(text, area, names):
    assert {*_introduced(text, area)} == {*names}


def test_who_works_is_known_by_what_they_do():
    assert [*_at_work("Kirsty works Saturdays, Abdul handles the orders.")] == ["Kirsty", "Abdul"]
    assert not [*_at_work("Monday is off.")] and not [*_at_work("The heating works again.")]
