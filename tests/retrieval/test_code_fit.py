"""Code by the names that a question has, or that are made of its words."""

import pytest

from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.seeding import seed
from context_graph.recall.question import Question

LIMITS = '''"""Limits of the works."""

import os

MAX_GATE_COUNT = 12
DEFAULT_DRAIN_SECONDS = 45


def widen(gate):
    """Make a gate wider."""
    return gate + 1
'''
WORKS = '''class Sluice:
    """A gate of the works."""

    def drain(self, seconds):
        """Drain the lock, but never longer than the count of the gates allows."""
        if seconds > 60 * MAX_GATE_COUNT:
            raise SluiceJammed(seconds)


class SluiceJammed(Exception):
    """A gate is jammed and does not drain."""


def drain_all(sluices):
    """Drain every sluice by its default number of seconds."""
    for sluice in sluices:
        sluice.drain(DEFAULT_DRAIN_SECONDS)
'''


@pytest.fixture
def told(memory, tmp_path):
    (tmp_path / "limits.py").write_text(LIMITS, "utf-8")
    (tmp_path / "works.py").write_text(WORKS, "utf-8")
    assert len([*seed(memory, survey(tmp_path))]) >= 4
    return lambda question: [hit.node.content for hit in memory.inject(question).hits]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is MAX_GATE_COUNT?", "MAX_GATE_COUNT = 12"),
        ("DEFAULT_DRAIN_SECONDS", "DEFAULT_DRAIN_SECONDS = 45"),
        ("What is the maximum gate count?", "MAX_GATE_COUNT = 12"),
        ("How many seconds does it drain by default?", "DEFAULT_DRAIN_SECONDS = 45"),
        ("What is SluiceJammed?", "class SluiceJammed"),
        ("What does widen do?", "def widen"),
    ],
)
def test_what_defines_a_name_comes_first(told, question, first):
    assert first in told(question)[0]


@pytest.mark.parametrize(
    ("question", "use"),
    [
        ("Where is MAX_GATE_COUNT used?", "60 * MAX_GATE_COUNT"),
        ("Which function uses DEFAULT_DRAIN_SECONDS?", "sluice.drain(DEFAULT_DRAIN_SECONDS)"),
        ("What raises SluiceJammed?", "raise SluiceJammed"),
    ],
)
def test_what_uses_a_name_is_told(told, question, use):
    assert any(use in content for content in told(question))


def test_a_note_that_has_the_name_is_told_too(told, tell):
    note = "MAX_GATE_COUNT goes up to 16 in spring, agreed with Ines."
    tell(note)
    assert note in told("What is MAX_GATE_COUNT?")
    assert told("Who agreed to more than MAX_GATE_COUNT?")[0] == note


def test_without_code_nothing_of_it_is_read(memory, tell):
    tell("The default drain takes 45 seconds.")
    hits = memory.recall(Question("What is DEFAULT_DRAIN_SECONDS?")).hits
    assert not any(part in hit.parts for hit in hits for part in ("identifier", "composed"))
