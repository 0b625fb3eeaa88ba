"""A snapshot of the corpus in a file: fields and posting lists of all whole segments as of one event of the log."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from context_graph.index.corpus import Corpus
from context_graph.index.fields import FIELDS
from context_graph.index.segment_cache import LoadedSegment
from context_graph.models import Event
from context_graph.store import GENESIS, SEGMENT_ROWS, STATE_PART, Change, Reader, Segments, changes_of, is_emptied

__all__ = ["Snapshot", "affects_index"]

MAX_EVENTS_SINCE = 1_000
"""A snapshot that is older by more events is not brought up to date: reading all rows costs less."""

STALE_EVENTS, STALE_SHARE = 200, 1 / 16
"""A new snapshot is written after more events, or when more than this share of the memories is new."""


@dataclass
class Snapshot:
    """Fields and posting lists of a corpus of whole segments at one event of the log, with the changes delta.

    Memories that later events changed are read from the store. The snapshot is not used where such an event removed
    a memory, brought one back or replaced its vectors: everything is read from the store then.
    """

    ids: list[str] = field(default_factory=list)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    at: tuple[int, str] = (0, GENESIS)
    """Sequence number and hash of that event."""

    changed: list[dict[str, object]] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """How many memories it holds; 0 where there is no usable one."""
        return len(self.ids)

    @classmethod
    def of(cls, reader: Reader, segments: Segments, makers: Mapping[str, str]) -> "Snapshot":
        """The snapshot in the cache, brought up to date; an empty one where that is not possible."""
        arrays = segments.load(0, STATE_PART)
        if arrays is None:
            return cls()
        seq, hash = json.loads(bytes(arrays["at"]))
        if reader.head()[0] - seq > MAX_EVENTS_SINCE or reader.hash_at(seq) != hash:
            return cls()
        ids = json.loads(bytes(arrays["named"]))["ids"]
        row_of = {id: row for row, id in enumerate(ids) if id}
        delta = LogDelta.of(reader, makers, reader.events_since(seq, MAX_EVENTS_SINCE), row_of, len(ids))
        for row in delta.embedded:
            segments.remove(row)  # a process that ended too early may have left it
        if not delta.only_updates or delta.embedded or len(ids) % SEGMENT_ROWS:
            return cls()
        changed = reader.columns_of(list(FIELDS), delta.changed)
        return cls(ids, arrays, (seq, hash), [dict(zip(FIELDS, row, strict=True)) for row in changed])

    def restore(self, corpus: Corpus, segments: Sequence[LoadedSegment], *, capacity: int) -> None:
        """Insert its memories into an empty corpus that has the arrays of these segments."""
        if not self.ids:
            return
        covered = self.covered(segments)
        words, idf_cached = [segment.words for segment in covered], [segment.idf_cached for segment in covered]
        corpus.load_arrays(self.arrays, words, idf_cached, capacity=capacity)
        for row in self.changed:
            corpus.update(str(row["id"]), row)

    def covered(self, segments: Sequence[LoadedSegment]) -> list[LoadedSegment]:
        """The segments whose memories it holds, which are the first ones."""
        return [segment for segment in segments if segment.first < self.rows]

    def stale(self, head: tuple[int, str], rows: int) -> bool:
        """Whether a new snapshot of this many memories is worth writing."""
        return rows - self.rows > STALE_SHARE * self.rows or (rows > 0 and head[0] - self.at[0] > STALE_EVENTS)

    @staticmethod
    def arrays_of(corpus: Corpus, head: tuple[int, str]) -> dict[str, np.ndarray]:
        """What the cache keeps of a corpus, for `of`."""
        return corpus.to_arrays() | {"at": np.frombuffer(json.dumps(head).encode(), np.uint8)}


@dataclass
class LogDelta:
    """What some events changed in the memories of a snapshot."""

    changed: dict[str, bool] = field(default_factory=dict)
    """Memories with other fields, in the order of the events."""

    embedded: set[int] = field(default_factory=set)
    """Rows of memories with other vectors."""

    only_updates: bool = True
    """Whether nothing else happened: no memory was removed, brought back or deleted for good."""

    @classmethod
    def of(
        cls, reader: Reader, makers: Mapping[str, str], events: Sequence[Event], row_of: Mapping[str, int], rows: int
    ) -> "LogDelta":
        delta = cls()
        for event in events:
            delta.only_updates &= not is_emptied(event) and event.type != "purge"
            for change in changes_of(event, "nodes", "vectors"):
                id, node = change.id, change.table == "nodes"
                if id not in row_of:
                    ordinal = (change.after or {}).get("ordinal") if node else None
                    delta.only_updates &= ordinal is None or ordinal >= rows  # else it came back to an empty row
                elif not node:
                    if affects_index(reader, change, makers):
                        delta.embedded.add(row_of[id])
                else:
                    delta.changed[id] = True
                    delta.only_updates &= not change.deleted
        return delta


def affects_index(reader: Reader, change: Change, makers: Mapping[str, str]) -> bool:
    """Whether a change of a vector changes arrays of these models: a vector of another model is in none of them."""
    node_id, space = change.key
    return reader.vector_models(node_id).get(space, makers.get(space)) == makers.get(space) or space not in makers
