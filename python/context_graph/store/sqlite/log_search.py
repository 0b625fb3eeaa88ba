"""Search of the log for events whose payload holds some bytes, a page of payloads in RAM at a time."""

import json
from collections.abc import Iterable, Iterator, Sequence

from context_graph.store.chain import GENESIS
from context_graph.store.sqlite.queries import Queries

__all__ = ["AMONG", "PAYLOADS", "LogSearch", "payloads"]

PAYLOADS = "SELECT seq, payload FROM events WHERE payload IS NOT NULL"
PAGE_BYTES = 1 << 20
"""Payloads of about this size are in RAM at a time while the log is looked through; a bulk write has megabytes."""

AMONG = "IN (SELECT value FROM json_each(?))"


class LogSearch:
    """The payloads of the log by what they hold, of which all but the latest were looked through beforehand.

    To look through a log takes as long as it is; what was found in it stays found, since events only lose their
    payloads. So a purge looks without the write lock first, and under it through what has been written since.

    Parameters
    ----------
    head : (int, str)
        Sequence number and hash of the last event there is.
    """

    def __init__(self, head: tuple[int, str] = (0, GENESIS)) -> None:
        self._head = head
        self._found: dict[frozenset[bytes], list[int]] = {}

    def still_leads_here(self, queries: Queries) -> None:
        """Forget all where the log is another one now: a restore has replaced it."""
        if self._head[0] and queries.hash_at(self._head[0]) != self._head[1]:
            self._head = (0, GENESIS)
            self._found.clear()

    def holding(self, queries: Queries, pieces: Iterable[bytes]) -> list[tuple[int, bytes]]:
        """Sequence number and payload of the events that hold any of some pieces."""
        wanted = frozenset(pieces)
        before = self._found.get(wanted)
        matches = [] if before is None else payloads_of(queries, before)
        after = 0 if before is None else self._head[0]
        for seq, body in payloads(queries, "seq > ?", (after,)):
            if any(piece in body for piece in wanted):
                matches.append((seq, body))
        self._found.setdefault(wanted, [seq for seq, _ in matches])
        return matches


def payloads(queries: Queries, condition: str, values: Sequence[int | str] = ()) -> Iterator[tuple[int, bytes]]:
    """Sequence number and payload of the events that fulfil a condition, in order."""
    sized = f"SELECT seq, length(payload) FROM events WHERE payload IS NOT NULL AND {condition} ORDER BY seq"
    page: list[int] = []
    size = 0
    for seq, length in queries._rows(sized, values):
        if page and size + length > PAGE_BYTES:
            yield from payloads_of(queries, page)
            page, size = [], 0
        page.append(seq)
        size += length
    yield from payloads_of(queries, page)


def payloads_of(queries: Queries, seqs: Iterable[int]) -> list[tuple[int, bytes]]:
    return queries._rows(f"{PAYLOADS} AND seq {AMONG} ORDER BY seq", (json.dumps([*seqs]),))
