"""Undo restores byte for byte, and says what it cannot restore."""

import pytest
from store_scenes import AUTHOR, concept, edge, forget, link, memory, remember, tables

from context_graph.errors import InvalidInput, NodeNotFound, Refused, ReversalNotFound
from context_graph.store import Store

DAY = 86_400_000_000


def without_counters(store):
    return {name: rows for name, rows in tables(store).items() if name not in ("counters", "sessions")}


@pytest.fixture
def pair(store: Store) -> Store:
    remember(store, "n1")
    remember(store, "n2", "Another thing entirely.")
    link(store, "e1", "n1", "n2", weight=1 / 3)
    return store


def test_forgetting_is_undone_byte_for_byte(pair):
    before = tables(pair)
    event = forget(pair, "n1")
    undone = pair.undo(event.hash[:16], AUTHOR)
    assert tables(pair) == before
    assert (undone.node_ids, undone.edges, undone.conflicts) == (("n1",), 1, ())
    assert undone.original_type == "forgotten"
    assert undone.original_hlc_time == pair._clock()
    assert undone.event.payload["note"]["undoes"] == event.id


def test_a_forgotten_node_tells_how_to_bring_it_back(pair):
    event = forget(pair, "n1")
    with pytest.raises(NodeNotFound, match=rf"forgotten on 2026-11-21; restore_from_hash\('{event.hash[:16]}'\)"):
        pair.node("n1")
    assert pair.node("n1", forgotten=True).state == "forgotten"


def test_undoing_an_undo_redoes(pair):
    event = forget(pair, "n1")
    forgotten = tables(pair)
    undone = pair.undo(event.hash, AUTHOR)
    again = pair.undo(undone.event.hash, AUTHOR)
    assert tables(pair) == forgotten
    assert again.original_type == "undo"
    pair.undo(event.hash, AUTHOR)  # the undo is undone, so the forgetting stands and can be undone again
    assert pair.node("n1").state == "live"
    assert pair.verify().ok


def test_an_event_is_not_undone_twice(pair):
    event = forget(pair, "n1")
    undone = pair.undo(event.hash, AUTHOR)
    with pytest.raises(Refused, match=rf"already undone.*restore_from_hash\('{undone.event.hash[:16]}'\)"):
        pair.undo(event.hash, AUTHOR)


def test_a_chain_of_redoing_may_be_long(pair):
    event = forget(pair, "n1")
    for i in range(6):
        undone = pair.undo(event.hash, AUTHOR)
        assert pair.node("n1", forgotten=True).state == ("live" if i % 2 == 0 else "forgotten")
        event = undone.event
    with pytest.raises(Refused, match="already undone"):
        pair.undo(event.payload["note"]["hash"], AUTHOR)
    assert pair.verify().ok


def test_a_preview_changes_nothing_and_tells_the_same(pair):
    event = forget(pair, "n1")
    before, head = tables(pair), pair.head()
    preview = pair.undo(event.hash, AUTHOR, preview=True)
    assert (tables(pair), pair.head()) == (before, head)
    done = pair.undo(event.hash, AUTHOR)
    assert preview.event is None
    assert (preview.node_ids, preview.edges, preview.conflicts) == (done.node_ids, done.edges, done.conflicts)


def test_storing_is_undone_with_vectors_and_redone(pair):
    before = without_counters(pair)
    event = remember(pair, "n3", "A third.")
    after = without_counters(pair)
    undone = pair.undo(event.hash, AUTHOR)
    assert without_counters(pair) == before
    with pytest.raises(NodeNotFound, match=r"taken back on .*restore_from_hash"):
        pair.node("n3")
    pair.undo(undone.event.hash, AUTHOR)
    assert without_counters(pair) == after
    assert pair.vectors(["n3"], "E1") == {"n3": b"A third." * 3}


def test_what_others_refer_to_is_not_taken_away(pair):
    event = remember(pair, "n3")
    link(pair, "e2", "n2", "n3")
    with pytest.raises(Refused, match=r"link .*joins '.*' \(n3\) to '.*' \(n2\).*forget the node instead"):
        pair.undo(event.hash, AUTHOR)
    assert pair.node("n3")
    assert len(pair.edges("n3")) == 1


