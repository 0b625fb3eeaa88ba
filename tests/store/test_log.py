"""The chain of hashes finds what was touched, and where."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_scenes import AUTHOR, NOON, forget, link, remember

from context_graph.errors import EventNotFound, StoreError
from context_graph.models import Author
from context_graph.store import clock as hlc
from context_graph.store import keys, merkle
from context_graph.store.chain import GENESIS, chain_hash
from context_graph.store.sqlite.log import append


def tamper(store, sql: str, *values) -> None:
    """Change the file behind the store's back."""
    with store._writer.alone() as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(sql, values)


@pytest.fixture
def log(store):
    remember(store, "n1")
    remember(store, "n2")
    link(store, "e1", "n1", "n2")
    store.checkpoint(AUTHOR)
    forget(store, "n1")
    assert store.verify().ok
    return store


def test_every_event_names_the_one_before(log):
    events = log.events_since(0)
    assert [event.seq for event in events] == [1, 2, 3, 4, 5]
    assert [event.previous_hash for event in events] == [GENESIS, *(event.hash for event in events[:-1])]
    assert log.head() == (5, events[-1].hash)
    assert [e.seq for e in log.events(2)] == [5, 4]
    assert [e.seq for e in log.events(9, before_seq=3)] == [2, 1]
    assert [e.seq for e in log.events(9, type="created")] == [2, 1]
    assert [e.seq for e in log.events_since(3)] == [4, 5]


def test_equal_writes_have_different_hashes(store, clock):
    first, second = (remember(store, id).payload_hash for id in ("n1", "n2"))
    assert first != second


@pytest.mark.parametrize("seq", [1, 3, 4, 5])
@pytest.mark.parametrize(
    "column", ["id", "type", "agent_id", "session_id", "context_id", "payload_hash", "previous_hash", "hash"]
)
def test_any_change_to_an_event_is_found_with_its_position(log, seq, column):
    tamper(log, f"UPDATE events SET {column} = '0' || substr({column}, 2) || 'f' WHERE seq = ?", seq)
    report = log.verify()
    assert not report.ok
    assert (report.chain_intact, report.first_bad_seq) == (False, seq)
    assert report.reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("hlc = hlc + 1", "time or author"),
        ("salt = zeroblob(16)", "payload"),
        ("salt = NULL", "payload"),
        ("payload = NULL", "payload"),
        ("payload = NULL, salt = NULL", "no purge says"),
        ("agent_id = NULL", "author"),
    ],
)
def test_what_is_emptied_or_shifted_is_found(log, change, reason):
    tamper(log, f"UPDATE events SET {change} WHERE seq = 3")
    report = log.verify()
    assert report.first_bad_seq == 3
    assert reason in report.reason


def test_every_single_byte_of_a_payload_counts(log):
    ((body,),) = log._rows("SELECT payload FROM events WHERE seq = 3")
    for at in range(0, len(body), 7):
        changed = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        tamper(log, "UPDATE events SET payload = ? WHERE seq = 3", changed)
        assert log.verify().first_bad_seq == 3, f"byte {at}"
    tamper(log, "UPDATE events SET payload = ? WHERE seq = 3", body)
    assert log.verify().ok


def test_a_removed_event_is_found(log):
    tamper(log, "DELETE FROM events WHERE seq = 2")
    assert log.verify().first_bad_seq == 2


def test_a_log_cut_short_is_damaged_itself_and_a_replay_would_drop_what_the_tables_know(log):
    tamper(log, "DELETE FROM events WHERE seq = 5")
    report = log.verify()
    assert not report.chain_intact and not report.projection_equal
    assert report.first_bad_seq == 5 and "its tail is lost" in report.reason


@pytest.mark.parametrize(
    ("sql", "row"),
    [
        ("UPDATE nodes SET content = 'The dog sat.' WHERE id = 'n2'", "nodes: the row n2"),
        ("UPDATE nodes SET importance = 0.5000000000000001 WHERE id = 'n2'", "nodes: the row n2"),
        ("INSERT INTO goals VALUES ('g1', 'World peace', 0)", "goals: the row g1"),
        ("DELETE FROM counters", "counters: the row ordinal"),
        ("UPDATE blobs SET data = x'00'", "does not hold the bytes"),
        ("DELETE FROM blobs", "lost its blob"),
    ],
)
def test_a_table_changed_without_an_event_is_found(log, sql, row):
    tamper(log, sql)
    report = log.verify()
    assert report.chain_intact
    assert not report.ok
    assert any(row in line for line in report.differences)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"table": "nodes", "key": ["n2"], "before": {"phi": 0.5}, "after": {"phi": 1.0}}, "what the event says"),
        ({"table": "nodes", "key": ["n9"], "before": {}, "after": {"phi": 1.0}}, "what the event says"),
        ({"table": "elsewhere", "key": ["n2"], "before": None, "after": {}}, "cannot be folded"),
    ],
)
def test_an_event_that_does_not_fit_those_before_it_is_found(log, change, reason):
    """Well hashed, and still wrong: only replay can tell."""
    payload = {"note": {}, "changes": [change], "blobs": []}
    with log._writer.transaction() as connection:
        append(connection, type="forged", author=AUTHOR, payload=payload, touched=(), now=NOON, new_id=lambda: "x")
    report = log.verify()
    assert (report.first_bad_seq, report.projection_equal) == (6, False)
    assert reason in report.reason


