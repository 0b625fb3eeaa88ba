"""What happened once ends nothing that lasts: an accident no allergy, a day without it no habit."""

import re

from context_graph.reading.aversions import avoided, tells_diet, tells_exposure
from context_graph.reading.single_days import is_of_single_day, is_regular, tells_exception
from context_graph.reading.subjects import content_stems
from context_graph.reading.tense import lean_of
from context_graph.recall.apart.words import tells_a_change
from context_graph.regex import regex

__all__ = ["aversion_apart", "exception_apart", "next_time_apart"]

_NEXT_TIME = regex(
    r"\b(?:again|next (?:visit|time|one|appointment|meeting|session|check-?up|delivery))\b[^.!?]{0,20}?"
    r"(?:\b(?:on|in|at|next|by)\b|\d|: )|\b(?:is|are|['’]s) (?:back|coming (?:back|again)|due again)\b",
    re.I,
)
"""Says when something is once more."""


def aversion_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement tells what somebody does not bear, or fears, and the later one that they met it, or
    how they eat in general.

    Examples
    --------
    >>> aversion_apart("Rosa's allergic to kiwis.", "Rosa ate a kiwi and got a rash.")
    True
    >>> aversion_apart("Rosa can't have lactose.", "Rosa is vegetarian now.")
    True
    >>> aversion_apart("Rosa's allergic to kiwis.", "Rosa isn't allergic to kiwis after all.")
    False
    """
    shared = avoided(earlier) & content_stems(later)
    return bool(shared and tells_exposure(later)) or bool(avoided(earlier) and not shared and tells_diet(later))


def exception_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement tells what is so regularly, and the later one how one day is otherwise.

    Examples
    --------
    >>> exception_apart("We have pizza every Friday.", "No pizza this Friday, we're away.")
    True
    >>> exception_apart("We have pizza every Friday.", "No pizza from this Friday on.")
    False
    """
    exceptional = tells_exception(later) or (is_of_single_day(later) and not tells_a_change(later))
    return exceptional and is_regular(earlier)


def next_time_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks how something was, which the earlier statement tells, and the later one when it is again.

    Examples
    --------
    >>> visit = "The vet came by, the mare was fine.", "The vet again on 3 May."
    >>> next_time_apart("What did the vet say?", *visit), next_time_apart("When does the vet come?", *visit)
    (True, False)
    """
    if lean_of(question) >= 0 or not _NEXT_TIME.search(later):
        return False
    return lean_of(earlier) < 0 <= lean_of(later)
