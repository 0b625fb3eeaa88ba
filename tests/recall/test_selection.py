"""A list or a search is narrowed to exactly what its conditions hold of."""

import pytest

from context_graph.instants import from_iso
from context_graph.recall.question import Question
from context_graph.recall.selection import Choices, Selection, choices, selected
from context_graph.recall.timeline import timeline
from tests.requirements import requirement


@pytest.fixture
def ferries(memory):
    for text, day, more in (
        ("The ferry leaves at nine.", 1, {"speaker": "Anna", "pinned": True}),
        ("The ferry leaves at ten.", 2, {"speaker": "Ben", "project": "harbour"}),
        ("def ferry():\n    return 'late'", 3, {"speaker": "Anna", "project": "harbour"}),
    ):
        memory.remember(text, metadata={"date": f"2025-05-0{day}T12:00:00Z", **more})
    return memory


def days(memory, **conditions):
    total, nodes = timeline(memory, memory.caller, selection=Selection(**conditions))
    assert total == len(nodes)
    return [node.metadata["date"][8:10].lstrip("0") for node in nodes]


@requirement("page:filters")
@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({}, "321"), ({"speaker": "ANNA"}, "31"), ({"speaker": "Ann"}, ""), ({"project": "harbour"}, "32"),
        ({"state": "pinned"}, "1"), ({"state": "current"}, "321"), ({"state": "past"}, ""),
        ({"occurred_from": from_iso("2025-05-02T12:00:00Z")}, "32"),
        ({"occurred_before": from_iso("2025-05-02T12:00:00Z")}, "1"),
        ({"speaker": "Anna", "project": "harbour"}, "3"), ({"modality": "text", "state": "pinned"}, "1"),
        ({"modality": "opera"}, ""),
    ],
)  # fmt: skip
def test_a_timeline_has_what_all_conditions_hold_of(ferries, conditions, expected):
    assert "".join(days(ferries, **conditions)) == expected


@requirement("page:filters")
def test_what_another_took_the_place_of_is_past_also_for_a_search(memory, tell):
    old = tell("The ferry leaves at nine.")
    new = tell("The ferry leaves at ten.", metadata={"supersedes": old})
    for state, id in (("past", old), ("current", new)):
        asked = Question("When does the ferry leave?", selection=Selection(state=state))
        assert [hit.id for hit in memory.recall(asked)] == [id]
        assert [node.id for node in timeline(memory, memory.caller, selection=Selection(state=state)).nodes] == [id]
    assert [hit.id for hit in memory.recall("When does the ferry leave?")] == [new]


@requirement("page:filters")
def test_a_search_answers_from_a_selection_and_the_cache_keeps_them_apart(ferries):
    question = "When does the ferry leave?"
    each = {
        speaker: [hit.node.speaker for hit in ferries.recall(Question(question, selection=Selection(speaker=speaker)))]
        for speaker in ("Anna", "Ben", "Anna")
    }
    assert set(each["Anna"]) == {"Anna"} and each["Ben"] == ["Ben"]
    assert {hit.node.speaker for hit in ferries.recall(question)} == {"Anna", "Ben"}


def test_what_can_be_chosen_is_what_the_memories_have(ferries):
    corpus, nodes = ferries.corpus, timeline(ferries, ferries.caller).nodes
    with corpus.lock:
        offered = choices(ferries, corpus, corpus.columns.live.copy())
        assert set(offered.modalities) == {node.modality for node in nodes}
        assert (offered.projects, offered.speakers) == (("harbour",), ("anna", "ben"))
        assert choices(ferries, corpus, selected(ferries, corpus, Selection(speaker="nobody"))) == Choices((), (), ())
