"""Things that are told apart by a number behind one name: "KES-101" and "KES-103", "web-1" and "web-2"."""

import re

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["asked_number_apart", "numbered_apart", "of_another_number"]

MAX_NUMBERED_CHARS = 600
"""Characters of a statement that are looked at."""

_NUMBERED = regex(
    r"(?<![\w/.-])(?:(?P<label>[A-Za-z][A-Za-z0-9]{0,15})[-_](?:v)?|(?P<hash>#))(?P<number>\d{1,6})(?![\w-]|[.:]\d)"
)
_OPENS = regex(
    r"^\W*(?:(?:[A-Za-z]+) ){0,2}?(?:[A-Za-z][A-Za-z0-9]{0,15}[-_]|#)\d{1,6}"
    r"(?=\s*(?:[:,–(-]|['’]s\b|(?:is|was|has|had|are|got|can|will|needs?|now|open|closed|merged|fixed|solved|resolved|reopened|assigned|done|[a-z]+s)\b|\W*$))"
)
"""Such a thing is what the statement is about, and no value in it: "KES-101 is fixed", "Bug KES-101: ..."."""


_PLAINLY_NUMBERED = regex(
    r"\b(?!(?:version|release|level|stage|phase|step|round|year|grade|class|week|day|python|node|java)\b)"
    r"(?P<noun>[a-z]{3,15}) (?P<number>\d{1,4})"
    r" (?=(?:is|was|has|had|are|will|can|got|needs?|opens?|closes?|starts?|leaks?|goes|gets|takes|holds|runs|costs)\b)"
)
"""A thing with a number that something is said of: "gate 7 opens"; what has one number after the other is left out."""


_RECORD = regex(
    r"\b(?P<noun>number|no\.?|nr\.?|order|invoice|ticket|case|file|item|article|serial|job|batch|record|parcel|shipment"
    r"|contract|claim|bill|receipt|asset|lot|nummer|rechnung|auftrag|bestellung|pedido|factura|número)"
    r" (?P<number>\d{3,12})(?![\w-]|[.:,]\d)"
)
"""What is told of one of many things that have numbers: "sold a printer number 15432"."""

_LONG = regex(r"(?<![\w.,:/-])(?!(?:19|20)\d\d(?!\d))\d{4,12}(?![\w-]|[.:,]\d)|(?<![\w&#])#\d{1,12}(?![\w-])")
"""A number that names one thing among many; a year names none."""

_CHANGED = regex(
    r"\b(?:now|new|no longer|changed?|instead|renumbered|became|replac\w+|sorry|correction|not|jetzt|neue?[rns]?|nicht"
    r"|statt|ahora|nuev[oa]|ya)\b|n['’]t\b",
    re.I,
)


@kept_for_texts(maxsize=1_024)
def _recorded(text: str) -> dict[str, frozenset[str]]:
    """By noun the numbers of records that a statement has behind it."""
    numbers: dict[str, set[str]] = {}
    for match in _RECORD.finditer(text[:MAX_NUMBERED_CHARS].lower()):
        numbers.setdefault(match["noun"].rstrip("."), set()).add(match["number"])
    return {noun: frozenset(each) for noun, each in numbers.items()}


def asked_number_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question is for a long number, or one behind "#", that the earlier of two statements has, and the later
    one has others and tells of no change.

    Examples
    --------
    >>> sold = "Ida sold a printer number 15432.", "Bo sold a lamp number 19582."
    >>> asked_number_apart("Who sold 15432?", *sold), asked_number_apart("Who sold the printer?", *sold)
    (True, False)
    >>> asked_number_apart("Is 15432 my number?", "My number is 15432.", "My number is 19582 now.")
    False
    """
    numbers = set(_LONG.findall(question))
    if not numbers:
        return False
    before, after = (set(_LONG.findall(text[:MAX_NUMBERED_CHARS])) for text in (earlier, later))
    return bool(numbers & before) and bool(after) and not numbers & after and not _CHANGED.search(later)


@kept_for_texts(maxsize=1_024)
def _plain_numbers(text: str) -> dict[str, str]:
    """By noun the number of the one thing of that name that a statement says something of."""
    matches = [*_PLAINLY_NUMBERED.finditer(text[:MAX_NUMBERED_CHARS].lower())]
    nouns = [match["noun"] for match in matches]
    return {match["noun"]: match["number"] for match in matches if nouns.count(match["noun"]) == 1}


@kept_for_texts(maxsize=1_024)
def _numbers(text: str) -> dict[str, frozenset[str]]:
    """By label in lower case the numbers that a statement has behind it."""
    numbers: dict[str, set[str]] = {}
    for match in _NUMBERED.finditer(text[:MAX_NUMBERED_CHARS]):
        numbers.setdefault((match["label"] or "#").lower(), set()).add(match["number"].lstrip("0"))
    return {label: frozenset(each) for label, each in numbers.items()}


def of_another_number(question: str, text: str) -> bool:
    """Whether a text names things by a label that a question has as well, and none that the question is for.

    Examples
    --------
    >>> of_another_number("Is KES-103 fixed?", "KES-101 is fixed.")
    True
    """
    one, other = _numbers(question), _numbers(text)
    same = one.keys() & other.keys()
    return bool(same) and not any(one[label] & other[label] for label in same)


def numbered_apart(earlier: str, later: str) -> bool:
    """Whether two statements are about two things of one name that their numbers tell apart.

    Examples
    --------
    >>> numbered_apart("Bug KES-103: the queue grows.", "KES-101 is fixed.")
    True
    >>> numbered_apart("Bug #231 fixed in PR #240.", "Bug #288 fixed in PR #293.")
    True
    >>> numbered_apart("Server web-2 is down.", "web-1 is up again.")
    True
    >>> numbered_apart("My seat is B-12.", "The seat is B-14 now."), numbered_apart("KES-1 is open.", "KES-1 is fixed.")
    (False, False)
    >>> numbered_apart("Gate 7 opens at 13:15.", "Gate 8 opens at 14:15.")
    True
    >>> numbered_apart("Ida sold a printer number 15432.", "Ida sold a lamp number 19582.")
    True
    """
    recorded, others = _recorded(earlier), _recorded(later)
    if not _CHANGED.search(later) and any(
        recorded[noun].isdisjoint(others[noun]) for noun in recorded.keys() & others.keys()
    ):
        return True
    before, after = _plain_numbers(earlier), _plain_numbers(later)
    if any(before[noun] != after[noun] for noun in before.keys() & after.keys()):
        return True
    one, other = _numbers(earlier), _numbers(later)
    same = one.keys() & other.keys()
    if not same or any(one[label] & other[label] for label in same):
        return False
    return bool(_OPENS.match(earlier) and _OPENS.match(later))
