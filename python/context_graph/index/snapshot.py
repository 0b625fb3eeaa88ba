"""What of the corpus stands in files: arrays by segments of memories, and a state of what was made of them all."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from context_graph.embed import OPTIONAL, Embedder, Fingerprint
from context_graph.embed.late import DIMENSIONS as TOKEN_DIMENSIONS
from context_graph.embed.semantic import DIMENSIONS
from context_graph.embed.statistics import holding_counts
from context_graph.index.batch import BIT_WORDS, Features, Words, array_names, unpack_tokens, unpack_words
from context_graph.index.corpus import FIELDS, Corpus
from context_graph.models import Event
from context_graph.reading.fingerprints import fingerprint_of
from context_graph.store import (
    GENESIS,
    SEGMENT_ROWS,
    STATE_PART,
    Change,
    Reader,
    Segment,
    Segments,
    Storage,
    changes_of,
    is_emptied,
)

__all__ = ["Anew", "Cached", "Part", "State", "features_of", "segments_of", "shows"]

KEPT_OF_ALL = ("E1", "E6", "E9", "E12")
"""The spaces that the store keeps of every memory."""

LAYOUT = 8
"""Counts the forms that the cached arrays have had: a cache of another form is not looked at."""

EVENTS_AT_MOST = 1_000
"""A state that so many events have been written after is not brought up to date: reading all rows costs less."""

EVENTS_UNKEPT, ROWS_UNKEPT = 200, 1 / 16
"""How many events, and what share of the memories, may come after a state before it is written anew."""


def segments_of(store: Storage, embedder: Embedder) -> Segments:
    """The cache of a store's memories as this model and this version make them."""
    return Segments(store.home, f"{embedder.model} {LAYOUT}")


PAGE_TOKENS = 32
"""Codes of so many tokens fill a page, so the blocks of a segment end with one."""

WORDS = ("terms", "counts", "term_lengths", "pieces", "piece_lengths")


@dataclass(frozen=True, slots=True)
class Part:
    """A segment whose arrays the corpus has."""

    first: int
    words: Words
    weighed: bool
    holding: np.ndarray


