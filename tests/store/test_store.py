"""What a write promises, and what it refuses."""

import json
import math
import stat
import threading
from contextlib import closing
from dataclasses import replace

import apsw
import pytest
from store_scenes import AUTHOR, NOON, Clock, concept, edge, forget, ids, link, memory, remember, tables

from context_graph.errors import (
    FormatTooNew,
    InvalidInput,
    NodeNotFound,
    NotFound,
    Refused,
    StoreCorrupt,
    StoreError,
)
from context_graph.models import Goal, NodeState
from context_graph.store import Store, format_at
from context_graph.store.sqlite.changes import fold
from context_graph.store.sqlite.schema import FORMAT
from tests.requirements import requirement


def test_a_node_comes_back_as_it_went_in(store):
    text = "Zoë said: \u0000 \U0001f600 'quoted'"
    node = memory("n1", 0, text, importance=0.1 + 0.2, metadata={"b": [1, 2.5], "a": {}})
    with store.write("created", AUTHOR) as tx:
        assert tx.next_ordinal() == 0
        tx.put(node)
        assert tx.node("n1") == node, "a transaction reads its own writes"
    assert store.node("n1") == node
    assert tx.committed.hash == store.head()[1]


def test_negative_zero_is_kept_as_zero_because_sqlite_keeps_no_sign(store):
    with store.write("created", AUTHOR) as tx:
        tx.put(memory("n1", tx.next_ordinal(), phi=-0.0))
    assert math.copysign(1, store.node("n1").phi) == 1
    assert store.verify().ok


def test_a_write_that_raises_leaves_nothing(store):
    remember(store, "n1")
    before, head = tables(store), store.head()
    with pytest.raises(ZeroDivisionError), store.write("created", AUTHOR) as tx:
        tx.put(memory("n2", tx.next_ordinal()))
        tx.put_vector("n2", "E1", "m", b"vector of n2")
        tx.update("n1", importance=1.0)
        _ = 1 / 0
    assert tx.committed is None
    assert (tables(store), store.head()) == (before, head)
    assert store._rows("SELECT count(*) FROM blobs") == [(1,)]


def test_a_write_that_changes_nothing_makes_no_event(store):
    remember(store, "n1")
    head = store.head()
    with store.write("updated", AUTHOR) as tx:
        tx.update("n1", importance=0.5)
    assert tx.committed is None
    assert store.head() == head


def test_a_note_alone_is_an_event(store):
    with store.write("noticed", AUTHOR) as tx:
        tx.note["operation"] = "looked"
    assert store.events(1)[0].payload["note"] == {"operation": "looked"}


def test_an_update_records_only_the_columns_that_differ_before_and_after(store):
    remember(store, "n1")
    with store.write("updated", AUTHOR) as tx:
        tx.update("n1", importance=0.9, johari_quadrant="open", domain="general")
        tx.update("n1", importance=0.7)
    assert tx.committed.payload["changes"] == [
        {
            "table": "nodes",
            "key": ["n1"],
            "before": {"importance": 0.5, "johari_quadrant": "unknown"},
            "after": {"importance": 0.7, "johari_quadrant": "open"},
        }
    ]


def test_the_before_image_of_a_removed_row_is_the_whole_row(store):
    remember(store, "n1")
    remember(store, "n2")
    link(store, "e1", "n1", "n2", weight=1 / 3)
    (row,) = store._rows("SELECT * FROM edges")
    event = forget(store, "n1")
    change = next(change for change in event.payload["changes"] if change["table"] == "edges")
    assert change["after"] is None
    assert sorted(change["before"].values(), key=repr) == sorted(row, key=repr)


def test_a_payload_is_canonical_json(store):
    event = remember(store, "n1", "Grüße, 日本")
    ((body,),) = store._rows("SELECT payload FROM events")
    assert body == json.dumps(event.payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert store.event(event.hash[:8]) == event


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, "0.5", None])
def test_a_number_that_is_none_is_refused(store, bad):
    with pytest.raises(InvalidInput, match="importance"), store.write("created", AUTHOR) as tx:
        tx.put(memory("n1", tx.next_ordinal(), importance=bad))
    assert store.head()[0] == 0


@pytest.mark.parametrize("bad", [{"x": math.nan}, {"x": object()}, {"x": "\ud800"}])
def test_metadata_that_json_cannot_hold_is_refused(store, bad):
    with pytest.raises(InvalidInput, match="metadata"), store.write("created", AUTHOR) as tx:
        tx.put(memory("n1", tx.next_ordinal(), metadata=bad))


