"""Whether a short statement corrects a value of the one said before it: "no wait, Saturday", "sorry, 7:30"."""

import re

from context_graph.embed.informal import weekdays_in_full
from context_graph.embed.stems import stems
from context_graph.reading import cues
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["corrects_value", "may_correct_value"]

MAX_CORRECTION_CHARS, MAX_CORRECTION_WORDS = 120, 8
"""Of a statement that corrects a value and says no more."""

MAX_ALONE_WORDS = 3
"""Words of a correction in which "sat" is a day: "*sat"."""

_OPENS = regex(
    r"^\W*(?:(?:no|oh|ah|hm+|sorry|sry|soz|oops|whoops|argh|ugh|ach|nein|nee|äh|ay)\W{1,3}){0,3}"
    r"(?:wait(?! (?:for|until|till)\b)|(?:sorry|sry|soz)(?! (?:for|about)\b)"
    r"|oops|whoops|typo|correction|actually|i mean|i meant|meant|make that|scratch that|nope|no|warte|halt|quatsch|nein"
    r"|ich meine|doch|espera|perdón|digo)\b\W{1,3}(?:no\W{1,3})?"
    r"(?:(?:it['’]?s|its|it is|that['’]?s|i mean|i meant|make it|make that|on|at|in|the|actually|es ist|am|um|el|es"
    r"|a las) ){0,3}",
    re.I,
)
_CLOSES = regex(
    r"(?:\W+(?:i mean|i meant|sorry|sry|soz|oops|whoops|typo|my bad|ich meine|meine ich|digo|perdón))+\W*$", re.I
)
_STARRED = regex(r"^\W*\*(?=[^\s*])(?P<first>[^*\n]{1,40})$|^(?P<last>[^*\n]{1,40})(?<=\S)\*\W*$")
"""As who types corrects a word of the line before: "*Thursday", "Thursday*"."""

_RATHER = regex(r"^\W*(?:[\w:.€$£-]+ ){1,3}not (?:[\w:.€$£-]+ ?){1,3}\W*$", re.I)
"""Nothing but a value and a wrong one: "6 not 5"."""

_SUBJECT = regex(
    r"^((?:[\w'’-]+ ){1,4}?)(?:is|are|was|were|has|have|lives|works|comes|costs|starts|ends|heißt|ist|es)\b", re.I
)
_WRONG = regex(r",? (?:and )?(?:not|nicht|no) ((?:[\w'’-]+ ?){1,3})\W*$", re.I)
_UNNAMED = frozenset(stems("er sie es das"))
_UNIT = regex(
    r"(?<=\d) ?(?:g|kg|kilos?|grams?|ml|lit(?:er|re)s?|cups?|miles?|met(?:er|re)s?|euros?|pounds?|dollars?|bucks|quid"
    r"|percent|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)\b",
    re.I,
)
_VALUE = regex(r"\b(?:\d[\d.,:]*|[A-ZÀ-Þ][\wà-ÿ-]+)")


@kept_for_texts(maxsize=1_024)
def may_correct_value(text: str) -> bool:
    """Whether a statement opens or ends as a second thought does and has, in few words, a time, a number or a name."""
    correction = _correction(text)
    return correction is not None and bool(_kinds(correction))


def _correction(text: str) -> str | None:
    """What a second thought says, without what tells that it is one; None of anything else."""
    if len(text) > MAX_CORRECTION_CHARS or len(text.split()) > MAX_CORRECTION_WORDS:
        return None
    if opening := _OPENS.match(text):
        return _CLOSES.sub("", text[opening.end() :])
    if starred := _STARRED.match(text):
        return starred["first"] or starred["last"]
    if closing := _CLOSES.search(text):
        return text[: closing.start()]
    return text if _RATHER.match(text) else None


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
    >>> corrects_value("the rent is 450", "*540"), corrects_value("They come on tues.", "weds i mean")
    (True, True)
    """
    correction = _correction(later)
    if correction is None or not may_correct_value(later) or _is_about_another(earlier, correction):
        return False
    new, old = _kinds(correction), _kinds(earlier)
    if _words_beside_values(correction) - {*stems(earlier)}:
        return False  # it says more than a value
    return any(new[kind] - old[kind] for kind in new.keys() & old.keys())


def _words_beside_values(text: str) -> frozenset[str]:
    """The content stems of a text without its times, numbers and names."""
    return content_stems(_VALUE.sub(" ", cues.TIMED.sub(" ", _UNIT.sub("", weekdays_in_full(text)))))


def _is_about_another(earlier: str, correction: str) -> bool:
    """Whether a correction says what it is about, or which value is wrong, and the statement before it has no word of
    either.
    """
    named = [match[1] for form in (_SUBJECT, _WRONG) if (match := form.search(correction))]
    before = {*stems(earlier)}
    return any(words and before.isdisjoint(words) for words in ({*stems(some)} - _UNNAMED for some in named))


def _kinds(text: str) -> dict[str, frozenset[str]]:
    """Times of a day, days, numbers and names of a text, by kind; kinds that it has."""
    text = weekdays_in_full(text, alone=len(text.split()) <= MAX_ALONE_WORDS)
    times = [time.lower() for time in cues.TIMED.findall(text)]
    rest = _VALUE.findall(cues.TIMED.sub(" ", text))
    by_kind = {
        "hour": [time for time in times if time[:1].isdigit()],
        "day": [time for time in times if not time[:1].isdigit()],
        "number": [value for value in rest if value[:1].isdigit()],
        "name": [value.lower() for value in rest if not value[:1].isdigit()],
    }
    return {kind: frozenset(values) for kind, values in by_kind.items() if values}
