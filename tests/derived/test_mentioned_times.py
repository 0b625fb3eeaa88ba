"""The times that memories name are read once, and never outlive the memory."""

import numpy as np

from context_graph.derived import MentionedTimes
from context_graph.ingest.forget import forget, restore
from context_graph.retrieval.time_fit import times_in

MONDAY = 1_773_619_200_000_000  # 2026-03-16


def times(memory, *ids):
    corpus = memory.corpus
    return memory.view(MentionedTimes).of(corpus, np.array([corpus.row_of[id] for id in ids], np.int64))


def test_each_row_has_the_times_of_its_text(memory, tell):
    texts = ("The boiler is checked next Thursday.", "Lena has two cats.", "We were in Ghent from 2 to 5 May 2024.")
    ids = [tell(text, occurred_at=MONDAY) for text in texts]
    for _ in range(2):
        assert times(memory, *ids) == [times_in(text, MONDAY) for text in texts]
    assert times(memory, ids[1]) == [None]


def test_a_memory_that_changes_is_read_again(memory, tell):
    id = tell("The boiler is checked tomorrow.", occurred_at=MONDAY)
    times(memory, id)
    with memory.store.write("updated", memory.author(memory.caller)) as tx:
        tx.update(id, content="The boiler was checked yesterday.")
    assert times(memory, id) == [times_in("The boiler was checked yesterday.", MONDAY)]


def test_a_memory_that_comes_back_has_its_times(memory, tell):
    id = tell("The boiler is checked tomorrow.", occurred_at=MONDAY)
    before = times(memory, id)
    gone = forget(memory, id, "obsolete")
    restore(memory, gone.reversal_hash)
    assert times(memory, id) == before != [None]


def test_a_permanent_deletion_leaves_nothing(memory, tell):
    id = tell("The boiler is checked tomorrow.", occurred_at=MONDAY)
    row, view = memory.corpus.row_of[id], memory.view(MentionedTimes)
    assert view.of(memory.corpus, np.array([row])) != [None]
    forget(memory, id, "user_requested", soft=False)
    assert row not in view._of
