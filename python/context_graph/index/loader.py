"""Loads the corpus from the store at opening, and applies the events that any process writes afterwards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from context_graph.embed import OPTIONAL, Embedder, Fingerprint, lexical
from context_graph.index.batch import Features, form_of, unpack_tokens
from context_graph.index.corpus import Corpus
from context_graph.index.fields import DEAD, FIELDS
from context_graph.index.segment_cache import SegmentLoader, segments_of
from context_graph.index.snapshot import Snapshot, affects_index
from context_graph.index.stored_features import FingerprintRebuilder, features_of
from context_graph.models import Event
from context_graph.reading.fingerprints import given_name
from context_graph.store import STATE_PART, Change, Segments, Storage, changes_of, is_emptied, noted_nodes

__all__ = ["Applied", "apply_event", "behind", "load", "unfinished", "unreviewed"]

ID = FIELDS.index("id")


def load(store: Storage, corpus: Corpus, embedder: Embedder) -> tuple[int, str]:
    """Fill an empty corpus; returns sequence number and hash of the last event that it reflects.

    Whole segments come from the cache, and the fields and posting lists of most of them from the snapshot there. What
    is missing, stale or damaged is rebuilt from the store.
    """
    segments = segments_of(store, embedder)
    with store.snapshot() as reader:
        head = reader.head()
        snapshot = Snapshot.of(reader, segments, embedder.makers)
        later_rows = {row[0]: row for row in reader.columns(list(FIELDS), snapshot.rows - 1)}
        end = max(later_rows, default=snapshot.rows - 1) + 1

        def rows_of(first: int, last: int) -> list[tuple[Any, ...]]:
            return [later_rows.get(ordinal, (ordinal, *DEAD)) for ordinal in range(first, last)]

        ids = snapshot.ids + [str(row[ID]) for row in rows_of(snapshot.rows, end)]
        count = corpus.begin_load(end)
        loader = SegmentLoader(reader, corpus, embedder, segments, ids, count)
        loaded = loader.load()
        snapshot.restore(corpus, loaded, capacity=end + end // 4)
        for segment in loaded[len(snapshot.covered(loaded)) :]:
            rows = rows_of(segment.first, segment.first + len(segment.words))
            corpus.insert(rows, segment.words, idf_cached=segment.idf_cached, df=segment.df)
        whole = len(corpus)
        if snapshot.stale(head, whole) and count <= whole:
            segments.save(0, Snapshot.arrays_of(corpus, head), STATE_PART)
        if whole < end:
            corpus.extend(rows_of(whole, end), loader.features(whole, end - 1))
    loader.save_idf_features()
    return head


@dataclass(frozen=True, slots=True)
class Applied:
    """The effect of one event: changed rows of the store, and nodes that it deleted for good."""

    changes: Sequence[Change]
    deleted: Sequence[str] = ()
    erased: Mapping[str, int] = field(default_factory=dict)
    """The deleted memories of the corpus, and the rows that they had."""


def apply_event(
    corpus: Corpus,
    store: Storage,
    embedder: Embedder,
    segments: Segments,
    event: Event,
    fingerprints: dict[str, Fingerprint],
) -> Applied | None:
    """Apply one event to the corpus; None where the corpus has to be loaded again.

    Parameters
    ----------
    fingerprints : dict
        Of memories that this process has just embedded, by node id.
    """
    if is_emptied(event) and event.type == "purge":
        return None  # a later purge took away what this one deleted
    # Of an event that a purge has emptied since, what it changed in rows that remain.
    changes = store.residue(event.seq) if is_emptied(event) else changes_of(event)
    of_vectors = [change for change in changes if change.table == "vectors" and change.id in corpus.row_of]
    embedded = {change.id for change in of_vectors if affects_index(store, change, embedder.makers)}
    if any(_rewritten(corpus, change) for change in changes):
        _uncache(corpus, segments, embedded)
        return None  # its old words have to leave these arrays and all that was derived from them
    deleted = noted_nodes(event) if event.type == "purge" else ()
    _uncache(corpus, segments, deleted)
    erased = {id: row for id in deleted if (row := corpus.erase(id)) is not None}
    for change in changes:
        if change.table != "nodes":
            continue
        node_id, after = change.id, change.after
        if after is None:
            corpus.remove(node_id)
            embedded.discard(node_id)
        elif node_id in corpus.row_of:
            corpus.update(node_id, after)
        elif after.get("ordinal") is not None:
            if after["ordinal"] < len(corpus):  # back at a place that was empty when this process loaded it
                return None
            _append(corpus, store, node_id, after, fingerprints, embedder)
            embedded.discard(node_id)
    for node_id in embedded & corpus.row_of.keys():  # embedded in the background, or back after an undo
        segments.remove(corpus.row_of[node_id])
        _refresh(corpus, store, node_id, embedder.makers)
    return Applied(changes, deleted, erased)


def _rewritten(corpus: Corpus, change: Change) -> bool:
    """Whether the content of a memory was changed: no array replaces words and bits in place."""
    known = change.table == "nodes" and change.id in corpus.row_of
    return known and bool(change.before) and "content" in change.columns


def _uncache(corpus: Corpus, segments: Segments, node_ids: Iterable[str]) -> None:
    """Remove the cached segments of memories that were deleted or embedded again."""
    for node_id in node_ids:
        if node_id in corpus.row_of:
            segments.remove(corpus.row_of[node_id])


def _append(
    corpus: Corpus,
    store: Storage,
    node_id: str,
    row: Mapping[str, Any],
    fingerprints: dict[str, Fingerprint],
    embedder: Embedder,
) -> None:
    """Add a memory from its row as the event has it; later events update it."""
    fingerprint = fingerprints.pop(node_id, None)
    if fingerprint is not None:
        features = Features.of([fingerprint], [form_of(row["content"])])
    else:
        rebuilder = FingerprintRebuilder(store, embedder=embedder) if embedder.tier == "base" else None
        features = features_of(store, row["ordinal"], row["ordinal"], embedder.makers, rebuilder)
    corpus.extend([tuple(row[name] for name in FIELDS)], features)


def _refresh(corpus: Corpus, store: Storage, node_id: str, makers: Mapping[str, str]) -> None:
    models = store.vector_models(node_id)
    current = [space for space in ("E1", "E12", *OPTIONAL) if models.get(space) == makers[space]]
    vectors = {space: data for space in current if (data := store.vectors([node_id], space).get(node_id)) is not None}
    if "E1" in vectors and "E12" in vectors:
        optional = {id: encoder.unpack(vectors[id]) for id, encoder in OPTIONAL.items() if id in vectors}
        corpus.reembed(node_id, np.frombuffer(vectors["E1"], np.float16), unpack_tokens(vectors["E12"]), optional)


def behind(store: Storage, makers: Mapping[str, str], *, main: bool = False) -> list[str]:
    """Ids of the memories, forgotten ones apart, with vectors of another model than these; the latest first.

    Parameters
    ----------
    main : bool
        Only in the spaces that every memory has.
    """
    spaces = ("E1", "E12") if main else ("E1", "E12", *OPTIONAL)
    return list(dict.fromkeys(id for space in spaces for id in store.made_by_others(space, makers[space])))


def unfinished(store: Storage, corpus: Corpus, embedder: Embedder) -> Iterator[str]:
    """Ids of memories to embed: those that a lesser model embedded, and long ones left unfinished when a process ended.

    The base tier never replaces what MiniLM made: with two servers of two tiers on one store, each would undo
    the other's work for ever.
    """
    if embedder.tier == "base":
        return
    yield from behind(store, embedder.makers)
    rows, chunks = np.unique(corpus.owners.row, return_counts=True)
    for row in rows[chunks == embedder.done_at_once].tolist():
        for node in store.nodes([corpus.ids[row]]):
            if embedder.is_long(node.content, node.speaker, given_name(node)):
                yield node.id


def unreviewed(store: Storage) -> list[str]:
    """Memories that an older version stored, without what this one makes of a text besides; the latest first.

    They are reviewed in that order, so where the oldest is done, all are.
    """
    oldest = store.oldest_memory()
    if oldest is None or store.vector_models(oldest).get("E6", lexical.MAKER) == lexical.MAKER:
        return []
    return store.made_by_others("E6", lexical.MAKER)
