"""All memories as arrays in RAM, one row each in the order they were stored: what a search scans."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from context_graph.embed import Fingerprint
from context_graph.embed.embedder import Embedder
from context_graph.embed.sentence_table import unit_sums
from context_graph.embed.statistics import PieceStatistics
from context_graph.index.batch import Features, Words
from context_graph.index.fields import DEAD, FIELDS, Fields
from context_graph.index.idf_features import IdfFeatures
from context_graph.index.postings import Postings
from context_graph.index.vectors import Vectors
from context_graph.index.word_lists import WordLists
from context_graph.locks import Rank, reentrant_lock
from context_graph.models import NodeState
from context_graph.visibility import Viewer

if TYPE_CHECKING:
    from context_graph.store import Segment

__all__ = ["Corpus"]


class Corpus:
    """The resident indexes and columns, which share their rows.

    Rows are ordinals of the store. A memory that is forgotten, undone or purged keeps its row and is masked.

    A memory is added in two steps. Its arrays come first, copied (`append_features`) or mapped from a cached file
    (`map_segment`); `insert` then adds its fields and words, and makes its row one of those that are searched.
    """

    def __init__(self, statistics: PieceStatistics, *, embedder: Embedder, backend: str | None = None) -> None:
        self.statistics = statistics
        self.embedder = embedder
        """The model that made these vectors, and that encodes the queries for them."""

        self._vectors = Vectors(backend=backend)
        self.semantic, self.tokens, self.bits = self._vectors.semantic, self._vectors.tokens, self._vectors.bits
        self.owners, self.optional, self.kind_of = self._vectors.owners, self._vectors.optional, self._vectors.kind_of
        self.forms, self.fused, self.attributes = self._vectors.forms, self._vectors.fused, self._vectors.attributes
        self._sentences = self._vectors.sentences
        self.areas = self._vectors.areas

        self._postings = Postings(backend=backend)
        self.terms, self.named = self._postings.terms, self._postings.named

        self._words = WordLists()
        self._idf = IdfFeatures(statistics, self._words)
        self.idf_features = self._idf.columns

        self._fields = fields = Fields()
        self.columns, self.ids, self.row_of = fields.columns, fields.ids, fields.row_of
        self.sessions, self.contexts = fields.sessions, fields.contexts
        self.speakers, self.agents = fields.speakers, fields.agents
        self.domains, self.modalities, self.joharis = fields.domains, fields.modalities, fields.joharis

        self.lock = reentrant_lock(Rank.CORPUS, "Corpus.lock")
        self._removed: set[int] = set()
        self._entered: list[tuple[Fingerprint, int]] = []

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def documents(self) -> int:
        """How many memories word statistics are over: all but those that are not in the store any more."""
        return len(self) - len(self._removed)

    @property
    def one_document_each(self) -> bool:
        """Whether every memory has exactly one token document, at its own row."""
        return self._vectors.one_document_each

    @property
    def session_order(self) -> np.ndarray:
        """Rows by session, in each by position: int64 (n,)."""
        return self._fields.session_order

    @property
    def speakers_beside(self) -> np.ndarray:
        """How many speak in the session of each row, 3 for more: int8 (n,)."""
        return self._fields.speakers_beside

    @property
    def nbytes(self) -> dict[str, int]:
        """Bytes in RAM by part."""
        rest = self._words.nbytes + self.idf_features.nbytes + self.forms.nbytes + self.named.nbytes
        return {**self._vectors.nbytes, "E6": self.terms.nbytes, "columns": self.columns.nbytes + rest}

    def extend(self, rows: Sequence[tuple[Any, ...]], features: Features) -> None:
        """Add memories in the order of their ordinals; row = ordinal.

        Parameters
        ----------
        rows : sequence of tuple
            `FIELDS` of each memory.
        features : Features
            Of the same memories.
        """
        with self.lock:
            if rows and rows[0][0] > len(self):  # ordinals lost to a write that was undone
                lost = rows[0][0] - len(self)
                self.append_features(Features.nothing(lost))
                self.insert([(len(self) + i, *DEAD) for i in range(lost)], Features.nothing(lost).words)
            self.append_features(features)
            self.insert(rows, features.words)

    def enter(self, row: tuple[Any, ...], fingerprint: Fingerprint, form: int) -> None:
        """As `extend` with one memory, inside a write that others follow: what the next ones are judged by is there at
        once, and what only a search reads when `settle` is called.

        Parameters
        ----------
        row : tuple
            Its `FIELDS`.
        form : int
            The traits of its text.
        """
        if row[0] > len(self):  # ordinals lost to a write that was undone
            self.settle()
            self.extend([row], Features.of([fingerprint], [form]))
            return
        self._entered.append((fingerprint, form))
        self._vectors.append_own(fingerprint)
        self._postings.append_terms(fingerprint.terms)
        self._fields.assign_ids([row[1]])
        self._fields.append_one(row, sum(fingerprint.terms.values()))
        if len(self) == self._idf.next_update:
            self.settle()

    def settle(self) -> None:
        """Complete the memories that were entered, all of them at once: it takes a fraction of one by one."""
        if not self._entered:
            return
        features = Features.of(*zip(*self._entered, strict=True))
        self._entered.clear()
        self._vectors.append_rest(features)
        self._idf.append_unweighted(len(features))
        words = features.words
        self._words.append(words)
        self._idf.insert(len(self) - len(features), words, from_cache=False, df=None)
        self._postings.append_names(words)
        if len(self) == self._idf.next_update:
            self._idf.recompute(len(self))

    def append_features(self, features: Features) -> None:
        """Copy the arrays of memories that `insert` will add."""
        self._vectors.append(features)
        self._idf.append_unweighted(len(features))

    def map_segment(self, segment: "Segment", idf: "Segment | None") -> None:
        """As `append_features`, from files of the cache. The large arrays are mapped, the small ones copied.

        Parameters
        ----------
        segment : Segment
            `Features` of memories, with their codes in blocks.
        idf : Segment, optional
            `idf_features` of the same memories, by the idf in force once the load is complete.
        """
        self._vectors.map_segment(segment)
        if idf is None:
            self._idf.append_unweighted(len(segment.arrays["traits"]))
        else:
            self._idf.map_segment(idf)

    def insert(
        self, rows: Sequence[tuple[Any, ...]], words: Words, *, idf_cached: bool = False, df: np.ndarray | None = None
    ) -> None:
        """Add memories whose arrays are here.

        Parameters
        ----------
        rows : sequence of tuple
            `FIELDS` of each.
        words : Words
            Of the same memories.
        idf_cached : bool
            Whether their `idf_features` came from the cache.
        df : int64 (30522,), optional
            Document frequencies of word pieces over these memories, where a cache holds them.
        """
        with self.lock:
            while len(self) < self._idf.next_update < len(self) + len(rows):
                cut = self._idf.next_update - len(self)
                self._insert(rows[:cut], words[:cut], idf_cached, None)
                rows, words, df = rows[cut:], words[cut:], None
            self._insert(rows, words, idf_cached, df)

    def _insert(self, rows: Sequence[tuple[Any, ...]], words: Words, idf_cached: bool, df: np.ndarray | None) -> None:
        field = dict(zip(FIELDS, zip(*rows, strict=True), strict=True)) if rows else {name: () for name in FIELDS}
        self._words.append(words)
        self._idf.insert(len(self), words, from_cache=idf_cached, df=df)
        self._postings.append(words)
        self._discount(self._fields.assign_ids(field["id"]))
        if len(rows) == 1:
            self._fields.append_one(rows[0], words.lengths()[0])
        else:
            self._fields.append(field, words.lengths())
        if len(self) == self._idf.next_update:
            self._idf.recompute(len(self))

    def _discount(self, rows: Sequence[int]) -> None:
        """Leave rows that hold no memory out of the word statistics."""
        self._postings.discount(rows)
        self._removed.update(rows)

    def words(self, rows: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Terms of some memories, and how often each has them: int64 (t,), float32 (t,) each."""
        return self._words.terms(rows)

    def pieces(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Word pieces of some memories, concatenated, and how many each has: int (t,), int64 (m,)."""
        return self._words.pieces(rows)

    def sentences(self, rows: np.ndarray) -> np.ndarray:
        """What each memory means as a whole, by `embed.sentence_table`: float32 (m, 128)."""
        missing = self._sentences.missing(rows)
        if len(missing):
            self._sentences.append(missing, unit_sums(*self.pieces(missing)))
        return self._sentences.of(rows)

    def has(self, trait: int, rows: np.ndarray) -> np.ndarray:
        """Which rows have a trait of their form: float32."""
        return self._vectors.has(trait, rows)

    def reembed(
        self, node_id: str, semantic: np.ndarray, chunks: Sequence[np.ndarray], optional: Mapping[str, np.ndarray]
    ) -> None:
        """Replace the vectors of a memory that was embedded again; see `Vectors.replace`."""
        with self.lock:
            row = self.row_of.get(node_id)
            if row is not None:
                self._vectors.replace(row, semantic, chunks, optional)

    def update(self, node_id: str, changed: Mapping[str, object]) -> None:
        """Write changed fields of a memory; fields without a column are ignored. A removed memory comes back."""
        with self.lock:
            row = self.row_of[node_id]
            if row in self._removed:
                self._removed.discard(row)
                self._postings.restore([row])
            self._fields.update(row, changed)

    def remove(self, node_id: str) -> None:
        """Mask a memory that is not in the store any more; its row serves again if it comes back."""
        with self.lock:
            row = self.row_of.get(node_id)
            if row is not None and row not in self._removed:
                self._fields.update(row, {"state": NodeState.FORGOTTEN})
                self._discount([row])  # as after a reopening, which finds nothing at its place

    def erase(self, node_id: str) -> int | None:
        """Overwrite a memory that was deleted for good: its row is as empty as one loaded from a store without it.

        No search answers from it any more. Its words, names and semantic vector are overwritten; its tokens, bits and
        postings are masked until the indexes are loaded again. Returns the row, if it had one.
        """
        with self.lock:
            row = self.row_of.get(node_id)
            if row is None:
                return None
            self.remove(node_id)
            self._fields.erase(row)
            self._idf.erase(row, self._words.erase(row))
            self._vectors.erase(row)
            return row

    @property
    def changes(self) -> int:
        """How often it has changed whether a row that was there may be answered, but for the passing of time."""
        return self._fields.changes

    def visible(self, viewer: Viewer, *, now: int, as_of: int | None = None, first: int = 0) -> np.ndarray:
        """Which rows, from the first on, may be answered: live, valid at the time, and in a scope the viewer shares.
        bool (n - first,)."""
        with self.lock:
            return self._fields.visible(viewer, now=now, as_of=as_of, first=first)

    def shared(self, viewer: Viewer) -> np.ndarray:
        """Which rows are in a scope the viewer shares, whatever their state. bool (n,)."""
        with self.lock:
            return self._fields.shared(viewer)

    def unchanged_until(self, now: int) -> int:
        """The next moment, in microseconds, at which a memory begins or ends to be valid."""
        return self._fields.unchanged_until(now)

    def reserve(self, memories: int, tokens: int) -> None:
        """Raise the capacity at once for a load, and a quarter more for what follows.

        Capacity that is not used costs no memory. Where it is too small, arrays are copied when they grow.
        """
        self._vectors.reserve(memories + memories // 4, tokens + tokens // 4)
        self.idf_features.reserve(memories + memories // 4)

    def begin_load(self, memories: int) -> int:
        """Announce how many memories a load will bring, so that idf is computed once; returns over how many it is."""
        return self._idf.begin_load(memories)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The fields and posting lists of all memories, for `load_arrays`: what their segments do not hold."""
        return self._fields.to_arrays() | self._idf.to_arrays() | self._postings.to_arrays()

    def load_arrays(
        self, arrays: Mapping[str, np.ndarray], blocks: Sequence[Words], idf_cached: Sequence[bool], *, capacity: int
    ) -> None:
        """Fill an empty corpus from `to_arrays`, where the segments of the same memories are here.

        Parameters
        ----------
        blocks : sequence of Words
            Of all these memories, by segment.
        idf_cached : sequence of bool
            Whether the `idf_features` of each segment came from the cache.
        capacity : int
            How many memories there will be.
        """
        for words in blocks:
            self._words.append(words)
        self._postings.load_arrays(arrays)
        self._discount(self._fields.load_arrays(arrays, capacity=capacity))
        self._idf.load_arrays(arrays, list(idf_cached))
