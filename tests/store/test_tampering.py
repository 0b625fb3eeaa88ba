"""Whatever is changed behind the log's back is found, with its place."""

from random import Random

import apsw
import pytest
from store_scenes import AUTHOR, concept, forget, ids, link, remember, tables

from context_graph.errors import StoreCorrupt, StoreError
from context_graph.store import Store
from tests.requirements import requirement

COLUMNS = (
    "id", "type", "hlc", "agent_id", "session_id", "context_id", "salt", "payload_hash", "previous_hash", "hash",
    "payload", "author_salt", "author_hash",
)  # fmt: skip


@pytest.fixture
def busy(store):
    """A store in which everything happened once."""
    remember(store, "n1", "Anna plays the clarinet.")
    remember(store, "n2", "Bo likes rain.")
    with store.write("linked", AUTHOR) as tx:
        tx.put(concept("c1", "Anna"))
    link(store, "e1", "n1", "c1")
    event = forget(store, "n2")
    store.undo(event.hash, AUTHOR)
    remember(store, "n3", "thrown away for good")
    store.purge("n3", AUTHOR)
    store.effects.add(AUTHOR, nodes=["n1"], pairs=[("n1", "n2")])
    store.effects.flush()
    store.checkpoint(AUTHOR)
    remember(store, "n4", "The last one.")
    assert store.verify().ok
    return store


def changed(value):
    """The value with one byte, or one unit, different."""
    if value is None:
        return b"\0" * 16
    if isinstance(value, int):
        return value + 1_000
    if isinstance(value, bytes):
        return value[:-2] + bytes([value[-2] ^ 1]) + value[-1:]
    return value[:-1] + chr(ord(value[-1]) ^ 1) if value else "x"


@pytest.mark.parametrize("column", COLUMNS)
def test_every_field_of_every_event_is_watched(busy, home, column):
    connection = apsw.Connection(str(home / "graph.sqlite3"))
    for seq, value in connection.execute(f"SELECT seq, {column} FROM events ORDER BY seq").fetchall():
        connection.execute(f"UPDATE events SET {column} = ? WHERE seq = ?", (changed(value), seq))
        report = busy.verify()
        assert not report.chain_intact, (seq, column)
        assert report.first_bad_seq == seq, (seq, column, report)
        assert report.reason
        connection.execute(f"UPDATE events SET {column} = ? WHERE seq = ?", (value, seq))
    assert busy.verify().ok


def test_every_byte_of_a_payload_is_watched(busy, home):
    connection = apsw.Connection(str(home / "graph.sqlite3"))
    (payload,) = connection.execute("SELECT payload FROM events WHERE seq = 2").fetchone()
    for at in Random(0).sample(range(len(payload)), 60):
        flipped = payload[:at] + bytes([payload[at] ^ (1 << at % 8)]) + payload[at + 1 :]
        connection.execute("UPDATE events SET payload = ? WHERE seq = 2", (flipped,))
        assert busy.verify().first_bad_seq == 2
    connection.execute("UPDATE events SET payload = ? WHERE seq = 2", (payload,))
    assert busy.verify().ok


@pytest.mark.parametrize(
    ("sql", "bad"),
    [
        ("DELETE FROM events WHERE seq = 3", 3),
        ("UPDATE events SET seq = 10000 WHERE seq = 4", 4),
        (
            "INSERT INTO events SELECT seq + 1, 'x', type, hlc + 1, agent_id, session_id, context_id, salt,"
            " payload_hash, hash, 'y', payload, author_salt, author_hash FROM events ORDER BY seq DESC LIMIT 1",
            12,
        ),
    ],
)
def test_a_removed_a_moved_and_an_added_event_are_found(busy, home, sql, bad):
    apsw.Connection(str(home / "graph.sqlite3")).execute(sql)
    assert busy.verify().first_bad_seq == bad


def test_every_listing_of_an_event_under_a_row_is_watched(busy, home):
    """Lineage and permanent deletion find events through it."""
    connection = apsw.Connection(str(home / "graph.sqlite3"))
    known = connection.execute("SELECT key, seq FROM touched").fetchall()
    purged = {seq for (seq,) in connection.execute("SELECT seq FROM events WHERE payload IS NULL")}
    for key, seq in known:
        connection.execute("DELETE FROM touched WHERE key = ? AND seq = ?", (key, seq))
        if seq not in purged:  # of a purged event nobody knows any more what it changed
            assert busy.verify().differences == (f"touched: event {seq} is not listed under {key}",)
        connection.execute("INSERT INTO touched VALUES (?, ?)", (key, seq))
    assert busy.verify().ok


@pytest.mark.parametrize("table", ["nodes", "edges", "vectors", "pairs", "counters", "blobs"])
def test_every_row_of_every_table_is_watched(busy, home, table):
    connection = apsw.Connection(str(home / "graph.sqlite3"))
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    width = 2 if table in ("vectors", "pairs") else 1  # of the key
    where = " AND ".join(f"{column} = ?" for column in columns[:width])
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
    assert rows
    for row in rows:
        for name, value in zip(columns[width:], row[width:], strict=True):
            other = 0.125 if isinstance(value, float) else "x" if value is None else changed(value)
            if value is None and name in ("ordinal", "valid_to", "state_at"):
                other = 77
            update = f"UPDATE {table} SET {name} = ? WHERE {where}"
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute(update, (other, *row[:width]))
            report = busy.verify()
            assert not report.ok and report.differences, (table, name)
            connection.execute(update, (value, *row[:width]))
    assert busy.verify().ok