def test_a_note_that_json_cannot_hold_leaves_nothing(store):
    with pytest.raises(InvalidInput, match="JSON"), store.write("created", AUTHOR) as tx:
        tx.put(memory("n1", tx.next_ordinal()))
        tx.note["score"] = math.nan
    assert store.head()[0] == 0
    assert tables(store)["nodes"] == []


def test_text_that_is_no_unicode_is_refused(store):
    with pytest.raises(InvalidInput, match="content"), store.write("created", AUTHOR) as tx:
        tx.put(memory("n1", tx.next_ordinal(), "broken \ud800", name="x"))


def test_a_whole_number_beyond_64_bits_is_refused(store):
    with pytest.raises(InvalidInput, match="64-bit"), store.write("created", AUTHOR) as tx:
        tx.put(memory("n1", tx.next_ordinal(), access_count=2**63))


@pytest.mark.parametrize(
    ("column", "bad", "expected"),
    [
        ("access_count", 1.5, "a 64-bit integer"),
        ("importance_by_user", 2, "true or false"),
        ("state", "gone", "one of live, forgotten, quarantined"),
        ("speaker", 7, "text in valid Unicode or None"),
        ("metadata", [1], "a mapping"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named_with_what_was_expected(store, column, bad, expected):
    remember(store, "n1")
    with (
        pytest.raises(InvalidInput, match=rf"nodes\.{column} expects {expected}"),
        store.write("updated", AUTHOR) as tx,
    ):
        tx.update("n1", **{column: bad})


def test_only_what_has_a_table_is_put(store):
    expected = "expected a Node, Edge, Goal or Record, got dict"
    with pytest.raises(InvalidInput, match=expected), store.write("x", AUTHOR) as tx:
        tx.put({"id": "n1"})


def test_an_edge_needs_both_its_ends(store):
    remember(store, "n1")
    with pytest.raises(NodeNotFound, match="both its ends"):
        link(store, "e1", "n1", "nowhere")


def test_a_vector_needs_its_node(store):
    with pytest.raises(NodeNotFound, match="vector"), store.write("embedded", AUTHOR) as tx:
        tx.put_vector("nowhere", "E1", "m", b"1234")


def test_only_memories_have_ordinals(store):
    with pytest.raises(InvalidInput, match="next_ordinal"), store.write("created", AUTHOR) as tx:
        tx.put(memory("n1", None))
    with pytest.raises(InvalidInput, match="next_ordinal"), store.write("created", AUTHOR) as tx:
        tx.put(replace(concept("c1", "Redis"), ordinal=3))


def test_an_unknown_column_is_named_with_those_that_exist(store):
    remember(store, "n1")
    with pytest.raises(InvalidInput, match=r"no column 'weight'.*importance"), store.write("updated", AUTHOR) as tx:
        tx.update("n1", weight=1.0)
    with pytest.raises(InvalidInput, match="id"), store.write("updated", AUTHOR) as tx:
        tx.update("n1", id="n2")


def test_what_is_missing_cannot_be_updated_or_removed(store):
    with pytest.raises(NodeNotFound, match="search_graph"), store.write("updated", AUTHOR) as tx:
        tx.update("nowhere", importance=1.0)
    with pytest.raises(NotFound, match="edge"), store.write("updated", AUTHOR) as tx:
        tx.update_edge("nowhere", weight=1.0)
    with pytest.raises(NotFound, match="goal"), store.write("updated", AUTHOR) as tx:
        tx.remove(Goal(id="g1", text="x", created_at=NOON))


def test_an_edge_can_be_strengthened_and_redirected(store):
    for id in ("n1", "n2", "n3"):
        remember(store, id)
    link(store, "e1", "n1", "n2")
    with store.write("updated", AUTHOR) as tx:
        tx.update_edge("e1", weight=0.75, target="n3")
    assert [(e.weight, e.target) for e in store.edges("n3")] == [(0.75, "n3")]
    assert store.edges("n2") == []
    with pytest.raises(NodeNotFound), store.write("updated", AUTHOR) as tx:
        tx.update_edge("e1", target="nowhere")


def test_removing_a_node_takes_its_edges_vectors_and_pairs_with_it(store):
    remember(store, "n1")
    remember(store, "n2")
    link(store, "e1", "n1", "n2")
    store.effects.add(AUTHOR, pairs=[("n1", "n2")])
    store.effects.flush()
    with store.write("removed", AUTHOR) as tx:
        tx.remove(tx.node("n1"))
    assert [c["table"] for c in tx.committed.payload["changes"]] == ["edges", "vectors", "pairs", "nodes"]
    assert store.verify().ok


def test_ordinals_are_dense_and_never_come_back(store):
    event = remember(store, "n1")
    remember(store, "n2")
    store.undo(event.hash, AUTHOR)
    remember(store, "n3")
    store.purge("n3", AUTHOR)
    with pytest.raises(ZeroDivisionError), store.write("created", AUTHOR) as tx:
        tx.next_ordinal()
        _ = 1 / 0
    remember(store, "n4")
    assert [node.ordinal for node in store.memories()] == [1, 3]
    assert store.verify().ok


def test_reserved_event_types_are_refused(store):
    for type in ("undo", "purge", "effects", "checkpoint", ""):
        with pytest.raises(InvalidInput, match="event type"), store.write(type, AUTHOR):
            pass


def test_a_write_inside_a_write_is_refused_instead_of_waiting_for_itself(store):
    with store.write("noted", AUTHOR) as outer:
        with pytest.raises(Refused, match="already has a write open"), store.write("noted", AUTHOR):
            pass
        outer.note["kept"] = True
    assert store.head()[0] == 1


def test_a_write_that_has_ended_takes_no_more(store):
    with store.write("noted", AUTHOR) as tx:
        tx.note["x"] = 1
    with pytest.raises(Refused, match="has ended"):
        tx.put(memory("n1", 0))
    with pytest.raises(Refused, match="has ended"):
        tx.node("n1")


def test_readers_see_the_last_commit_while_a_write_is_open(store):
    remember(store, "n1")
    with store.write("updated", AUTHOR) as tx:
        tx.update("n1", importance=1.0)
        assert store.node("n1").importance == 0.5
    assert store.node("n1").importance == 1.0


def test_a_snapshot_stays_at_its_moment(store):
    remember(store, "n1")
    with store.snapshot() as then:
        assert then.head()[0] == 1
        remember(store, "n2")
        assert [n.id for n in then.nodes(["n1", "n2"])] == ["n1"]
    assert store.head()[0] == 2


def test_readers_cannot_write(store):
    with pytest.raises(StoreError, match="readonly"):
        store._rows("DELETE FROM nodes")


def test_threads_read_and_write_together(store):
    failures = []

    def work(name: int) -> None:
        try:
            for i in range(10):
                id = f"t{name}-{i}"
                remember(store, id)
                assert store.node(id).id == id
                store.counts()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [node.ordinal for node in store.memories()] == list(range(60))
    assert store.verify().ok


def test_only_the_owner_may_read_the_files(store, home):
    remember(store, "n1")
    store.checkpoint(AUTHOR)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in home.iterdir()}
    assert set(modes) == {"graph.sqlite3", "graph.sqlite3-wal", "graph.sqlite3-shm", "ed25519.key", "last-write"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_a_directory_that_holds_other_things_keeps_its_mode(tmp_path, clock):
    (tmp_path / "letter.txt").write_text("mine", encoding="utf-8")
    tmp_path.chmod(0o755)
    Store.open(tmp_path, clock=clock, new_id=ids()).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "graph.sqlite3").stat().st_mode) == 0o600


def test_a_newer_format_is_refused_untouched(home, clock):
    Store.open(home, clock=clock, new_id=ids()).close()
    connection = apsw.Connection(str(home / "graph.sqlite3"))
    connection.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT + 1),))
    connection.close()
    content = (home / "graph.sqlite3").read_bytes()
    with pytest.raises(FormatTooNew, match=rf"format {FORMAT + 1}.*upgrade"):
        Store.open(home, clock=clock, new_id=ids())
    assert (home / "graph.sqlite3").read_bytes() == content


