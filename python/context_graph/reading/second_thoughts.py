"""Whether a short statement corrects a value of the one said before it: "no wait, Saturday", "sorry, 7:30"."""

import re

from context_graph.embed.informal import weekdays_in_full
from context_graph.embed.languages import ALPHABETIC, ENGLISH, in_english, language_of
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

_FEELING = r"(?:no|oh|ah|hm+|sorry|sry|soz|oops|whoops|argh|ugh|ach|nein|nee|äh|ay|euh|oups|ops|oeps|ojej|uy)"
_THOUGHT = (
    r"(?:wait(?! (?:for|until|till)\b)|(?:sorry|sry|soz)(?! (?:for|about)\b)|oops|whoops|typo|correction|actually"
    r"|i mean|i meant|meant|make that|scratch that|nope|no"
    r"|warte|halt|moment|quatsch|nein|nee?|ups|falsch|ich (?:meine|meinte)|meinte|korrektur|besser gesagt|vielmehr"
    r"|verzeihung|entschuldigung|stimmt nicht|doch"
    r"|espera|uy|perdón|perdona|disculpa|digo|quería decir|quise decir|mejor dicho|rectifico|corrijo|corrección"
    r"|me equivoqué|me he equivocado"
    r"|pardon|désolée?|excuse(?:z|-moi)?|enfin(?= ?,)|plutôt|non|je (?:voulais|veux) dire|erreur|oups|attends?|en fait"
    r"|je me suis trompée?|je corrige"
    r"|ops|scusa(?:te|mi)?|volevo dire|anzi|cioè|correzione|mi correggo|ho sbagliato|aspetta"
    r"|desculp[ae]|quer(?:o|ia) dizer|aliás|ou melhor|não|corrigindo|correção|perdão|enganei-me"
    r"|ik bedoel(?:de)?|wacht|correctie|foutje|oeps"
    r"|przepraszam|chodziło mi o|mia(?:łe|ła)m na myśli|to znaczy|znaczy|nie|poprawka|czekaj|pomyłka)"
)
"""Says in each language for which there is a table of words that what was just said is to be said otherwise."""

_OPENS = regex(
    rf"^\W*(?:{_FEELING}\W{{1,3}}){{0,3}}{_THOUGHT}\b\W{{1,3}}(?:{_THOUGHT}\b\W{{1,3}}){{0,2}}"
    r"(?:(?:it['’]?s|its|it is|that['’]?s|i mean|i meant|make it|make that|on|at|in|the|actually|es ist|am|um|el|es"
    r"|a las|c['’]est) ){0,3}",
    re.I,
)
_CLOSES = regex(
    r"(?:\W+(?:i mean|i meant|sorry|sry|soz|oops|whoops|typo|my bad|actually|ich meine|meine ich|meinte ich|natürlich"
    r"|digo|perdón|quería decir|mejor dicho|en fait|pardon|plutôt|je voulais dire|volevo dire|scusa|quer(?:o|ia) dizer"
    r"|desculpa|bedoel(?:de)? ik|ik bedoel(?:de)?|przepraszam))+\W*$",
    re.I,
)
_FELT = regex(rf"^\W*(?:{_FEELING}\W{{1,3}}){{1,3}}(?=\S)", re.I)
_STARRED = regex(r"^\W*\*(?=[^\s*])(?P<first>[^*\n]{1,40})$|^(?P<last>[^*\n]{1,40})(?<=\S)\*\W*$")
"""As who types corrects a word of the line before: "*Thursday", "Thursday*"."""

_NOT = r"(?:not|nicht|pas|non|não|niet|nie|no(?= (?:el|la|los|las|en|a|\d)))"
_RATHER = regex(rf"^\W*(?:[\w:.€$£'’-]+,? ){{1,3}}{_NOT} (?:[\w:.€$£'’-]+ ?){{1,3}}\W*$", re.I)
"""Nothing but a value and a wrong one: "6 not 5"."""

_SUBJECT = regex(
    r"^((?:[\w'’-]+ ){1,4}?)(?:is|are|was|were|has|have|lives|works|comes|costs|starts|ends|heißt|ist|es)\b", re.I
)
_WRONG = regex(r"(?:,? (?:and )?(?:not|nicht|pas|non|não|niet)|, (?:and )?(?:no|nie)) ((?:[\w'’-]+ ?){1,3})\W*$", re.I)
_UNNAMED = frozenset(stems("er sie es das"))
_UNIT = regex(
    r"(?<=\d) ?(?:g|kg|kilos?|grams?|ml|lit(?:er|re)s?|cups?|miles?|met(?:er|re)s?|euros?|pounds?|dollars?|bucks|quid"
    r"|percent|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)\b",
    re.I,
)
_VALUE = regex(r"\b(?:\d{1,2} ?h(?:\d\d)?\b|\d[\d.,:]*|[A-ZÀ-Þ][\wà-ÿ-]+)")


@kept_for_texts(maxsize=1_024)
def may_correct_value(text: str) -> bool:
    """Whether a statement opens or ends as a second thought does and has, in few words, a time, a number or a name."""
    correction = _correction(text)
    return correction is not None and bool(_kinds(correction) or _kinds(in_english(correction, language_of(text))))


def _correction(text: str) -> str | None:
    """What a second thought says, without what tells that it is one; None of anything else."""
    if len(text) > MAX_CORRECTION_CHARS or len(text.split()) > MAX_CORRECTION_WORDS:
        return None
    if opening := _OPENS.match(text):
        return _CLOSES.sub("", text[opening.end() :])
    if starred := _STARRED.match(text):
        return starred["first"] or starred["last"]
    if closing := _CLOSES.search(text):
        return _FELT.sub("", text[: closing.start()])
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
    if correction is None or not may_correct_value(later):
        return False
    language = next((some for text in (earlier, later) if (some := language_of(text)) != ENGLISH), ENGLISH)
    if language in ALPHABETIC:  # so is the other one, which may be too short to tell
        correction = in_english(correction, language)
    earlier = in_english(earlier, language)  # of English, "tmrw" in full
    if _is_about_another(earlier, correction) or _denies(correction):
        return False
    new, old = _kinds(correction), _kinds(earlier)
    if _words_beside_values(correction) - {*stems(earlier)}:
        return False  # it says more than a value
    return any(new[kind] - old[kind] for kind in new.keys() & old.keys())


def _denies(correction: str) -> bool:
    """Whether a correction denies something else than the wrong value: "no, Ana isn't coming on Thursday"."""
    wrong = _WRONG.search(correction)
    if wrong is not None and not wrong[0].startswith(",") and _words_beside_values(wrong[1]):
        wrong = None
    return bool(cues.NEGATED.search(correction if wrong is None else correction[: wrong.start()]))


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
