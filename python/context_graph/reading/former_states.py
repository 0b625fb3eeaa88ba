"""Statements about how things were before: "my old car was a Golf", "I used to play tennis"."""

import re

from context_graph.reading import cues
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["ends_as_former", "is_former_to", "tells_former_state"]

READ = 240
"""Characters of a statement that are looked at: a longer text says more than how one thing was."""

_PAST_VERB = (
    r"(?:was|were|had|did|used to|(?!(?:need|feed|breed|speed|bleed|seed|shed|embed|red|bed)\b)[a-z]{2,}ed|cost|ran"
    r"|came|went|lay|stood|kept|held|sold|paid|drove|wore|taught|led|made|took|grew|knew|spoke|rode|sat|slept|ate)"
)
_THING = (
    r"^\W*(?:(?:and|but|oh|well|so|by the way|btw|fyi),? )*(?:the|my|our|his|her|their|its|[\w-]+['’]s) "
    rf"(?:old|former|previous|prior|first|original|ex)[ -](?:[\w'’-]+ ){{1,4}}?{_PAST_VERB}\b"
)
_WHEN = (
    r"^\W*(?:before that|before this|previously|formerly|originally|initially|back then|in those days|at that time"
    r"|at first|in the past|(?:\w+ ){1,3}ago)\b.*"
    rf"\b{_PAST_VERB}\b"
)
_PERIOD = (
    r"\b(?:worked|lived|studied|stayed|taught|rented|owned|drove|played|had|was (?:at|in|with|an?|the))\b.*"
    r"\b(?:(?:from|between) (?:\w+ )?\d{4} (?:to|until|till|and) (?:\w+ )?\d{4}|until \d{4}"
    r"|as an? (?:student|child|kid|teenager|boy|girl|apprentice)|when i was|in my (?:teens|twenties|youth|childhood))\b"
)
_GERMAN = (
    r"^\W*(?:mein|unser|sein|ihr|der|die|das)\w* (?:alte|ehemalige|frühere|vorherige|vorige|erste)\w* (?:\w+ ){1,4}?"
    r"(?:war|waren|hieß|hatte|lag|kam|ging|stand|fuhr|\w+te|\w+ten)\b"
    r"|\b(?:früher|damals|davor|vorher)\b.*\b(?:war|waren|hieß|hatte|hatten|habe|haben|lag|kam|ging|fuhr|\w+te|\w+ten)\b"
    r"|\b(?:war|hieß|hatte|habe|haben|fuhr|\w+te|\w+ten)\b.*\b(?:früher|damals|davor|vorher)\b"
)
_SPANISH = (
    r"^\W*(?:mi|nuestr[oa]|el|la|su) "
    r"(?:(?:antigu[oa]|ex|viej[oa]) (?:\w+ ){1,4}?|(?:\w+ ){1,3}?(?:antigu[oa]|anterior) )"
    r"(?:se )?(?:era|fue|tenía|estaba|\w+aba|\w+ía)\b"
    r"|^\W*(?:antes|anteriormente|en aquel entonces)\b.*\b(?:era|fue|tenía|estaba|\w+aba|\w+ía)\b"
)
_FORMER = regex(rf"{_THING}|{_WHEN}|{_PERIOD}|\bused to (?!it\b|this\b|that\b|the\b)|{_GERMAN}|{_SPANISH}", re.I)
_NOW = regex(
    r"\b(?:is|are|am|has|have|now|today|currently|will|still|too|jetzt|heute|ist|sind|bin|inzwischen|ahora|hoy|es|está)\b"
    r"|['’](?:re|m|ll|ve)\b",
    re.I,
)


@kept_for_texts(maxsize=1_024)
def tells_former_state(text: str) -> bool:
    """Whether a statement tells only how something was before, and not that or how it has changed.

    Examples
    --------
    >>> texts = "My previous car was a Golf.", "My boss used to be Karl.", "Before that I worked at Brandt."
    >>> [tells_former_state(text) for text in texts]
    [True, True, True]
    >>> texts = "I used to smoke, now I run.", "My old car was stolen.", "My old car is blue.", "I worked late."
    >>> [tells_former_state(text) for text in texts]
    [False, False, False, False]
    """
    if len(text) > READ or not _FORMER.search(text) or _NOW.search(text):
        return False
    return not (cues.ENDED.search(text) or cues.CORRECTED.search(text))


def is_former_to(former: str, current: str) -> bool:
    """Whether of two statements only the first tells how something was before, and the second names another value.

    Examples
    --------
    >>> is_former_to("My boss used to be Karl.", "My boss is Irene.")
    True
    >>> is_former_to("Karl used to be my boss.", "Karl is my boss."), is_former_to("My boss is Karl.", "I have a dog.")
    (False, False)
    """
    return tells_former_state(former) and not tells_former_state(current) and not _says_no_more(current, former)


def ends_as_former(former: str, current: str) -> bool:
    """Whether the first says that the second was so: "Karl used to be my boss" of "Karl is my boss"."""
    return tells_former_state(former) and not tells_former_state(current) and _says_no_more(current, former)


def _says_no_more(text: str, other: str) -> bool:
    return content_stems(text) <= content_stems(other)
