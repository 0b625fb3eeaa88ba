"""The last time: which statements tell of one more time of what a question asks for the first or the last of."""

import re
from collections.abc import Sequence

import numpy as np

from context_graph.reading.answer_types import answer_type, holds_answer
from context_graph.reading.past_events import tells_what_happened
from context_graph.regex import regex

__all__ = ["of_one_kind"]

MAX_OCCASION_CHARS = 600
"""Characters of a statement that are looked at."""

_MEASURES = ("amount", "length", "number", "hour", "age")
"""Answer types of a question for a value."""

_LENGTH = regex(
    r"\d:\d\d|(?:\d|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half))[- ]?(?:an )?"
    r"(?:s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|nights?|weeks?|months?|years?)\b",
    re.I,
)
"""How long something took."""

_DIGIT = regex(r"\d")

_ASKS_FOR_WHAT_IS = regex(r"\bwhat(?:['’]s|['’]re| (?:is|are|was|were)\b)|\bat what\b", re.I)
"""May ask for a measured value: "what was my last weight?"."""

_STATE = regex(r"\b(?:is|are|has|have|needs?|costs?|comes?|will)\b|['’](?:s|re|ll)\b", re.I)
"""Tells how something is, or will be."""

_LATELY = regex(
    r"^\W*(?:[\w'’-]+ ){0,3}[\w'’-]+:|\b(?:today|yesterday|tonight|last night"
    r"|this (?:morning|afternoon|evening|week(?:end)?)|just|again|done|finished)\b",
    re.I,
)
"""Tells of something done, as a word for what happened does: "Design review: the slides are out", "cut it today"."""


def of_one_kind(question: str, texts: Sequence[str]) -> np.ndarray:
    """Which of some statements, the best answer first, tell of one more time of what is asked: bool (n,).

    Where the question asks when, they tell of something done, and not of how something is or what was measured; where
    it asks for a value, they have one. All do where none does.

    Examples
    --------
    >>> of_one_kind("When did I last wash the car?", ["Washed the car.", "The car is red.", "Car wash today."]).tolist()
    [True, False, True]
    >>> of_one_kind("What was my last weight?", ["Weighed in at 82.", "The scale is new.", "81 kg."]).tolist()
    [True, False, True]
    """
    kind, texts = answer_type(question), [text[:MAX_OCCASION_CHARS] for text in texts]
    if kind == "time":
        tells = np.array([_tells_occasion(text) for text in texts], bool)
    elif kind == "length":
        tells = np.array([bool(_LENGTH.search(text)) for text in texts], bool)
    elif kind in _MEASURES or (_ASKS_FOR_WHAT_IS.search(question) and texts and holds_answer(texts[0], "number", ())):
        tells = np.array([holds_answer(text, "number", ()) for text in texts], bool)
    else:
        tells = np.ones(len(texts), bool)
    return tells if tells.any() else ~tells


def _tells_occasion(text: str) -> bool:
    """Whether a statement tells of something done, and neither how something is nor what was measured."""
    if tells_what_happened(text):
        return True
    return not _DIGIT.search(text) and bool(_LATELY.search(text) or not _STATE.search(text))