def test_links_that_were_made_by_themselves_since_go_along_and_come_back(pair):
    before = without_counters(pair)
    event = remember(pair, "n3")
    link(pair, "e2", "n2", "n3", origin="semantic")
    linked = without_counters(pair)
    undone = pair.undo(event.hash, AUTHOR)
    assert without_counters(pair) == before
    pair.undo(undone.event.hash, AUTHOR)
    assert without_counters(pair) == linked and pair.verify().ok


def test_a_concept_that_others_mention_since_stays(pair):
    with pair.write("created", AUTHOR) as tx:
        tx.put(concept("c1", "boiler"))
        tx.put(edge("e2", "n1", "c1", origin="mention"))
    link(pair, "e3", "n2", "c1", origin="mention")
    undone = pair.undo(tx.committed.hash, AUTHOR)
    assert pair.node("c1") and [one.id for one in pair.edges("c1")] == ["e3"]
    assert "mentioned by others since" in undone.conflicts[0]


def test_what_supersedes_others_is_not_taken_away(pair):
    event = remember(pair, "n3")
    with pair.write("superseded", AUTHOR) as tx:
        tx.update("n1", superseded_by="n3")
    with pytest.raises(Refused, match=r"\(n1\) is superseded by .*\(n3\)"):
        pair.undo(event.hash, AUTHOR)


def test_an_event_that_both_stores_and_supersedes_is_undone_whole(pair):
    before = without_counters(pair)
    with pair.write("created", AUTHOR) as tx:
        tx.put(memory("n3", tx.next_ordinal()))
        tx.put(edge("e2", "n3", "n1"))
        tx.update("n1", superseded_by="n3", valid_to=tx.now)
    pair.undo(tx.committed.hash, AUTHOR)
    assert without_counters(pair) == before


def test_only_columns_that_the_event_changed_go_back(pair):
    with pair.write("updated", AUTHOR) as tx:
        tx.update("n1", importance=0.9, rationale="because")
    with pair.write("updated", AUTHOR) as later:
        later.update("n1", importance=0.95, speaker="Ada")
    undone = pair.undo(tx.committed.hash, AUTHOR)
    node = pair.node("n1")
    assert (node.importance, node.rationale, node.speaker) == (0.95, "", "Ada")
    assert undone.conflicts == ("importance of node n1 was changed again since",)
    assert undone.event.payload["note"]["conflicts"] == list(undone.conflicts)


def test_where_nothing_can_go_back_nothing_is_written_and_the_event_stays_undoable(pair):
    with pair.write("updated", AUTHOR) as tx:
        tx.update("n1", importance=0.9)
    with pair.write("updated", AUTHOR) as later:
        later.update("n1", importance=0.95)
    head = pair.head()
    for preview in (True, False):
        undone = pair.undo(tx.committed.hash, AUTHOR, preview=preview)
        assert (undone.event, undone.changed, undone.node_ids) == (None, False, ())
        assert undone.conflicts == ("importance of node n1 was changed again since",)
    assert pair.head() == head
    pair.undo(later.committed.hash, AUTHOR)
    assert pair.undo(tx.committed.hash, AUTHOR).changed


def test_an_undo_says_what_goes_and_what_ends_with_it(pair):
    with pair.write("created", AUTHOR) as tx:
        tx.put(memory("n3", tx.next_ordinal()))
        tx.update("n1", superseded_by="n3", valid_to=tx.now)
    undone = pair.undo(tx.committed.hash, AUTHOR)
    assert (set(undone.node_ids), undone.removed, undone.closed) == ({"n1", "n3"}, ("n3",), ())
    again = pair.undo(undone.event.hash, AUTHOR)
    assert (again.removed, again.closed) == ((), ("n1",))


def test_forgetting_can_be_taken_back_though_its_reason_was_edited(pair):
    event = forget(pair, "n1")
    with pair.write("updated", AUTHOR) as tx:
        tx.update("n1", state_reason="edited")
    assert pair.undo(event.hash, AUTHOR).conflicts == ()
    assert pair.node("n1").state_reason is None