def test_a_file_that_is_no_store_is_refused_untouched(home, clock):
    home.mkdir()
    (home / "graph.sqlite3").write_bytes(b"not a database " * 100)
    with pytest.raises(StoreCorrupt, match="left untouched"):
        Store.open(home, clock=clock, new_id=ids())
    assert (home / "graph.sqlite3").read_bytes() == b"not a database " * 100


@pytest.mark.parametrize("sign", ["last-write", "graph.sqlite3-wal", "backups"])
def test_a_store_that_was_truncated_is_no_empty_memory(store, home, clock, sign):
    remember(store, "n1")
    if sign == "backups":
        store.backup()
    log = (home / "graph.sqlite3-wal").read_bytes()
    store.close()
    if sign != "last-write":
        (home / "last-write").unlink()
    if sign == "graph.sqlite3-wal":
        (home / sign).write_bytes(log)
    (home / "graph.sqlite3").write_bytes(b"")
    for look in (lambda: Store.open(home, clock=clock, new_id=ids()), lambda: format_at(home)):
        with pytest.raises(StoreCorrupt, match=f"has 0 bytes, and {sign} beside it .* context-graph restore FILE"):
            look()
    assert (home / "graph.sqlite3").stat().st_size == 0
    assert sign != "graph.sqlite3-wal" or (home / sign).read_bytes() == log


