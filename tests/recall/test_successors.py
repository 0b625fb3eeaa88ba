"""Later statements that share a rare word with a result, and tell of a change."""

import numpy as np

from context_graph.ingest.draft import Draft
from context_graph.recall.successors import successors


def test_what_took_the_place_of_a_result_is_found_by_a_rare_word(memory, clock):
    wifi = memory.remember(Draft("My Wi-Fi is from Telia.", "said to you")).node
    clock.pass_time(days=2)
    later = memory.remember(Draft("I switched from Telia to Bahnhof.", "said to you")).node
    mask = np.ones(len(memory.corpus), bool)
    assert [node.id for node, _ in successors(memory, memory.corpus, mask, [wifi])] == [later.id]


def test_a_row_that_was_deleted_since_the_mask_was_made_is_passed_by(memory, clock):
    """Another thread deletes for good between the search and this: the row has no id any more."""
    wifi = memory.remember(Draft("My Wi-Fi is from Telia.", "said to you")).node
    clock.pass_time(days=2)
    later = memory.remember(Draft("I switched from Telia to Bahnhof.", "said to you")).node
    mask = np.ones(len(memory.corpus), bool)
    memory.corpus.erase(later.id)
    assert successors(memory, memory.corpus, mask, [wifi]) == []


def test_what_stands_far_behind_in_a_wide_search_takes_the_place_of_the_first_result(memory, clock):
    """A context looks at thirty results: where all of a small memory is among them, none was looked up any more."""
    telia = memory.remember(Draft("My Wi-Fi is from Telia.", "said to you")).node
    others = [
        memory.remember(Draft(text, "said to you")).node for text in (f"Tom is {n} years old." for n in range(12))
    ]
    clock.pass_time(days=2)
    later = memory.remember(Draft("I switched from Telia to Bahnhof.", "said to you")).node
    mask, results = np.ones(len(memory.corpus), bool), [telia, *others, later]
    assert [(node.id, place) for node, place in successors(memory, memory.corpus, mask, results)] == [(later.id, 0)]
