"""What an event says, in words of its own: the rows that it changed and the nodes that it names."""

import pytest
from store_scenes import AUTHOR, edge, forget, link, memory, remember

from context_graph.store import Change, changes_of, is_emptied, note_of, noted_nodes


def test_a_change_says_what_came_what_changed_and_what_went(store):
    came, _ = remember(store, "n1"), remember(store, "n2")
    link(store, "e1", "n1", "n2")
    changed = forget(store, "n1")

    inserted = next(change for change in changes_of(came) if change.table == "nodes")
    assert inserted.inserted and not inserted.deleted
    assert (inserted.id, inserted.after["content"]) == ("n1", "The cat sat on the mat.")
    updated, deleted = changes_of(changed)
    assert not updated.inserted and not updated.deleted
    assert set(updated.columns) == {"state", "state_reason", "state_at", "state_by"} == set(updated.before)
    assert updated.concerns("state") and not updated.concerns("content")
    assert (deleted.table, deleted.id, deleted.deleted) == ("edges", "e1", True)
    assert deleted.before["source"] == "n1" and not deleted.columns and deleted.concerns("weight")


def test_a_vector_names_its_node_and_its_space(store):
    (change,) = changes_of(remember(store, "n1"), "vectors")
    assert (change.id, change.space, change.key) == ("n1", "E1", ("n1", "E1"))
    assert all(other.space is None for other in changes_of(store.events(1)[0], "nodes", "counters"))


def test_the_changes_of_some_tables_keep_their_order(store):
    with store.write("created", AUTHOR) as tx:
        for number in range(3):
            tx.put(memory(f"n{number}", tx.next_ordinal()))
        tx.put(edge("e1", "n0", "n2"))
    every = changes_of(tx.committed)
    assert changes_of(tx.committed, "edges", "nodes") == tuple(c for c in every if c.table in ("nodes", "edges"))
    assert {change.table for change in every} == {"nodes", "edges", "counters"}


def test_an_event_read_back_says_the_same_as_the_one_committed(store):
    written = remember(store, "n1", metadata={"kind": "fact"})
    read = store.events(1)[0]
    assert changes_of(read) == changes_of(written) and note_of(read) == note_of(written)
    assert noted_nodes(read) == ("n1",) and noted_nodes(read, "reinforced") == ()


def test_of_an_emptied_event_only_the_residue_is_left(store):
    remember(store, "n1")
    with store.write("created", AUTHOR) as tx:
        tx.put(memory("n2", tx.next_ordinal()))
        tx.update("n1", importance=0.75)
        tx.note.update(operation="created", nodes=["n2"])
    store.purge("n2", AUTHOR)
    event = store.event(tx.committed.hash)
    assert is_emptied(event) and not is_emptied(tx.committed)
    assert changes_of(event) == () == noted_nodes(event) and note_of(event) == {}
    (left,) = (change for change in store.residue(event.seq) if change.table == "nodes")
    assert left == Change("nodes", ("n1",), {"importance": 0.5}, {"importance": 0.75})


def test_nothing_changes_a_change(store):
    (change,) = changes_of(remember(store, "n1"), "nodes")
    with pytest.raises(AttributeError):
        change.table = "edges"
