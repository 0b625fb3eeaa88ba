"""The questions that retrieval, resources and tools ask."""

import pytest
from store_scenes import AUTHOR, NOON, concept, edge, forget, link, memory, remember

from context_graph.errors import InvalidInput
from context_graph.models import EdgeType, Node
from context_graph.visibility import ANYONE


@pytest.fixture
def town(store):
    with store.write("created", AUTHOR) as tx:
        for i in range(6):
            session = "s1" if i % 2 == 0 else "s2"
            tx.put(memory(f"n{i}", tx.next_ordinal(), f"memory {i}", session_id=session, position=i // 2))
            tx.put_vector(f"n{i}", "E1", "m1", bytes([i]) * 4)
        tx.put_vector("n3", "E7", "m2", b"code")
        tx.put(concept("c1", "  Straße   der Ökologie "))
        tx.put(concept("c2", "Postgres", metadata={"name_key": "PostgreSQL"}, access_count=9))
        tx.put(edge("e1", "n0", "n1"))
        tx.put(edge("e2", "n1", "n2", edge_type=EdgeType.CAUSAL))
        tx.put(edge("e3", "n2", "c1", edge_type=EdgeType.RELATIONAL, origin="mentions"))
    return store


def test_nodes_come_in_the_order_asked_for_and_missing_ones_are_left_out(town):
    assert [n.id for n in town.nodes(["n4", "nowhere", "n1", "n4"])] == ["n4", "n1", "n4"]


def test_memories_come_in_the_order_they_were_stored(town):
    assert [n.id for n in town.memories()] == [f"n{i}" for i in range(6)]
    assert [n.id for n in town.memories(after_ordinal=2, limit=2)] == ["n3", "n4"]
    assert list(town.memories(limit=0)) == []
    forget(town, "n1")
    assert len(list(town.memories())) == 6, "all states"


def test_memories_beyond_one_batch_are_all_read(town, monkeypatch):
    monkeypatch.setattr("context_graph.store.sqlite.queries.nodes.BATCH", 2)
    assert [n.id for n in town.memories()] == [f"n{i}" for i in range(6)]
    assert [n.id for n in town.memories(limit=5)] == [f"n{i}" for i in range(5)]


def test_columns_are_read_in_bulk(town):
    assert town.columns(["id", "ordinal", "importance"], 3) == [("n4", 4, 0.5), ("n5", 5, 0.5)]
    assert town.columns(["importance_by_user", "state"])[0] == (0, "live")
    with pytest.raises(InvalidInput, match="no column"):
        town.columns(["id; DROP TABLE nodes"])
    with pytest.raises(InvalidInput, match="at least one"):
        town.columns([])


def test_vectors_are_read_by_node_and_by_ordinal(town):
    assert town.vectors(["n1", "n2", "nowhere"], "E1") == {"n1": b"\1" * 4, "n2": b"\2" * 4}
    assert town.vectors(["n1"], "E7") == {}
    assert town.vectors_by_ordinal("E1", 2, 3) == [(2, b"\2" * 4), (3, b"\3" * 4)]
    assert town.vectors_by_ordinal("E7", 0, 99) == [(3, b"code")]
    assert town.vector_models("n3") == {"E1": "m1", "E7": "m2"}


def test_edges_are_found_from_both_ends_once(town):
    assert [e.id for e in town.edges("n1")] == ["e1", "e2"]
    assert [e.id for e in town.edges(["n0", "n1", "n2"])] == ["e1", "e2", "e3"]
    assert [e.id for e in town.edges(["n1", "n2"], types=[EdgeType.CAUSAL])] == ["e2"]
    assert [e.id for e in town.edges_between(["n0", "n1", "n5"])] == ["e1"]
    assert [e.id for e in town.all_edges(types=["Relational"])] == ["e3"]
    assert town.edge("e2").edge_type is EdgeType.CAUSAL
    assert town.edge("e9") is None
    assert town.edges([]) == []


def test_a_concept_is_found_whatever_its_case_width_and_spacing(town):
    for key in ("straße der ökologie", "STRASSE DER ÖKOLOGIE", "Strasse\nder Ökologie"):
        assert town.concept(key).id == "c1"
    assert town.concept("postgresql").id == "c2"
    assert town.concept("memory 1") is None
    assert [c.id for c in town.concepts(10)] == ["c2", "c1"]
    assert [c.id for c in town.concepts(1, "name")] == ["c1"]
    with pytest.raises(InvalidInput, match="order"):
        town.concepts(1, "random()")


def test_a_renamed_concept_is_found_by_its_new_name(town):
    with town.write("renamed", AUTHOR) as tx:
        tx.update("c1", name="Ecology")
    assert town.concept("ECOLOGY").id == "c1"
    assert town.concept("straße der ökologie") is None


def test_a_session_is_read_backwards_and_given_forwards(town):
    assert [n.id for n in town.session_memories("s1", 2)] == ["n2", "n4"]
    assert [n.id for n in town.session_memories("s1", 5, before_position=2)] == ["n0", "n2"]
    assert (town.session_position("s1"), town.session_position("s9")) == (3, 0)
    forget(town, "n4")
    assert [n.id for n in town.session_memories("s1", 2)] == ["n0", "n2"]
    assert town.session_position("s1") == 3


def test_recent_memories_and_tombstones(town, clock):
    clock.now += 1_000
    with town.write("created", AUTHOR) as tx:
        tx.put(memory("n6", tx.next_ordinal(), importance=0.75))
    assert {n.id for n in town.recent(NOON, viewer=ANYONE)} == {f"n{i}" for i in range(7)}
    assert town.recent(NOON + 1, viewer=ANYONE) == []
    assert [n.id for n in town.recent(NOON, 1, "importance", viewer=ANYONE)] == ["n6"]
    forget(town, "n2")
    clock.now += 1_000
    forget(town, "n3")
    assert [n.id for n in town.tombstones()] == ["n3", "n2"]
    assert [n.id for n in town.tombstones(since=clock.now)] == ["n3"]
    assert town.counts() | {"bytes_on_disk": 0} == {
        "nodes": 9, "memories": 5, "concepts": 2, "edges": 1, "events": 4, "forgotten": 2, "quarantined": 0,
        "live_memories": 5, "bytes_on_disk": 0,
    }  # fmt: skip
    assert town.counts()["bytes_on_disk"] > 4096


def test_a_citation_tag_finds_its_node(store):
    for id in ("7f3a9c01-22aa-4bbb-8ccc-000000000001", "7f3a9c01-23aa-4bbb-8ccc-000000000001"):
        remember(store, id)
    assert [n.id[9:13] for n in store.find_by_prefix("7f3a9c01")] == ["22aa", "23aa"]
    assert [n.id[9:13] for n in store.find_by_prefix("7F3A9C0123")] == ["23aa"]
    assert [n.id[9:13] for n in store.find_by_prefix("7f3a9c01-22")] == ["22aa"]
    assert len(store.find_by_prefix("7f3a", 1)) == 1
    assert store.find_by_prefix("8") == []
    for bad in ("", "xyz", "7f%"):
        with pytest.raises(InvalidInput, match="hex digits"):
            store.find_by_prefix(bad)


def test_lineage_lists_what_touched_a_node_newest_last(town):
    link(town, "e4", "n4", "n5")
    with town.write("updated", AUTHOR) as tx:
        tx.update_edge("e4", weight=0.75)
    town.effects.add(AUTHOR, nodes=["n5"])
    town.effects.flush()
    forget(town, "n4")
    assert [e.type for e in town.lineage("n5")] == ["created", "linked", "updated", "forgotten"]
    assert [e.type for e in town.lineage("n5", 2)] == ["updated", "forgotten"]
    assert [e.type for e in town.lineage("n5", effects=True)][3] == "effects"
    assert [e.type for e in town.lineage("n0")] == ["created"]


def test_text_that_is_no_unicode_is_refused_in_a_question(town):
    with pytest.raises(InvalidInput, match="Unicode"):
        town.node("\ud800")


def test_a_scan_beyond_one_page_gives_every_item_once(town, monkeypatch):
    monkeypatch.setattr("context_graph.store.sqlite.queries.whole.BATCH", 2)
    pages = list(town.scan(Node))
    assert all(len(page) <= 2 for page in pages)
    found = [node for page in pages for node in page]
    assert (
        found[:6] == list(town.memories()) and len({node.id for node in found}) == len(found) == town.counts()["nodes"]
    )
