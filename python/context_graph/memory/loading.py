"""From the store into the corpus: all memories at opening, and afterwards what any process has written."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from context_graph.embed import Embedder, Fingerprint, lexical, spoken_text
from context_graph.embed.chunks import chunked
from context_graph.embed.embedder import CHUNKS_AT_ONCE
from context_graph.embed.semantic import DIMENSIONS
from context_graph.embed.statistics import holding_counts
from context_graph.memory.embedding import given_name
from context_graph.models import Event
from context_graph.retrieval.corpus import DEAD, FIELDS, Corpus, Rarity
from context_graph.retrieval.features import BIT_WORDS, OCCASIONAL, Features, form_of, unpack_tokens, unpack_words
from context_graph.store import Snapshot, Store
from context_graph.store.segments import SEGMENT_ROWS, Segments

__all__ = ["apply_event", "features_of", "load", "segments_of", "unfinished", "unreviewed"]

SPACES = ("E1", "E6", "E9", "E12", *OCCASIONAL)


ID = FIELDS.index("id")

LAYOUT = 7
"""Counts the forms that the cached arrays have had: a cache of another form is not looked at."""


def segments_of(store: Store, embedder: Embedder) -> Segments:
    """The cache of a store's memories as this model and this version make them."""
    return Segments(store.home, f"{embedder.model} {LAYOUT}")


def load(store: Store, corpus: Corpus, embedder: Embedder) -> tuple[int, str]:
    """Fill an empty corpus; returns sequence number and hash of the last event that it reflects.

    Whole segments come from the cache, which is rebuilt from the store where it is missing, stale or damaged.
    """
    segments = segments_of(store, embedder)
    with store.snapshot() as seen:
        head = seen.head()
        known = {row[0]: row for row in seen.columns(list(FIELDS))}
        end = max(known, default=-1) + 1
        count = corpus.load_up_to(end)
        counted = _digest([known.get(ordinal, (ordinal, *DEAD)) for ordinal in range(count)])
        unweighed, parts = [], []
        for first in range(0, end, SEGMENT_ROWS):
            number, last = first // SEGMENT_ROWS, min(first + SEGMENT_ROWS, end) - 1
            rows = [known.get(ordinal, (ordinal, *DEAD)) for ordinal in range(first, last + 1)]
            whole = len(rows) == SEGMENT_ROWS
            cached = segments.load(number) if whole else None
            weighed = segments.load(number, _rarity_part(count)) if whole else None
            if weighed is not None and not np.array_equal(weighed.pop("counted"), counted):
                weighed = None  # rare among other memories than these
            whose = _digest(rows)
            if cached is not None and np.array_equal(cached.pop("whose"), whose):
                holding = cached.pop("holding")
                features = Features(**cached)
            else:
                features, weighed = features_of(seen, first, last, embedder.makers), None
                holding = holding_counts(features.pieces, features.piece_lengths)
                if whole:
                    segments.save(number, features.arrays() | {"whose": whose, "holding": holding})
            if whole and weighed is None:
                unweighed.append(number)
            parts.append((rows, features, None if weighed is None else Rarity(**weighed), holding))
        loaded = [features for _, features, _, _ in parts]
        corpus.reserve(end, sum(len(f.code_lengths) for f in loaded), sum(len(f.codes) for f in loaded))
        for part in parts:
            corpus.extend(*part)
    if count:
        for number in unweighed:
            span = slice(number * SEGMENT_ROWS, (number + 1) * SEGMENT_ROWS)
            arrays = {"static": corpus.columns.static[span], "info": corpus.columns.info[span], "counted": counted}
            segments.save(number, arrays, _rarity_part(count))
    return head


def _digest(rows: list[tuple[Any, ...]]) -> np.ndarray:
    """Names the memories of a segment: after a restore, or with files mixed up, others may have their ordinals."""
    ids = "\n".join(str(row[ID]) for row in rows)
    return np.frombuffer(hashlib.sha256(ids.encode()).digest(), np.uint8)


def _rarity_part(count: int) -> str:
    return f"rarity-{count}"


def features_of(seen: Snapshot | Store, first: int, last: int, makers: Mapping[str, str]) -> Features:
    """Features of the ordinals from first to last, from their vectors alone; empty where no memory is.

    Parameters
    ----------
    makers : mapping
        Space -> its model: vectors of two models are never compared.
    """
    vectors = {space: dict(seen.vectors_by_ordinal(space, first, last, model=makers.get(space))) for space in SPACES}
    found = [_fingerprint({space: vectors[space].get(o) for space in SPACES}) for o in range(first, last + 1)]
    return Features.of([fingerprint for fingerprint, _ in found], [form for _, form in found])


