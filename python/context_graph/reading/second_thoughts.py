"""Whether a short statement corrects a value of the one said before it: "no wait, Saturday", "sorry, 7:30"."""

import re

from context_graph.embed.stems import stems
from context_graph.reading import cues
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["corrects_value", "may_correct_value"]

MAX_CORRECTION_WORDS = 8
"""Words of a statement that corrects a value and says no more."""

_OPENS = regex(
    r"^\W*(?:(?:no|oh|ah|hm+|sorry|oops|whoops|argh|ugh|ach|nein|nee|äh|ay)\W{1,3}){0,3}(?:wait|sorry|oops|whoops"
    r"|correction|i mean|i meant|make that|scratch that|nope|no|warte|halt|quatsch|nein|ich meine|doch|espera|perdón"
    r"|digo)\b\W{1,3}(?:no\W{1,3})?"
    r"(?:(?:it['’]?s|its|it is|that['’]?s|i mean|i meant|make it|make that|on|at|in|the|actually|es ist|am|um|el|es"
    r"|a las) ){0,3}",
    re.I,
)
_SUBJECT = regex(
    r"^((?:[\w'’-]+ ){1,4}?)(?:is|are|was|were|has|have|lives|works|comes|costs|starts|ends|heißt|ist|es)\b", re.I
)
_WRONG = regex(r",? (?:and )?(?:not|nicht|no) ((?:[\w'’-]+ ?){1,3})\W*$", re.I)
_UNNAMED = frozenset(stems("er sie es das"))
_VALUE = regex(r"\b(?:\d[\d.,:]*|[A-ZÀ-Þ][\wà-ÿ-]+)")


@kept_for_texts(maxsize=1_024)
def may_correct_value(text: str) -> bool:
    """Whether a statement opens as a second thought does and has, in few words, a time, a number or a name."""
    opening = _OPENS.match(text)
    if opening is None or len(text.split()) > MAX_CORRECTION_WORDS:
        return False
    return bool(_kinds(text[opening.end() :]))


def corrects_value(earlier: str, later: str) -> bool:
    """Whether a second thought has a value of a kind that the statement before it has another one of.

    Examples
    --------
    >>> corrects_value("Ben arrives on Friday at 6.", "no wait, Saturday"), corrects_value("Ben is tall.", "no wait, 7")
    (True, False)
    >>> corrects_value("Lunch is at Carlo's.", "sorry, Wednesday"), corrects_value("It costs 40.", "oops, 45")
    (False, True)
    >>> corrects_value("Mia quit judo.", "Sorry, Ruth is from Split, not Zagreb.")
    False
    """
    opening = _OPENS.match(later)
    if opening is None or not may_correct_value(later) or _is_about_another(earlier, later[opening.end() :]):
        return False
    new, old = _kinds(later[opening.end() :]), _kinds(earlier)
    return any(new[kind] - old[kind] for kind in new.keys() & old.keys())


def _is_about_another(earlier: str, correction: str) -> bool:
    """Whether a correction says what it is about, or which value is wrong, and the statement before it has no word of
    either.
    """
    named = [match[1] for form in (_SUBJECT, _WRONG) if (match := form.search(correction))]
    before = {*stems(earlier)}
    return any(words and before.isdisjoint(words) for words in ({*stems(some)} - _UNNAMED for some in named))


def _kinds(text: str) -> dict[str, frozenset[str]]:
    """Times of a day, days, numbers and names of a text, by kind; kinds that it has."""
    times = [time.lower() for time in cues.TIMED.findall(text)]
    rest = _VALUE.findall(cues.TIMED.sub(" ", text))
    by_kind = {
        "hour": [time for time in times if time[:1].isdigit()],
        "day": [time for time in times if not time[:1].isdigit()],
        "number": [value for value in rest if value[:1].isdigit()],
        "name": [value.lower() for value in rest if not value[:1].isdigit()],
    }
    return {kind: frozenset(values) for kind, values in by_kind.items() if values}
