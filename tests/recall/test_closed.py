"""What the store has closed beside what is judged: following one to the next ends."""

from dataclasses import replace

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.assembly import with_closed
from context_graph.recall.current.order import Replacement, current_first, former_first
from context_graph.recall.question import Question


@pytest.fixture
def pair(memory, tell):
    """Two memories, each closed in favour of the other, as two homes may have said."""
    nodes = [memory.get(tell(text)) for text in ("The office is in Basel.", "The office moved to Bern.")]
    return [replace(one, superseded_by=other.id) for one, other in zip(nodes, reversed(nodes), strict=True)]


def test_what_somebody_said_stands_against_a_judgement(pair):
    basel, bern = pair
    nodes = [replace(basel, superseded_by=None), bern]  # Bern was closed in favour of Basel
    assert with_closed({0: Replacement(1, 0.9)}, nodes) == {1: Replacement(0, 1.0)}


def test_a_circle_is_cut(pair):
    replaced = with_closed({0: Replacement(1, 0.9), 1: Replacement(0, 0.9)}, pair)
    assert len(replaced) == 1
    assert sorted(current_first(2, replaced)) == sorted(former_first(2, replaced)) == [0, 1]


@pytest.mark.parametrize("question", ["Where was the office before?", "Where was the office yesterday?"])
def test_the_later_one_may_be_closed_in_favour_of_one_of_an_earlier_date(memory, clock, tell, question):
    bern = tell("The office moved to Bern.")
    clock.pass_time(days=1)
    metadata = {"supersedes": bern, "date": "2020-01-01"}
    memory.remember(Draft("The office is in Basel.", "it never moved", metadata=metadata))
    clock.pass_time(days=1)
    hits = {hit.content: hit for hit in memory.recall(Question(question)).hits}
    assert hits["The office moved to Bern."].replaced_by == hits["The office is in Basel."].id
    assert hits["The office is in Basel."].replaced_by is None
    assert "Bern" in memory.inject(Question(question)).text