def apply_event(
    corpus: Corpus, store: Store, embedder: Embedder, segments: Segments, event: Event, made: dict[str, Fingerprint]
) -> bool:
    """Bring the corpus up to date with one event; False where only loading it anew does.

    Parameters
    ----------
    made : dict
        Fingerprints of memories that this process has just embedded, by node id.
    """
    changes = (event.payload or {}).get("changes", ())
    embedded = {change["key"][0] for change in changes if change["table"] == "vectors"}
    if event.type == "purge" or any(_rewritten(corpus, change) for change in changes):
        _uncache(corpus, segments, {*(event.payload or {}).get("note", {}).get("nodes", ()), *embedded})
        return False  # what is deleted for good, or reads otherwise now, leaves these arrays and all made of them
    for change in changes:
        if change["table"] != "nodes":
            continue
        node_id, after = change["key"][0], change["after"]
        if after is None:
            corpus.remove(node_id)
            embedded.discard(node_id)
        elif node_id in corpus.row_of:
            corpus.update(node_id, after)
        elif after.get("ordinal") is not None:
            if after["ordinal"] < len(corpus):  # back at a place that was empty when this process loaded it
                return False
            _append(corpus, store, node_id, made, embedder.makers)
            embedded.discard(node_id)
    for node_id in embedded & corpus.row_of.keys():  # embedded in the background, or back after an undo
        segments.remove(corpus.row_of[node_id] // SEGMENT_ROWS)
        _refresh(corpus, store, node_id, embedder.makers)
    return True


def _rewritten(corpus: Corpus, change: Mapping[str, Any]) -> bool:
    """Whether a memory says something else now: its words and bits are replaced in no array."""
    known = change["table"] == "nodes" and change["key"][0] in corpus.row_of
    return known and bool(change["before"]) and "content" in (change["after"] or {})


def _uncache(corpus: Corpus, segments: Segments, node_ids: Iterable[str]) -> None:
    """Let go of the cached arrays of memories deleted or embedded anew, which this process may have written since."""
    for node_id in node_ids:
        if node_id in corpus.row_of:
            segments.remove(corpus.row_of[node_id] // SEGMENT_ROWS)


def _append(
    corpus: Corpus, store: Store, node_id: str, made: dict[str, Fingerprint], makers: Mapping[str, str]
) -> None:
    fingerprint = made.pop(node_id, None)
    for node in store.nodes([node_id]):  # none if a later event has taken it away again
        if fingerprint is not None:
            corpus.append(node, Features.of([fingerprint], [form_of(node.content)]))
        else:
            corpus.append(node, features_of(store, node.ordinal, node.ordinal, makers))


def _refresh(corpus: Corpus, store: Store, node_id: str, makers: Mapping[str, str]) -> None:
    made_by = store.vector_models(node_id)
    known = [space for space in ("E1", "E12", *OCCASIONAL) if made_by.get(space) == makers[space]]
    found = {space: data for space in known if (data := store.vectors([node_id], space).get(node_id)) is not None}
    if "E1" in found and "E12" in found:
        occasional = {id: np.frombuffer(found[id], np.float16) for id in OCCASIONAL if id in found}
        corpus.reembed(node_id, np.frombuffer(found["E1"], np.float16), unpack_tokens(found["E12"]), occasional)


def unfinished(store: Store, corpus: Corpus, embedder: Embedder) -> Iterator[str]:
    """Memories that wait for their vectors: made by a lesser model, or long and cut off when a process ended.

    The base tier never replaces what MiniLM made: with two servers of two tiers on one store, each would undo
    the other's work for ever.
    """
    if embedder.tier == "base":
        return
    others = (store.made_by_others(space, embedder.makers[space]) for space in ("E1", "E12", *OCCASIONAL))
    yield from dict.fromkeys(chain.from_iterable(others))
    rows, chunks = np.unique(corpus.owners.row, return_counts=True)
    for row in rows[chunks == CHUNKS_AT_ONCE].tolist():
        for node in store.nodes([corpus.ids[row]]):
            if len(chunked(spoken_text(node.content, node.speaker, given_name(node)))) > CHUNKS_AT_ONCE:
                yield node.id


def unreviewed(store: Store) -> list[str]:
    """Memories that an older version stored, without what this one makes of a text besides; the latest first.

    They are reviewed in that order, so where the oldest is done, all are.
    """
    oldest = store.oldest_memory()
    if oldest is None or store.vector_models(oldest).get("E6", lexical.MAKER) == lexical.MAKER:
        return []
    return store.made_by_others("E6", lexical.MAKER)


NOTHING = Fingerprint(np.zeros(DIMENSIONS, np.float16), [], {}, np.zeros(BIT_WORDS, np.uint64), np.zeros(0, np.int32))


def _fingerprint(vectors: dict[str, bytes | None]) -> tuple[Fingerprint, int]:
    """A fingerprint and a form as the store keeps them; nothing where a memory has no vectors."""
    if vectors["E6"] is None:
        return NOTHING, 0
    terms, pieces, form = unpack_words(vectors["E6"])
    chunks = [] if vectors["E12"] is None else unpack_tokens(vectors["E12"])
    bits = NOTHING.bits if vectors["E9"] is None else np.frombuffer(vectors["E9"], np.uint64)
    semantic = NOTHING.semantic if vectors["E1"] is None else np.frombuffer(vectors["E1"], np.float16)
    occasional = {id: np.frombuffer(data, np.float16) for id in OCCASIONAL if (data := vectors[id]) is not None}
    return Fingerprint(semantic, chunks, terms, bits, pieces, occasional=occasional), form
