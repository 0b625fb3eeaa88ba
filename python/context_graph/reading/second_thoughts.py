"""Whether a short statement corrects a value of the one said before it: "no wait, Saturday", "sorry, 7:30"."""

import re
from collections.abc import Mapping

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
    r"(?:wait(?! (?:for|until|till)\b)|(?:sorry|sry|soz)(?! (?:for|about)\b)|oops|whoops|typo|correction"
    r"|actually|i mean|i meant|meant|make that|scratch that|nope|no"
    r"|warte|halt|moment|quatsch|nein|nee?|ups|falsch|ich (?:meine|meinte)|meinte|korrektur|besser gesagt|vielmehr"
    r"|verzeihung|entschuldigung|stimmt (?:gar )?nicht|doch"
    r"|(?:da )?habe? ich mich (?:vertan|verschrieben|geirrt|vertippt)"
    r"|(?:ich )?habe? mich (?:vertan|verschrieben|geirrt|vertippt)|tippfehler|mein fehler|bzw|beziehungsweise"
    r"|espera|uy|perdón|perdona|disculpa|digo|quería decir|quise decir|mejor dicho|rectifico|corrijo|corrección"
    r"|me equivoqué|me he equivocado|me confundí|me he (?:liado|confundido)|error mío|o sea"
    r"|pardon|désolée?|excuse(?:z|-moi)?|enfin(?= ?,)|plutôt|non|je (?:voulais|veux) dire|erreur|oups|attends?|en fait"
    r"|je me suis trompée?|je corrige|erreur de ma part|faute de frappe|mince"
    r"|ops|scusa(?:te|mi)?|volevo dire|anzi|cioè|correzione|mi correggo|ho sbagliato|aspetta"
    r"|mi sono sbagliat[oa]|errore mio|ho scritto male"
    r"|desculp[ae]|quer(?:o|ia)? dizer|aliás|ou melhor|não|corrigindo|correção|perdão|enganei-me"
    r"|me enganei|erro meu|espera aí"
    r"|ik bedoel(?:de)?|wacht|correctie|foutje|oeps|typfout|vergissing|klopt niet"
    r"|(?:ik )?heb me vergist|verkeerd"
    r"|przepraszam|chodziło mi o|mia(?:łe|ła)m na myśli|to znaczy|znaczy|nie|poprawka|czekaj|pomyłka"
    r"|pomylił[ae]m się|literówka|tzn)"
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
_BUT = r"(?:but|rather|sondern|mais|ma|sino|maar|tylko|lecz|mas|e sim|ale)"
_NOT_BUT = regex(
    rf"^\W*(?:[\w'’]+\W{{1,3}}){{0,3}}{_NOT} (?:[\w:.€$£'’-]+,? ){{1,4}}{_BUT} (?:[\w:.€$£'’-]+ ?){{1,5}}\W*$", re.I
)
"""One value, and not another: "nicht Dienstag, sondern Mittwoch"."""

_RATHER = regex(rf"^\W*(?:[\w:.€$£'’-]+,? ){{1,3}}{_NOT} (?:[\w:.€$£'’-]+ ?){{1,3}}\W*$", re.I)
"""Nothing but a value and a wrong one: "6 not 5"."""

_MEANT = regex(
    rf"^\W*(?:{_FEELING}\W{{1,3}}){{0,3}}(?:{_THOUGHT}\b\W{{1,3}}){{0,2}}"
    r"(?:i mean|i meant|correction|make that|ich (?:meine|meinte)|korrektur|besser gesagt|quería decir|quise decir"
    r"|mejor dicho|rectifico|corrijo|corrección|je (?:voulais|veux) dire|je corrige|volevo dire|mi correggo|correzione"
    r"|quer(?:o|ia)? dizer|ou melhor|corrigindo|correção|ik bedoel(?:de)?|correctie|chodziło mi o"
    r"|mia(?:łe|ła)m na myśli|poprawka)\b(?! (?:to|that|well)\b)\W{1,3}",
    re.I,
)
"""Says of the last statement that another word was meant, whatever that is: "ich meinte blau"."""

MAX_MEANT_WORDS = 4
"""Words of what was meant, which has no verb."""

_NUMBER_WORDS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen eighteen twenty"
    " thirty forty fifty sixty ninety hundred half".split()
)
_SUBJECT = regex(
    r"^((?:[\w'’-]+ ){1,4}?)(?:is|are|was|were|has|have|lives|works|comes|costs|starts|ends|heißt|ist|es)\b", re.I
)
_WRONG = regex(r"(?:,? (?:and )?(?:not|nicht|pas|non|não|niet)|, (?:and )?(?:no|nie)) ((?:[\w'’-]+ ?){1,3})\W*$", re.I)
_UNNAMED = frozenset(stems("er sie es das"))
_UNIT = regex(
    r"(?<=\d) ?(?:g|kg|kilos?|grams?|ml|lit(?:er|re)s?|cups?|miles?|met(?:er|re)s?|euros?|pounds?|dollars?|bucks|quid"
    r"|percent|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|uhr|clock|o['’]clock)\b",
    re.I,
)
_VALUE = regex(r"\b(?:\d{1,2} ?h(?:\d\d)?\b|\d[\d.,:]*|[A-ZÀ-Þ][\wà-ÿ-]+)")


