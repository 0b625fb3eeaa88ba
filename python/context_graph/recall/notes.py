"""How likely one of two notes of a person took the place of the other, where only the question joins them.

"I share a flat with two nurses" and "Moved in with Kai on the weekend" have no word in common. That both are among the
best for "where do I live?", and that the later one tells of a change, joins them. A logistic regression, fitted by
benchmarks/quality/supersession.py on notes of one person; what several people say to each other is judged without it.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from context_graph.embed.stems import stem_of, stems
from context_graph.models import Node
from context_graph.reading import attributes, cues, supersession
from context_graph.reading.acts import acts_of
from context_graph.reading.fingerprints import given_name
from context_graph.reading.intent import parse
from context_graph.reading.utterance import ASSISTANTS, USERS
from context_graph.regex import regex

__all__ = [
    "FEATURES",
    "SEARCHED",
    "Answerability",
    "Note",
    "QuestionFeatures",
    "features",
    "logit",
    "note",
    "of_conversation",
    "of_one_person",
    "of_one_teller",
    "of_one_user",
    "of_several_tellers",
    "of_tellers",
    "question_features",
]

FEATURES = (
    "first", "second", "both_first", "alone_earlier", "alone_later", "asked_earlier", "asked_later",
    "changed", "corrected", "denied", "open", "event", "user", "several", "one_value", "each_value",
    "fits_earlier", "fits_later", "fit_both", "alike", "acts", "answered", "user_changed", "user_one_value",
    "apart", "related", "statements", "subject_differs", "kin_differs", "kin_unasked", "definite", "long", "searched",
)  # fmt: skip
"""What a judgement rests on.

`first` and `second` are the logarithms of the better and the lower rank, `alone_*` of the relevance of each; `asked_*`
the share of the question's words; `changed` to `event` what the later one says of a change; `*_value` the probability
that question and notes are about one attribute of which a person has one value, or each thing one; `fits_*` and `alike`
cosines of static vectors; `acts` how many each does that the other does too. `apart`, `related` and `statements` are
what the two alone say (`supersession`), as are the `*_differs`; `kin_unasked`: the later one names kin whom neither the
question nor the earlier one does; `definite`: the later one speaks of something known, as "the old digits" do;
`searched` the logarithm of how many memories there are: among many, two that the question brings together are rarely
about one thing.
"""

UNRELATED = -4.0
"""Log odds that stand for those of two statements that are not related."""

MIN_STATEMENTS = -8.0

SEARCHED = (8, 1_000)
"""Fewest and most memories that are told apart by their number; the weights were fitted within these."""

LONG = 12
"""Words of a note of usual length."""

_KIN = frozenset(stem_of(word) for word in cues.KIN)
_DEFINITE = regex(r"\b(?:the|this|that|these|those|it|its|they|them|their|he|him|his|she|her)\b", re.I)

MIN_TELLERS, MAX_ADDRESSING = 3, 0.2
_ADDRESSES = regex(r"\byou(?:r|rs|['’]\w+)?\b|^\W*(?:hey|hi|hello|thanks|wow|yeah|haha)\b|\?\s*$", re.I)
"""Said to somebody, as in a conversation."""

FIRST = 1.2
"""Logarithm of a rank, plus one, below which it is one of the first."""


def of_one_person(nodes: Sequence[Node]) -> bool:
    """Whether they are statements of one person, as in the memory of somebody's assistant; not for none."""
    speakers = {(node.speaker or "").lower() for node in nodes}
    return len(speakers) == 1 and speakers.isdisjoint(ASSISTANTS) and not any(given_name(node) for node in nodes)


def of_one_user(nodes: Sequence[Node]) -> bool:
    """Whether they are what one user and an assistant say, or notes of one person; not for none."""
    speakers = {(node.speaker or "").lower() for node in nodes}
    return bool(speakers) and speakers <= {"", *USERS, *ASSISTANTS}


def of_conversation(nodes: Sequence[Node]) -> bool:
    """Whether they are what a user and an assistant say to each other."""
    said = any((node.speaker or "").lower() in USERS for node in nodes)
    return said and of_one_user(nodes) and not any(given_name(node) for node in nodes)


