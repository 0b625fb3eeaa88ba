"""Registers of all rows, folded from the log into a file that may be deleted; homes that share nothing have none."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from context_graph.errors import StoreError
from context_graph.models import Edge
from context_graph.store.feed import read_changes
from context_graph.store.registers import KINDS, OWN, PURGED, Position, Registers, Stamp, written_registers
from context_graph.store.sqlite.connection import BUSY_MS, rows_of, translated
from context_graph.store.sqlite.queries import Queries

__all__ = ["RegisterIndex", "RegisterRows"]

FILE = "sync.sqlite3"
VERSION = 3
"""Of the file; one of another version is made anew."""

TABLES = """
CREATE TABLE head (version INTEGER NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE TABLE rows (
    kind INTEGER NOT NULL,
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,  -- the event that wrote a register of it last
    registers TEXT NOT NULL,
    teller TEXT NOT NULL,  -- the peer whose row this is as it stands, from its log as far as its cursor; else empty
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX rows_by_seq ON rows (seq, kind, id);

-- What came from another home and cannot be a row yet: an edge without an end, a mark without a text.
CREATE TABLE held (
    kind INTEGER NOT NULL,
    id TEXT NOT NULL,
    source TEXT,
    target TEXT,
    entry TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_by_source ON held (source);
CREATE INDEX held_by_target ON held (target);
CREATE TABLE cursors (peer TEXT PRIMARY KEY, cursor TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE files (peer TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (peer, name)) STRICT, WITHOUT ROWID;
CREATE TABLE nonces (nonce TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE peers (key TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
FOLDED = ("rows", "held", "cursors", "files")
"""What follows from the log, and goes with it."""

SILENT = ("effects", "checkpoint")
"""Events that write no register."""

SHARING = frozenset({"scope", "state"})
"""Columns of a node that decide whether it leaves."""

EMPTY = "of an empty log"
"""Stands for the hash of the last event where there was none yet: what comes later is no reading anew."""

PAGE = 50
_JSON = json.JSONEncoder(separators=(",", ":"))
AMONG = "IN (SELECT value FROM json_each(?))"


class RegisterIndex:
    """The file of one home."""

    def __init__(self, home: Path) -> None:
        self.path = home / FILE

    @contextmanager
    def opened(self) -> Iterator["RegisterRows"]:
        """The rows, for one thread of one process; what the block changes is kept where it ends well.

        Take a snapshot of the store inside the block, so that it is no older than the file.

        Raises
        ------
        StoreError
            The folder cannot be written, or the file turned out to be damaged and was removed.
        """
        try:
            with translated(self.path), closing(self._connected()) as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield RegisterRows(connection)
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        except _Damaged:
            self._remove()
            raise

    def _connected(self) -> apsw.Connection:
        try:
            return self._connect()
        except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError):  # of no use to anyone: the log has it all
            self._remove()
            return self._connect()

    def _remove(self) -> None:
        for path in self.path.parent.glob(f"{FILE}*"):
            path.unlink(missing_ok=True)

    def _connect(self) -> apsw.Connection:
        with suppress(FileExistsError), _told(self.path):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.set_busy_timeout(BUSY_MS)
            connection.execute("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
            connection.execute("BEGIN IMMEDIATE")
            if not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
                connection.execute(TABLES)
                connection.execute("INSERT INTO head VALUES (?, 0, '')", (VERSION,))
            found = connection.execute("SELECT version FROM head").fetchall()
            connection.execute("COMMIT")
            if found != [(VERSION,)]:
                raise apsw.SQLError(f"{self.path} has another version")
        except BaseException:
            connection.close()
            raise
        return connection


class _Damaged(StoreError):
    """The file cannot be read, and the store is none the worse for it."""


@contextmanager
def _sound() -> Iterator[None]:
    """Tell damage of this file from that of the store, in whose transaction it may come to light."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise _Damaged(
            f"{FILE} was damaged and is removed ({error}); the store is whole",
            hint="synchronise again: the file is made anew of the log",
        ) from error


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        raise StoreError(f"{path} cannot be made ({error.strerror}): homes are not synchronised from here") from error


class RegisterRows:
    """What the file says, while nobody else changes it."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._emptied: tuple[dict[int, Any], dict[int, Any], dict[int, Any]] | None = None

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with _sound():
            return rows_of(self._connection, sql, values)

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        with _sound():
            self._connection.execute(sql, values)

    def _execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with _sound():
            self._connection.executemany(sql, rows)

    # From the log

    def catch_up(self, queries: Queries) -> None:
        """Fold what was written since; anew where the log is another one."""
        seq, hash = self._rows("SELECT seq, hash FROM head")[0]
        if seq and queries.hash_at(seq) != hash:
            for table in FOLDED:
                self._execute(f"DELETE FROM {table}")
            seq, hash = 0, ""
        self._emptied, anew = None, not hash
        while page := queries._rows(
            "SELECT seq, hash, type, hlc, payload FROM events WHERE seq > ? ORDER BY seq LIMIT ?", (seq, PAGE)
        ):
            for seq, hash, type, hlc, body in page:  # noqa: B007 - the last ones are the head
                if type not in SILENT:
                    self._fold(queries, seq, type, Stamp(hlc, OWN), body)
        if anew:  # the log does not say which peer has lost since what it told
            self._execute("UPDATE rows SET teller = '' WHERE teller != ''")
        self._execute("UPDATE head SET seq = ?, hash = ?", (seq, hash or EMPTY))

    def _fold(self, queries: Queries, seq: int, type: str, stamp: Stamp, body: bytes | None) -> None:
        if body is not None:
            payload: dict[str, Any] = json.loads(body)
        else:
            self._emptied = self._emptied or _emptied(queries)
            remaining, received, purged = (part.get(seq) for part in self._emptied)
            payload = {"changes": remaining or [], "sync": received, "note": {"nodes": purged or []}}
        changes = read_changes(payload["changes"], KINDS)
        updated = [change for change in changes if not (change.inserted or change.deleted)]
        known: dict[tuple[str, str], Registers] = {}
        for table in {change.table for change in updated}:
            ids = [change.id for change in updated if change.table == table]
            known |= {(table, id): found for id, found in self.registers(table, ids).items()}
        written = written_registers(changes, stamp, known)
        tellers: dict[tuple[str, str], str] = {}
        if sync := payload.get("sync"):
            tellers = self._received(seq, sync, written)
        self._put(seq, written, tellers)
        nodes = (change for change in updated if change.table == "nodes")
        if shared := {change.id for change in nodes if SHARING.intersection(change.columns)}:
            self._tell_again(seq, queries.edges(shared))
        if type == "purge":
            self._purge(seq, {id: stamp.hlc for id in payload["note"].get("nodes", ())})

    def _received(
        self, seq: int, sync: Mapping[str, Any], written: dict[tuple[str, str], Registers]
    ) -> dict[tuple[str, str], str]:
        """Fold what came from a peer; returns the rows that stand as it told them, where its cursor is beyond them."""
        tellers = {}
        for table, id, registers, *as_told in sync["rows"]:  # events of older versions do not say so
            written[table, id] = Registers.from_json(registers)
            if as_told == [1] and sync.get("cursor"):
                tellers[table, id] = sync["peer"]
        for entry in sync["held"]:
            written.pop((entry["of"], entry["id"]), None)
            self._hold(entry)
        self._purge(seq, dict(sync["purged"]))
        if sync.get("cursor"):
            self.set_cursor(sync["peer"], sync["cursor"])
        return tellers

    def _put(
        self, seq: int, written: Mapping[tuple[str, str], Registers], tellers: Mapping[tuple[str, str], str]
    ) -> None:
        rows = [
            (KINDS.index(row[0]), row[1], seq, _JSON.encode(registers.to_json()), tellers.get(row, ""))
            for row, registers in written.items()
        ]
        self._execute_many("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?)", rows)
        self._execute_many("DELETE FROM held WHERE kind = ? AND id = ?", [row[:2] for row in rows])

    def _tell_again(self, seq: int, edges: Iterable[Edge]) -> None:
        """Let edges follow a node that may leave from now on: they did not leave as long as the node did not."""
        ids = json.dumps([edge.id for edge in edges])
        which = f"kind = {KINDS.index('edges')} AND id {AMONG}"
        self._execute(f"UPDATE rows SET seq = ?, teller = '' WHERE {which}", (seq, ids))

    def _hold(self, entry: Mapping[str, Any]) -> None:
        ends = entry.get("registers", {}).get("ends", {}).get("values", {})
        kind = KINDS.index(entry["of"])
        body = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
        values = (kind, entry["id"], ends.get("source"), ends.get("target"), body)
        self._execute("DELETE FROM rows WHERE kind = ? AND id = ?", values[:2])
        self._execute("INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?, ?)", values)

    def _purge(self, seq: int, ids: Mapping[str, int]) -> None:
        if not ids:
            return
        gone = json.dumps(list(ids))
        self._execute(f"DELETE FROM rows WHERE kind = {KINDS.index('nodes')} AND id {AMONG}", (gone,))
        self._execute(f"DELETE FROM held WHERE id {AMONG} OR source {AMONG} OR target {AMONG}", (gone, gone, gone))
        self._execute_many(
            f"INSERT OR IGNORE INTO rows VALUES ({PURGED}, ?, ?, ?, '')",
            [(id, seq, str(hlc)) for id, hlc in ids.items()],
        )

    # Asked for

    def registers(self, table: str, ids: Iterable[str]) -> dict[str, Registers]:
        """Registers of rows by their ids, of rows that have gone too."""
        rows = self._rows(
            f"SELECT id, registers FROM rows WHERE kind = ? AND id {AMONG}", (KINDS.index(table), json.dumps([*ids]))
        )
        return {id: Registers.from_json(json.loads(text)) for id, text in rows}

    def all_registers(self, table: str) -> dict[str, Registers]:
        """Registers of all rows of a table that are there."""
        rows = self._rows("SELECT id, registers FROM rows WHERE kind = ? ORDER BY id", (KINDS.index(table),))
        read = ((id, Registers.from_json(json.loads(text))) for id, text in rows)
        return {id: registers for id, registers in read if registers.alive}

    def page(self, after: Position, limit: int, *, without: str = "") -> list[tuple[Position, str]]:
        """Rows whose registers were written after a position, in order, each with its registers as JSON.

        Parameters
        ----------
        without : str
            A peer: rows that stand as it told them are left out.
        """
        rows = self._rows(
            "SELECT seq, kind, id, registers FROM rows WHERE (seq, kind, id) > (?, ?, ?)"
            " AND (teller = '' OR teller != ?) ORDER BY seq, kind, id LIMIT ?",
            (*after, without, limit),
        )
        return [(Position(seq, kind, id), text) for seq, kind, id, text in rows]

    def purged(self, ids: Iterable[str]) -> set[str]:
        """Those of some ids that were deleted for good, here or elsewhere."""
        return {
            id
            for (id,) in self._rows(f"SELECT id FROM rows WHERE kind = {PURGED} AND id {AMONG}", (json.dumps([*ids]),))
        }

    def all_purged(self) -> list[str]:
        """All of these, in order."""
        return [id for (id,) in self._rows(f"SELECT id FROM rows WHERE kind = {PURGED} ORDER BY id")]

    def purged_since(self, seq: int) -> bool:
        """Whether anything was deleted for good after an event."""
        return bool(self._rows(f"SELECT 1 FROM rows WHERE kind = {PURGED} AND seq > ? LIMIT 1", (seq,)))

    def held(self, table: str, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        """What is held back, by the ids that it has."""
        rows = self._rows(
            f"SELECT id, entry FROM held WHERE kind = ? AND id {AMONG}", (KINDS.index(table), json.dumps([*ids]))
        )
        return {id: json.loads(text) for id, text in rows}

    def held_edges(self, nodes: Iterable[str], limit: int) -> list[tuple[str, str, str]]:
        """Id and ends of edges that wait for an end: those of some nodes, and others up to a limit."""
        return self._rows(
            f"SELECT id, source, target FROM held WHERE source {AMONG.replace('?', '?1')}"
            f" UNION SELECT id, source, target FROM held WHERE target {AMONG.replace('?', '?1')}"
            " UNION SELECT * FROM (SELECT id, source, target FROM held WHERE source IS NOT NULL LIMIT ?2)",
            (json.dumps([*nodes]), limit),
        )

    def version(self) -> list[int]:
        """Numbers that change with any register."""
        return [*self._rows("SELECT (SELECT max(seq) FROM rows), count(*), (SELECT count(*) FROM held) FROM rows")[0]]

    # Of peers

    def cursor(self, peer: str) -> list[Any] | None:
        """How far a peer's log was taken in; None before the first time."""
        found = self._rows("SELECT cursor FROM cursors WHERE peer = ?", (peer,))
        return json.loads(found[0][0]) if found else None

    def set_cursor(self, peer: str, cursor: Sequence[Any]) -> None:
        """Note how far it was."""
        self._execute("INSERT OR REPLACE INTO cursors VALUES (?, ?)", (peer, json.dumps(list(cursor))))

    def tell_back(self, peer: str) -> None:
        """Tell a peer again what it told: its log is another one, so it may have lost that."""
        self._execute("UPDATE rows SET teller = '' WHERE teller = ?", (peer,))

    def files(self, peer: str) -> set[str]:
        """Files of a peer in a shared folder that were taken in."""
        return {name for (name,) in self._rows("SELECT name FROM files WHERE peer = ?", (peer,))}

    def set_files(self, peer: str, names: Iterable[str]) -> None:
        """Note which these are."""
        self._execute("DELETE FROM files WHERE peer = ?", (peer,))
        self._execute_many("INSERT OR IGNORE INTO files VALUES (?, ?)", [(peer, name) for name in names])

    def first_use(self, nonce: str, now: int, oldest: int, limit: int) -> bool:
        """Whether a nonce was not used before; those from before a moment are forgotten."""
        self._execute("DELETE FROM nonces WHERE at < ?", (oldest,))
        if self._rows("SELECT count(*) FROM nonces")[0][0] >= limit:
            return False
        self._execute("INSERT OR IGNORE INTO nonces VALUES (?, ?)", (nonce, now))
        return self._connection.changes() == 1

    def state(self, peer: str) -> dict[str, Any]:
        """What is noted of a peer."""
        found = self._rows("SELECT state FROM peers WHERE key = ?", (peer,))
        return dict(json.loads(found[0][0])) if found else {}

    def set_state(self, peer: str, state: Mapping[str, Any]) -> None:
        """Note it."""
        self._execute("INSERT OR REPLACE INTO peers VALUES (?, ?)", (peer, json.dumps(dict(state))))


def _emptied(queries: Queries) -> tuple[dict[int, Any], dict[int, Any], dict[int, Any]]:
    """Of emptied events, by sequence number: what they changed in rows that remain, took in and deleted for good."""
    changes: dict[int, Any] = {}
    received: dict[int, Any] = {}
    purged: dict[int, Any] = {}
    for (body,) in queries._rows(
        "SELECT payload FROM events WHERE type = 'purge' AND payload IS NOT NULL ORDER BY seq"
    ):
        payload = json.loads(body)
        changes.update({int(seq): left for seq, left in payload["residue"].items()})
        received.update({int(seq): part for seq, part in payload.get("synced", {}).items()})
        purged.update({int(seq): ids for seq, ids in payload.get("earlier", {}).items()})
    return changes, received, purged
