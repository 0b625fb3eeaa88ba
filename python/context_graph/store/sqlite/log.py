"""The event log: an append-only chain of hashes over every write."""

import json
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import apsw

from context_graph.models import Author, Event
from context_graph.store.chain import GENESIS, author_hash, canonical, chain_hash, payload_hash
from context_graph.store.clock import tick
from context_graph.store.payload import Payload

__all__ = ["EVENT", "append", "event_of", "head"]

SALT_BYTES = 16

EVENT = (
    "SELECT seq, id, type, hlc, agent_id, session_id, context_id, payload_hash, previous_hash, hash, payload,"
    " author_hash FROM events"
)


def head(connection: apsw.Connection) -> tuple[int, str, int]:
    """Sequence number, hash and stamp of the last event."""
    rows = connection.execute("SELECT seq, hash, hlc FROM events ORDER BY seq DESC LIMIT 1").fetchall()
    seq, hash, hlc = rows[0] if rows else (0, GENESIS, 0)
    return int(str(seq)), str(hash), int(str(hlc))


def append(
    connection: apsw.Connection,
    *,
    type: str,
    author: Author,
    payload: Mapping[str, Any],
    touched: Iterable[Any],
    now: int,
    new_id: Callable[[], str],
    after: int = 0,
) -> Event:
    """Write the next event; call inside the transaction that folded its changes.

    Parameters
    ----------
    payload : mapping
        A `Payload` is written as it stands.
    after : int
        A stamp that its own comes after, as that of what another home wrote.
    """
    last_seq, previous, last_hlc = head(connection)
    seq, id, hlc = last_seq + 1, new_id(), tick(max(last_hlc, after), now)
    body = payload.body if isinstance(payload, Payload) else canonical(payload)
    salt = secrets.token_bytes(SALT_BYTES)
    content = payload_hash(salt, body)
    author_salt = secrets.token_bytes(SALT_BYTES)
    by = author_hash(author_salt, author)
    hash = chain_hash(previous, seq, id, type, hlc, by, content)
    who = (author.agent_id, author.session_id, author.context_id)
    connection.execute(
        "INSERT INTO events (seq, id, type, hlc, agent_id, session_id, context_id, salt, payload_hash, previous_hash,"
        " hash, payload, author_salt, author_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (seq, id, type, hlc, *who, salt, content, previous, hash, body, author_salt, by),
    )
    connection.executemany("INSERT OR IGNORE INTO touched VALUES (?, ?)", [(key, seq) for key in sorted(touched)])
    return Event(
        seq=seq, id=id, type=type, hlc=hlc, author=author, payload=payload,
        payload_hash=content, previous_hash=previous, hash=hash, author_hash=by,
    )  # fmt: skip


def event_of(row: tuple[Any, ...], *, parsed: bool = True) -> Event:
    """The event that a row of `EVENT` stands for, its content parsed now or as far as it is asked for."""
    seq, id, type, hlc, agent_id, session_id, context_id, content, previous, hash, payload, by = row
    return Event(
        seq=seq, id=id, type=type, hlc=hlc,
        author=Author(session_id=session_id, agent_id=agent_id, context_id=context_id),
        payload=None if payload is None else json.loads(payload) if parsed else Payload(payload),
        payload_hash=content, previous_hash=previous, hash=hash, author_hash=by,
    )  # fmt: skip
