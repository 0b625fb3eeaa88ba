"""A long write-ahead log is moved into the store beside the writer, and by the writer where it grows too long."""

import threading
from queue import SimpleQueue

import apsw
import pytest

from context_graph.models import Author, Goal
from context_graph.store.sqlite import wal
from context_graph.store.sqlite.connection import sqlite_status

ME = Author("session")
MAX_WAIT_S = 300

pytestmark = pytest.mark.skipif(not sqlite_status().wal_is_safe, reason="the log of the linked SQLite is not safe")


def write(store, count: int = 1) -> None:
    for number in range(count):
        with store.write("created", ME) as tx:
            tx.put(Goal(id=f"goal {number} {store.head()[0]}", text="x" * 20_000, created_at=1))


def moved(store) -> int:
    """How many goals stand in the store itself, whatever its log holds; nobody may be moving the log meanwhile."""
    uri = f"{store.path.as_uri()}?immutable=1"
    with apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI) as connection:
        return connection.execute("SELECT count(*) FROM goals").fetchall()[0][0]


def movers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "context-graph-wal"]


def test_a_short_log_stays_and_no_thread_begins(store):
    write(store, 3)
    assert moved(store) == 0 and movers() == []


def test_a_long_log_is_moved_beside_the_writer(store, monkeypatch):
    names: SimpleQueue[str] = SimpleQueue()
    move = wal.WalCheckpoints._move

    def noted(self, connection) -> None:
        move(self, connection)
        names.put(threading.current_thread().name)

    monkeypatch.setattr(wal.WalCheckpoints, "_move", noted)
    write(store, 9)
    monkeypatch.setattr(wal, "LOG_PAGES", 20)
    write(store)  # the one commit that asks: the file is read when the thread is idle, else half of it may be moved
    assert names.get(timeout=MAX_WAIT_S) == "context-graph-wal"
    assert moved(store) == 10
    (thread,) = movers()
    store.close()
    assert not thread.is_alive()


def test_a_log_that_grows_too_long_is_moved_by_the_writer(store, monkeypatch):
    monkeypatch.setattr(wal, "LOG_PAGES", 20)
    monkeypatch.setattr(wal, "MAX_LOG_PAGES", 20)
    write(store, 10)
    assert moved(store) >= 5 and movers() == []


def test_a_reader_of_old_pages_keeps_the_log_and_stops_nobody(store, monkeypatch):
    monkeypatch.setattr(wal, "MAX_LOG_PAGES", 20)
    write(store)
    with store.snapshot() as old:
        assert old.head()[0] == 1
        write(store, 10)
        assert store.head()[0] == 11 and moved(store) <= 1
    write(store)
    assert moved(store) >= 11


def test_where_the_file_is_gone_the_thread_waits_for_the_next_long_log(store, monkeypatch, tmp_path):
    missing = wal.WalCheckpoints(tmp_path / "no such folder" / "graph.sqlite3")
    connection = apsw.Connection(str(store.path))
    missing.watch(connection)
    monkeypatch.setattr(wal, "LOG_PAGES", 0)
    connection.execute("INSERT INTO meta VALUES ('a', 'b')")
    connection.execute("DELETE FROM meta WHERE key = 'a'")
    connection.close()
    (thread,) = movers()
    assert thread.is_alive()
    missing.close()
    assert not thread.is_alive()


def test_where_no_thread_can_begin_the_writer_goes_on(store, monkeypatch):
    def refused(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    monkeypatch.setattr(wal, "LOG_PAGES", 20)
    monkeypatch.setattr(wal, "MAX_LOG_PAGES", 40)
    write(store, 10)
    assert store.head()[0] == 10 and moved(store) >= 5