def test_a_clock_that_ran_back_is_found(log, monkeypatch):
    monkeypatch.setattr("context_graph.store.sqlite.log.tick", lambda last, now: last)
    remember(log, "n3")
    assert "time is not after" in log.verify().reason


def test_a_rewritten_chain_does_not_fit_the_signed_checkpoint(log):
    """Someone who recomputes all hashes still cannot sign."""
    previous = GENESIS
    for event in log.events_since(0):
        type = event.type if event.type == "checkpoint" else "forged"
        hash = chain_hash(
            previous, event.seq, event.id, type, event.hlc, event.author_hash or event.author, event.payload_hash
        )
        sql = "UPDATE events SET type = ?, hash = ?, previous_hash = ? WHERE seq = ?"
        tamper(log, sql, type, hash, previous, event.seq)
        previous = hash
    report = log.verify()
    assert report.first_bad_seq == 4
    assert "signed checkpoint" in report.reason


def test_a_checkpoint_states_size_head_and_root(log):
    (event,) = log.events(1, type="checkpoint")
    before = log.events_since(0)[:3]
    note = event.payload["note"]
    assert (note["size"], note["head"]) == (3, before[-1].hash)
    assert note["root"] == merkle.root(bytes.fromhex(e.hash) for e in before).hex()
    assert note["public_key"] == keys.public_key(log.home)
    assert log.verify().checkpoints == 1


def test_a_damaged_key_is_not_replaced(log):
    (log.home / "ed25519.key").write_bytes(b"short")
    with pytest.raises(StoreError, match="32 bytes, got 5"):
        log.checkpoint(AUTHOR)


def test_a_signature_of_something_else_does_not_count(tmp_path):
    signature = keys.sign(tmp_path, b"one")
    assert keys.verify(keys.public_key(tmp_path), b"one", signature)
    assert not keys.verify(keys.public_key(tmp_path), b"two", signature)
    assert not keys.verify("zz", b"one", signature)


def test_an_unknown_event_is_not_found(log):
    with pytest.raises(EventNotFound, match="00000000"):
        log.event("0000000000000000")


def test_an_author_may_have_no_agent_and_no_context(store):
    with store.write("noted", Author(session_id="s2")) as tx:
        tx.note["x"] = 1
    assert store.events(1)[0].author == Author(session_id="s2")
    assert store.verify().ok


def leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\0" + data).digest()


def inner(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def definition(leaves: list[bytes]) -> bytes:
    """RFC 6962, section 2.1, word for word."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaf(leaves[0])
    k = 1 << ((len(leaves) - 1).bit_length() - 1)
    return inner(definition(leaves[:k]), definition(leaves[k:]))


@given(st.lists(st.binary(max_size=8), max_size=40))
def test_the_merkle_root_agrees_with_its_definition(leaves):
    assert merkle.root(leaves) == definition(leaves)


@given(st.lists(st.integers(0, 2**47 * 1000), max_size=30))
def test_stamps_rise_whatever_the_clock_does_and_follow_it_forward(times):
    last = 0
    for now in times:
        stamp = hlc.tick(last, now)
        assert stamp > last
        assert stamp >= (now // 1000) << 16
        assert hlc.time_of(stamp) >= now // 1000 * 1000
        last = stamp


def test_a_full_counter_borrows_the_next_millisecond():
    full = (NOON // 1000 << 16) + 0xFFFF
    assert hlc.time_of(hlc.tick(full, NOON)) == NOON + 1_000


def test_events_are_read_and_counted_within_a_span_of_time(log):
    stamps = [event.hlc for event in log.events_since(0)]
    span = {"since": stamps[1], "until": stamps[3]}
    assert [event.seq for event in log.events(**span)] == [3, 2]
    assert (log.event_count(), log.event_count(**span)) == (5, 2)
    kind = log.event_at(2).type
    assert log.event_count(kind, **span) == len(log.events(type=kind, **span)) >= 1
    assert log.events(1, before_seq=3, **span)[0].seq == 2
    assert hlc.time_of(hlc.first_stamp(hlc.time_of(stamps[2]))) == hlc.time_of(stamps[2])
    assert log.event_count(until=hlc.first_stamp(2**62)) == 5, "a time that no stamp can hold is the last one"
