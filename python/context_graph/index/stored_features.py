"""Features of memories from the vectors that the store has of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from context_graph.embed import OPTIONAL, Embedder, Fingerprint
from context_graph.embed.semantic import DIMENSIONS
from context_graph.embed.statistics import document_frequencies
from context_graph.index.batch import BIT_WORDS, Features, unpack_tokens, unpack_words
from context_graph.reading.fingerprints import fingerprint_of
from context_graph.store import Reader

__all__ = ["FingerprintRebuilder", "features_of"]

MAIN_SPACES = ("E1", "E6", "E9", "E12")
"""The spaces in which the store has a vector of every memory."""

EMPTY_FINGERPRINT = Fingerprint(
    np.zeros(DIMENSIONS, np.float16), [], {}, np.zeros(BIT_WORDS, np.uint64), np.zeros(0, np.int32)
)


class FingerprintRebuilder:
    """Computes vectors of the base tier for memories that another model embedded, from their texts.

    Parameters
    ----------
    count : int
        How many memories the idf is computed over.
    embedder : Embedder, optional
        One whose statistics have that idf already.
    """

    def __init__(self, reader: Reader, count: int = 0, embedder: Embedder | None = None) -> None:
        self._reader, self._count, self._embedder = reader, count, embedder

    def fingerprints(self, first: int, last: int) -> dict[int, Fingerprint]:
        """Fingerprints of the ordinals from first to last, by ordinal."""
        if self._embedder is None:
            self._embedder = self._embedder_with_idf()
        fingerprints = {}
        for node in self._reader.memories(after_ordinal=first - 1, limit=last - first + 1):
            if node.ordinal is not None and node.ordinal <= last:
                before = self._reader.session_memories(node.session_id, 1, before_position=node.position)
                fingerprints[node.ordinal] = fingerprint_of(
                    self._reader, self._embedder, node, before[0] if before else None
                )
        return fingerprints

    def _embedder_with_idf(self) -> Embedder:
        embedder = Embedder("base")
        pieces = [unpack_words(data)[1] for _, data in self._reader.vectors_by_ordinal("E6", 0, self._count - 1)]
        if pieces:
            lengths = np.array([len(each) for each in pieces])
            embedder.statistics.freeze(
                self._count, document_frequencies(np.concatenate(pieces).astype(np.int64), lengths)
            )
        return embedder


def features_of(
    reader: Reader, first: int, last: int, makers: Mapping[str, str], rebuilder: FingerprintRebuilder | None = None
) -> Features:
    """Features of the ordinals from first to last, from their stored vectors; empty where there is no memory.

    Parameters
    ----------
    makers : mapping
        Space -> its model: vectors of two models are never compared.
    rebuilder : FingerprintRebuilder, optional
        For memories without vectors of these models.
    """
    spaces = (*MAIN_SPACES, *OPTIONAL)
    vectors = {space: dict(reader.vectors_by_ordinal(space, first, last, model=makers.get(space))) for space in spaces}
    prints = [_fingerprint({space: vectors[space].get(o) for space in spaces}) for o in range(first, last + 1)]
    if rebuilder is not None:
        lacking = [o for o in vectors["E6"] if o not in vectors["E1"] or o not in vectors["E12"]]
        for start, end in _runs(sorted(lacking)):
            for ordinal, rebuilt in rebuilder.fingerprints(start, end).items():
                fingerprint, form = prints[ordinal - first]
                fingerprint = replace(
                    fingerprint, semantic=rebuilt.semantic.astype(np.float16), chunks=rebuilt.chunks,
                    optional={id: vector.astype(np.float16) for id, vector in rebuilt.optional.items()},
                )  # fmt: skip
                prints[ordinal - first] = fingerprint, form
    return Features.of([fingerprint for fingerprint, _ in prints], [form for _, form in prints])


def _runs(ordinals: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each run of numbers without a gap."""
    runs: list[tuple[int, int]] = []
    for ordinal in ordinals:
        if runs and runs[-1][1] == ordinal - 1:
            runs[-1] = (runs[-1][0], ordinal)
        else:
            runs.append((ordinal, ordinal))
    return runs


def _fingerprint(vectors: dict[str, bytes | None]) -> tuple[Fingerprint, int]:
    """A fingerprint and a form from stored bytes; an empty one where a memory has no vectors."""
    if vectors["E6"] is None:
        return EMPTY_FINGERPRINT, 0
    terms, pieces, form = unpack_words(vectors["E6"])
    chunks = [] if vectors["E12"] is None else unpack_tokens(vectors["E12"])
    bits = EMPTY_FINGERPRINT.bits if vectors["E9"] is None else np.frombuffer(vectors["E9"], np.uint64)
    semantic = EMPTY_FINGERPRINT.semantic if vectors["E1"] is None else np.frombuffer(vectors["E1"], np.float16)
    optional = {id: each.unpack(data) for id, each in OPTIONAL.items() if (data := vectors[id]) is not None}
    return Fingerprint(semantic, chunks, terms, bits, pieces, optional=optional), form
