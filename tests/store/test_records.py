"""Records: what is kept under a name and is no memory travels every way that memories do."""

from dataclasses import replace

import pytest
from store_scenes import AUTHOR, forget, ids, record, remember, tables

from context_graph.errors import NameTaken, NodeNotFound
from context_graph.models import Author, NodeState, Record
from context_graph.store import Store, changes_of
from tests.requirements import requirement


def put(store: Store, one: Record):
    with store.write("model", AUTHOR) as tx:
        tx.put(one)
        tx.note.update(operation="model_added", records=[one.id])
    return tx.committed


@requirement("store:records-are-events")
def test_a_record_is_put_changed_undone_and_told_to_the_feed(store):
    first = record("r1", "iris")
    put(store, first)
    changed = replace(first, data={"weight": 0.75})
    event = put(store, changed)
    assert store.records("model") == [changed] and store.records("agent") == []
    (change,) = changes_of(event, "records")
    assert (change.id, set(change.columns), change.concerns("data")) == ("r1", {"data"}, True)
    assert [one.seq for one in store.lineage("r1")] == [1, 2]
    store.undo(event.hash, AUTHOR)
    assert store.records("model") == [first]
    assert store.verify().ok
    before = tables(store)
    assert store.replay().ok and tables(store) == before


@requirement("store:record-names")
def test_a_name_is_had_once_in_each_kind_and_scope(store):
    put(store, record("r1", "iris"))
    with pytest.raises(NameTaken, match="Model already exists: 'iris'; choose another name"):
        put(store, record("r2", "iris"))
    put(store, record("r3", "iris", kind="agent"))
    put(store, record("r4", "iris", scope="session"))
    put(store, record("r5", "iris", scope="session", session_id="s2"))
    with pytest.raises(NameTaken):
        put(store, record("r6", "iris", scope="session", session_id="s2"))
    put(store, record("r7", "iris", scope="context", context_id="c1"))
    put(store, record("r8", "iris", scope="context", context_id="c2"))
    put(store, record("r9", "iris", state=NodeState.FORGOTTEN))
    assert [one.id for one in store.records("model")] == ["r1", "r4", "r5", "r7", "r8", "r9"]


@requirement("store:record-names")
def test_an_undo_that_would_give_a_name_twice_says_so(store):
    first = record("r1", "iris")
    made = put(store, first)
    gone = put(store, replace(first, state=NodeState.FORGOTTEN))
    put(store, record("r2", "iris"))
    undone = store.undo(gone.hash, AUTHOR)
    assert undone.conflicts == ("record r1 stays as it is: another has its name since",)
    removed = store.undo(made.hash, AUTHOR)
    back = store.undo(removed.event.hash, AUTHOR)
    assert back.conflicts == (), "as it was when it went: forgotten"
    assert {one.id: one.state for one in store.records("model")} == {"r1": "forgotten", "r2": "live"}
    assert store.verify().ok


@requirement("store:record-names")
def test_a_deletion_is_not_undone_into_a_name_that_is_taken(store):
    made = put(store, record("r1", "iris"))
    removed = store.undo(made.hash, AUTHOR)
    put(store, record("r2", "iris"))
    assert store.undo(removed.event.hash, AUTHOR).conflicts == ("record r1 stays away: another has its name since",)
    assert [one.id for one in store.records("model")] == ["r2"]


@requirement("store:records-are-purged")
def test_a_record_is_deleted_for_good_like_a_memory(store, home):
    secret = "zanzibar-quintessence"
    put(store, record("r1", "iris", data={"states": [secret]}))
    put(store, record("r2", "wine"))
    backup = store.backup()
    store.purge("r1", AUTHOR)
    assert [one.id for one in store.records("model")] == ["r2"]
    report = store.verify()
    assert report.ok, report
    store.close()
    assert all(secret.encode() not in file.read_bytes() for file in home.rglob("*") if file.is_file())
    assert backup.exists()


@requirement("store:records-are-purged")
def test_the_name_of_an_agent_goes_from_its_records_with_its_last_memory(store):
    with store.write("created", Author("s1", "ghost")) as tx:
        tx.put(record("r1", "iris", agent_id="ghost"))
    remember(store, "n1", agent_id="ghost")
    store.purge("n1", AUTHOR)
    assert [one.agent_id for one in store.records("model")] == [None]
    assert store.verify().ok


def test_a_backup_brings_records_back(store, home, clock):
    put(store, record("r1", "iris"))
    backup = store.backup()
    put(store, record("r2", "wine"))
    store.restore(backup, AUTHOR)
    assert [one.id for one in store.records("model")] == ["r1"]
    store.close()
    with Store.open(home, clock=clock, new_id=ids(3), flush_seconds=None) as again:
        assert [one.id for one in again.records("model")] == ["r1"] and again.verify().ok


def test_forgetting_a_memory_leaves_records_alone(store):
    put(store, record("r1", "iris"))
    remember(store, "n1")
    forget(store, "n1")
    assert [one.id for one in store.records("model")] == ["r1"]


def test_of_records_that_one_event_wrote_each_can_be_deleted_for_good(store, home):
    """The first deletion empties the event of both; what it says of the other is carried on, and goes with that."""
    with store.write("model", AUTHOR) as tx:
        tx.put(record("r1", "iris", data={"told": "four thousand seven hundred"}))
        tx.put(record("r2", "wine", data={"told": "eleven thousand and nine"}))
    store.purge("r1", AUTHOR)
    assert [one.id for one in store.records("model")] == ["r2"]
    store.purge("r2", AUTHOR)
    assert store.records("model") == [] and store.verify().ok
    with pytest.raises(NodeNotFound):
        store.purge("r2", AUTHOR)
    store.close()
    assert not any(b"eleven thousand and nine" in path.read_bytes() for path in home.rglob("*") if path.is_file())
