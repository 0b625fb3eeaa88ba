"""What is otherwise on one day, and what is so on every day: "no pizza this Friday", "we have pizza on Fridays"."""

import re

from context_graph.reading.time_words import MONTHS, alternatives
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["is_of_single_day", "is_regular", "tells_exception"]

READ = 240
"""Characters of a statement that are looked at."""

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY = (
    r"(?:today|tonight|tomorrow|yesterday|this (?:once|time|morning|afternoon|evening|week|weekend|month"
    rf"|(?:coming )?{_WEEKDAY})|next (?:week|weekend|{_WEEKDAY})|last (?:night|week|weekend|{_WEEKDAY})|for once)"
)
_BETWEEN = r"(?: (?!(?:and|but|so|because|from|as|until|since)\b)[\w'’:.-]+){0,6}?"
_EXCEPTION = regex(
    rf"(?:^\W*|[,;.] |\b(?:so|and|but|because|that|means|there['’]s|have|had) )no{_BETWEEN} {_DAY}\b"
    r"|\b(?:did|do|does|could|can|wo|ca|would|was|were|is|are)(?:n?['’]t| not)(?! need| want| like| think| know)"
    rf"{_BETWEEN} {_DAY}\b"
    r"|\b(?:was|were|is|are|got|gets|['’]s) (?:cancell?ed|closed|off|called off|shut|dropped|skipped|full)"
    rf"{_BETWEEN} {_DAY}\b"
    rf"|\b(?:have|has|had) to{_BETWEEN} {_DAY}\b|\bup (?:till|until|past){_BETWEEN} {_DAY}\b"
    rf"|\b(?:skip(?:s|ped|ping)?|missed|missing|overslept|forgot){_BETWEEN} {_DAY}\b"
    rf"|^\W*(?:(?:i|we) )?(?:took|walked|drove|cycled){_BETWEEN} {_DAY}\b",
    re.I,
)
_SINGLE_DAY = regex(rf"\b{_DAY}\b", re.I)
_FOR_GOOD = regex(
    r"\b(?:from (?:now|today|tomorrow|this|next)|as of|starting|any ?more|any longer|no longer|no more|for good|forever"
    r"|permanently|until|since|every|each|always|never again|for ever|now on|\w+days)\b",
    re.I,
)
"""Says that it stays so."""

_EVERY_TIME = regex(
    r"\b(?:every|each|usually|always|daily|weekly|monthly|mostly|normally|regularly"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|mornings|evenings|nights"
    r"|(?:once|twice|\w+ times) (?:a|per) (?:day|week|month))\b"
    rf"|^\W*{_WEEKDAY}(?:['’]s| is) ",
    re.I,
)
_DATED = regex(
    rf"\b{_DAY}\b|\b{_WEEKDAY}\b|\b\d{{1,2}}(?:st|nd|rd|th)\b|\b(?:{alternatives(MONTHS)})\b|\d[./]\d"
    r"|\b(?:will|['’]ll|going to|gonna|planning|planned|plan|booked|was|were|had|did|went|appointment|ticket|trip)\b"
    r"|\b(?:am|are|is|['’]m|['’]re|['’]s) \w+ing\b",
    re.I,
)
"""Tells of one day, or of what is to come or was."""

_HABIT = regex(
    r"\b(?:take|go|get|wake|sleep|nap|eat|drink|drive|ride|walk|cycle|run|swim|work|close|open|cook|play|train|watch|feed"
    r"|clean|practi[sc]e|sing|dance|read|study|teach|water|buy|use|bake|jog|commute|catch)(?:e?s)?\b",
    re.I,
)


@kept_for_texts(maxsize=1_024)
def tells_exception(text: str) -> bool:
    """Whether a statement says how one day, or week, is otherwise, and nothing of those behind it.

    Examples
    --------
    >>> tells_exception("No pizza this Friday, we're away."), tells_exception("The train was cancelled today.")
    (True, True)
    >>> tells_exception("No pizza from this Friday on."), tells_exception("I cancelled the gym today.")
    (False, False)
    """
    text = text[:READ]
    return _EXCEPTION.search(text) is not None and _FOR_GOOD.search(text) is None


@kept_for_texts(maxsize=1_024)
def is_of_single_day(text: str) -> bool:
    """Whether a statement is about one day, or week, near the one it is told on, and not about all from then on.

    Examples
    --------
    >>> is_of_single_day("Have to go in this Friday."), is_of_single_day("I go in on Fridays from this week on.")
    (True, False)
    """
    text = text[:READ]
    return _SINGLE_DAY.search(text) is not None and _FOR_GOOD.search(text) is None


@kept_for_texts(maxsize=1_024)
def is_regular(text: str) -> bool:
    """Whether a statement says what is so day by day, or week by week.

    Examples
    --------
    >>> is_regular("We have pizza every Friday."), is_regular("I take the 7:12 train."), is_regular("Leo naps at 1.")
    (True, True, True)
    >>> is_regular("Dentist on Friday at 3."), is_regular("I'm taking the 7:12 train."), is_regular("I sold the car.")
    (False, False, False)
    """
    text = text[:READ]
    if _EVERY_TIME.search(text):
        return True
    return _HABIT.search(text) is not None and _DATED.search(text) is None
