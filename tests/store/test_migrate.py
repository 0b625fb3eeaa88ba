"""Files of every released format open, after a backup; newer ones are left alone."""

import gzip
import stat
from pathlib import Path

import apsw
import pytest
from store_scenes import AUTHOR, ids, memory, remember

from context_graph.errors import FormatTooNew, StoreError
from context_graph.store import Store
from context_graph.store.sqlite.schema import FORMAT

FORMATS = sorted(Path(__file__).parent.glob("formats/*.gz"))


@pytest.fixture(params=FORMATS, ids=lambda path: path.name)
def old(request, home):
    """A home as a released version left it."""
    home.mkdir()
    (home / "graph.sqlite3").write_bytes(gzip.decompress(request.param.read_bytes()))
    return home


def number(path: Path) -> str:
    """The format of a file, as its name says."""
    return path.name.split("-")[1].split(".")[0]


def contents(store: Store) -> list[tuple[str, str]]:
    return [(node.content, node.state) for node in store.memories()]


def test_every_older_format_has_a_file_that_is_tested():
    assert [int(number(path)) for path in FORMATS] == list(range(1, FORMAT))


def test_an_older_store_is_migrated_and_keeps_its_history(old, clock):
    with Store.open(old, clock=clock, new_id=ids(), flush_seconds=None) as store:
        assert store._rows("SELECT value FROM meta WHERE key = 'format'") == [(str(FORMAT),)]
        assert ("Anna plays the clarinet in the town orchestra.", "live") in contents(store)
        assert ("A note that is thrown away softly.", "forgotten") in contents(store)
        assert {node.derived_from for node in store.memories()} == {()}
        report = store.verify()
        assert report.ok and report.checkpoints == 1, report


def test_it_is_written_to_and_undone_as_any_other(old, clock):
    with Store.open(old, clock=clock, new_id=ids(1), flush_seconds=None, undo_retention_days=10_000) as store:
        undone = store.undo(store.events(100, type="forgotten")[-1].hash, AUTHOR)
        assert store.node(undone.node_ids[0]).content == "A note that is thrown away softly."
        remember(store, "new")
        first = next(iter(store.memories()))
        with store.write("merged", AUTHOR) as tx:
            tx.put(memory("both", tx.next_ordinal(), "Both at once.", derived_from=("new", first.id)))
        assert store.node("both").derived_from == ("new", first.id)
        assert store.verify().ok


def test_the_file_as_it_was_is_kept(old, clock, request):
    format = number(request.node.callspec.params["old"])
    before = apsw.Connection(str(old / "graph.sqlite3")).execute("SELECT hash FROM events").fetchall()
    Store.open(old, clock=clock, new_id=ids(), flush_seconds=None).close()
    (kept,) = (old / "backups").iterdir()
    assert kept.name == f"20261121T120000Z-format-{format}.sqlite3"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    copy = apsw.Connection(str(kept))
    assert copy.execute("SELECT value FROM meta WHERE key = 'format'").fetchall() == [(format,)]
    assert copy.execute("SELECT hash FROM events").fetchall() == before
    Store.open(old, clock=clock, new_id=ids(1), flush_seconds=None).close()
    assert list((old / "backups").iterdir()) == [kept], "a migrated store is not migrated again"


def test_without_room_for_a_backup_nothing_is_migrated(old, clock, request):
    format = number(request.node.callspec.params["old"])
    (old / "backups").write_text("in the way")
    before = (old / "graph.sqlite3").read_bytes()
    with pytest.raises(StoreError, match="no backup was written"):
        Store.open(old, clock=clock, new_id=ids(), flush_seconds=None)
    now = apsw.Connection(str(old / "graph.sqlite3"))
    assert now.execute("SELECT value FROM meta WHERE key = 'format'").fetchall() == [(format,)]
    assert len(before) == (old / "graph.sqlite3").stat().st_size


def test_a_process_that_runs_on_while_another_migrates_writes_no_more(store, home):
    remember(store, "n1")
    newer = apsw.Connection(str(home / "graph.sqlite3"))
    newer.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT + 1),))
    with pytest.raises(FormatTooNew, match=f"format {FORMAT + 1} now"):
        remember(store, "n2")
    assert [node.id for node in store.memories()] == ["n1"]


def test_a_file_of_another_program_is_refused_untouched(home, clock):
    home.mkdir()
    other = apsw.Connection(str(home / "graph.sqlite3"))
    other.execute("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
    other.close()
    before = (home / "graph.sqlite3").read_bytes()
    with pytest.raises(StoreError, match="holds other tables"):
        Store.open(home, clock=clock, new_id=ids())
    assert (home / "graph.sqlite3").read_bytes() == before
