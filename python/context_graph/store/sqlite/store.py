"""The store of one home directory: every write is an event, every table is folded from events."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import apsw

from context_graph.errors import (
    EventNotFound,
    InvalidInput,
    NodeNotFound,
    Refused,
    ReversalNotFound,
    StoreCorrupt,
    StoreError,
    UnusablePath,
)
from context_graph.instants import DAY_US
from context_graph.models import Author, Event, to_iso
from context_graph.store import keys, last, merkle, ports, proofs, segments
from context_graph.store.chain import GENESIS, canonical
from context_graph.store.clock import time_of
from context_graph.store.feed import Change, read_changes
from context_graph.store.proofs import stated
from context_graph.store.records import Purged, Remade, Restored, Undone, Verification
from context_graph.store.sqlite import backup
from context_graph.store.sqlite.connection import (
    NoWriteConnection,
    Readers,
    Watcher,
    WriteConnection,
    emptied_log,
    rows_of,
    sqlite_status,
    translated,
)
from context_graph.store.sqlite.effects import Effects
from context_graph.store.sqlite.lease import lease
from context_graph.store.sqlite.migrate import migrate
from context_graph.store.sqlite.prepare import prepare, prepared
from context_graph.store.sqlite.purge import look, purge
from context_graph.store.sqlite.queries import Queries
from context_graph.store.sqlite.register_index import RegisterIndex
from context_graph.store.sqlite.replay import rebuild
from context_graph.store.sqlite.residue import left_of, residue_at
from context_graph.store.sqlite.rows import Value
from context_graph.store.sqlite.transaction import Transaction
from context_graph.store.sqlite.undo import closes, revert, standing_undo, takes_away
from context_graph.store.sqlite.verify import verify, verify_copy
from context_graph.store.sqlite.writability import Writability

__all__ = ["Snapshot", "Store"]

logger = logging.getLogger(__name__)

RESERVED = ("undo", "purge", "effects", "checkpoint", "restored")
"""Event types that the store itself writes."""


class Snapshot(Queries):
    """The store through one connection: as it was at one moment, where a transaction is open on it."""

    def __init__(self, connection: apsw.Connection, retention_days: float) -> None:
        self._connection = connection
        self.retention_days = retention_days

    def _rows(self, sql: str, values: Sequence[Value | bytes] = ()) -> list[tuple[Any, ...]]:
        return rows_of(self._connection, sql, values)


class Store(Queries):
    """Open one with `Store.open`; safe to share between threads, and between processes on one directory.

    Examples
    --------
    >>> with store.write("created", author) as tx:      # doctest: +SKIP
    ...     tx.put(Node(ordinal=tx.next_ordinal(), ...))
    ...     tx.note.update(operation="created")
    >>> store.undo(tx.committed.hash[:16], author)          # doctest: +SKIP
    """

    def __init__(
        self,
        home: Path,
        *,
        clock: Callable[[], int],
        new_id: Callable[[], str],
        undo_retention_days: float = 30,
        flush_seconds: float | None = 5.0,
    ) -> None:
        self.home = Path(home)
        prepared = prepare(self.home, now=clock())
        self.path, self.unwritable = prepared.path, prepared.unwritable
        """Where it is, and why it can only be read; empty where it can be written."""

        self._unchanging = prepared.unchanging
        if prepared.unwritable:
            logger.warning("%s", self.note)
        self.retention_days = undo_retention_days
        self._clock = clock
        self._new_id = new_id
        with translated(self.path):
            self._writer = (
                NoWriteConnection(self.path, prepared.unwritable) if prepared.unwritable else WriteConnection(self.path)
            )
            self._readers = Readers(self.path, unchanging=prepared.unchanging)
            self._watcher = Watcher(self.path, unchanging=prepared.unchanging)
        self._writability = Writability(self.path, prepared.unwritable)
        write = None if prepared.unwritable else lambda author: self._write("effects", author)
        self.effects = Effects(write, clock, flush_seconds)
        self.registers = RegisterIndex(self.home)
        """Which write each register of a row comes from; a file that is made where it is asked for."""

        self._open = True

    @classmethod
    def open(
        cls,
        home: Path,
        *,
        clock: Callable[[], int],
        new_id: Callable[[], str],
        undo_retention_days: float = 30,
        flush_seconds: float | None = 5.0,
    ) -> Self:
        """Open the store of a home directory, creating it where there is none.

        Parameters
        ----------
        clock : callable
            Microseconds since 1970-01-01 UTC.
        new_id : callable
            A new unique id, for events.
        undo_retention_days : float
            How long an event can be undone.
        flush_seconds : float or None
            How often effects of reads are written; None leaves it to `effects.flush()` and `close()`.
        """
        return cls(
            home, clock=clock, new_id=new_id, undo_retention_days=undo_retention_days, flush_seconds=flush_seconds
        )

    @property
    def note(self) -> str:
        """What to say of a store that can only be read; empty of any other."""
        why = self.unwritable
        return f"{self.home} cannot be written ({why}): the memory answers, and keeps nothing new" if why else ""

    @property
    def write_problem(self) -> str:
        """Why a write would fail, or may; empty where nothing speaks against it. Costs microseconds."""
        return self._writability.problem()

    @property
    def lost(self) -> bool:
        """Whether the file was deleted, moved or replaced while it was open: what is read is no longer on the disk."""
        return self._writability.lost

    def _rows(self, sql: str, values: Sequence[Value | bytes] = ()) -> list[tuple[Any, ...]]:
        with self._readers.lend() as connection:
            return rows_of(connection, sql, values)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Several reads of one moment, whatever is written meanwhile."""
        with self._readers.lend() as connection:
            connection.execute("BEGIN")
            yield Snapshot(connection, self.retention_days)

    @contextmanager
    def reading_to_write(self) -> Iterator[Queries]:
        """Reads of whoever writes next, or has just written; each sees what is committed by then.

        They go through the connection that writes, which keeps its pages: every other one has to read again those that
        it had, after each commit. No other thread of this process writes until the block ends.
        """
        if self.unwritable:
            yield self
            return
        with self._writer.alone() as connection:
            yield Snapshot(connection, self.retention_days)

    # Writing

    @contextmanager
    def write(self, type: str, author: Author) -> Iterator[Transaction]:
        """One event: all that the block changes through `tx`, or nothing where it raises.

        Raises
        ------
        InvalidInput
            The type of event is empty or reserved.
        """
        if not type or type in RESERVED:
            raise InvalidInput(f"expected an event type other than {', '.join(RESERVED)}, got {type!r}", field="type")
        with self._write(type, author) as tx:
            yield tx

    @contextmanager
    def _write(
        self,
        type: str,
        author: Author,
        writer: WriteConnection | NoWriteConnection | None = None,
        *,
        beside: Path | None = None,
    ) -> Iterator[Transaction]:
        watched = self._writability.watched(type) if writer is None else nullcontext()
        with watched, (writer or self._writer).transaction(beside=beside) as connection:
            tx = Transaction(
                connection, type=type, author=author, now=self._clock(), new_id=self._new_id,
                retention_days=self.retention_days,
            )  # fmt: skip
            try:
                yield tx
                event = tx.seal()
            finally:
                tx.end()
        tx.committed = event  # only a committed event may be named to anyone
        if event is not None and writer is None:
            last.note(self.home, event.seq, event.hash)
            self._writability.succeeded(type)

    def lease(self, name: str) -> AbstractContextManager[bool]:
        """Whether this is the only holder of a lease among all processes; a process that dies loses it."""
        return lease(self.home, name)

    def undo(self, event_hash_or_prefix: str, author: Author, *, preview: bool = False) -> Undone:
        """Take an event back by an event of its own; undoing that one redoes it.

        Rows that were changed again since keep those changes, which `Undone.conflicts` lists; where that is all of
        them, nothing is written. Counters and session state stay. A preview does all of it and rolls back.

        Raises
        ------
        ReversalNotFound
            There is no such event, or nothing to undo.
        """
        try:
            event = self.event(event_hash_or_prefix)
        except EventNotFound as error:
            raise ReversalNotFound(str(error)) from error
        self._check_reversible(event)
        result: Undone | None = None
        try:
            with self._write("undo", author) as tx:
                result = self._undo(tx, event)
                if preview:
                    raise _Preview
        except _Preview:
            assert result is not None
            return result
        return replace(result, event=tx.committed)

    def _check_reversible(self, event: Event) -> None:
        if event.type in ("purge", "effects", "checkpoint", "restored"):
            raise Refused(f"event {event.hash[:16]} is of type {event.type}, which is never undone")
        written = time_of(event.hlc)
        if written + self.retention_days * DAY_US < self._clock():
            raise ReversalNotFound(
                f"event {event.hash[:16]} was written on {to_iso(written)[:10]} and can be undone for "
                f"{self.retention_days:g} days; that time is over"
            )

    def _undo(self, tx: Transaction, target: Event) -> Undone:
        event = tx.event_at(target.seq)  # again, under the lock: a purge may have come between
        payload = event and (event.payload or left_of(tx, event.seq))
        if event is None or not payload:
            raise Refused(
                f"event {target.hash[:16]} held content that was permanently deleted since; it can no longer be undone"
            )
        if undo := standing_undo(tx, event.id):
            raise Refused(
                f"event {event.hash[:16]} was already undone on {to_iso(time_of(undo.hlc))[:10]}; "
                f"restore_from_hash('{undo.hash[:16]}') redoes it"
            )
        conflicts = revert(tx, payload)
        changes = tx.changes()
        nodes = [change for change in changes if change["table"] == "nodes"]
        node_ids = tuple(change["key"][0] for change in nodes)
        if changes:
            tx.touch(event.id)
            tx.note.update(
                operation="undo", undoes=event.id, hash=event.hash, type=event.type, nodes=list(node_ids),
                conflicts=conflicts,
            )  # fmt: skip
        return Undone(
            None, node_ids, sum(change["table"] == "edges" for change in changes), event.type, time_of(event.hlc),
            tuple(conflicts), removed=tuple(change["key"][0] for change in nodes if takes_away(change)),
            closed=tuple(change["key"][0] for change in nodes if closes(change)), changed=bool(changes),
            removed_edges=sum(change["table"] == "edges" and change["after"] is None for change in changes),
        )  # fmt: skip

    def purge(self, node_id: str, author: Author, *, remade: Remade | None = None) -> Purged:
        """Delete a node permanently: from tables, log, caches and the backups of this home. Nothing brings it back.

        With it go the nodes derived from it, the concepts that only they mentioned, and the names of agents that
        have no other memory.

        Parameters
        ----------
        remade : mapping, optional
            By node id and space, model and bytes of vectors of other nodes that its text had flowed into.
        """
        return self.purge_copies(self.purge_rows(node_id, author, remade=remade), author, remade=remade)

    def purge_rows(self, node_id: str, author: Author, *, remade: Remade | None = None) -> Purged:
        """The first half of `purge`: from tables and log, in a transaction of milliseconds."""
        with self.snapshot() as seen:
            looked = look(seen, node_id, remade)
        with self._write("purge", author) as tx:
            counts = purge(tx, node_id, remade, looked)
            segments.drop(self.home, counts["ordinals"])  # before the commit: a kill in between leaves nothing behind
        assert tx.committed is not None
        return Purged(tx.committed, **counts)

    def purge_copies(self, purged: Purged, author: Author, *, remade: Remade | None = None) -> Purged:
        """The second half: from caches, from the write-ahead log and from backups, while others read and write."""
        try:
            segments.drop(self.home, purged.ordinals)  # another process may have written them anew
            clean = emptied_log(self.path)
        except StoreError as error:  # the deletion is committed: only copies of it are left
            logger.warning("the files beside %s may still hold what was deleted: %s", self.path, error)
            clean = False
        unclean = tuple(
            str(copy) for copy in backup.backups(self.home) if not self._purge_copy(copy, purged, author, remade)
        ) + tuple(map(str, backup.set_aside(self.home)))  # what does not open cannot be cleaned
        return replace(purged, files_clean=clean, unclean_backups=unclean)

    def residue(self, seq: int) -> tuple[Change, ...]:
        """What an event changed in rows that remain, where a purge has taken away its content."""
        return read_changes(residue_at(self, seq))

    def _purge_copy(self, path: Path, purged: Purged, author: Author, remade: Remade | None) -> bool:
        """Delete a node, and agents without another memory, from a backup too; True unless they may still be there."""
        try:
            with translated(path):
                migrate(path)
                with closing(WriteConnection(path)) as writer, self._write("purge", author, writer) as tx:
                    purge(tx, purged.node_ids[0], remade, agents=purged.agents)
        except NodeNotFound:
            return True
        except StoreError as error:
            logger.warning("%s may still hold what was deleted: %s", path, error)
            return False
        return True

    # Proofs

    def checkpoint(self, author: Author, describe: Callable[[ports.Reader], Mapping[str, Any]] | None = None) -> Event:
        """Sign the log so far: its head and the Merkle root over all event hashes.

        Parameters
        ----------
        describe : callable, optional
            Given the state that is signed, what else the event notes; the chain of hashes covers it.
        """
        with self._write("checkpoint", author) as tx:
            if describe is not None:
                tx.note.update(describe(tx))
            tree, hashes = merkle.Growing(), _hashes(tx)
            for hash in hashes:
                tree.add(bytes.fromhex(hash))
            signed = stated(tree, len(hashes), hashes[-1] if hashes else GENESIS)
            signature = keys.sign(self.home, canonical(signed))
            tx.note.update(signed, public_key=keys.public_key(self.home), signature=signature)
        assert tx.committed is not None
        return tx.committed

    def prove(self, event_hash: str, *, content: bool = False) -> dict[str, Any]:
        """Proof that the last checkpoint covers an event; anyone can check it without the store.

        Parameters
        ----------
        content : bool
            Show also what the event says, which the proof then contains.

        Raises
        ------
        Refused
            There is no checkpoint, or the content was permanently deleted.
        """
        with self.snapshot() as snapshot:
            event, last = snapshot.event(event_hash), snapshot.events(1, type="checkpoint")
            if not last:
                raise Refused("there is no checkpoint to prove anything against; context-graph checkpoint makes one")
            shown = None
            if content:
                shown = snapshot._rows("SELECT salt, payload FROM events WHERE seq = ?", (event.seq,))[0]
                if shown[1] is None:
                    raise Refused(f"the content of event {event.hash[:16]} was permanently deleted; prove it without")
            by_salt = snapshot._rows("SELECT author_salt FROM events WHERE seq = ?", (event.seq,))[0][0]
            return proofs.that_it_contains(event, last[0], _hashes(snapshot), by_salt, shown)

    def prove_growth(self, older_hash: str, newer_hash: str | None = None) -> dict[str, Any]:
        """Proof that the log of one checkpoint is the beginning of that of another (the last one by default).

        Raises
        ------
        Refused
            There is no checkpoint yet.
        """
        with self.snapshot() as seen:
            older = seen.event(older_hash)
            newer = [seen.event(newer_hash)] if newer_hash else seen.events(1, type="checkpoint")
            if not newer:
                raise Refused("there is no checkpoint yet; context-graph checkpoint makes one")
            return proofs.that_it_grew(older, newer[0], _hashes(seen))

    # Copies

    def backup(self, target: Path | None = None) -> Path:
        """Copy the store as it is now, into the home's `backups` or to a file that does not exist yet.

        Writers go on meanwhile. The copy is checked before this returns.

        Raises
        ------
        StoreCorrupt
            The copy came out damaged; nothing is kept of it.
        StoreError
            The home can only be read and no file elsewhere was named, or the file cannot be written.
        """
        if target is None and self.unwritable:
            raise StoreError(
                f"{self.home} cannot be written ({self.unwritable}), and a backup goes there where no file is named; "
                "context-graph backup FILE writes it elsewhere"
            )
        target = backup.place(self.home, "backup", self._clock()) if target is None else Path(target)
        backup.save(self.path, target, unchanging=self._unchanging)
        try:
            with closing(Readers(target)) as readers, readers.lend() as connection:
                damage = [line for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]
            if damage:
                raise StoreCorrupt(f"the copy of {self.path} came out damaged ({damage[0]}); nothing was kept")
        except StoreError:
            target.unlink(missing_ok=True)
            raise
        return target

    def backups(self) -> list[Path]:
        """The backups in the home directory, oldest first."""
        return backup.backups(self.home)

    def restore(self, source: Path, author: Author) -> Restored:
        """Make the store what a backup is; what it was before is kept as a backup of its own.

        One transaction: other processes see either the old store or the new one. A damaged file, or one of a newer
        format, changes nothing; one of an older format is migrated in a copy.
        """
        if self.unwritable:  # told before a copy is made, which would only say that it found no place
            with self._writer.alone():
                pass
        self.effects.flush()
        copy = backup.place(self.home, "restoring", self._clock())
        try:
            source_info = self._fit(Path(source), copy)
            with self._write("restored", author, beside=copy) as tx:
                before = tx.head()
                backup_path = None
                if before[0]:
                    backup_path = backup.place(self.home, "before-restore", tx.now)
                    backup.save(
                        self.path, backup_path
                    )  # under the lock: nothing is written between this and the commit
                backup.replace_all(tx.connection, "beside")
                tx.note.update(operation="restored", events=source_info.events, replaced=before[1])
        finally:
            for file in copy.parent.glob(f"{copy.name}*"):
                file.unlink(missing_ok=True)
        assert tx.committed is not None
        return Restored(tx.committed, source_info.events, backup_path)

    def _fit(self, source: Path, copy: Path) -> Verification:
        """A sound copy of a backup in the present format."""
        if not source.is_file():
            raise UnusablePath(
                f"expected a backup made by context-graph backup, found no file {source}", field="source"
            )
        try:
            backup.save(source, copy)
            with translated(source):
                prepared(copy, source)
        except StoreCorrupt as error:
            raise StoreCorrupt(
                f"{source} is no sound backup ({error.__cause__ or error}); nothing was changed, name another file: "
                "context-graph verify says which of the backups here are sound"
            ) from error
        with translated(source), closing(Readers(copy)) as readers, readers.lend() as connection:
            found = verify(connection)
        if not found.ok:
            why = found.reason or "; ".join(found.differences)
            raise StoreCorrupt(f"{source} is not sound, and nothing was changed: {why}")
        return found

    def replay(self) -> Verification:
        """Make the tables anew from the log, in one transaction; what they were is kept as a backup."""
        with self._writer.transaction() as connection:
            backup.save(self.path, backup.place(self.home, "before-replay", self._clock()))
            rebuild(connection)
        return self.verify()

    # The whole

    def verify(self) -> Verification:
        """Check the chain of hashes, and that replaying the log gives exactly these tables."""
        with self._readers.lend() as connection:
            key = keys.public_key(self.home) if keys.exists(self.home) else None
            return verify(connection, last=last.noted(self.home), key=key)

    def verify_backups(self) -> dict[Path, str]:
        """What is wrong with each backup in the home directory; an empty text where it is sound."""
        return {path: verify_copy(path) for path in self.backups()}

    def data_version(self) -> int:
        """A number that changes when any process, this one included, has committed; costs microseconds."""
        return self._watcher.version()

    @property
    def engine(self) -> dict[str, str]:
        """The engine that keeps the data, by name, and its version."""
        return {"sqlite": sqlite_status().version}

    def counts(self) -> dict[str, int]:
        """How much the store holds, by kind, and the bytes of its files."""
        forgotten = "nodes WHERE state <> 'live' AND state = 'forgotten'"  # <> lets the partial index serve
        counted = {
            "nodes": "nodes",
            "memories": "nodes WHERE ordinal IS NOT NULL",
            "concepts": "nodes WHERE name_key IS NOT NULL",
            "edges": "edges",
            "events": "events",
            "forgotten": f"{forgotten} AND ordinal IS NOT NULL",
            "forgotten_concepts": f"{forgotten} AND name_key IS NOT NULL",
            "quarantined": "nodes WHERE state <> 'live' AND state = 'quarantined' AND ordinal IS NOT NULL",
        }
        row = self._rows("SELECT " + ", ".join(f"(SELECT count(*) FROM {rows})" for rows in counted.values()))[0]
        size = 0
        damaged = set(backup.set_aside(self.home))
        for file in set(self.home.glob("graph.sqlite3*")) - damaged:
            with suppress(FileNotFoundError):  # another process's journal comes and goes
                size += file.stat().st_size
        counts = dict(zip(counted, row, strict=True))
        counts["memories"] -= counts["forgotten"]
        counts["concepts"] -= counts.pop("forgotten_concepts")
        return counts | {"live_memories": counts["memories"] - counts["quarantined"], "bytes_on_disk": size}

    def close(self) -> None:
        """Write the effects still queued, as far as that works, and let go of the file; closing twice is harmless."""
        if not self._open:
            return
        self._open = False
        try:
            self.effects.close()
        finally:
            self._readers.close()
            self._watcher.close()
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _hashes(queries: Queries) -> list[str]:
    return [hash for (hash,) in queries._rows("SELECT hash FROM events ORDER BY seq")]


class _Preview(Exception):
    """Rolls a previewed undo back."""


if TYPE_CHECKING:

    def _fit_the_ports(
        store: Store, snapshot: Snapshot, transaction: Transaction
    ) -> tuple[ports.Storage, ports.Reader, ports.Transaction]:
        """The type checker finds here what a port asks and SQLite does not answer."""
        return store, snapshot, transaction
