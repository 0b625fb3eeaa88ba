"""From the store into the corpus: all memories at opening, and afterwards what any process has written."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from context_graph.embed import OPTIONAL, Embedder, Fingerprint, lexical
from context_graph.embed.chunks import chunked
from context_graph.embed.embedder import CHUNKS_AT_ONCE
from context_graph.index.batch import Features, form_of, unpack_tokens
from context_graph.index.corpus import DEAD, FIELDS, Corpus
from context_graph.index.snapshot import Anew, Cached, State, features_of, segments_of, shows
from context_graph.models import Event
from context_graph.reading.fingerprints import given_name
from context_graph.store import STATE_PART, Change, Segments, Storage, changes_of, is_emptied, noted_nodes

__all__ = ["Applied", "apply_event", "behind", "load", "unfinished", "unreviewed"]

ID = FIELDS.index("id")


def load(store: Storage, corpus: Corpus, embedder: Embedder) -> tuple[int, str]:
    """Fill an empty corpus; returns sequence number and hash of the last event that it reflects.

    Whole segments come from the cache, and what was made of all of them from its state; what is missing, stale or
    damaged is rebuilt from the store.
    """
    segments = segments_of(store, embedder)
    with store.snapshot() as seen:
        head = seen.head()
        state = State.of(seen, segments, embedder.makers)
        known = {row[0]: row for row in seen.columns(list(FIELDS), state.rows - 1)}
        end = max(known, default=state.rows - 1) + 1
        ids = state.ids + [str(known.get(ordinal, (ordinal, *DEAD))[ID]) for ordinal in range(state.rows, end)]
        count = corpus.load_up_to(end)
        cached = Cached(seen, corpus, embedder, segments, ids, count)
        parts = cached.take_in()
        state.into(corpus, parts, room=end + end // 4)
        for part in parts[len(state.parts_of(parts)) :]:
            rows = [known.get(part.first + i, (part.first + i, *DEAD)) for i in range(len(part.words))]
            corpus.enter(rows, part.words, weighed=part.weighed, holding=part.holding)
        whole = len(corpus)
        if state.stale(head, whole) and count <= whole:
            segments.save(0, State.arrays_of(corpus, head), STATE_PART)
        if whole < end:
            rows = [known.get(ordinal, (ordinal, *DEAD)) for ordinal in range(whole, end)]
            corpus.extend(rows, cached.features(whole, end - 1))
    cached.keep_rarities()
    return head


@dataclass(frozen=True, slots=True)
class Applied:
    """What an event changed: rows of the store, and nodes that it deleted for good."""

    changes: Sequence[Change]
    deleted: Sequence[str] = ()
    erased: Mapping[str, int] = field(default_factory=dict)
    """The deleted memories of the corpus, and the rows that they had."""


def apply_event(
    corpus: Corpus, store: Storage, embedder: Embedder, segments: Segments, event: Event, made: dict[str, Fingerprint]
) -> Applied | None:
    """Bring the corpus up to date with one event; None where only loading it anew does.

    Parameters
    ----------
    made : dict
        Fingerprints of memories that this process has just embedded, by node id.
    """
    if is_emptied(event) and event.type == "purge":
        return None  # a later purge took away what this one deleted
    # Of an event that a purge has emptied since, what it changed in rows that remain.
    changes = store.residue(event.seq) if is_emptied(event) else changes_of(event)
    known = [change for change in changes if change.table == "vectors" and change.id in corpus.row_of]
    embedded = {change.id for change in known if shows(store, change, embedder.makers)}
    if any(_rewritten(corpus, change) for change in changes):
        _uncache(corpus, segments, embedded)
        return None  # what reads otherwise now leaves these arrays and all made of them
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
            _append(corpus, store, node_id, after, made, embedder)
            embedded.discard(node_id)
    for node_id in embedded & corpus.row_of.keys():  # embedded in the background, or back after an undo
        segments.remove(corpus.row_of[node_id])
        _refresh(corpus, store, node_id, embedder.makers)
    return Applied(changes, deleted, erased)


def _rewritten(corpus: Corpus, change: Change) -> bool:
    """Whether a memory says something else now: its words and bits are replaced in no array."""
    known = change.table == "nodes" and change.id in corpus.row_of
    return known and bool(change.before) and "content" in change.columns


def _uncache(corpus: Corpus, segments: Segments, node_ids: Iterable[str]) -> None:
    """Let go of the cached arrays of memories deleted or embedded anew, which this process may have written since."""
    for node_id in node_ids:
        if node_id in corpus.row_of:
            segments.remove(corpus.row_of[node_id])


def _append(
    corpus: Corpus,
    store: Storage,
    node_id: str,
    row: Mapping[str, Any],
    made: dict[str, Fingerprint],
    embedder: Embedder,
) -> None:
    """Add a memory from its whole row, as the event has it: what later events changed follows with them."""
    fingerprint = made.pop(node_id, None)
    if fingerprint is not None:
        features = Features.of([fingerprint], [form_of(row["content"])])
    else:
        anew = Anew(store, embedder=embedder) if embedder.tier == "base" else None
        features = features_of(store, row["ordinal"], row["ordinal"], embedder.makers, anew)
    corpus.extend([tuple(row[name] for name in FIELDS)], features)


def _refresh(corpus: Corpus, store: Storage, node_id: str, makers: Mapping[str, str]) -> None:
    made_by = store.vector_models(node_id)
    known = [space for space in ("E1", "E12", *OPTIONAL) if made_by.get(space) == makers[space]]
    found = {space: data for space in known if (data := store.vectors([node_id], space).get(node_id)) is not None}
    if "E1" in found and "E12" in found:
        optional = {id: encoder.unpack(found[id]) for id, encoder in OPTIONAL.items() if id in found}
        corpus.reembed(node_id, np.frombuffer(found["E1"], np.float16), unpack_tokens(found["E12"]), optional)


def behind(store: Storage, makers: Mapping[str, str], *, main: bool = False) -> list[str]:
    """The memories with vectors of another model than these, the latest first; forgotten ones do not count.

    Parameters
    ----------
    main : bool
        Only in the spaces that every memory has.
    """
    spaces = ("E1", "E12") if main else ("E1", "E12", *OPTIONAL)
    return list(dict.fromkeys(id for space in spaces for id in store.made_by_others(space, makers[space])))


def unfinished(store: Storage, corpus: Corpus, embedder: Embedder) -> Iterator[str]:
    """Memories that wait for their vectors: made by a lesser model, or long and cut off when a process ended.

    The base tier never replaces what MiniLM made: with two servers of two tiers on one store, each would undo
    the other's work for ever.
    """
    if embedder.tier == "base":
        return
    yield from behind(store, embedder.makers)
    rows, chunks = np.unique(corpus.owners.row, return_counts=True)
    for row in rows[chunks == CHUNKS_AT_ONCE].tolist():
        for node in store.nodes([corpus.ids[row]]):
            if len(chunked(embedder.read(node.content, node.speaker, given_name(node)))) > CHUNKS_AT_ONCE:
                yield node.id


def unreviewed(store: Storage) -> list[str]:
    """Memories that an older version stored, without what this one makes of a text besides; the latest first.

    They are reviewed in that order, so where the oldest is done, all are.
    """
    oldest = store.oldest_memory()
    if oldest is None or store.vector_models(oldest).get("E6", lexical.MAKER) == lexical.MAKER:
        return []
    return store.made_by_others("E6", lexical.MAKER)
