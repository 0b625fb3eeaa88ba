"""The cache of the index: files with the arrays of 1,024 memories each, mapped at the next opening."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from context_graph.embed import OPTIONAL, Embedder
from context_graph.embed.late import DIMENSIONS as TOKEN_DIMENSIONS
from context_graph.embed.statistics import document_frequencies
from context_graph.index.batch import Features, Words, array_names
from context_graph.index.corpus import Corpus
from context_graph.index.stored_features import FingerprintRebuilder, features_of
from context_graph.store import SEGMENT_ROWS, Reader, Segment, Segments, Storage

__all__ = ["LoadedSegment", "SegmentLoader", "segments_of"]

LAYOUT = 16
"""Version of the cached arrays and of how texts are read into them; a cache of another version is not read."""

PAGE_TOKENS = 32
"""Codes of this many tokens fill a page; the blocks of a segment are padded to it, so that they can be mapped."""

WORD_ARRAYS = ("terms", "counts", "term_lengths", "pieces", "piece_lengths")


def segments_of(store: Storage, embedder: Embedder) -> Segments:
    """The cache of a store's memories as this model and this version make them."""
    return Segments(store.home, f"{embedder.model} {LAYOUT}")


@dataclass(frozen=True, slots=True)
class LoadedSegment:
    """A segment whose arrays the corpus has; its memories are not inserted yet."""

    first: int
    """Ordinal of its first memory."""

    words: Words
    idf_cached: bool
    df: np.ndarray
    """Document frequencies of word pieces over its memories: int64 (30522,)."""


class SegmentLoader:
    """Reads whole segments into a corpus: from the cache, or from the store, whose features it then caches.

    Parameters
    ----------
    ids : list of str
        Of all memories by ordinal, empty where there is none.
    count : int
        How many of them the idf is computed over.
    """

    def __init__(
        self, reader: Reader, corpus: Corpus, embedder: Embedder, segments: Segments, ids: list[str], count: int
    ) -> None:
        self.reader, self.corpus, self.embedder, self.segments = reader, corpus, embedder, segments
        self._rebuilder = FingerprintRebuilder(reader, count) if embedder.tier == "base" else None
        self.ids, self._count, self._part = ids, count, f"rarity-{count}"
        self._counted = _digest(ids[:count])
        self._without_idf: list[int] = []

    def load(self) -> list[LoadedSegment]:
        """Append the arrays of all whole segments to the corpus."""
        self.corpus.reserve(len(self.ids), self.segments.nbytes // TOKEN_DIMENSIONS)
        return [self._load_segment(number) for number in range(len(self.ids) // SEGMENT_ROWS)]

    def _load_segment(self, number: int) -> LoadedSegment:
        first = number * SEGMENT_ROWS
        whose = _digest(self.ids[first : first + SEGMENT_ROWS])
        segment, idf = self._cached_features(number, whose), None
        if segment is not None:
            idf = self._open_valid(number, self._part, counted=self._counted)
        else:
            features = self.features(first, first + SEGMENT_ROWS - 1)
            df = document_frequencies(features.pieces, features.piece_lengths)
            self.segments.save(number, _arrays(features) | {"whose": whose, "holding": df.astype(np.uint16)})
            segment = self._cached_features(number, whose)
        if idf is None:
            self._without_idf.append(number)
        if segment is None:  # where the cache cannot be written
            self.corpus.append_features(features)
            return LoadedSegment(first, features.words, False, df)
        self.corpus.map_segment(segment, idf)
        for file in (segment, idf):
            if file is not None:
                file.close()
        words = Words(**{name: segment.arrays[name] for name in WORD_ARRAYS})
        return LoadedSegment(first, words, idf is not None, segment.arrays["holding"])

    def features(self, first: int, last: int) -> Features:
        """Features of the ordinals from first to last, from the store."""
        return features_of(self.reader, first, last, self.embedder.makers, self._rebuilder)

    def _cached_features(self, number: int, whose: np.ndarray) -> Segment | None:
        """The cached features of a segment; None where they lack a registered optional space."""
        segment = self._open_valid(number, "features", whose=whose)
        if segment is not None and not all(segment.arrays.keys() >= {*array_names(id)} for id in OPTIONAL):
            segment.close()
            return None
        return segment

    def _open_valid(self, number: int, part: str, **digest: np.ndarray) -> Segment | None:
        """A cached file of this segment whose digests agree; None where there is none."""
        segment = self.segments.open(number, part)
        if segment is None:
            return None
        if all(
            name in segment.arrays and np.array_equal(segment.arrays[name], value) for name, value in digest.items()
        ):
            return segment
        segment.close()
        return None

    def save_idf_features(self) -> None:
        """Cache the idf features that were computed, once all memories are inserted."""
        for number in self._without_idf if self._count else ():
            span = slice(number * SEGMENT_ROWS, (number + 1) * SEGMENT_ROWS)
            arrays = {name: getattr(self.corpus.idf_features, name)[span] for name in self.corpus.idf_features.names}
            self.segments.save(number, arrays | {"counted": self._counted}, self._part)


def _arrays(features: Features) -> dict[str, np.ndarray]:
    """Features as a cached file holds them: token codes in the blocks of the index, so that they can be mapped."""
    from context_graph.kernels import maxsim

    arrays = features.arrays()
    blocks, scale = maxsim.blocks_of(arrays.pop("codes"), multiple=PAGE_TOKENS)
    return arrays | {"blocks": blocks, "scale": scale}


def _digest(ids: Sequence[str]) -> np.ndarray:
    """A digest of memories: after a restore, or with files mixed up, their ordinals may belong to others."""
    return np.frombuffer(hashlib.sha256("\n".join(ids).encode()).digest(), np.uint8)