@pytest.mark.parametrize("sign", ["last-write", "backups"])
def test_a_store_that_is_gone_is_no_empty_memory(store, home, clock, sign):
    remember(store, "n1")
    if sign == "backups":
        store.backup()
    store.close()
    (home / "graph.sqlite3").unlink()
    if sign != "last-write":
        (home / "last-write").unlink()
    for look in (lambda: Store.open(home, clock=clock, new_id=ids()), lambda: format_at(home)):
        with pytest.raises(StoreCorrupt, match=f"is gone, and {sign} beside it .* move {sign} away"):
            look()
    assert not (home / "graph.sqlite3").exists()
    (home / sign).rename(home.parent / "away")
    with Store.open(home, clock=clock, new_id=ids()) as empty:
        assert empty.counts()["memories"] == 0


def test_a_store_whose_making_was_interrupted_is_made(home, clock):
    home.mkdir()
    (home / "graph.sqlite3").touch()
    (home / "config.toml").write_text('tier = "base"\n', encoding="utf-8")
    with Store.open(home, clock=clock, new_id=ids()) as store:
        assert store.verify().ok and store.counts()["memories"] == 0


def test_a_home_that_cannot_be_made_is_a_clear_error(tmp_path, clock):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="writable directory"):
        Store.open(tmp_path / "file" / "home", clock=clock, new_id=ids())


def test_a_closed_store_says_so(store):
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.node("n1")
    with pytest.raises(StoreError, match="closed"):
        remember(store, "n1")


def test_a_full_disk_is_an_error_that_leaves_nothing(store):
    remember(store, "n1")
    before, head = tables(store), store.head()
    pages = store._rows("PRAGMA page_count")[0][0]
    store._writer._connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    with pytest.raises(StoreError, match=r"full.*nothing was written"):
        remember(store, "n2", "far too long for what is left " * 1_000)
    assert (tables(store), store.head()) == (before, head)
    store._writer._connection.execute("PRAGMA max_page_count = 1000000").fetchall()
    remember(store, "n2")
    assert store.verify().ok


def test_goals_and_sessions_are_kept(store, clock):
    goal = Goal(id="g1", text="Ship it", created_at=NOON)
    with store.write("goal", AUTHOR) as tx:
        tx.put(goal)
        tx.put_session("s1", {"dopamine": 0.5})
    clock.now += 1_000_000
    with store.write("felt", AUTHOR) as tx:
        tx.put_session("s1", {"dopamine": 0.75})
    session = store.session("s1")
    assert store.goals() == [goal]
    assert (session.started_at, session.last_seen, session.agent_id) == (NOON, NOON + 1_000_000, "tester")
    assert session.state == {"dopamine": 0.75}
    assert store.sessions() == [session]
    assert store.session("s2") is None
    with store.write("goal", AUTHOR) as tx:
        tx.remove(goal)
    assert store.goals() == []


def test_equal_vectors_share_one_blob(store):
    remember(store, "n1")
    remember(store, "n2")
    assert store._rows("SELECT count(*) FROM blobs") == [(1,)]
    assert store.vectors(["n1", "n2", "n3"], "E1") == dict.fromkeys(("n1", "n2"), b"The cat sat on the mat." * 3)


def test_folding_a_change_that_does_not_fit_is_an_error(store):
    change = {"table": "nodes", "key": ["n1"], "before": {"phi": 0.0}, "after": {"phi": 1.0}}
    with pytest.raises(StoreCorrupt, match="expected to be there"), store._writer.transaction() as connection:
        fold(connection, change)


def test_the_clock_of_events_never_runs_back(store, clock: Clock):
    stamps = []
    for step in (0, 0, -60_000_000, 5_000, 120_000_000, -1):
        clock.now += step
        stamps.append(remember(store, f"n{len(stamps)}").hlc)
    assert stamps == sorted(set(stamps))
    assert stamps[4] >> 16 == clock.now // 1000 + 1 or stamps[4] >> 16 == (clock.now + 1) // 1000


def test_state_of_a_quarantined_node_is_visible(store):
    remember(store, "n1")
    with store.write("quarantined", AUTHOR) as tx:
        tx.update("n1", state=NodeState.QUARANTINED, state_reason="injection", state_at=tx.now, state_by="system")
    assert store.node("n1").state_reason == "injection"
    assert [n.id for n in store.tombstones(states=["quarantined"])] == ["n1"]
    assert store.tombstones() == []


