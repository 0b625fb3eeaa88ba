"""Nearest neighbours of a new memory: duplicates, memories to link, and its distance from everything stored."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from context_graph.embed import Embedder, Fingerprint
from context_graph.index.corpus import Corpus
from context_graph.index.visible_rows import VisibleRows
from context_graph.visibility import Viewer

__all__ = ["NEAR_DUPLICATE_COSINE", "Near", "NoveltyIndex", "SearchedAhead", "Surroundings"]

NEAR_DUPLICATE_COSINE = 0.9
"""Cosine above which two memories are near-duplicates; what differs between them decides what that means."""

NEIGHBOURS = 8
SAMPLE = 1_000
"""How many stored memories, the last ones, are the sample that a new memory's distances are compared with."""

HALF = 5_000.0
"""Bits in which two unrelated texts differ."""


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Nearest neighbours of a new memory.

    Attributes
    ----------
    rows : int64 (k,)
        The visible memories most like it, nearest first.
    cosines : float32 (k,)
        Of the parts of E1 that come from the memories' own texts.
    distances, nearest : dict
        For surprise: its distance to its nearest neighbour in each space, and the same of the stored sample.
    """

    rows: np.ndarray
    cosines: np.ndarray
    distances: dict[str, float]
    nearest: dict[str, np.ndarray]


class SearchedAhead:
    """The stored memories most like those of a write, searched for together: the vectors are then read once for all.

    Parameters
    ----------
    prints : sequence of Fingerprint
        Of the memories, before any of them is in the corpus.
    visible : bool (n,)
        Which rows their authors may see.
    """

    def __init__(self, corpus: Corpus, prints: Sequence[Fingerprint], visible: np.ndarray) -> None:
        from context_graph.kernels import dense

        self._prints, self._visible = prints, visible
        self._places = {id(fingerprint): place for place, fingerprint in enumerate(prints)}
        queries = np.stack([fingerprint.semantic for fingerprint in prints]).astype(np.float32)
        self._scores, self._rows = corpus.semantic.search(queries, 4 * NEIGHBOURS, mask=visible)
        self._place_of: dict[int, int | None] = {}
        self._between: np.ndarray | None = None
        if corpus.semantic.device is None:
            self._between = dense.scores(queries, queries.astype(np.float16), backend=corpus.semantic.backend)

    def entered(self, fingerprint: Fingerprint, row: int) -> None:
        """Note that a row of the corpus is that of a memory: how alike it is to the others is known."""
        self._place_of[row] = self._places.get(id(fingerprint))

    def nearest(self, corpus: Corpus, fingerprint: Fingerprint, visible: np.ndarray) -> np.ndarray | None:
        """The rows that a search for one of them finds now that some of the others are in the corpus: int64 (m,). None
        where it was not among them, or where other rows are visible than were then."""
        place = self._places.get(id(fingerprint))
        first = len(self._visible)
        if place is None or not np.array_equal(self._visible, visible[:first]):
            return None
        rows, added = self._rows[place], first + np.flatnonzero(visible[first:])
        if len(added):
            rows = np.concatenate([rows, added])
            scores = np.concatenate([self._scores[place], self._scores_of(corpus, place, added)])
            rows = rows[np.lexsort((rows, -scores))[: 4 * NEIGHBOURS]]
        found: np.ndarray = rows[rows >= 0]
        return found

    def _scores_of(self, corpus: Corpus, place: int, added: np.ndarray) -> np.ndarray:
        """Inner products of a memory with rows that were added since: float32 (m,)."""
        places = [self._place_of.get(row) for row in added.tolist()]
        others = np.array([other for other in places if other is not None], np.int64)
        if self._between is None or len(others) < len(added):
            query = self._prints[place].semantic.astype(np.float32)[None]
            of_rows: np.ndarray = corpus.semantic.scores(query, ids=added)[0]
            return of_rows
        between: np.ndarray = self._between[place, others]
        return between


class SampledAhead:
    """How far the memories of a write are from the sample, and from each other, in bits: counted for all at once.

    Parameters
    ----------
    prints : sequence of Fingerprint
        Of the memories, before any of them is in the sample.
    sample : uint64 (n, 160)
        E9 of the sample.
    """

    def __init__(self, prints: Sequence[Fingerprint], sample: np.ndarray) -> None:
        from context_graph.kernels import hdc

        self._prints = prints  # an object that is gone might give its identity to another
        self._places = {id(fingerprint): place for place, fingerprint in enumerate(prints)}
        bits = np.stack([fingerprint.bits for fingerprint in prints])
        self._to_sample, self._between = hdc.distances(bits, sample), hdc.distances(bits, bits)

    def distances(self, fingerprint: Fingerprint, count: int) -> np.ndarray | None:
        """From one of them to the first entries of the sample as it is now: int32 (count,); None of any other."""
        place = self._places.get(id(fingerprint))
        return None if place is None else self._to_sample[place, :count]

    def replace(self, entry: int, fingerprint: Fingerprint) -> None:
        """Note that a memory has taken the place of an entry of the sample."""
        place = self._places.get(id(fingerprint))
        if place is None:
            self._places.clear()  # how far that one is from the others is not known
        else:
            self._to_sample[:, entry] = self._between[:, place]


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What was looked up for the memories of a write together.

    Attributes
    ----------
    visible : VisibleRows
        What their authors may see.
    searched : SearchedAhead
        What is most like them.
    sampled : SampledAhead
        How far they are from the sample.
    """

    visible: VisibleRows
    searched: SearchedAhead
    sampled: SampledAhead


