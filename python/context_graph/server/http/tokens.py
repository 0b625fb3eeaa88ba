"""Bearer tokens: made and revoked by the command line, kept as hashes, looked up by a server at each request."""

import fcntl
import hashlib
import hmac
import json
import os
import secrets
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from context_graph.errors import InvalidInput, NameTaken, NotFound, StoreError
from context_graph.regex import regex
from context_graph.server.http.identity import SCOPES, SYNC, Identity
from context_graph.store import write_whole

__all__ = ["FILE", "Tokens"]

FILE = "tokens.json"
PREFIX = "cg_"
TOKEN_BYTES = 32
NAME = regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    scope: str
    user: str | None
    agent: str | None
    session: str
    created_at: str
    sha256: str

    def identity(self) -> Identity:
        return Identity(self.name, self.scope, self.user, self.agent or self.name, self.session)


class Tokens:
    """The tokens of one home; a change of the file counts from the next look on.

    A token is 32 random bytes, so its hash needs neither salt nor stretching.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / FILE
        self._seen: tuple[int, ...] | None = None
        self._entries: tuple[_Entry, ...] = ()

    @property
    def required(self) -> bool:
        """Whether a request needs a token: from the first one made on, also when all have been revoked."""
        self._look()
        return self._seen is not None

    def identities(self) -> list[Identity]:
        """Whom the tokens name, the oldest first."""
        self._look()
        return [entry.identity() for entry in self._entries]

    def described(self) -> list[dict[str, Any]]:
        """The tokens as a person may see them."""
        self._look()
        shown = ("name", "scope", "user", "agent", "created_at")
        return [{key: getattr(entry, key) for key in shown} for entry in self._entries]

    def identity(self, token: str) -> Identity | None:
        """Whom a token names; all are compared, in a time that tells nothing."""
        self._look()
        digest, known = _digest(token), None
        for entry in self._entries:
            if hmac.compare_digest(entry.sha256, digest):
                known = entry.identity()
        return known

    def holds(self, identity: Identity) -> bool:
        """Whether an identity still has its token."""
        self._look()
        return any(entry.session == identity.session for entry in self._entries)

    def new(self, name: str, scope: str, *, user: str | None = None, agent: str | None = None) -> str:
        """Make a token, which is shown this once."""
        for field, value in (("name", name), ("user", user), ("agent", agent)):
            if value is not None and not NAME.fullmatch(value):
                shape = "1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit"
                raise InvalidInput(f"{field} must have {shape}, got {value[:80]!r}", field=field)
        if scope not in (*SCOPES, SYNC):
            raise InvalidInput(f"scope must be one of {', '.join((*SCOPES, SYNC))}, got {scope[:40]!r}", field="scope")
        token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        with self._changing() as entries:
            if any(entry.name == name for entry in entries):
                told = f"there is a token {name!r} already; context-graph token revoke {name} removes it"
                raise NameTaken(told, field="name")
            entries.append(_Entry(name, scope, user, agent, str(uuid.uuid4()), moment, _digest(token)))
        return token

    def revoke(self, name: str) -> int:
        """Remove a token; returns how many are left."""
        with self._changing() as entries:
            left = [entry for entry in entries if entry.name != name]
            if len(left) == len(entries):
                known = ", ".join(entry.name for entry in entries) or "none"
                raise NotFound(f"no token is called {name[:80]!r}; there is {known}")
            entries[:] = left
        return len(left)

    @contextmanager
    def _changing(self) -> Iterator[list[_Entry]]:
        """The entries, which are written when the block ends well; one process at a time."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(self._path.with_name(f".{FILE}.lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._look()
            entries = list(self._entries)
            yield entries
            self._write(entries)
        finally:
            os.close(lock)

    def _write(self, entries: list[_Entry]) -> None:
        write_whole(self._path, json.dumps([asdict(entry) for entry in entries], indent=1).encode())

    def _look(self) -> None:
        """Read the file where it is another than at the last look."""
        try:
            status = os.lstat(self._path)
        except FileNotFoundError:
            self._seen, self._entries = None, ()
            return
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode)
        if stamp == self._seen:
            return
        if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
            mode = stat.filemode(status.st_mode)
            raise StoreError(f"{self._path} must be a file that its owner alone may read, got {mode}; chmod 600 it")
        try:
            entries = tuple(_Entry(**values) for values in json.loads(self._path.read_text("utf-8")))
        except (ValueError, TypeError) as error:
            raise StoreError(f"{self._path} is damaged ({error}); remove it and make new tokens") from None
        self._seen, self._entries = stamp, entries


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()
