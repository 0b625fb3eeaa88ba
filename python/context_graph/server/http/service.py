"""What all requests of one HTTP server share: the memory, the threads, the tokens, and who is served."""

import asyncio
import logging
import time
import uuid
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from context_graph.models import Caller
from context_graph.server.connection import Client, Connection
from context_graph.server.host import Host
from context_graph.server.http.answers import Refusal
from context_graph.server.http.gate import MAX_STREAMS, Gate
from context_graph.server.http.identity import Identity
from context_graph.server.http.outlets import Outlet, Outlets
from context_graph.server.http.ownership import Ownership
from context_graph.server.http.tokens import Tokens
from context_graph.server.workers import Workers

__all__ = ["Service", "Session"]

logger = logging.getLogger(__name__)

WORKERS = 8
"""Calls of all clients that are worked on at once; the kernels under them use the other cores."""

MAX_SESSIONS = 1_000
IDLE_S = 3_600.0
"""After which a session that nobody used, and that has no stream, ends."""

ENVELOPE_BYTES = 1_048_576
"""Of a body, beside the file in it."""


@dataclass
class Session:
    """A client that shook hands."""

    id: str
    owner: str | None
    connection: Connection
    outlets: Outlets
    used_at: float


class Service:
    """One server process of one home.

    Parameters
    ----------
    loopback : bool
        Whether only this machine reaches the server, so that no token is needed while none was made.
    """

    def __init__(self, host: Host, *, loopback: bool = True) -> None:
        self.host, self.loopback = host, loopback
        self.tokens = Tokens(host.settings.home)
        self.gate = Gate()
        self.workers = Workers(WORKERS)
        self.max_body_bytes = host.settings.media_bytes * 4 // 3 + ENVELOPE_BYTES
        self._ownership = Ownership(host.settings.home, self._taken)
        self._sessions: dict[str, Session] = {}
        self._stateless: dict[str | None, Client] = {}
        self._listening: dict[Client, set[Connection]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.watching: set[Outlet] = set()
        """The streams that tell which memories were written."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop that requests are answered in."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        return self._loop

    @property
    def sessions(self) -> int:
        """How many there are."""
        return len(self._sessions)

    def identified(self, token: str | None) -> Identity | None:
        """Whom a request comes from; None for the local user, where no token is needed."""
        if self.loopback and not self.tokens.required:
            return None
        identity = None if token is None else self.tokens.identity(token)
        if identity is None:
            came = "no token came" if token is None else "the token is not known; it may be revoked"
            told = f"{came}: send Authorization: Bearer TOKEN; context-graph token new NAME makes one"
            raise Refusal(401, told, {"WWW-Authenticate": 'Bearer realm="context-graph"'})
        return identity

    def holds(self, identity: Identity | None) -> bool:
        """Whether who was identified may go on."""
        if identity is None:
            return self.loopback and not self.tokens.required
        return self.tokens.holds(identity)

    def client(self, identity: Identity | None) -> Client:
        """Who makes requests without a session: one client for each token."""
        key = None if identity is None else identity.session
        client = self._stateless.get(key)
        if client is None:
            if identity is None:
                session = uuid.uuid5(uuid.NAMESPACE_URL, f"context-graph {self.host.settings.home}")
            else:
                session = uuid.UUID(identity.session)
            client = self._stateless[key] = self._client(identity, str(session), follows=False)
        return client

    def _client(self, identity: Identity | None, session_id: str, *, follows: bool) -> Client:
        conversation = str(uuid.uuid4())
        if identity is None:
            return Client(Caller(session_id, conversation), follows=follows)

        def permit(name: str, arguments: Mapping[str, Any]) -> None:
            self._ownership.claim(identity.check(name, arguments) or session_id, identity.owner)

        caller = identity.caller(session_id, conversation)
        return Client(caller, permit=permit, hears_logs=identity.may("admin"), follows=follows)

    def _taken(self, session_id: str) -> bool:
        memory = self.host.memory()
        return bool(memory.store.session_memories(memory.written_name(session_id), 1))

    def connect(self, client: Client, outlets: Outlets, gated: tuple[Hashable, int]) -> Connection:
        """A connection for one request that names its revision."""
        settled = partial(self._settled, client, gated)
        return Connection(
            self.host, outlets.send, settled, client=client, workers=self.workers, stateless=True
        )  # fmt: skip

    def _settled(self, client: Client, gated: tuple[Hashable, int]) -> None:
        self.gate.leave(*gated)
        for connection in list(self._listening.get(client, ())):
            connection.changed()

    def begin(self, identity: Identity | None, *, one_stream: bool = False) -> Session:
        """A session for a client that shakes hands."""
        self._expire()
        if len(self._sessions) >= MAX_SESSIONS:
            raise Refusal(503, f"there are {MAX_SESSIONS} sessions, as many as may be; end some by DELETE")
        id = uuid.uuid4().hex
        outlets = Outlets(self.loop, one_stream=one_stream)
        client = self._client(identity, str(uuid.uuid4()), follows=True)
        connection = Connection(
            self.host, outlets.send, partial(self.gate.leave, id, 0), client=client, workers=self.workers,
            stateless=False, send_within=outlets.send_within,
        )  # fmt: skip
        owner = None if identity is None else identity.session
        session = self._sessions[id] = Session(id, owner, connection, outlets, time.monotonic())
        return session

    def session(self, id: str, identity: Identity | None) -> Session:
        """A session of one's own; another one is as if there were none."""
        session = self._sessions.get(id)
        if session is None or session.owner != (None if identity is None else identity.session):
            raise Refusal(404, "there is no such session (it may have ended); send initialize without Mcp-Session-Id")
        session.used_at = time.monotonic()
        return session

    def end(self, session: Session) -> None:
        """End a session and what is under way in it."""
        if self._sessions.pop(session.id, None) is not None:
            session.connection.give_up()
            session.connection.close()
            self.loop.call_soon(session.outlets.end)  # after what close() has sent

    def _expire(self) -> None:
        before = time.monotonic() - IDLE_S
        for session in [one for one in self._sessions.values() if one.used_at < before and not one.outlets.busy]:
            self.end(session)

    def listening(self, client: Client, connection: Connection, *, now: bool) -> None:
        """A connection begins, or ceases, to tell of what the other connections of its client change."""
        others = self._listening.setdefault(client, set())
        if now:
            others.add(connection)
        else:
            others.discard(connection)
            if not others:
                del self._listening[client]

    def open_stream(self) -> None:
        """Take one of the streams that there may be."""
        if not self.gate.open_stream():
            raise Refusal(503, f"there are {MAX_STREAMS} streams, as many as may be open")

    def close_stream(self) -> None:
        """Give it back."""
        self.gate.close_stream()

    def close(self) -> None:
        """End all streams; in the event loop."""
        for session in list(self._sessions.values()):
            self.end(session)
        for outlet in list(self.watching):
            outlet.end()
        for connections in list(self._listening.values()):
            for connection in list(connections):
                connection.close()