class NoveltyIndex:
    """Compares new memories with stored ones. A ring buffer holds the nearest-neighbour distances of the sample."""

    def __init__(self, corpus: Corpus, embedder: Embedder) -> None:
        self._embedder = embedder
        rows = np.flatnonzero(corpus.columns.live)[-SAMPLE:]
        n = self._count = len(rows)
        own, bits = embedder.own_part(corpus.semantic.rows(rows)), corpus.bits.rows(rows)
        self._own = np.zeros((SAMPLE, own.shape[1]), np.float32)
        self._bits = np.zeros((SAMPLE, bits.shape[1]), np.uint64)
        self._nearest = {space: np.full(SAMPLE, np.inf) for space in ("E1", "E9")}
        self._own[:n], self._bits[:n] = own, bits
        if n > 1:
            cosines = own @ own.T
            np.fill_diagonal(cosines, -1.0)
            apart = corpus.bits.distances(bits, ids=rows)
            np.fill_diagonal(apart, 2 * HALF)
            self._nearest["E1"][:n] = np.maximum(1.0 - cosines.max(axis=1), 0.0)
            self._nearest["E9"][:n] = apart.min(axis=1) / HALF

    def of(
        self, corpus: Corpus, fingerprint: Fingerprint, visible: np.ndarray, around: Surroundings | None = None
    ) -> Near:
        """Neighbours of a memory that is not stored yet, among the visible ones of a corpus.

        Parameters
        ----------
        around : Surroundings, optional
            What was looked up before, together with other memories.
        """
        if not visible.any():
            return Near(np.zeros(0, np.int64), np.zeros(0, np.float32), {}, {})
        embedder = self._embedder
        semantic = fingerprint.semantic.astype(np.float32)
        near = None if around is None else around.searched.nearest(corpus, fingerprint, visible)
        if near is None:
            near = corpus.semantic.search(semantic[None], 4 * NEIGHBOURS, mask=visible)[1][0]
            near = near[near >= 0]
        cosines = embedder.own_part(corpus.semantic.rows(near, prefix=embedder.own_width)) @ embedder.own_part(semantic)
        order = np.lexsort((near, -cosines))[:NEIGHBOURS]
        rows = near[order]
        apart = corpus.bits.distances(fingerprint.bits[None], ids=rows)[0] / HALF
        distances = {"E1": _zeroed(1.0 - float(cosines[order[0]])), "E9": float(apart.min())}
        count = min(self._count, SAMPLE)
        sample = {space: values[:count][np.isfinite(values[:count])] for space, values in self._nearest.items()}
        return Near(rows, cosines[order], distances, sample)

    def surroundings(self, corpus: Corpus, prints: Sequence[Fingerprint], viewer: Viewer, *, now: int) -> Surroundings:
        """What `of` and `add` take of memories that are looked at and added one after the other.

        Parameters
        ----------
        viewer : Viewer
            The author of the first.
        now : int
            Microseconds: the moment that validity is judged at.
        """
        visible = VisibleRows(corpus, viewer, now=now)
        searched = SearchedAhead(corpus, prints, visible.of(corpus, viewer, now=now))
        return Surroundings(visible, searched, SampledAhead(prints, self._bits))

    def add(self, fingerprint: Fingerprint, around: Surroundings | None = None) -> None:
        """Add a memory that was just stored to the sample: overwrite the oldest entry of the ring, and lower the
        distances of those that it is nearer to.

        Parameters
        ----------
        around : Surroundings, optional
            What was looked up before, together with other memories; every memory that is added goes through it.
        """
        from context_graph.kernels import hdc

        count, place = min(self._count, SAMPLE), self._count % SAMPLE
        own, bits = self._embedder.own_part(fingerprint.semantic.astype(np.float32)), fingerprint.bits
        apart = None if around is None else around.sampled.distances(fingerprint, count)
        if apart is None:
            apart = hdc.distances(bits[None], self._bits[:count])[0]
        for space, to_sample in (("E1", np.maximum(1.0 - self._own[:count] @ own, 0.0)), ("E9", apart / HALF)):
            nearest = self._nearest[space]
            np.minimum(nearest[:count], to_sample, out=nearest[:count])
            to_sample[place : place + 1] = np.inf  # the entry that goes
            nearest[place] = to_sample.min(initial=np.inf)
        self._own[place], self._bits[place] = own, bits
        if around is not None:
            around.sampled.replace(place, fingerprint)
        self._count += 1

    def drop(self, bits: np.ndarray) -> None:
        """Remove a memory that was deleted for good from the sample."""
        for place in np.flatnonzero((self._bits == bits).all(axis=1)):
            self._own[place], self._bits[place] = 0.0, 0
            for nearest in self._nearest.values():
                nearest[place] = np.inf


def _zeroed(distance: float) -> float:
    """The distance, or 0 where it is a rounding error: float16 storage leaves a copy this far from its original."""
    return 0.0 if distance < 1e-3 else distance
