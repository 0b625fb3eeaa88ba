"""Questions for all of a kind: what is known of somebody, the standing instructions, what was decided, what is open."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed import expansion
from context_graph.embed.stems import stem_of, stems, term_id, words
from context_graph.index.batch import ASKS
from context_graph.index.corpus import Corpus
from context_graph.models import Caller, Node
from context_graph.reading import supersession
from context_graph.reading.acts import acts_of, asked_for, cue_stems
from context_graph.recall.current import SURE, comparable

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["MOST", "complete", "profile"]

MOST = 40
"""Memories that such a question is answered with."""

WITHOUT_TOPIC = 12
"""Memories of the form asked for, none of which has a word of the topic ("what did we decide as a family?"), up to which
they are told nevertheless."""

SETTLING = 8
"""Memories that are looked at for one that settles what is open: those that share its rarest words."""

SAID_AGAIN = 0.6
"""Share of its words that one that settles it has at least."""

READ = 2_000
"""Memories that are read for one: all, or of a larger store the latest that have a word of the form asked for."""


def profile(memory: "Runtime", question: str, caller: Caller) -> tuple[Node, ...]:
    """The memories that a question asks for as a whole, the latest first; none where it asks for one thing.

    All that name its topic, all statements of the form that it asks for, or both.
    """
    wanted = asked_for(question)
    if wanted is None:
        return ()
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        named = _holding_all(corpus, wanted.topic)
        if not visible[named].any():
            named = _near_all(corpus, question, wanted.topic)
        rows = named[visible[named]]
        if wanted.acts:
            rows = np.flatnonzero(visible)
            if len(rows) > READ:
                likely = np.union1d(
                    _holding_any(corpus, cue_stems(wanted.acts)),
                    rows[corpus.has(ASKS, rows) > 0] if "open" in wanted.acts else rows[:0],
                )
                rows = likely[visible[likely]]
        ids = [corpus.ids[row] for row in rows[-READ:]]
        about = {corpus.ids[row] for row in named}
    nodes = memory.store.nodes(ids)
    if wanted.acts:
        nodes = [node for node in nodes if acts_of(node.content) & wanted.acts]
        if "open" in wanted.acts:
            nodes = [node for node in nodes if not _settled(memory, corpus, visible, node)]
        on_topic = [node for node in nodes if node.id in about]
        nodes = on_topic or (nodes if not wanted.topic or len(nodes) <= WITHOUT_TOPIC else [])
    return tuple(sorted(nodes, key=lambda node: (-node.occurred_at, node.id))[:MOST])


def complete(question: str) -> bool:
    """Whether what `profile` finds is all of an answer: what is merely like the question is about something else."""
    wanted = asked_for(question)
    return wanted is not None and (bool(wanted.acts) or wanted.named)


def _settled(memory: "Runtime", corpus: Corpus, visible: np.ndarray, node: Node) -> bool:
    """Whether a later memory decides, answers or does what this one leaves open, in most of its words."""
    own = {*stems(node.content)} - cue_stems(frozenset(("open",)))
    with corpus.lock:
        shared = np.zeros(len(visible), np.float32)
        for stem in own:
            holders = corpus.terms.postings(term_id(stem))[0]
            holders = holders[holders < len(visible)]  # what was stored since waits for the next question
            shared[holders] += 1.0 / len(holders)
        shared[~visible] = 0.0
        best = [row for row in np.argsort(-shared, kind="stable")[:SETTLING].tolist() if shared[row] > 0]
        ids = [corpus.ids[row] for row in best]
    return any(
        comparable(node, later)
        and len(own.intersection(stems(later.content))) >= SAID_AGAIN * len(own)
        and supersession.related(node.content, later.content)
        and supersession.logit(node.content, later.content) >= SURE
        for later in memory.store.nodes(ids)
    )


def _holding_all(corpus: Corpus, stems: Iterable[str]) -> np.ndarray:
    """Rows that have every one of these words; none for no word."""
    rows: np.ndarray | None = None
    for stem in stems:
        holders = corpus.terms.postings(term_id(stem))[0]
        rows = holders if rows is None else np.intersect1d(rows, holders, assume_unique=True)
    return np.zeros(0, np.int64) if rows is None else np.sort(rows)


def _near_all(corpus: Corpus, question: str, topic: Sequence[str]) -> np.ndarray:
    """Rows that have every one of these words, or one near it in meaning: "bath" and "shower" for "bathroom"."""
    spelled = {stem_of(word): word for word in words(question)}
    rows: np.ndarray | None = None
    for stem in topic:
        near = [corpus.terms.postings(term)[0] for term in expansion.terms(spelled.get(stem, stem))]
        holders = np.unique(np.concatenate(near))
        rows = holders if rows is None else np.intersect1d(rows, holders, assume_unique=True)
    return np.zeros(0, np.int64) if rows is None else rows


def _holding_any(corpus: Corpus, stems: Iterable[str]) -> np.ndarray:
    found = [corpus.terms.postings(term_id(stem))[0] for stem in stems]
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)
