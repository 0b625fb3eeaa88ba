"""The labelled stories, on which what takes the place of what is fitted and measured."""

import pytest

from benchmarks.quality.stories import Story, asked, stories

STORIES = [*stories()]


def test_a_label_names_two_statements_of_its_story_in_their_order():
    wrong = [
        (story.kind, story.name, pair)
        for story in STORIES
        for pair in story.labels
        if not 0 <= pair[0] < pair[1] < len(story.texts)
    ]
    assert wrong == []


def test_no_story_that_is_held_is_looked_at_as_well():
    held = {story.texts for story in STORIES if story.kind.endswith("-held")}
    assert held and held.isdisjoint(story.texts for story in STORIES if not story.kind.endswith("-held"))


@pytest.mark.parametrize("kind", sorted({story.kind for story in STORIES}))
def test_every_kind_has_changes_and_questions(kind):
    some = [story for story in STORIES if story.kind == kind]
    assert any(True in story.labels.values() for story in some)
    assert all(any(line.startswith("? ") for line in story.lines) for story in some)


def test_a_question_is_asked_of_what_was_told_by_then():
    lines = ("= 2026-03-01 09:00", "The van is white.", "? Which van?", "= 2026-03-09 09:00", "It's sold.", "? Sold?")
    story = Story("a van", "short", (lines[1], lines[4]), {(0, 1): True}, lines)
    assert [(len(ids), question) for _, ids, question in asked(story, "base")] == [(1, "Which van?"), (2, "Sold?")]
