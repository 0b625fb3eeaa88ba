"""What a question or an open choice offers to choose from: "tabs or spaces?", "between a Bosch and a Miele"."""

import re
from collections.abc import Sequence

from context_graph.embed.stems import STOP_WORDS, stem_of
from context_graph.reading import cues
from context_graph.reading.subjects import WORD
from context_graph.regex import regex
from context_graph.texts import caseless

__all__ = ["Offer", "chosen", "offer"]

Offer = tuple[frozenset[str], frozenset[str]]
"""Stems of the one alternative and of the other."""

_OR_WORDS, _BETWEEN_WORDS = frozenset(("or", "oder", "o", "u")), ("between", "zwischen", "entre")
_OR = regex(rf"\s(?:{'|'.join(sorted(_OR_WORDS))})\s", re.I)
_BETWEEN = regex(rf"\b(?:{'|'.join(_BETWEEN_WORDS)})\s(.{{2,60}}?)\s(?:and|und|y|e)\s(.{{2,60}})", re.I)
_BOUND = regex(rf"(?:the |about )?(?:\d|noon\b|midnight\b)|{cues.TIMED.pattern}", re.I)
"""Where a span of time or a range of numbers begins or ends: "between 10 and 12", "between May and July"."""

_SPAN = regex(
    r"\b(?:how (?:many|much|long|far|often)|wie (?:viele?|lange|weit)|cuánt[oa]s?)\b[^.?!]{0,80}"
    r"\b(?:between|zwischen|entre)\b"
    r"|\b(?:days?|weeks?|months?|years?|hours?|minutes?|time|gap|distance|difference|relation(?:ship)?|connection|link)"
    r"(?: \w+){0,3} between\b"
    r"|\b(?:between|zwischen|entre) (?:when|the (?:day|time|moment)|als|dem tag|cuando)\b",
    re.I,
)
"""Asks what lies between two things: "how many days passed between the exam and the party?"."""

_EITHER = regex(
    r"\b(?:ever|any|some|no|what|which)(?! (?:is|are|was|were|do|does|did|should|would|of)\b)(?: [\w'’-]+){1,3} or\b"
    r"|\bever\b[^,?]{0,80} or\b",
    re.I,
)
"""Names two things of a kind, of which each will do: "have I ever taken any courses or workshops?"."""

_BREAK = regex(r"[.,;:?!()–—]|\s(?:for|in|at|on|to|with|by|from|as|für|in|bei|mit|para|en|con)\s", re.I)


def offer(text: str) -> Offer | None:
    """The two alternatives that a text names beside each other; None where it names none.

    Examples
    --------
    >>> [sorted(part) for part in offer("Light or dark theme for me?")]
    [['light'], ['dark']]
    >>> [sorted(part) for part in offer("We can't decide between a Bosch and a Miele.")]
    [['bosch'], ['miel']]
    >>> offer("The plumber comes between 10 and 12.")
    >>> offer("How many days lie between the exam and the party?"), offer("Have I taken any courses or workshops?")
    (None, None)
    """
    plain = caseless(text)  # to look for a word in it is quicker than the patterns, and few texts have one
    between = _BETWEEN.search(text) if any(map(plain.__contains__, _BETWEEN_WORDS)) else None
    if between is not None:
        sides = between[1], _BREAK.split(between[2])[0]
        if all(_BOUND.match(side) for side in sides) or _SPAN.search(text):
            return None
        one, other = (_named(WORD.findall(side)) for side in sides)
    elif not _OR_WORDS.isdisjoint(plain.split()) and (joint := _OR.search(text)):
        if _EITHER.search(text):
            return None
        before = WORD.findall(_BREAK.split(text[: joint.start()])[-1])[::-1]
        one, other = _first(before), _first(WORD.findall(text[joint.end() :]))
    else:
        return None
    return (one - other, other - one) if one - other and other - one else None


def chosen(alternatives: Offer, text: str) -> int | None:
    """Which alternative a text names: 0 or 1; None where it names neither or both."""
    said = {stem_of(word.lower()) for word in WORD.findall(text)}
    named = [not part.isdisjoint(said) for part in alternatives]
    return named.index(True) if sum(named) == 1 else None


def _first(words: Sequence[str]) -> frozenset[str]:
    """The first word that says something, without "the" and "on"."""
    return frozenset(_stems(words)[:1])


def _named(words: Sequence[str]) -> frozenset[str]:
    return frozenset(_stems(words))


def _stems(words: Sequence[str]) -> list[str]:
    return [stem for word in words if word.lower() not in STOP_WORDS and (stem := stem_of(word.lower()))]
