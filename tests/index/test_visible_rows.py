"""What is known to be visible stays what the index would answer, whoever asks and whatever changes meanwhile."""

import numpy as np
import pytest

from context_graph.index.visible_rows import VisibleRows
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.models import NodeState
from context_graph.settings import Settings
from context_graph.visibility import ANYONE, Viewer

MINUTE = 60_000_000


@pytest.fixture
def memory(tmp_path):
    with Memory(Settings(home=tmp_path, tier="base"), session_id="s1") as memory:
        memory.remember_many([Draft(f"The lamp number {number} is lit at dusk.") for number in range(6)])
        yield memory


def agree(visible: VisibleRows, corpus, now: int) -> None:
    for viewer in (Viewer("s1"), Viewer("s2"), ANYONE):
        assert np.array_equal(visible.of(corpus, viewer, now=now), corpus.visible(viewer, now=now))


def test_rows_that_are_added_are_looked_at_for_whoever_asks(memory):
    corpus, now = memory.corpus, memory.present() + MINUTE
    visible = VisibleRows(corpus, Viewer("s1"), now=now)
    memory.remember(Draft("The ladder leans on the barn.", scope="session"))
    memory.remember(Draft("The rope lies in the boat."))
    assert memory.corpus is corpus and len(corpus) == 8
    agree(visible, corpus, now)
    agree(VisibleRows(corpus, Viewer("s2"), now=now), corpus, now)  # not all is shared with everyone


@pytest.mark.parametrize("changed", [{"state": NodeState.FORGOTTEN}, {"valid_to": 5}, {"valid_from": 1 << 60}])
def test_a_row_that_may_be_answered_no_more_is_not_taken_for_visible(memory, changed):
    corpus, now = memory.corpus, memory.present() + MINUTE
    visible = VisibleRows(corpus, ANYONE, now=now)
    corpus.update(corpus.ids[2], changed)
    assert not corpus.visible(ANYONE, now=now)[2]
    agree(visible, corpus, now)


def test_a_row_that_is_removed_is_not_taken_for_visible(memory):
    corpus, now = memory.corpus, memory.present() + MINUTE
    visible = VisibleRows(corpus, ANYONE, now=now)
    corpus.remove(corpus.ids[3])
    agree(visible, corpus, now)


def test_what_ends_later_is_visible_until_then(memory):
    corpus, now = memory.corpus, memory.present() + MINUTE
    corpus.update(corpus.ids[1], {"valid_to": now + MINUTE})
    visible = VisibleRows(corpus, ANYONE, now=now)
    for moment in (now, now + MINUTE - 1, now + MINUTE, now - 3 * MINUTE):
        agree(visible, corpus, moment)
    assert visible.of(corpus, ANYONE, now=now)[1] and not visible.of(corpus, ANYONE, now=now + MINUTE)[1]