def of_several_tellers(nodes: Sequence[Node]) -> bool:
    """Whether a group keeps them as notes: at least three people tell, and hardly anything is said to one of them."""
    speakers = {(node.speaker or "").lower() for node in nodes} - {""}
    if len(speakers) < MIN_TELLERS or not speakers.isdisjoint((*USERS, *ASSISTANTS)):
        return False
    return sum(bool(_ADDRESSES.search(node.content)) for node in nodes) <= MAX_ADDRESSING * len(nodes)


def of_tellers(nodes: Sequence[Node]) -> bool:
    """Whether they are notes, whoever tells them by name: of one person, or of a group."""
    named = any(node.speaker and node.speaker.lower() not in USERS for node in nodes)
    return named and (of_one_person(nodes) or of_several_tellers(nodes))


def of_one_teller(nodes: Sequence[Node]) -> bool:
    """Whether one person tells whatever is told: notes of theirs, or what they say to an assistant."""
    return of_one_person(nodes) or of_conversation(nodes)


class QuestionFeatures(NamedTuple):
    """A question, read once."""

    stems: frozenset[str]
    vector: np.ndarray
    attributes: np.ndarray
    user: bool
    several: bool


class Note(NamedTuple):
    """A result, read once: its text, its rank from 0, and its relevance by itself."""

    text: str
    rank: int
    alone: float
    stems: frozenset[str]
    vector: np.ndarray
    attributes: np.ndarray


class Answerability(NamedTuple):
    """How likely the question is to be answered at all, and among how many memories."""

    answered: float
    searched: int


def question_features(question: str) -> QuestionFeatures:
    """What is compared of a question."""
    of_user = cues.of_user(question)
    vector, by_attribute = attributes.vector(question), attributes.of_text(question)
    return QuestionFeatures(frozenset(stems(question)), vector, by_attribute, of_user, parse(question).several)


def note(text: str, rank: int, alone: float) -> Note:
    """What is compared of a result."""
    return Note(text, rank, alone, frozenset(stems(text)), attributes.vector(text), attributes.of_text(text))


def features(
    question: QuestionFeatures, earlier: Note, later: Note, answerability: Answerability, odds: float | None
) -> np.ndarray:
    """What a judgement rests on, in the order of `FEATURES`: float64 (f,).

    Parameters
    ----------
    odds : float, optional
        Log odds of the two statements, where they are related.
    """
    first, second = sorted(np.log1p((earlier.rank, later.rank)).tolist())
    shares = [len(question.stems & one.stems) / max(1, len(question.stems)) for one in (earlier, later)]
    flags = supersession.change_of(later.text)
    one, each = (
        float((question.attributes * np.sqrt(earlier.attributes * later.attributes))[_of(kind)].sum())
        for kind in ("one", "each")
    )
    unasked = bool((later.stems & _KIN) - question.stems - earlier.stems)
    fits = [float(question.vector @ each_note.vector) for each_note in (earlier, later)]
    return np.array([
        first, second, float(second < FIRST), np.log(earlier.alone + 1e-3), np.log(later.alone + 1e-3), *shares,
        flags.changed, flags.corrected, flags.denied, flags.open, flags.event, question.user, question.several,
        one, each, *fits, fits[0] * fits[1], float(earlier.vector @ later.vector),
        len(acts_of(earlier.text) & acts_of(later.text)), answerability.answered,
        question.user * flags.changed, question.user * one,
        supersession.apart(earlier.text, later.text), odds is not None,
        UNRELATED if odds is None else np.clip(odds, MIN_STATEMENTS, 0.0),
        *supersession.differing(earlier.text, later.text), unasked,
        bool(_DEFINITE.search(later.text)),
        len(later.stems) / LONG, np.log(np.clip(answerability.searched, *SEARCHED)),
    ], np.float64)  # fmt: skip


def logit(given: np.ndarray, tier: str) -> float:
    """Log odds that the later note has taken the place of the earlier one."""
    intercept, weights = supersession.fitted(FEATURES, "notes", tier)
    return float(intercept + given @ weights)


def _of(kind: str) -> np.ndarray:
    mask: np.ndarray = attributes.model().values == kind
    return mask
