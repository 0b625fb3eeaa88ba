"""Whose sessions are whose: the first identity that calls in a session over HTTP owns it, for good."""

import fcntl
import json
import os
import threading
import uuid
from collections.abc import Callable
from pathlib import Path

from context_graph.errors import Forbidden

__all__ = ["Ownership"]

FILE = "http-sessions.jsonl"


class Ownership:
    """The owners of sessions, which servers of one home share: a file that only grows.

    Parameters
    ----------
    taken : callable
        Whether the memory holds something of a session that nobody owns: it is the local user's.
    """

    def __init__(self, home: Path, taken: Callable[[str], bool]) -> None:
        self._path, self._taken = home / FILE, taken
        self._changing = threading.Lock()
        self._owners: dict[bytes, str] = {}
        self._read_to = 0

    def claim(self, session_id: str, owner: str) -> None:
        """Make a session the owner's, unless it is somebody else's: then it is refused."""
        try:
            key = uuid.UUID(session_id)
        except ValueError:
            return  # the tool refuses it
        with self._changing:
            known = self._owners.get(key.bytes)
            if known is None:
                known = self._claimed(key, owner)
        if known != owner:
            raise Forbidden(
                f"session_id {key} belongs to somebody else than the {owner}, for whom this token speaks",
                hint=f"leave session_id out for a session of your own, or name a new one such as {uuid.uuid4()}",
            )

    def _claimed(self, key: uuid.UUID, owner: str) -> str | None:
        """The owner of a session, after it was claimed; None where it is the local user's."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._read(file)
            if key.bytes in self._owners:
                return self._owners[key.bytes]
            if self._taken(str(key)):
                return None
            os.write(file, json.dumps([str(key), owner]).encode() + b"\n")
            os.fdatasync(file)
            self._read(file)
            return owner
        finally:
            os.close(file)

    def _read(self, file: int) -> None:
        """What was written since the last time, by this process and others."""
        size = os.fstat(file).st_size
        if size < self._read_to:  # somebody has cut it
            self._owners.clear()
            self._read_to = 0
        data = os.pread(file, size - self._read_to, self._read_to)
        for line in data.splitlines():
            try:
                session, owner = json.loads(line)
                self._owners.setdefault(uuid.UUID(session).bytes, owner)
            except (ValueError, TypeError, AttributeError):  # cut off by a loss of power
                continue
        if data and not data.endswith(b"\n"):
            os.write(file, b"\n")
            size += 1
        self._read_to = size
