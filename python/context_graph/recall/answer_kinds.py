"""Whether a later statement has what a question asks for: somebody, a place, an age."""

import re

from context_graph.reading import cues
from context_graph.reading.subjects import WORD
from context_graph.reading.substitutes import asks_for_somebody
from context_graph.recall.apart import refers
from context_graph.regex import regex

__all__ = ["answer_apart"]

_LEFT = regex(
    r"\b(?:left|leav\w+|quit\w*|retir\w+|died|dead|passed away|resign\w*|fired|stop\w*|gone|moved|instead|sick|ill|sacked|dropped"
    r"|handed in|gave up|broke|away|swap\w*|took over|takes over|hand\w* over|replac\w*|transfer\w*|promoted)\b",
    re.I,
)
"""Somebody is no longer who or where they were."""

_NO_NAMES = cues.SELF | cues.UNNAMED | {"dr", "prof", "mr", "mrs", "ms", "the", "a", "an", "our", "on", "in", "at"}

_WHERE = regex(r"^\W*(?:where|wo|dónde)\b", re.I)
_PLACE = regex(
    r"\b(?:in|at|to|from|into|onto|on|near|behind|under|above|beside|inside|outside|via|opposite|next to|with)\b"
    r"|\b(?:home|abroad|here|there|online|upstairs|downstairs|remote(?:ly)?|everywhere|nowhere|anywhere)\b",
    re.I,
)
_HOW_OLD = regex(r"\bhow old\b|\bwie alt\b|\bcuántos años\b|\bwhat age\b", re.I)
_AGE = regex(
    r"\b(?:years?|months?|weeks?) old\b|\byear-old\b|\baged?\b|\bturn(?:s|ed|ing)?\b|\bbirthday\b|\bborn\b"
    r"|\b(?:is|am|are|'s|'m|was|be) (?:already |now |only |about )?(?:\d{1,3}|[a-z]+teen|[a-z]+ty|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve)\b(?! \w+s\b)",
    re.I,
)


def answer_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for somebody, a place or an age, and the later statement has none, and ends nothing.

    Examples
    --------
    >>> answer_apart("Who is my doctor?", "My doctor is Dr. Petrov.", "Dr. Petrov doubled the pills.")
    True
    >>> answer_apart("Who is my doctor?", "My doctor is Dr. Petrov.", "Dr. Petrov retired.")
    False
    >>> answer_apart("Where are the tomatoes?", "The tomatoes are in the greenhouse.", "Blight took four tomato plants.")
    True
    >>> answer_apart("How old is Balou?", "My horse Balou is nine.", "Balou gets two kilos of oats.")
    True
    """
    if asks_for_somebody(question):
        names, words = _names(later), {word.lower() for word in WORD.findall(later)}
        somebody_else = not names <= _names(earlier) | _names(question) or not words.isdisjoint(cues.KIN | cues.SELF)
        return bool(names) and not somebody_else and not _ends(later)
    if _WHERE.search(question):
        elsewhere = _PLACE.search(later) or _names(later) or refers(later) or _ends(later)
        return bool(_PLACE.search(earlier)) and not elsewhere
    if _HOW_OLD.search(question):
        return bool(_AGE.search(earlier)) and not _AGE.search(later)
    return False


def _names(text: str) -> set[str]:
    """Words with a capital letter, in lower case, but for small words that stand first."""
    words = (word.lower().removesuffix("'s").removesuffix("’s") for word in WORD.findall(text) if word[0].isupper())
    return {word for word in words if word not in _NO_NAMES}


def _ends(text: str) -> bool:
    return bool(_LEFT.search(text) or cues.NEGATED.search(text) or cues.CORRECTED.search(text))
