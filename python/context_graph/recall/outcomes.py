"""What came of what a result tells, and alone answers: "De Wolf was here, 180 euros" after "called Mr De Wolf"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import stem_of, stems, term_id
from context_graph.embed.word_rarity import CAPITALISED
from context_graph.instants import DAY_US
from context_graph.models import Caller, Node
from context_graph.reading.answer_types import answer_type, holds_answer, name_stems
from context_graph.reading.subjects import content_stems
from context_graph.reading.troubles import asks_for_trouble
from context_graph.recall.answer import Hit
from context_graph.recall.current.comparable import comparable, states_something
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["with_outcome"]

MAX_OF_NAME, MAX_READ, SOON_US = 6, 6, 21 * DAY_US
"""Memories that may have a name for those that do to be about one matter; of these so many are read; and how much later
an outcome is told."""

RESULTS = 5
"""First results that may be about the matter of a question though they are not told."""

_KINDS = frozenset(["amount", "length", "number", "hour"])
_CAUSE = regex(
    r"\b(?:it|that|they|the (?:problem|cause|reason|fault|culprit)) (?:was|were|turned out)\b|\bturned out to be\b"
    r"|\b(?:caused by|because of|due to)\b",
    re.I,
)
"""Says what was wrong."""

_CAME = regex(
    r"^\W*(?:ok(?:ay)?,? |so,? |finally,? )?(?:he|she|they|the (?:\w+ )?(?:guy|man|woman|technician|plumber|electrician"
    r"|mechanic|repairman|engineer|vet|doctor|painter|tiler|roofer|locksmith|sweep|gardener|inspector|tuner|dentist))"
    r" (?:(?:just|finally|already) )?(?:came|was here|were here|has been|have been|showed up|stopped by|fixed|repaired"
    r"|replaced|found|called back|looked)\b",
    re.I,
)
_OUTCOME = content_stems("cost price pay paid take took last wrong matter problem repair fix visit much long")
_AWAITED = regex(r"\b(?:comes?|coming|called|calling|booked|will (?:come|look|fix)|appointment|ordered)\b", re.I)


def with_outcome(
    memory: "Runtime", caller: Caller, question: str, hits: Sequence[Hit], results: Sequence[Hit]
) -> list[Hit]:
    """The hits and, before them, what was told of the first one's matter soon after it, where that alone holds what is
    asked for: what was wrong, what it cost, how long it took.

    "What did the oven repair cost?" finds "the oven broke, called Mr De Wolf", and "De Wolf was here, it was the
    thermostat, 180 euros" has no word of the question.

    Parameters
    ----------
    results : sequence of Hit
        What the question finds: where nothing told is about its matter, the first of these may be.
    """
    if language_of(question) != ENGLISH or not (asks_for_trouble(question) or answer_type(question) in _KINDS):
        return list(hits)
    topic = content_stems(question) - _OUTCOME
    about = [
        hit for hit in (*hits, *results[:RESULTS]) if hit.until is None and topic & content_stems(hit.node.content)
    ]
    if not about or not states_something(about[0].node) or any(_holds(question, hit.node.content) for hit in about):
        return list(hits)
    first = about[0]
    told = {hit.node.id: hit for hit in hits}
    for node in _told_after(memory, caller, question, first.node):
        if comparable(first.node, node) and _holds(question, node.content):
            hit = told.get(node.id, first)
            outcome = replace(hit, node=node, replaced_by=None, until=None, disputes=())
            return [outcome, *(hit for hit in hits if hit.node.id != node.id)]
    return list(hits)


def _holds(question: str, text: str) -> bool:
    """Whether a statement has what a question for an outcome is for."""
    if asks_for_trouble(question):
        return bool(_CAUSE.search(text))
    kind = answer_type(question)
    return kind in _KINDS and holds_answer(text, kind, frozenset(stems(question)), name_stems(question))


def _told_after(memory: "Runtime", caller: Caller, question: str, node: Node) -> list[Node]:
    """What was told soon after a statement and has a rare name of it, or that somebody came who was awaited."""
    names = {stem_of(name.lower()) for name in CAPITALISED.findall(node.content)} - name_stems(question)
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        postings = [corpus.terms.postings(term_id(name))[0] for name in names]
        rows = [rows[visible[rows]] for rows in postings]
        named = np.unique(np.concatenate([np.zeros(0, np.int64), *(each for each in rows if len(each) <= MAX_OF_NAME)]))
        place = corpus.row_of.get(node.id)
        last = 0 if place is None else place + 1 + 2 * MAX_READ
        next_rows = [row for row in range((place or 0) + 1, min(last, len(visible))) if visible[row]]
        ids, next_ids = ([corpus.ids[row] for row in rows] for rows in (named.tolist(), next_rows))
    came = _AWAITED.search(node.content) is not None
    found = {one.id: one for one in memory.store.nodes([id for id in (*ids, *(next_ids if came else ())) if id])}
    soon = [one for one in found.values() if 0 < one.occurred_at - node.occurred_at <= SOON_US]
    return sorted(
        (one for one in soon if one.id in ids or _CAME.search(one.content)),
        key=lambda one: (one.occurred_at, one.id),
    )[:MAX_READ]
