"""Beside seeded files the questions for all of a kind are answered with what somebody stated."""

import pytest

from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.seeding import seed
from context_graph.ingest.draft import Draft
from context_graph.presentation.visitor import Visitor
from context_graph.recall.open_matters import open_matters, standing_instructions
from context_graph.resources import find

CODE = "\n\n".join(
    f'def step_{number}(values):\n    """Always returns a copy. Note that you must not pass None; use [] instead.\n\n'
    f"    TODO: what does step {number} do with an open file? It is still unclear.\n"
    f'    """\n    # FIXME: step {number} is broken on Windows, the export fails\n    return [{number}, *values]'
    for number in range(24)
)
GUIDE = "# Guide\n\n" + "\n\n".join(
    f"## Part {number}\n\nNever edit file {number} by hand. We decided on format {number}. Prefer short names. "
    f"Open question: who maintains part {number}?"
    for number in range(24)
)
TODO = "TODO: rotate the signing key of the mirror"
BUG = "Bug: the nightly import crashes when a row is empty."
RULE = "Never force-push to the release branch."
NOTES = (TODO, BUG, RULE, "Nadia joined the platform team.")


@pytest.fixture
def seeded(memory, clock, tmp_path):
    """Statements of somebody, and beside them the code and the guide of a project."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "steps.py").write_text(CODE)
    (folder / "guide.md").write_text(GUIDE)
    for text in NOTES:
        memory.remember(Draft(text, "noted by the agent"))
        clock.pass_time(days=1)
    assert len([*seed(memory, survey(folder))]) > 1
    clock.pass_time(days=1)
    return memory


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which TODOs do we still have?", TODO), ("List the open TODOs.", TODO), ("Any open points?", TODO),
        ("What remains to be done?", TODO), ("Open tickets?", TODO), ("Welche Aufgaben sind noch offen?", TODO),
        ("Was ist offen?", TODO), ("What is not working?", BUG), ("Which bugs do we have?", BUG),
        ("Which rules apply here?", RULE), ("What did I ask you to never do?", RULE),
        ("Welche Regeln gelten?", RULE), ("What do you know about me?", RULE),
        ("What should I know before we begin?", RULE),
    ],
)  # fmt: skip
def test_statements_of_a_form_are_answered_beside_files(seeded, question, expected):
    context = seeded.inject(question).text
    assert expected in context
    assert "step_" not in context and "Part " not in context


def test_a_briefing_has_no_sentence_of_a_file(seeded):
    assert [node.content for node in standing_instructions(seeded)] == [RULE]
    assert {node.content for node in open_matters(seeded)} == {TODO, BUG}
    visitor = Visitor(seeded.caller, frozenset(), frozenset())
    listed = find("context://user").read(seeded, visitor).text
    assert all(text in listed for text in NOTES) and "step_" not in listed


def test_files_alone_are_listed_where_nothing_else_is_known(memory, tmp_path):
    (tmp_path / "steps.py").write_text(CODE)
    assert [*seed(memory, survey(tmp_path))]
    visitor = Visitor(memory.caller, frozenset(), frozenset())
    assert "step_" in find("context://user").read(memory, visitor).text
    assert not standing_instructions(memory)


def test_what_is_known_of_a_topic_is_told_from_files_too(seeded):
    assert "step_3" in seeded.inject("What does step_3 do?").text