@pytest.mark.parametrize("seed", range(60))
def test_a_flipped_bit_anywhere_in_the_file_is_found_or_changes_nothing(busy, home, tmp_path, clock, seed):
    """Bytes that hold nothing (free space of a page) may change; whatever is read must be what was written."""
    before = tables(busy) | {"events": busy._rows("SELECT * FROM events ORDER BY seq")}
    busy.close()
    content = bytearray((home / "graph.sqlite3").read_bytes())
    random = Random(seed)
    at = random.randrange(100, len(content))  # the header's own counters are SQLite's to mend
    content[at] ^= 1 << random.randrange(8)
    other = tmp_path / "flipped"
    other.mkdir()
    (other / "graph.sqlite3").write_bytes(content)
    try:
        with Store.open(other, clock=clock, new_id=ids(1), flush_seconds=None) as store:
            report = store.verify()
            if report.ok:
                now = tables(store) | {"events": store._rows("SELECT * FROM events ORDER BY seq")}
                assert now == before, f"byte {at}: nobody noticed"
            else:
                assert report.first_bad_seq is not None or report.differences
    except StoreError as error:  # SQLite refuses the page
        assert "damaged" in str(error) or "expected a store" in str(error)


@requirement("verify:lost-tail")
def test_a_lost_tail_is_noticed_though_the_rest_is_sound(home, store):
    remember(store, "n1", "Anna plays the clarinet.")
    early = store.backup()
    remember(store, "n2", "Bo likes rain.")
    store.close()
    (home / "graph.sqlite3").write_bytes(early.read_bytes())  # sound in itself, and one event short
    with Store.open(home, clock=lambda: 9, new_id=ids()) as again:
        report = again.verify()
        assert (
            not report.ok and report.first_bad_seq == 2 and "event 2 was committed: its tail is lost" in report.reason
        )
    (home / "last-write").write_bytes(b"no note")
    with Store.open(home, clock=lambda: 9, new_id=ids()) as again:
        assert again.verify().ok, "a note that cannot be read says nothing"


@requirement("verify:lost-tail")
def test_tables_that_know_more_than_the_log_show_a_lost_tail_without_the_note(home, busy):
    (home / "last-write").unlink()
    connection = apsw.Connection(str(home / "graph.sqlite3"))
    connection.execute("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)")
    report = busy.verify()
    assert not report.chain_intact and "its tail is lost" in report.reason


@requirement("verify:lost-tail")
def test_a_log_that_is_longer_than_the_note_is_sound(home, busy):
    note = (home / "last-write").read_bytes()
    remember(busy, "n5", "After the note.")
    (home / "last-write").write_bytes(note)  # as after a power cut
    assert busy.verify().ok


@requirement("verify:changed-key")
def test_a_key_that_was_replaced_is_named(home, busy):
    assert busy.verify().notes == ()
    (home / "ed25519.key").unlink()
    assert busy.verify().notes == ()
    busy.checkpoint(AUTHOR)
    report = busy.verify()
    assert report.ok and len(report.notes) == 2 and all("signed from event" in note for note in report.notes)
    (home / "ed25519.key").write_bytes(bytes(32))
    assert any("the key was replaced" in note for note in busy.verify().notes)


@requirement("verify:damaged-text")
def test_bytes_that_are_no_text_are_damage_and_not_a_defect(home, busy):
    connection = apsw.Connection(str(home / "graph.sqlite3"))
    connection.execute("UPDATE nodes SET content = CAST(x'ff' || CAST(content AS BLOB) AS TEXT) WHERE id = 'n1'")
    with pytest.raises(StoreCorrupt, match="context-graph replay"):
        busy.node("n1")
    report = busy.verify()
    assert report.chain_intact and "nodes: a row holds bytes that are no text" in report.differences
    assert busy.replay().ok and busy.node("n1").content == "Anna plays the clarinet."
    connection.execute("UPDATE nodes SET metadata = '{' WHERE id = 'n1'")
    with pytest.raises(StoreCorrupt, match="the row n1 is damaged"):
        busy.node("n1")
    connection.execute("UPDATE events SET session_id = CAST(x'ff' AS TEXT) WHERE seq = 2")
    assert busy.verify().first_bad_seq == 2


@requirement("verify:backups")
def test_backups_are_verified_too(home, busy):
    good, bad, torn = (busy.backup(home / "backups" / f"{name}.sqlite3") for name in ("a", "b", "c"))
    connection = apsw.Connection(str(bad))
    connection.execute("UPDATE nodes SET content = 'another text' WHERE id = 'n1'")
    connection.close()
    torn.write_bytes(torn.read_bytes()[:5_000])
    found = busy.verify_backups()
    assert found[good] == "" and "the row n1 is not what replay gives" in found[bad] and found[torn]
