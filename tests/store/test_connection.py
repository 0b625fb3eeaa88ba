"""Which SQLite may be trusted with a write-ahead log, and how connections are set."""

import os
from time import monotonic

import apsw
import pytest

from context_graph.store import sqlite_status
from context_graph.store.sqlite import connection
from context_graph.store.sqlite.connection import connect


@pytest.mark.parametrize(
    ("version", "mode"),
    [
        ("3.7.0", "delete"), ("3.40.1", "delete"), ("3.44.5", "delete"), ("3.44.6", "wal"), ("3.45.0", "delete"),
        ("3.50.6", "delete"), ("3.50.7", "wal"), ("3.51.0", "delete"), ("3.51.2", "delete"), ("3.51.3", "wal"),
        ("3.52.0", "wal"), ("4.0.0", "wal"),
    ],
)  # fmt: skip
def test_the_log_is_refused_where_it_can_lose_writes(version, mode):
    status = sqlite_status(version)
    assert (status.journal_mode, status.wal_is_safe) == (mode, mode == "wal")
    assert bool(status.advice) == (mode == "delete")


def test_the_linked_sqlite_is_safe():
    assert sqlite_status().wal_is_safe
    assert sqlite_status().version == apsw.sqlite_lib_version()


def test_every_connection_keeps_the_promised_settings(store, home):
    for read_only in (False, True):
        opened = connect(home / "graph.sqlite3", read_only=read_only)
        found = {
            name: opened.execute(f"PRAGMA {name}").fetchall()[0][0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "trusted_schema", "cell_size_check")
        }
        assert found == {
            "journal_mode": "wal", "synchronous": 3, "foreign_keys": 1, "trusted_schema": 0, "cell_size_check": 1,
        }  # fmt: skip
        assert opened.execute("PRAGMA secure_delete").fetchall() == [(1,)]
        assert opened.execute("PRAGMA query_only").fetchall() == [(int(read_only),)]
        opened.close()


def test_a_store_works_without_the_log(home, clock, monkeypatch):
    from store_scenes import AUTHOR, ids, remember

    from context_graph.store import Store

    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.40.1")
    with Store.open(home, clock=clock, new_id=ids(), flush_seconds=None) as store:
        remember(store, "n1")
        assert store._rows("PRAGMA journal_mode") == [("delete",)]
        assert store.purge("n1", AUTHOR).files_clean
        assert store.verify().ok


@pytest.mark.parametrize("others_write", [True, False])
def test_a_writer_waits_longer_while_others_get_on_and_not_for_ever(tmp_path, monkeypatch, others_write):
    path = tmp_path / "graph.sqlite3"
    path.touch()
    monkeypatch.setattr(connection, "BUSY_MS", 100)
    monkeypatch.setattr(connection, "MAX_BUSY_MS", 1000)
    monkeypatch.setattr(connection, "LOOK_EVERY", 5)
    wait, begin, attempt = connection._patience(path), monotonic(), 0
    while wait(attempt):
        attempt += 1
        if others_write:
            os.utime(path, ns=(attempt, attempt))
    waited = monotonic() - begin
    assert (waited >= 1) is others_write
    assert waited < 10
