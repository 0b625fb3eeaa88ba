"""Verification: is the log what was written, and are the tables what the log says?"""

import hashlib
import json
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import apsw

from context_graph.models import Author
from context_graph.store import keys, merkle
from context_graph.store.log import GENESIS, chain_hash, payload_hash
from context_graph.store.proofs import STATED, stated
from context_graph.store.replay import replay
from context_graph.store.rows import TABLES, canonical

__all__ = ["Verification", "verify"]

LISTED = 20
"""Differences that a report names; more are counted."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What verification found.

    Attributes
    ----------
    first_bad_seq : int or None
        The first event that is not what was written, with `reason`.
    differences : tuple of str
        Rows and blobs that are not what the log says and damage to the file, at most 20 named.
    checkpoints : int
        Signed checkpoints whose signature and Merkle root hold.
    """

    events: int
    chain_intact: bool
    first_bad_seq: int | None
    reason: str
    projection_equal: bool
    differences: tuple[str, ...]
    checkpoints: int

    @property
    def ok(self) -> bool:
        return self.chain_intact and self.projection_equal


def verify(connection: apsw.Connection) -> Verification:
    """Check chain, checkpoints, tables and blobs over one snapshot of the store."""
    connection.execute("BEGIN")
    events, checkpoints, bad, reason = _chain(connection)
    differences: list[str] = []
    if bad is None:
        copy = apsw.Connection(":memory:")
        try:
            bad, reason = replay(connection, copy, differences)
            differences += _differences(connection, copy) if bad is None else ["the log could not be replayed"]
        finally:
            copy.close()
    differences += _bad_blobs(connection)
    differences += [line for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]
    connection.execute("COMMIT")
    more = [f"and {len(differences) - LISTED} more"] if len(differences) > LISTED else []
    return Verification(
        events=events, chain_intact=bad is None, first_bad_seq=bad, reason=reason,
        projection_equal=bad is None and not differences, differences=(*differences[:LISTED], *more),
        checkpoints=checkpoints,
    )  # fmt: skip


def _chain(connection: apsw.Connection) -> tuple[int, int, int | None, str]:
    previous, last_hlc, count, checkpoints, tree = GENESIS, 0, 0, 0, merkle.Growing()
    rows = connection.execute(
        "SELECT seq, id, type, hlc, agent_id, session_id, context_id, salt, payload_hash, previous_hash, hash, payload"
        " FROM events ORDER BY seq"
    )
    for seq, id, type, hlc, agent_id, session_id, context_id, salt, content, before, hash, body in rows:
        at = count + 1
        author = Author(session_id=session_id, agent_id=agent_id, context_id=context_id)
        if seq != at:
            return count, checkpoints, at, f"event {at} is missing, the next one is {seq}"
        if before != previous:
            return count, checkpoints, seq, "it does not name the hash of the event before it"
        if (salt is None) != (body is None) or (body is not None and payload_hash(salt, body) != content):
            return count, checkpoints, seq, "the payload is not the one that was hashed"
        if chain_hash(previous, seq, id, type, hlc, author, content) != hash:
            return count, checkpoints, seq, "id, type, time or author are not those that were hashed"
        if hlc <= last_hlc:
            return count, checkpoints, seq, "its time is not after the event before it"
        if type == "checkpoint" and body is not None:
            if not _signed(json.loads(body)["note"], stated(tree, count, previous)):
                return count, checkpoints, seq, "the signed checkpoint does not fit the events before it"
            checkpoints += 1
        tree.add(bytes.fromhex(hash))
        count, previous, last_hlc = count + 1, hash, hlc
    return count, checkpoints, None, ""


def _signed(note: dict[str, Any], found: dict[str, Any]) -> bool:
    signature, public = str(note.get("signature")), str(note.get("public_key"))
    return all(note.get(name) == found[name] for name in STATED) and keys.verify(public, canonical(found), signature)


def _differences(store: apsw.Connection, copy: apsw.Connection) -> list[str]:
    found = []
    for table in TABLES.values():
        query = f"{table.select} ORDER BY {', '.join(table.key)}"
        width = [table.columns.index(column) for column in table.key]
        kept, replayed = store.execute(query), copy.execute(query)
        for mine, theirs in zip_longest(kept, replayed):
            if mine != theirs:
                key = "/".join(str((mine or theirs)[at]) for at in width)
                found.append(f"{table.name}: the row {key} is not what replay gives")
                if mine is None or theirs is None or [mine[at] for at in width] != [theirs[at] for at in width]:
                    break  # one row too many or too few shifts all that follow
    return found


def _bad_blobs(connection: apsw.Connection) -> list[str]:
    found = [
        f"blobs: {sha256} does not hold the bytes it is named after"
        for sha256, data in connection.execute("SELECT sha256, data FROM blobs")
        if not isinstance(data, bytes) or hashlib.sha256(data).hexdigest() != sha256
    ]
    missing = connection.execute("SELECT node_id, space FROM vectors WHERE sha256 NOT IN (SELECT sha256 FROM blobs)")
    return found + [f"vectors: {node_id}/{space} has lost its blob" for node_id, space in missing]
