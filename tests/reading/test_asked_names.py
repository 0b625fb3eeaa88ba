"""Which names of a program a question has, and whether what uses them is asked for."""

import pytest

from context_graph.reading.asked_names import asked_names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is GATE_COUNT?", ["GATE_COUNT"]),
        ("GATE_COUNT", ["GATE_COUNT"]),
        ("What does drain_all() return?", ["drain_all"]),
        ("How does `Sluice.open` end?", ["open"]),
        ("Which class is SluiceGate?", ["SluiceGate"]),
        ("What does drain do?", ["drain"]),
        ("What is in Sluice?", ["Sluice"]),
        ("Where do I park?", []),
        ("See docs/sluice_gate.md", []),
        ("How many gates are there?", []),
    ],
)
def test_names(question, names):
    assert [each.name for each in asked_names(question)] == names


@pytest.mark.parametrize(
    "question",
    [
        "Where is GATE_COUNT used?",
        "Who calls drain_all?",
        "Which functions use GATE_COUNT?",
        "What raises SluiceJammed?",
        "Callers of drain_all()",
        "Is old_drain still called anywhere?",
        "Where do we import drain_all?",
        "Where is the Sluice class instantiated?",
    ],
)
def test_uses_are_asked_for(question):
    assert [each.uses for each in asked_names(question)] == [True]


@pytest.mark.parametrize(
    "question",
    ["What is GATE_COUNT used for?", "What does drain_all call?", "Where is drain_all?", "How is GATE_COUNT set?"],
)
def test_the_name_itself_is_asked_for(question):
    assert [each.uses for each in asked_names(question)] == [False]


def test_what_only_may_be_a_name_is_not_certain():
    assert [each.certain for each in asked_names("What does Anna do?")] == [False]
