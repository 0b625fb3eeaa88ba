"""Backups: taken and put back while others read and write; damaged ones change nothing."""

import gzip
import stat
import threading
from pathlib import Path

import pytest
from store_scenes import AUTHOR, forget, ids, link, remember, tables

from context_graph.errors import FormatTooNew, InvalidInput, Refused, StoreCorrupt, StoreError
from context_graph.store import Store
from context_graph.store.sqlite.schema import FORMAT


@pytest.fixture
def filled(store):
    remember(store, "n1")
    remember(store, "n2", "Bo likes rain.")
    link(store, "e1", "n1", "n2")
    return store


def state(store: Store) -> dict:
    return tables(store) | {"events": store._rows("SELECT * FROM events ORDER BY seq"), "blobs": blobs(store)}


def blobs(store: Store) -> list:
    return store._rows("SELECT * FROM blobs ORDER BY sha256")


def test_a_backup_holds_all_and_is_readable_by_its_owner_alone(filled, home, tmp_path, clock):
    before = state(filled)
    path = filled.backup()
    assert path.parent == home / "backups"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == [path.name], "nothing else is left there"
    other = tmp_path / "other"
    other.mkdir()
    path.rename(other / "graph.sqlite3")
    with Store.open(other, clock=clock, new_id=ids(1), flush_seconds=None) as copy:
        assert state(copy) == before
        assert copy.verify().ok


def test_two_backups_of_one_moment_have_two_names(filled):
    assert len({filled.backup(), filled.backup(), filled.backup()}) == 3


def test_a_backup_replaces_no_file(filled, tmp_path):
    target = tmp_path / "precious.txt"
    target.write_text("mine")
    with pytest.raises(StoreError, match="exists already"):
        filled.backup(target)
    assert target.read_text() == "mine"


def test_writers_go_on_during_a_backup(filled, tmp_path, clock):
    for i in range(300):
        remember(filled, f"m{i}", f"memory {i} " * 200)
    written, stop = [], threading.Event()

    def write() -> None:
        while not stop.is_set():
            remember(filled, f"w{len(written)}")
            written.append(1)

    writer = threading.Thread(target=write)
    writer.start()
    copies = [filled.backup(tmp_path / f"{i}.sqlite3") for i in range(3)]
    stop.set()
    writer.join()
    assert written
    for i, path in enumerate(copies):
        (tmp_path / f"home{i}").mkdir()
        path.rename(tmp_path / f"home{i}" / "graph.sqlite3")
        with Store.open(tmp_path / f"home{i}", clock=clock, new_id=ids(i + 1), flush_seconds=None) as copy:
            assert copy.verify().ok
            assert copy.counts()["memories"] >= 302


def test_what_was_restored_is_what_was_saved(filled, home):
    before, path = state(filled), filled.backup()
    remember(filled, "n3")
    forget(filled, "n1")
    done = filled.restore(path, AUTHOR)
    after = state(filled)
    assert after.pop("events")[:-1] == before.pop("events")
    assert after == before
    assert filled.events(1)[0].type == "restored" and done.events == 3
    assert filled.verify().ok
    remember(filled, "n4")
    assert filled.node("n4").ordinal == 2, "as if n3 had never been"
    assert filled.verify().ok


def test_what_was_there_before_a_restore_is_kept_and_can_be_restored(filled):
    path = filled.backup()
    remember(filled, "n3")
    before = state(filled)
    kept = filled.restore(path, AUTHOR).kept
    assert kept is not None and "before-restore" in kept.name
    filled.restore(kept, AUTHOR)
    assert {name: rows for name, rows in state(filled).items() if name != "events"} == {
        name: rows for name, rows in before.items() if name != "events"
    }
    assert filled.node("n3")


def test_other_processes_see_the_restore_as_one_write(filled, home, clock):
    path = filled.backup()
    with Store.open(home, clock=clock, new_id=ids(2), flush_seconds=None) as other:
        remember(other, "theirs")
        version = other.data_version()
        with other.snapshot() as then:
            assert then.head()[0] == 4
            filled.restore(path, AUTHOR)
            assert then.node("theirs")
        assert other.data_version() != version
        assert [node.id for node in other.memories()] == ["n1", "n2"]
        remember(other, "after")
        assert other.verify().ok


def test_an_empty_store_is_restored_without_a_backup_of_nothing(filled, tmp_path, clock):
    path = filled.backup(tmp_path / "copy.sqlite3")
    with Store.open(tmp_path / "new", clock=clock, new_id=ids(1), flush_seconds=None) as empty:
        assert empty.restore(path, AUTHOR).kept is None
        assert tables(empty) == tables(filled)


def test_a_backup_of_an_older_format_is_migrated_on_the_way_and_itself_untouched(store, tmp_path):
    path = tmp_path / "old.sqlite3"
    content = gzip.decompress((Path(__file__).parent / "formats/format-1.sqlite3.gz").read_bytes())
    path.write_bytes(content)
    store.restore(path, AUTHOR)
    assert store.verify().ok
    assert path.read_bytes() == content
    assert (store.counts()["memories"], store.counts()["forgotten"]) == (5, 1)


@pytest.mark.parametrize("damage", ["torn", "flipped", "text", "newer", "missing", "folder"])
def test_what_is_no_sound_backup_changes_nothing(filled, tmp_path, home, damage):
    path = filled.backup(tmp_path / "copy.sqlite3")
    content = bytearray(path.read_bytes())
    if damage == "torn":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "flipped":
        at = content.index(b"Bo likes rain.")
        content[at : at + 2] = b"Jo"
        path.write_bytes(content)
    elif damage == "text":
        path.write_text("not a store " * 1000)
    elif damage == "newer":
        import apsw

        apsw.Connection(str(path)).execute("UPDATE meta SET value = ?", (str(FORMAT + 1),))
    else:
        path.unlink()
        if damage == "folder":
            path.mkdir()
    before = state(filled)
    with pytest.raises((StoreCorrupt, StoreError, FormatTooNew, InvalidInput)):
        filled.restore(path, AUTHOR)
    assert state(filled) == before
    assert list(home.glob("backups/*")) == [], "no half-made copy is left"


def test_a_restore_is_not_undone_but_by_another(filled):
    done = filled.restore(filled.backup(), AUTHOR)
    with pytest.raises(Refused, match="never undone"):
        filled.undo(done.event.hash, AUTHOR)


def test_replay_makes_damaged_tables_anew(filled, home):
    import apsw

    before = tables(filled)
    connection = apsw.Connection(str(home / "graph.sqlite3"))
    connection.execute("UPDATE nodes SET content = 'wrong' WHERE id = 'n1'")
    connection.execute("DELETE FROM edges")
    assert not filled.verify().ok
    assert filled.replay().ok
    assert tables(filled) == before
    assert len(list((home / "backups").iterdir())) == 1


def test_a_broken_log_is_not_replayed(filled, home):
    import apsw

    apsw.Connection(str(home / "graph.sqlite3")).execute("DELETE FROM events WHERE seq = 1")
    before = tables(filled)
    with pytest.raises(StoreCorrupt, match="left as they are"):
        filled.replay()
    assert tables(filled) == before
