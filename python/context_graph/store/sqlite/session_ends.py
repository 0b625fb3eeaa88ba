"""The ends of sessions within one write: which position the next memory takes, and what was said last."""

from collections.abc import Callable

from context_graph.models import NodeState
from context_graph.store.records import Said
from context_graph.store.sqlite.rows import Row

__all__ = ["SessionEnds"]

PLACED_BY = ("ordinal", "session_id", "position", "state", "content", "speaker")
"""The columns of a node that say where it stands in its session, and as what."""


class SessionEnds:
    """Read once for each session of a write, and then known from the memories that it adds."""

    def __init__(self) -> None:
        self._next: dict[str, int] = {}
        self._said: dict[str, Said | None] = {}

    def position(self, session_id: str, read: Callable[[str], int]) -> int:
        """The position that the next memory of a session takes."""
        if session_id not in self._next:
            self._next[session_id] = read(session_id)
        return self._next[session_id]

    def last_said(self, session_id: str, read: Callable[[str], Said | None]) -> Said | None:
        """The last live memory of a session."""
        if session_id not in self._said:
            self._said[session_id] = read(session_id)
        return self._said[session_id]

    def follow(self, before: Row | None, after: Row | None) -> None:
        """Take in a change of a node. A memory that is added behind all others is the new end; of a session in which
        anything else changes, the ends are read again."""
        if before is None and after is not None and after["ordinal"] is not None:
            self._append(after)
        elif before is None or after is None or any(before[name] != after[name] for name in PLACED_BY):
            for row in (before, after):
                if row is not None and row["ordinal"] is not None:
                    self._forget(str(row["session_id"]))

    def _append(self, row: Row) -> None:
        session, position = str(row["session_id"]), int(row["position"] or 0)
        following = self._next.get(session)
        if following is None or position < following:
            self._forget(session)
            return
        self._next[session] = position + 1
        if row["state"] == NodeState.LIVE:
            speaker = row["speaker"]
            self._said[session] = Said(str(row["id"]), str(row["content"]), None if speaker is None else str(speaker))

    def _forget(self, session: str) -> None:
        self._next.pop(session, None)
        self._said.pop(session, None)