@kept_for_texts(maxsize=1_024)
def may_correct_value(text: str) -> bool:
    """Whether a statement opens or ends as a second thought does and has, in few words, a time, a number or a name."""
    correction = _correction(text)
    if correction is None:
        return False
    return bool(_meant(text) or _kinds(correction) or _kinds(in_english(correction, language_of(text))))


def _meant(text: str) -> str:
    """What a statement says was meant in place of a word of the last one; empty where it says more, or nothing."""
    opening = _MEANT.match(text)
    correction = "" if opening is None else text[opening.end() :].strip(" .!?*")
    words = in_english(correction, language_of(text)).lower().split()
    says_more = cues.VERBS.union(cues.SELF).intersection(words)
    return "" if len(words) > MAX_MEANT_WORDS or says_more else correction


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
    return text if _RATHER.match(text) or _NOT_BUT.match(text) or _WRONG.search(text) else None


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
    languages = {language for text in (earlier, later) if (language := language_of(text)) in ALPHABETIC}
    return any(_corrects(earlier, later, correction, language) for language in languages or {ENGLISH})


def _corrects(earlier: str, later: str, correction: str, language: str) -> bool:
    """As `corrects_value`, of two statements of one language: each may be too short to tell it."""
    earlier = in_english(earlier, language)  # of English, "tmrw" in full
    if language != ENGLISH:
        correction = in_english(correction, language)
    if _is_about_another(earlier, correction) or (_denies(correction) and not _NOT_BUT.match(later)):
        return False
    new, old = _kinds(correction), _kinds(earlier)
    if _rejects(earlier, correction, old):
        return True
    if new.keys().isdisjoint(old) and _meant(later):
        return not {*stems(correction)} <= {*stems(earlier)}
    if _words_beside_values(correction) - {*stems(earlier)}:
        return False  # it says more than a value
    if {*new, *old} == {"hour", "number"} and len(new) == len(old) == 1:  # "at 8" and "9 o'clock"
        return _figures(new) != _figures(old)
    return any(new[kind] - old[kind] for kind in new.keys() & old.keys())


def _rejects(earlier: str, correction: str, old: Mapping[str, frozenset[str]]) -> bool:
    """Whether a correction says itself which value of the statement before it is wrong, and gives another one for it:
    "the course begins at 10, not at 9"."""
    wrong = _WRONG.search(correction)
    if wrong is None:
        return False
    right, rejected = _kinds(correction[: wrong.start()]), _kinds(wrong[1])
    kinds = [kind for kind in rejected if rejected[kind] <= old.get(kind, frozenset()) and kind in right]
    words = content_stems(_VALUE.sub(" ", cues.TIMED.sub(" ", correction[: wrong.start()])))
    return bool(kinds) and (not words or not words.isdisjoint(stems(earlier)))


def _figures(kinds: Mapping[str, frozenset[str]]) -> set[str]:
    """The numbers in some values, without their units."""
    return {match[0] for values in kinds.values() for value in values if (match := re.match(r"\d+", value))}


def _denies(correction: str) -> bool:
    """Whether a correction denies something else than the wrong value: "no, Ana isn't coming on Thursday"."""
    wrong = _WRONG.search(correction)
    if wrong is not None and not wrong[0].startswith(",") and _words_beside_values(wrong[1]):
        wrong = None
    return bool(cues.NEGATED.search(correction if wrong is None else correction[: wrong.start()]))


def _words_beside_values(text: str) -> frozenset[str]:
    """The content stems of a text without its times, numbers and names."""
    rest = _VALUE.sub(" ", cues.TIMED.sub(" ", _UNIT.sub("", weekdays_in_full(text))))
    return content_stems(" ".join(word for word in rest.split() if word.strip(".,;:!?").lower() not in _NUMBER_WORDS))


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
    rest = [value.rstrip(".,:") for value in _VALUE.findall(cues.TIMED.sub(" ", text))]
    by_kind = {
        "hour": [time for time in times if time[:1].isdigit()],
        "day": [time for time in times if not time[:1].isdigit()],
        "number": [
            *(value for value in rest if value[:1].isdigit()),
            *_NUMBER_WORDS.intersection(re.findall(r"[a-z]+", cues.TIMED.sub(" ", text).lower())),
        ],
        "name": [value.lower() for value in rest if not value[:1].isdigit()],
    }
    return {kind: frozenset(values) for kind, values in by_kind.items() if values}
