"""Verification: is the log what was written, and are the tables what the log says?"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any

import apsw

from context_graph.errors import StoreError
from context_graph.models import Author
from context_graph.store import keys, merkle
from context_graph.store.chain import GENESIS, NOBODY, author_hash, canonical, chain_hash, payload_hash
from context_graph.store.last import Last
from context_graph.store.proofs import STATED, stated
from context_graph.store.records import Verification
from context_graph.store.sqlite.connection import connect, format_of, translated
from context_graph.store.sqlite.replay import replay
from context_graph.store.sqlite.rows import TABLES
from context_graph.store.sqlite.schema import FORMAT

__all__ = ["verify", "verify_copy"]

HASHED_AUTHORS_FROM = 4
"""The format in which the log got the columns for it."""

MAX_DIFFERENCES = 20
"""Differences that a report names; more are counted."""


def verify(connection: apsw.Connection, *, last: Last | None = None, key: str | None = None) -> Verification:
    """Check chain, checkpoints, tables and blobs over one snapshot of the store.

    Parameters
    ----------
    last : Last, optional
        The event that was committed last, as it is known beside the store: the log must have it.
    key : str, optional
        The public half of the key that signs now.
    """
    connection.execute("BEGIN")
    signers: dict[str, int] = {}
    events, checkpoints, bad, reason = _chain(connection, signers)
    if bad is None:
        bad, reason = _lost_tail(connection, events, last)
    differences: list[str] = []
    if bad is None:
        copy = apsw.Connection(":memory:")
        try:
            bad, reason = replay(connection, copy, differences)
            differences += _differences(connection, copy) if bad is None else ["the log could not be replayed"]
        finally:
            copy.close()
    try:
        differences += _bad_blobs(connection)
    except UnicodeDecodeError:
        differences.append("blobs: a row holds bytes that are no text")
    differences += [line for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]
    connection.execute("COMMIT")
    more = [f"and {len(differences) - MAX_DIFFERENCES} more"] if len(differences) > MAX_DIFFERENCES else []
    return Verification(
        events=events, chain_intact=bad is None, first_bad_seq=bad, reason=reason,
        projection_equal=bad is None and not differences, differences=(*differences[:MAX_DIFFERENCES], *more),
        checkpoints=checkpoints, notes=_changed_keys(signers, key),
    )  # fmt: skip


def verify_copy(path: Path) -> str:
    """What is wrong with a copy of a store, or an empty text; one of an older format is checked as far as its log."""
    try:
        with translated(path), closing(connect(path, read_only=True)) as connection:
            if format_of(connection) == FORMAT:
                found = verify(connection)
                return found.reason or "; ".join(found.differences[:3])
            damage = [line for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]
            return _chain(connection, {})[3] or "; ".join(damage[:3])
    except StoreError as error:
        return str(error)


def _lost_tail(connection: apsw.Connection, events: int, last: Last | None) -> tuple[int | None, str]:
    """Whether the log ends before what is known of it elsewhere."""
    known = int(str(connection.execute("SELECT coalesce(max(seq), 0) FROM touched").fetchall()[0][0]))
    if known > events:
        return events + 1, f"the log ends before it, and the tables know of event {known}: its tail is lost"
    if last is None:
        return None, ""
    if last.seq > events:
        return events + 1, f"the log ends before it, and event {last.seq} was committed: its tail is lost"
    if last.seq and connection.execute("SELECT hash FROM events WHERE seq = ?", (last.seq,)).fetchall() != [
        (last.hash,)
    ]:
        return last.seq, "it is not the one that was committed here: the file is another store, or an older copy"
    return None, ""


def _changed_keys(signers: dict[str, int], key: str | None) -> tuple[str, ...]:
    """Which key signed from which checkpoint on, where it is not one and the same."""
    if len({*signers, *([key] if key else [])}) < 2:
        return ()
    notes = [f"key {public[:16]} signed from event {seq} on" for public, seq in signers.items()]
    if key and key not in signers:
        notes.append(f"key {key[:16]} signs now and has signed none of the checkpoints: the key was replaced")
    return tuple(notes)


def _chain(connection: apsw.Connection, signers: dict[str, int]) -> tuple[int, int, int | None, str]:
    """How many events and checkpoints hold, and the first that does not; `signers` is given who signed first when."""
    count = checkpoints = 0
    try:
        for count, checkpoints, bad, reason in _events(connection, signers):
            if bad is not None:
                return count, checkpoints, bad, reason
    except UnicodeDecodeError:
        return count, checkpoints, count + 1, "it holds bytes that are no text"
    return count, checkpoints, None, ""


def _events(connection: apsw.Connection, signers: dict[str, int]) -> Iterator[tuple[int, int, int | None, str]]:
    previous, last_hlc, count, checkpoints, tree = GENESIS, 0, 0, 0, merkle.Growing()
    unnamed: set[int] = set()
    by_name = (format_of(connection) or FORMAT) < HASHED_AUTHORS_FROM
    rows = connection.execute(
        "SELECT seq, id, type, hlc, agent_id, session_id, context_id, salt, payload_hash, previous_hash, hash, payload,"
        f" {'NULL, NULL' if by_name else 'author_salt, author_hash'} FROM events ORDER BY seq"
    )
    for seq, id, type, hlc, agent_id, session_id, context_id, salt, content, before, hash, body, by_salt, by in rows:
        at = count + 1
        author = Author(session_id=session_id, agent_id=agent_id, context_id=context_id)
        if seq != at:
            yield count, checkpoints, at, f"event {at} is missing, the next one is {seq}"
        if before != previous:
            yield count, checkpoints, seq, "it does not name the hash of the event before it"
        if (salt is None) != (body is None) or (body is not None and payload_hash(salt, body) != content):
            yield count, checkpoints, seq, "the payload is not the one that was hashed"
        if by is not None and by_salt is None and author == NOBODY:
            unnamed.add(seq)  # as a later purge must say
        elif by != (None if by_salt is None else author_hash(by_salt, author)):
            yield count, checkpoints, seq, "the author is not the one that was hashed"
        if chain_hash(previous, seq, id, type, hlc, by or author, content) != hash:
            yield count, checkpoints, seq, "id, type, time or author are not those that were hashed"
        if hlc <= last_hlc:
            yield count, checkpoints, seq, "its time is not after the event before it"
        if type == "purge" and body is not None:
            unnamed.difference_update(json.loads(body).get("unnamed", ()))
        if type == "checkpoint" and body is not None:
            if not _signed(json.loads(body)["note"], stated(tree, count, previous)):
                yield count, checkpoints, seq, "the signed checkpoint does not fit the events before it"
            checkpoints += 1
            signers.setdefault(str(json.loads(body)["note"].get("public_key")), seq)
        tree.add(bytes.fromhex(hash))
        count, previous, last_hlc = count + 1, hash, hlc
        yield count, checkpoints, None, ""
    if unnamed:
        yield count, checkpoints, min(unnamed), "the author is missing, and no purge says that it was removed"


def _signed(note: dict[str, Any], statement: dict[str, Any]) -> bool:
    signature, public = str(note.get("signature")), str(note.get("public_key"))
    agrees = all(note.get(name) == statement[name] for name in STATED)
    return agrees and keys.verify(public, canonical(statement), signature)


def _differences(store: apsw.Connection, copy: apsw.Connection) -> list[str]:
    differences = []
    for table in TABLES.values():
        query = f"{table.select} ORDER BY {', '.join(table.key)}"
        width = [table.columns.index(column) for column in table.key]
        try:
            for mine, theirs in zip_longest(store.execute(query), copy.execute(query)):
                if mine != theirs:
                    key = "/".join(str((mine or theirs)[at]) for at in width)
                    differences.append(f"{table.name}: the row {key} is not what replay gives")
                    if mine is None or theirs is None or [mine[at] for at in width] != [theirs[at] for at in width]:
                        break  # one row too many or too few shifts all that follow
        except UnicodeDecodeError:
            differences.append(f"{table.name}: a row holds bytes that are no text")
    return differences


def _bad_blobs(connection: apsw.Connection) -> list[str]:
    problems = [
        f"blobs: {sha256} does not hold the bytes it is named after"
        for sha256, data in connection.execute("SELECT sha256, data FROM blobs")
        if not isinstance(data, bytes) or hashlib.sha256(data).hexdigest() != sha256
    ]
    missing = connection.execute("SELECT node_id, space FROM vectors WHERE sha256 NOT IN (SELECT sha256 FROM blobs)")
    return problems + [f"vectors: {node_id}/{space} has lost its blob" for node_id, space in missing]