def test_an_edge_whose_other_end_is_gone_is_a_conflict(pair):
    event = forget(pair, "n1")
    with pair.write("removed", AUTHOR) as tx:
        tx.remove(tx.node("n2"))
    undone = pair.undo(event.hash, AUTHOR)
    assert undone.conflicts == ("edge e1 needs node n2, which is gone",)
    assert pair.node("n1").state == "live"
    assert pair.verify().ok


def test_what_came_back_another_way_is_a_conflict(pair):
    edge_e1 = pair.edge("e1")
    event = forget(pair, "n1")
    with pair.write("linked", AUTHOR) as tx:
        tx.put(edge_e1)
    assert pair.undo(event.hash, AUTHOR).conflicts == ("edge e1 exists again",)


def test_what_went_another_way_is_a_conflict(pair):
    remember(pair, "n3")
    with pair.write("updated", AUTHOR) as weighed:
        weighed.update_edge("e1", weight=0.75)
    with pair.write("updated", AUTHOR) as redirected:
        redirected.update_edge("e1", source="n3")
    with pair.write("removed", AUTHOR) as tx:
        tx.remove(tx.node("n1"))
    assert pair.undo(redirected.committed.hash, AUTHOR).conflicts == ("edge e1 needs node n1, which is gone",)
    assert pair.edge("e1").source == "n3"
    forget(pair, "n3")
    assert pair.undo(weighed.committed.hash, AUTHOR).conflicts == ("edge e1 is gone",)
    assert pair.verify().ok


def test_a_merge_is_undone_to_the_byte(pair):
    with pair.write("created", AUTHOR) as tx:
        tx.put(concept("c1", "Cats"))
        tx.put(edge("e2", "n1", "c1"))
        tx.put(edge("e3", "n2", "c1"))
    before = without_counters(pair)
    with pair.write("merged", AUTHOR) as tx:
        tx.put(memory("m1", tx.next_ordinal(), "Both."))
        tx.update_edge("e2", source="m1")
        tx.remove_edges("n2")
        tx.update("n1", state="forgotten", state_at=tx.now)
        tx.update("n2", state="forgotten", state_at=tx.now)
    merged = without_counters(pair)
    undone = pair.undo(tx.committed.hash, AUTHOR)
    assert without_counters(pair) == before
    pair.undo(undone.event.hash, AUTHOR)
    assert without_counters(pair) == merged
    assert pair.verify().ok


def test_effects_of_reads_do_not_stand_in_the_way(pair):
    event = remember(pair, "n3")
    pair.effects.add(AUTHOR, nodes=["n3", "n1"], pairs=[("n3", "n1")], state={"x": 1})
    pair.effects.flush()
    pair.undo(event.hash, AUTHOR)
    assert pair.counts()["nodes"] == 2
    assert pair.session("s1").state == {"x": 1}
    with pytest.raises(Refused, match="effects"):
        pair.undo(pair.events(1, type="effects")[0].hash, AUTHOR)


def test_an_old_event_is_no_longer_undone(pair, clock):
    event = forget(pair, "n1")
    clock.now += 30 * DAY - 1
    pair.undo(event.hash, AUTHOR, preview=True)
    clock.now += 1_001
    with pytest.raises(ReversalNotFound, match="2026-11-21 and can be undone for 30 days"):
        pair.undo(event.hash, AUTHOR)


def test_a_hash_that_names_nothing_is_a_clear_error(pair):
    with pytest.raises(ReversalNotFound, match="check the digits"):
        pair.undo("0123456789abcdef", AUTHOR)
    for bad in ("abc", "not-a-hash", ""):
        with pytest.raises(InvalidInput, match="8 or more hex digits"):
            pair.undo(bad, AUTHOR)


def test_an_ambiguous_prefix_is_refused(pair):
    with pair._writer.transaction() as connection:  # two hashes that share eight digits are not found by waiting
        connection.execute("UPDATE events SET hash = 'abcdefab' || substr(hash, 9)")
    with pytest.raises(InvalidInput, match="several events"):
        pair.undo("abcdefab", AUTHOR)
