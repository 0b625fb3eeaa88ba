"""Whether an earlier statement says more than a later one ends, so that the rest of it may still hold."""

import re
from collections.abc import Sequence

from context_graph.embed.chunks import sentences
from context_graph.reading import cues, supersession
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["leaves_more"]

_PIECES = regex(
    r"(?<![,;:()])[,;:()]++(?:\s++|$)|(?<![.!?])[.!?]++\s++|(?<!\s)\s++(?:and|or|und|oder|y|o)\s++"
    r"|(?<!\s)\s++(?=(?:at|on|in|from|with|for|to|by|um|am|im|mit|bei|en|con|a) (?:[a-zà-ÿ]{1,30} )?(?:\d|[A-ZÀ-Þ]))"
)
"""Between what a statement says of one thing: clauses, items of a list, and what a preposition adds to it."""

_OFF = regex(r"\b(?:off|over|cancel\w*|fell through|skip|abgesagt|cancelad[oa])\b")

_CONTRAST = regex(
    r"(?<=[,;]) (?:and )?(?:not|nicht|no) (?:(?:in|at|on|the|an?|with|for|to) ){0,2}(?P<wrong>[\w.:-]+(?: \d[\w.:-]*)?)"
    r"(?= *$|[.,;!]| (?:in|at|on|for)\b)"
)
"""What a correction puts right: "in room 5, not 4"."""

_PART = regex(
    r"\b(?:half|(?:a|one) (?:third|quarter)|(?:some|part|most) of|partly|partially|first instal?lment|so far)\b", re.I
)
_SAME = regex(
    r"\b(?:(?:stays?|remains?|is|are) (?:all )?(?:the same|unchanged|as (?:it|they) (?:was|were|is|are))"
    r"|same (?:day|date|time|place|price|room|address|hours?|number)|bleib(?:t|en) (?:gleich|wie \w+)|sigue igual)\b",
    re.I,
)
"""Says that another part is as it was."""

_OWED = regex(r"\b(?:owes?|owed|owing|borrowed|lent|loaned|debts?)\b", re.I)
_PAID = regex(r"\b(?:gave|paid|sent|got|transferred|returned|pays?|back|repaid)\b", re.I)
_AMOUNT = regex(r"(?<![\d:./-])\d+(?:,\d{3})*(?:\.\d+)?(?![\d:/-]|(?:st|nd|rd|th|am|pm)\b)", re.I)

_NAME_WITHIN = regex(r"(?<=[a-zà-ÿ] )[A-ZÀ-Þ][a-zà-ÿ]+")
"""A capital within a sentence."""

_SIDE_REMARKS = content_stems("sorry guys folks thanks ugh lol haha yay sadly finally honestly")


def leaves_more(earlier: str, later: str) -> bool:
    """Whether the earlier of two statements has a piece that the later one repeats, or neither mentions nor gives
    something else for; where the later one only ends something, a sentence of its own, or what goes before it.

    Examples
    --------
    >>> leaves_more("Standup is daily at 09:45 on Teams.", "Standup moved to 10:15.")
    True
    >>> leaves_more("I charge 85 an hour, 120 at night.", "It's 90 an hour now, the 120 at night stays.")
    True
    >>> leaves_more("Wash costs 9 euros, wax 20.", "Wax now costs 25, the wash stays the same.")
    True
    >>> leaves_more("I live in Berlin.", "I live in Munich now."), leaves_more("Choir is in Graz at 7.", "No choir.")
    (False, False)
    >>> leaves_more("The trip is from 5 to 8 May, with Ada.", "Ada can't come.")
    True
    >>> leaves_more("I owe Josh 60 euros.", "Paid Josh half of it.")
    True
    >>> leaves_more("Standup is at 9:30 in room 4.", "Correction: the standup is in room 5, not 4.")
    True
    >>> leaves_more("Ole owes me 80 for the boat.", "Ole gave me 30."), leaves_more("I owe Ole 80.", "Paid Ole the 80.")
    (True, False)
    >>> leaves_more("Shifts are Mon and Thu. Pay is 14.50.", "Swapped my Thu shift, so I do Fridays now.")
    True
    """
    if (_PART.search(later) and not _PART.search(earlier)) or _pays_less(earlier, later) or _SAME.search(later):
        return True
    if _states_an_amount_beside(earlier, later) or _names_one_beside(earlier, later):
        return True
    pieces, now = _pieces(earlier), content_stems(later)
    about = [not piece.isdisjoint(now) for piece in pieces]
    if len(pieces) < 2 or not any(about):
        return False
    if contrast := _CONTRAST.search(later):
        return any(piece.isdisjoint(now | content_stems(contrast["wrong"])) for piece in pieces[1:])
    if _OFF.search(later) or cues.NEGATED.search(later):
        whole = [content_stems(sentence) for sentence in sentences(earlier)]
        return not about[0] or any(words and words.isdisjoint(now) for words in whole)
    former = supersession.former_values(later)
    if any(piece <= now and piece.isdisjoint(former) for piece in pieces[1:]):
        return True
    before = frozenset[str]().union(*pieces)
    given = sum(piece.isdisjoint(before) and _SIDE_REMARKS.isdisjoint(piece) for piece in _pieces(later))
    return about.count(False) > given


def _pays_less(earlier: str, later: str) -> bool:
    """Whether the later statement pays less than what the earlier one says is owed."""
    owed = _amounts(earlier) if _OWED.search(earlier) else []
    paid = _amounts(later) if _PAID.search(later) else []
    return len(owed) == len(paid) == 1 and paid[0] < owed[0]


def _states_an_amount_beside(earlier: str, later: str) -> bool:
    """Whether a sentence of the earlier statement has a number, and the later one neither a word of it nor a number."""
    stated = sentences(earlier)
    if len(stated) < 2 or _AMOUNT.search(later):
        return False
    now = content_stems(later)
    return any(_AMOUNT.search(one) and content_stems(one).isdisjoint(now) for one in stated)


def _names_one_beside(earlier: str, later: str) -> bool:
    """Whether a sentence of the earlier statement names somebody or something, and the later one has no word of it.

    Examples
    --------
    >>> _names_one_beside("Ole sings, Ida plays. The drummer is Bo.", "Ole left, so Kim sings.")
    True
    >>> _names_one_beside("I live in Berlin. It is loud here.", "I moved to Ulm.")
    False
    """
    stated, now = sentences(earlier), content_stems(later)
    return any(_NAME_WITHIN.search(one) and content_stems(one).isdisjoint(now) for one in stated[1:])


def _amounts(text: str) -> list[float]:
    return [float(amount.replace(",", "")) for amount in _AMOUNT.findall(text)]


@kept_for_texts(maxsize=256)
def _pieces(text: str) -> Sequence[frozenset[str]]:
    """The stems of each piece of a statement that has any."""
    return [words for piece in _PIECES.split(text) if (words := content_stems(piece))]
