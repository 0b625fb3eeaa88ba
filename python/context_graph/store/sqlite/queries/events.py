"""The log: events by hash, by number, and by what they touched."""

from context_graph.errors import EventNotFound, InvalidInput
from context_graph.models import Event
from context_graph.store.chain import GENESIS
from context_graph.store.clock import MAX_STAMP
from context_graph.store.sqlite.log import EVENT, event_of
from context_graph.store.sqlite.queries.base import Rows

__all__ = ["EventQueries"]

HASH_DIGITS = 8
"""The shortest prefix of an event hash that is looked up."""


class EventQueries(Rows):
    """Events."""

    def event(self, hash_prefix: str) -> Event:
        """The event whose hash begins with these hex digits (8 or more).

        Raises
        ------
        InvalidInput
            It is no beginning of a hash, or that of several.
        EventNotFound
            No event has it.
        """
        digits = hash_prefix.lower()
        if len(digits) < HASH_DIGITS or digits.strip("0123456789abcdef"):
            raise InvalidInput(
                f"expected {HASH_DIGITS} or more hex digits of an event hash, got {hash_prefix[:80]!r}", field="hash"
            )
        rows = self._rows(f"{EVENT} WHERE hash >= ? AND hash < ? LIMIT 2", (digits, digits + "~"))
        if not rows:
            raise EventNotFound(f"no event has a hash that begins with {digits[:64]}; check the digits")
        if len(rows) > 1:
            raise InvalidInput(f"several events have a hash that begins with {digits}; give more digits", field="hash")
        return event_of(rows[0])

    def event_at(self, seq: int) -> Event | None:
        """The event with this sequence number, or None."""
        rows = self._rows(f"{EVENT} WHERE seq = ?", (seq,))
        return event_of(rows[0]) if rows else None

    def events(
        self,
        limit: int = 100,
        before_seq: int | None = None,
        type: str | None = None,
        *,
        since: int = 0,
        until: int = MAX_STAMP,
        parsed: bool = True,
    ) -> list[Event]:
        """Events before a sequence number and within a span of stamps, without its end, newest first."""
        before = 2**62 if before_seq is None else before_seq
        where, values = _within(type, since, until)
        rows = self._rows(f"{EVENT} WHERE {where} AND seq < ? ORDER BY seq DESC LIMIT ?", (*values, before, limit))
        return [event_of(row, parsed=parsed) for row in rows]

    def event_count(self, type: str | None = None, *, since: int = 0, until: int = MAX_STAMP) -> int:
        """How many events there are within a span of stamps, without its end; reads none of them."""
        where, values = _within(type, since, until)
        count: int = self._rows(f"SELECT COUNT(*) FROM events WHERE {where}", values)[0][0]
        return count

    def events_since(self, seq: int, limit: int = 1_000) -> list[Event]:
        """Events after a sequence number, oldest first: how one process learns of another's writes."""
        return [event_of(row) for row in self._rows(f"{EVENT} WHERE seq > ? ORDER BY seq LIMIT ?", (seq, limit))]

    def lineage(self, node_id: str, limit: int = 100, *, effects: bool = False, parsed: bool = True) -> list[Event]:
        """The last events that changed a node, its edges or its vectors, newest last."""
        rows = self._rows(
            f"{EVENT} WHERE seq IN (SELECT seq FROM touched WHERE key = ?) AND (? OR type <> 'effects')"
            " ORDER BY seq DESC LIMIT ?",
            (node_id, int(effects), limit),
        )
        return [event_of(row, parsed=parsed) for row in rows[::-1]]

    def hash_at(self, seq: int) -> str | None:
        """The hash of the event with this sequence number; None where there is none."""
        rows = self._rows("SELECT hash FROM events WHERE seq = ?", (seq,))
        return rows[0][0] if rows else None

    def head(self) -> tuple[int, str]:
        """Sequence number and hash of the last event; (0, 64 zeros) in an empty store."""
        rows = self._rows("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")
        return rows[0] if rows else (0, GENESIS)


def _within(type: str | None, since: int, until: int) -> tuple[str, tuple[int | str, ...]]:
    """The condition for a type and a span of stamps, and its values; it is empty where nothing is asked for."""
    parts: list[tuple[str, int | str]] = []
    if type is not None:
        parts.append(("type = ?", type))
    if since > 0:
        parts.append(("hlc >= ?", since))
    if until < MAX_STAMP:
        parts.append(("hlc < ?", until))
    return " AND ".join(["TRUE", *(condition for condition, _ in parts)]), tuple(value for _, value in parts)
