"""What somebody said, as they or others tell it."""

from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed import expansion
from context_graph.embed.stems import stem_of, stems, term_id, words
from context_graph.models import Caller, Node
from context_graph.reading.speech_questions import SpeechAsked, reports_speech
from context_graph.recall.holding import holding_all

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["said_by"]

LATEST = 2_000
"""The last memories of who is named that are read."""

MAX_SAID = 12
"""Memories that are told."""


def said_by(memory: "Runtime", caller: Caller, speech: SpeechAsked) -> list[Node]:
    """What somebody said of a matter, or what they said last where none is named: the latest first.

    Of a matter, those come first that have the most of its words, or of words near them; those without one are none.
    """
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        name = speech.who.lower()
        codes = [code for code, text in enumerate(corpus.speakers.texts) if text and name in (text, *text.split()[:1])]
        own = np.flatnonzero(visible & np.isin(corpus.columns.speaker, codes))
        naming = holding_all(corpus, stems(speech.who))
        rows = np.union1d(own, naming[visible[naming]])[-LATEST:]
        counts = np.zeros(len(rows), np.int64)
        for word in dict.fromkeys(word for word in words(speech.about) if stem_of(word)):
            holders = [corpus.terms.postings(term)[0] for term in (term_id(stem_of(word)), *expansion.terms(word))]
            counts += np.isin(rows, np.concatenate(holders))
        if speech.about:
            rows, counts = rows[counts > 0], counts[counts > 0]
        spoken = {corpus.ids[row] for row in own}
        shares = {corpus.ids[row]: count for row, count in zip(rows.tolist(), counts.tolist(), strict=True)}
    nodes = [
        node for node in memory.store.nodes(shares) if node.id in spoken or reports_speech(node.content, speech.who)
    ]
    nodes.sort(key=lambda node: (shares[node.id], node.occurred_at, node.created_at), reverse=True)
    return nodes[:MAX_SAID]
