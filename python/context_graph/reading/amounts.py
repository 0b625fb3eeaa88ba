"""That an amount was raised or lowered: "das Ramipril auf 10 mg hochgesetzt", "Hartmann raised the price to 4,650"."""

import re

from context_graph.embed.languages import ENGLISH, language_of, native_stems
from context_graph.reading import cues
from context_graph.reading.past_events import tells_one_act
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["may_be_new_amount", "new_amount"]

READ = 300
"""Characters of a statement that are looked at."""

MIN_STEM = 4
"""Letters of a word that names what there is an amount of: units are shorter."""

_GERMAN = (
    r"\bauf (?:etwa |rund |jetzt |nur |nur noch |genau )?\d(?:[^.;!?]|(?<=\d)\.){0,40}\b"
    r"(?:(?:hoch|herauf|rauf|herab|herunter|runter|um)(?:gesetzt|gestellt|gestuft|gegangen|dosiert)|erhöht|angehoben"
    r"|gestiegen|gesunken|gesenkt|reduziert|verringert|gekürzt|verdoppelt|halbiert|verlängert|verkürzt|geändert)\b"
)
_SPANISH = (
    r"\b(?:sub(?:ió|ieron|ido|imos|í)|baj(?:ó|aron|ado|amos|é)|aument(?:ó|aron|ado|amos|é)|redu(?:jo|jeron|cido|jimos)"
    r"|rebaj(?:ó|aron|ado)|increment(?:ó|aron|ado)|ajust(?:ó|aron|ado)|cambi(?:ó|aron|ado))\b"
    r"[^.;!?]{0,50}?\b(?:a|hasta)(?: los| las| unos| unas)? \d"
)
_CHANGED = regex(rf"{_GERMAN}|{_SPANISH}", re.I)
_PRICE_CHANGED = regex(
    r"\b(?:raised?|upped|hiked|increased?|lowered?|reduced?|cut|dropped|bumped|put up|brought down) "
    r"(?:the |their |its |his |her |my |our )?(?:price|rent|fee|rate|quote|offer|charge|cost|premium|wage|pay)s?"
    r"(?: up| down)? (?:from [^ ]{1,12} )?to (?:about |around |just |only )?"
    r"(?P<now>[£$€]? ?\d[\d.,]*(?: ?(?:euros?|pounds?|dollars?|quid|€))?)",
    re.I,
)
_MONEY = regex(r"(?P<sign>[£$€]) ?\d|\d[\d.,]* ?(?P<word>euros?|pounds?|dollars?|quid|€)", re.I)
_NAMED = regex(r"\b[A-ZÀ-Þ][\w’'-]{2,}\b")
_SIGNS = {"€": "euro", "$": "dollar", "£": "pound", "quid": "pound"}
_DIGIT = regex(r"\d")
_WORD = regex(r"[^\W\d_]+")
_UNITS = frozenset("euro euros kilo kilos gramm gram prozent microgram miligram stund minut minuten hora horas".split())


@kept_for_texts(maxsize=1_024)
def may_be_new_amount(text: str) -> bool:
    """Whether a statement says of anything that it was raised or lowered to a number."""
    return bool(_CHANGED.search(text[:READ]) or _PRICE_CHANGED.search(text[:READ]))


def new_amount(earlier: str, later: str) -> bool:
    """Whether a later statement says that the amount of something was raised or lowered to another number, and the
    earlier one has a number of it; in English a price, of somebody whom both name.

    Examples
    --------
    >>> new_amount("Tomo 50 microgramos de levotiroxina.", "La endocrina me subió la levotiroxina a 75.")
    True
    >>> new_amount("Die Miete beträgt 780 Euro.", "Das Gehalt wurde auf 3000 Euro erhöht.")
    False
    >>> new_amount("The printer Hartmann quoted 4,200 euros.", "Hartmann raised the price to 4,650 euros.")
    True
    >>> new_amount("We paid Hartmann 50 euros for the proof.", "Hartmann raised the price to 4,650 euros.")
    False
    >>> new_amount("The gym is 30 euros from May on.", "The landlord raised the rent to 900 euros in May.")
    False
    """
    earlier, later = earlier[:READ], later[:READ]
    if change := _PRICE_CHANGED.search(later):
        return _is_price_of(earlier, later, change)
    if not _DIGIT.search(earlier) or not _CHANGED.search(later):
        return False
    language = language_of(later)
    if language == ENGLISH or _of_another(earlier, later):
        return False
    of, now = (set(native_stems(text, language)) for text in (earlier, later))
    return any(len(stem) >= MIN_STEM and stem.isalpha() and stem not in _UNITS for stem in of & now)


def _is_price_of(earlier: str, later: str, change: re.Match[str]) -> bool:
    """Whether an earlier statement has a price, in the currency of the new one, of somebody whom both name."""
    before, now = ({_currency(money) for money in _MONEY.finditer(text)} for text in (earlier, change["now"]))
    names = set(_NAMED.findall(later)).intersection(_NAMED.findall(earlier))
    named = any(content_stems(name) and not cues.TIMED.fullmatch(name.lower()) for name in names)
    return len(before) == 1 and (not now or now == before) and named and not tells_one_act(earlier)


def _currency(money: re.Match[str]) -> str:
    written = (money["sign"] or money["word"]).lower()
    return _SIGNS.get(written, written.removesuffix("s"))


def _of_another(earlier: str, later: str) -> bool:
    """Whether two statements are of two persons: only one names a relative, or each another one."""
    before, after = (_words(text) for text in (earlier, later))
    of, now = ({cues.KIN_CALLED.get(word, word) for word in words} & cues.KIN for words in (before, after))
    if of and not now:
        return not (cues.SELF | {"me", "mir"}).isdisjoint(after)  # else "her ramipril" goes on with her
    return of != now


def _words(text: str) -> set[str]:
    return set(map(str.lower, _WORD.findall(text)))
