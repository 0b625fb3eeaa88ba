"""Plain facts that a text states of somebody or something: who, in which relation, to what. Found by form alone."""

import re

from context_graph.extraction.coreference import SpeechContext
from context_graph.extraction.extractor import Fact, Reader
from context_graph.extraction.sentence import sentences
from context_graph.regex import regex

__all__ = ["ONE_AT_A_TIME", "Fact", "SpeechContext", "facts"]

MAX_FACTS = 24
MAX_TEXT_CHARS = 8_192
"""Letters of a text that are read."""

ONE_AT_A_TIME = frozenset({"live in", "work at", "work as", "work for", "age", "name", "be called", "study at"})
"""Relations of which the last value said is the one that holds; "favorite ..." is another."""

_ASIDE = regex(r"(?<![^\s,])\([^()\n]{0,200}\)|\[[^\[\]\n]{0,300}\]")


def facts(text: str, context: SpeechContext | None = None) -> list[Fact]:
    """The facts that a text states, in reading order, at most 24.

    "I", "we", "my" and "our" are the speaker, "you" the other one; without them they state nothing, but for "we" in a
    note. "He" and "she" are the one that the text or the turn before has named, where there is just one. Questions,
    negations and what is only possible, wished or planned state nothing.

    Examples
    --------
    >>> [(fact.relation, fact.value) for fact in facts("I play clarinet and violin.", SpeechContext("Melanie"))]
    [('play', 'clarinet'), ('play', 'violin')]
    """
    text = _ASIDE.sub(_blank, text[:MAX_TEXT_CHARS])
    reader = Reader(text, context or SpeechContext())
    for start, end, asks in sentences(text):
        if not asks:
            reader.read(start, end)
        if len(reader.facts) >= MAX_FACTS:
            break
    return reader.facts[:MAX_FACTS]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
