"""Which results may be versions of one another at all, and which of their sentences are compared."""

import re

from context_graph.embed.sentence_stems import best_sentence
from context_graph.models import Node
from context_graph.presentation.addresses import is_of_file
from context_graph.reading.fingerprints import given_name
from context_graph.reading.metadata import stand_beside
from context_graph.reading.troubles import mends
from context_graph.reading.utterance import ASSISTANTS
from context_graph.recall.current.changes import tells_change
from context_graph.regex import regex

__all__ = ["MAX_COMPARED", "SENTENCE", "answering", "comparable", "follows", "ordered", "states_something"]

MAX_COMPARED = 10
"""Results that are compared with each other."""

SENTENCE = 120
"""Characters of a memory that is compared whole; of a longer one, the sentence that answers best."""


_OF_SPEAKER = regex(
    r"\b(?:i|me|my|mine|myself|(?<!when )(?<!if )(?<!once )you|yours?|ich|mi[rs]|mich|mein\w*|yo|tus?)\b", re.I
)
"""Means who speaks, or whom they speak to; "when you scan a voucher" means anybody."""


def comparable(earlier: Node, later: Node) -> bool:
    """What may be versions of one another, one later than the other: an entry with a title has a subject of its own, a
    file is kept up by `seed`, and what an assistant said is no statement about its user.
    """
    return follows(earlier, later) and states_something(earlier) and states_something(later)


def follows(earlier: Node, later: Node) -> bool:
    """Whether one was said later than the other, and nobody said that both hold: by the same person, or it tells of a
    change of something that neither who speaks nor who is spoken to is part of. Else two people disagree.
    """
    when = (earlier.occurred_at, earlier.created_at) < (later.occurred_at, later.created_at)
    if not when or any((node.speaker or "").lower() in ASSISTANTS for node in (earlier, later)):
        return False
    if earlier.speaker != later.speaker:
        of_them = any(_OF_SPEAKER.search(node.content) for node in (earlier, later))
        if of_them or not (tells_change(later.content) or mends(earlier.content, later.content)):
            return False
    return not stand_beside(earlier, later)


def states_something(node: Node) -> bool:
    """Whether it is a statement: no entry with a title, no part of a file, no picture."""
    return not (is_of_file(node) or node.modality != "text" or given_name(node))


def ordered(one: Node, other: Node) -> bool:
    """Whether one person said both, at two times."""
    return one.speaker == other.speaker and one.occurred_at != other.occurred_at


def answering(text: str, question_stems: frozenset[str]) -> str:
    """A text, or where it is long the sentence of it that has most of the question's words."""
    return text if len(text) <= SENTENCE else best_sentence(text, question_stems)