def test_an_edge_may_join_a_node_to_itself(store):
    remember(store, "n1")
    link(store, "e1", "n1", "n1")
    assert [e.id for e in store.edges(["n1"])] == ["e1"]
    with store.write("removed", AUTHOR) as tx:
        assert tx.remove_edges("n1") == 1
        tx.put(edge("e2", "n1", "n1"))
    assert store.verify().ok


@requirement("store:foreign-link")
def test_a_store_that_links_to_the_file_of_another_user_is_refused(tmp_path, monkeypatch):
    (tmp_path / "one").mkdir()
    Store.open(tmp_path / "one", clock=lambda: 9, new_id=ids()).close()
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "graph.sqlite3").symlink_to(tmp_path / "one" / "graph.sqlite3")
    Store.open(tmp_path / "two", clock=lambda: 9, new_id=ids()).close()
    monkeypatch.setattr("os.geteuid", lambda: 54_321)
    with pytest.raises(StoreError, match="a link to a file of another user"):
        Store.open(tmp_path / "two", clock=lambda: 9, new_id=ids())


def test_nodes_and_edges_of_one_write_have_ids_that_begin_alike(store):
    first, second = "11111111-aaaa-4000-8000-000000000001", "22222222-bbbb-4000-8000-000000000002"
    with store.write("created", AUTHOR) as tx:
        assert [tx.edge_id(first), tx.edge_id(second)] == [first, "11111111-bbbb-4000-8000-000000000002"]
    with store.write("created", AUTHOR) as tx:
        assert tx.edge_id(second) == second
    with store.write("created", AUTHOR) as tx:
        assert [tx.node_id(first), tx.node_id(second)] == [first, "11122222-bbbb-4000-8000-000000000002"]
        assert [tx.edge_id(second), tx.edge_id(first)] == ["111" + second[3:], "11122222" + first[8:]]


def test_who_writes_next_reads_what_is_committed_and_nobody_else_writes_meanwhile(store):
    remember(store, "n1")
    waiting = threading.Thread(target=remember, args=(store, "n2"))
    with store.reading_to_write() as reader:
        waiting.start()
        assert reader.existing(["n1", "n2"]) == {"n1"}
        with pytest.raises(Refused), store.write("created", AUTHOR):
            pass
    waiting.join()
    with store.reading_to_write() as reader:
        assert reader.existing(["n1", "n2"]) == {"n1", "n2"}


def test_an_index_that_nobody_reads_is_dropped(home, clock):
    Store.open(home, clock=clock, new_id=ids()).close()
    with closing(apsw.Connection(str(home / "graph.sqlite3"))) as connection:
        connection.execute("CREATE INDEX vectors_by_blob ON vectors (sha256)")
    with Store.open(home, clock=clock, new_id=ids()) as store:
        assert store._rows("SELECT name FROM sqlite_schema WHERE name = 'vectors_by_blob'") == []


@pytest.mark.parametrize("looked_at", [True, False])
def test_rows_that_wait_are_there_for_whoever_asks_and_go_with_a_step_that_fails(store, looked_at):
    with store.write("created", AUTHOR) as tx:
        tx.put(memory("n1", tx.next_ordinal()))
        tx.put(memory("n2", tx.next_ordinal(), position=1))
        tx.put_edges([edge("e2", "n1", "n2"), edge("e1", "n2", "n1")])
        tx.put_vectors("n1", {"E1": ("model", b"one")})
        with pytest.raises(ZeroDivisionError), tx.step():
            tx.put_edges([edge("e3", "n1", "n2")])
            tx.put_vectors("n2", {"E1": ("model", b"two")})
            if looked_at:  # by then those before the step are in the tables as well
                assert [one.id for one in tx.edges("n1")] == ["e1", "e2", "e3"]
                assert tx.vectors(["n1", "n2"], "E1") == {"n1": b"one", "n2": b"two"}
            raise ZeroDivisionError
        with tx.step():
            tx.update_edge("e1", weight=0.75)
            tx.remove_vector("n1", "E1")
            tx.put_vector("n1", "E1", "model", b"three")
    assert [(one.id, one.weight) for one in store.edges("n1")] == [("e1", 0.75), ("e2", 0.5)]
    assert store.vectors(["n1", "n2"], "E1") == {"n1": b"three"}
    assert store.verify().ok


def test_rows_that_wait_go_with_a_write_that_fails(store):
    before = tables(store)
    with pytest.raises(ZeroDivisionError), store.write("created", AUTHOR) as tx:
        tx.put(memory("n1", tx.next_ordinal()))
        tx.put_vectors("n1", {"E1": ("model", b"one")})
        raise ZeroDivisionError
    assert tables(store) == before
