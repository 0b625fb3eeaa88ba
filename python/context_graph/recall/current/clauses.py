"""Which clauses of a statement a question is about, and whether it says several things."""

from collections.abc import Sequence

from context_graph.embed.chunks import clauses, sentences
from context_graph.embed.stems import stems
from context_graph.reading import cues

__all__ = ["asked_clauses", "says_several"]

STATING = 5
"""Words from which on a sentence says something of its own."""


def asked_clauses(question_stems: frozenset[str], text: str) -> list[str]:
    """The clauses of a text that have most of the question's words, all of them where none has any; those that state
    something of somebody whom they name.
    """
    parts = [text, *(part for part in clauses(text) if _states(part.lower().split()))]
    shares = [len(question_stems.intersection(stems(part))) for part in parts]
    return [part for part, share in zip(parts, shares, strict=True) if share == max(shares)]


def _states(words: Sequence[str]) -> bool:
    verb = any(word in cues.VERBS or word.endswith(("'s", "'m", "'re", "'ve")) for word in words)
    return verb and len(words) > 2 and words[0] not in cues.UNNAMED


def says_several(text: str) -> bool:
    """Whether two of its sentences say something of their own, not "Finally!"."""
    return sum(len(sentence.split()) >= STATING for sentence in sentences(text)) > 1