class Cached:
    """Gives a corpus the arrays of whole segments, from the cache or from the store, which then fills the cache.

    Parameters
    ----------
    ids : list of str
        Of all memories by ordinal, empty where there is none.
    count : int
        How many of them rarities are counted over.
    """

    def __init__(
        self, seen: Reader, corpus: Corpus, embedder: Embedder, segments: Segments, ids: list[str], count: int
    ) -> None:
        self.seen, self.corpus, self.embedder, self.segments = seen, corpus, embedder, segments
        self._anew = Anew(seen, count) if embedder.tier == "base" else None
        self.ids, self._count, self._part = ids, count, f"rarity-{count}"
        self._counted = _digest(ids[:count])
        self._unweighed: list[int] = []

    def take_in(self) -> list[Part]:
        """Give the corpus the arrays of all whole segments."""
        self.corpus.reserve(len(self.ids), self.segments.nbytes // TOKEN_DIMENSIONS)
        return [self._next(number) for number in range(len(self.ids) // SEGMENT_ROWS)]

    def _next(self, number: int) -> Part:
        first = number * SEGMENT_ROWS
        whose = _digest(self.ids[first : first + SEGMENT_ROWS])
        segment, rarities = self._features(number, whose), None
        if segment is not None:
            rarities = self._sound(number, self._part, counted=self._counted)
        else:
            features = self.features(first, first + SEGMENT_ROWS - 1)
            holding = holding_counts(features.pieces, features.piece_lengths)
            self.segments.save(number, _arrays(features) | {"whose": whose, "holding": holding.astype(np.uint16)})
            segment = self._features(number, whose)
        if rarities is None:
            self._unweighed.append(number)
        if segment is None:  # where the cache cannot be written
            self.corpus.take_in(features)
            return Part(first, features.words, False, holding)
        self.corpus.lay(segment, rarities)
        for file in (segment, rarities):
            if file is not None:
                file.close()
        words = Words(**{name: segment.arrays[name] for name in WORDS})
        return Part(first, words, rarities is not None, segment.arrays["holding"])

    def features(self, first: int, last: int) -> Features:
        """Features of the ordinals from first to last, as the store has them."""
        return features_of(self.seen, first, last, self.embedder.makers, self._anew)

    def _features(self, number: int, whose: np.ndarray) -> Segment | None:
        """The arrays of a segment, in every optional space that there is now."""
        segment = self._sound(number, "features", whose=whose)
        if segment is not None and not all(segment.arrays.keys() >= {*array_names(id)} for id in OPTIONAL):
            segment.close()
            return None
        return segment

    def _sound(self, number: int, part: str, **digest: np.ndarray) -> Segment | None:
        """A segment that is of these memories."""
        segment = self.segments.open(number, part)
        if segment is None:
            return None
        if all(
            name in segment.arrays and np.array_equal(segment.arrays[name], value) for name, value in digest.items()
        ):
            return segment
        segment.close()
        return None

    def keep_rarities(self) -> None:
        """Write what the cache did not have, once all memories are weighed."""
        for number in self._unweighed if self._count else ():
            span = slice(number * SEGMENT_ROWS, (number + 1) * SEGMENT_ROWS)
            arrays = {name: getattr(self.corpus.rarities, name)[span] for name in self.corpus.rarities.names}
            self.segments.save(number, arrays | {"counted": self._counted}, self._part)


@dataclass
class State:
    """What a corpus of whole segments was at one event of the log, and which of its memories have changed since.

    It is as good as a process that had read the log so far and slept: what the events since name is read from the
    store. Where they took a memory away, brought one back or gave one other vectors, everything is read anew.
    """

    ids: list[str] = field(default_factory=list)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    at: tuple[int, str] = (0, GENESIS)
    changed: list[dict[str, object]] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """How many memories it is of; none where there is no state to begin with."""
        return len(self.ids)

    @classmethod
    def of(cls, seen: Reader, segments: Segments, makers: Mapping[str, str]) -> "State":
        """The state in the cache, if the log still leads from there to what is seen now."""
        arrays = segments.load(0, STATE_PART)
        if arrays is None:
            return cls()
        seq, hash = json.loads(bytes(arrays["at"]))
        if seen.head()[0] - seq > EVENTS_AT_MOST or seen.hash_at(seq) != hash:
            return cls()
        ids = json.loads(bytes(arrays["named"]))["ids"]
        row_of = {id: row for row, id in enumerate(ids) if id}
        news = News.of(seen, makers, seen.events_since(seq, EVENTS_AT_MOST), row_of, len(ids))
        for row in news.embedded:
            segments.remove(row)  # a process that ended too early may have left it
        if not news.followed or news.embedded or len(ids) % SEGMENT_ROWS:
            return cls()
        changed = seen.columns_of(list(FIELDS), news.changed)
        return cls(ids, arrays, (seq, hash), [dict(zip(FIELDS, row, strict=True)) for row in changed])

    def into(self, corpus: Corpus, parts: Sequence[Part], *, room: int) -> None:
        """Make an empty corpus, which has the arrays of these parts, what it was; with the changes since."""
        if not self.ids:
            return
        mine = self.parts_of(parts)
        corpus.adopt(self.arrays, [part.words for part in mine], [part.weighed for part in mine], room=room)
        for row in self.changed:
            corpus.update(str(row["id"]), row)

    def parts_of(self, parts: Sequence[Part]) -> list[Part]:
        """Those whose memories it is of: the first ones."""
        return [part for part in parts if part.first < self.rows]

    def stale(self, head: tuple[int, str], rows: int) -> bool:
        """Whether it is time to write another, of so many memories."""
        return rows - self.rows > ROWS_UNKEPT * self.rows or (rows > 0 and head[0] - self.at[0] > EVENTS_UNKEPT)

    @staticmethod
    def arrays_of(corpus: Corpus, head: tuple[int, str]) -> dict[str, np.ndarray]:
        """What `of` reads."""
        return corpus.written_out() | {"at": np.frombuffer(json.dumps(head).encode(), np.uint8)}


@dataclass
class News:
    """What some events changed in memories that are known."""

    changed: dict[str, bool] = field(default_factory=dict)
    """Those with other fields, in order."""

    embedded: set[int] = field(default_factory=set)
    """Rows of those with other vectors."""

    followed: bool = True
    """Whether fields and vectors are all: no memory was taken away, brought back or deleted for good."""

    @classmethod
    def of(
        cls, seen: Reader, makers: Mapping[str, str], events: Sequence[Event], row_of: Mapping[str, int], rows: int
    ) -> "News":
        news = cls()
        for event in events:
            news.followed &= not is_emptied(event) and event.type != "purge"
            for change in changes_of(event, "nodes", "vectors"):
                id, node = change.id, change.table == "nodes"
                if id not in row_of:
                    ordinal = (change.after or {}).get("ordinal") if node else None
                    news.followed &= ordinal is None or ordinal >= rows  # else it is back at a place that was empty
                elif not node:
                    if shows(seen, change, makers):
                        news.embedded.add(row_of[id])
                else:
                    news.changed[id] = True
                    news.followed &= not change.deleted
        return news


def _arrays(features: Features) -> dict[str, np.ndarray]:
    """Features as a segment keeps them: codes in blocks, which an index takes over as they lie."""
    from context_graph.kernels import maxsim

    arrays = features.arrays()
    blocks, scale = maxsim.blocks_of(arrays.pop("codes"), multiple=PAGE_TOKENS)
    return arrays | {"blocks": blocks, "scale": scale}


def _digest(ids: Sequence[str]) -> np.ndarray:
    """Names memories: after a restore, or with files mixed up, others may have their ordinals."""
    return np.frombuffer(hashlib.sha256("\n".join(ids).encode()).digest(), np.uint8)


def shows(seen: Reader, change: Change, makers: Mapping[str, str]) -> bool:
    """Whether arrays of these models show a change of a vector: one that another model made now they do not."""
    node_id, space = change.key
    return seen.vector_models(node_id).get(space, makers.get(space)) == makers.get(space) or space not in makers


class Anew:
    """Makes what the base tier lacks: vectors of memories that another model embedded, from their texts alone.

    Parameters
    ----------
    count : int
        How many memories rarities are counted over.
    embedder : Embedder, optional
        One that knows the rarities already.
    """

    def __init__(self, seen: Reader, count: int = 0, embedder: Embedder | None = None) -> None:
        self._seen, self._count, self._embedder = seen, count, embedder

    def fingerprints(self, first: int, last: int) -> dict[int, Fingerprint]:
        """Those of the ordinals from first to last."""
        if self._embedder is None:
            self._embedder = self._counted()
        found = {}
        for node in self._seen.memories(after_ordinal=first - 1, limit=last - first + 1):
            if node.ordinal is not None and node.ordinal <= last:
                before = self._seen.session_memories(node.session_id, 1, before_position=node.position)
                found[node.ordinal] = fingerprint_of(self._seen, self._embedder, node, before[0] if before else None)
        return found

    def _counted(self) -> Embedder:
        embedder = Embedder("base")
        told = [unpack_words(data)[1] for _, data in self._seen.vectors_by_ordinal("E6", 0, self._count - 1)]
        if told:
            lengths = np.array([len(pieces) for pieces in told])
            embedder.statistics.freeze(self._count, holding_counts(np.concatenate(told).astype(np.int64), lengths))
        return embedder


def features_of(seen: Reader, first: int, last: int, makers: Mapping[str, str], anew: Anew | None = None) -> Features:
    """Features of the ordinals from first to last, from their vectors alone; empty where no memory is.

    Parameters
    ----------
    makers : mapping
        Space -> its model: vectors of two models are never compared.
    anew : Anew, optional
        Makes what these models have not made.
    """
    spaces = (*KEPT_OF_ALL, *OPTIONAL)
    vectors = {space: dict(seen.vectors_by_ordinal(space, first, last, model=makers.get(space))) for space in spaces}
    found = [_fingerprint({space: vectors[space].get(o) for space in spaces}) for o in range(first, last + 1)]
    if anew is not None:
        lacking = [o for o in vectors["E6"] if o not in vectors["E1"] or o not in vectors["E12"]]
        for start, end in _runs(sorted(lacking)):
            for ordinal, made in anew.fingerprints(start, end).items():
                whole, form = found[ordinal - first]
                whole = replace(
                    whole, semantic=made.semantic.astype(np.float16), chunks=made.chunks,
                    optional={id: vector.astype(np.float16) for id, vector in made.optional.items()},
                )  # fmt: skip
                found[ordinal - first] = whole, form
    return Features.of([fingerprint for fingerprint, _ in found], [form for _, form in found])


def _runs(ordinals: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each run of numbers without a gap."""
    runs: list[tuple[int, int]] = []
    for ordinal in ordinals:
        if runs and runs[-1][1] == ordinal - 1:
            runs[-1] = (runs[-1][0], ordinal)
        else:
            runs.append((ordinal, ordinal))
    return runs


NOTHING = Fingerprint(np.zeros(DIMENSIONS, np.float16), [], {}, np.zeros(BIT_WORDS, np.uint64), np.zeros(0, np.int32))


def _fingerprint(vectors: dict[str, bytes | None]) -> tuple[Fingerprint, int]:
    """A fingerprint and a form as the store keeps them; nothing where a memory has no vectors."""
    if vectors["E6"] is None:
        return NOTHING, 0
    terms, pieces, form = unpack_words(vectors["E6"])
    chunks = [] if vectors["E12"] is None else unpack_tokens(vectors["E12"])
    bits = NOTHING.bits if vectors["E9"] is None else np.frombuffer(vectors["E9"], np.uint64)
    semantic = NOTHING.semantic if vectors["E1"] is None else np.frombuffer(vectors["E1"], np.float16)
    optional = {id: each.unpack(data) for id, each in OPTIONAL.items() if (data := vectors[id]) is not None}
    return Fingerprint(semantic, chunks, terms, bits, pieces, optional=optional), form
