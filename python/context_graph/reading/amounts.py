"""That an amount was raised or lowered, in German and Spanish: "das Ramipril auf 10 mg hochgesetzt"."""

import re

from context_graph.embed.languages import ENGLISH, language_of, native_stems
from context_graph.reading import cues
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
_DIGIT = regex(r"\d")
_WORD = regex(r"[^\W\d_]+")
_UNITS = frozenset("euro euros kilo kilos gramm gram prozent microgram miligram stund minut minuten hora horas".split())


@kept_for_texts(maxsize=1_024)
def may_be_new_amount(text: str) -> bool:
    """Whether a statement says of anything that it was raised or lowered to a number."""
    return bool(_CHANGED.search(text[:READ]))


def new_amount(earlier: str, later: str) -> bool:
    """Whether a later statement in German or Spanish says that the amount of something was raised or lowered to
    another number, and the earlier one has a number of it.

    Examples
    --------
    >>> new_amount("Tomo 50 microgramos de levotiroxina.", "La endocrina me subió la levotiroxina a 75.")
    True
    >>> new_amount("Die Miete beträgt 780 Euro.", "Das Gehalt wurde auf 3000 Euro erhöht.")
    False
    """
    earlier, later = earlier[:READ], later[:READ]
    if not _DIGIT.search(earlier) or not _CHANGED.search(later):
        return False
    language = language_of(later)
    if language == ENGLISH or _of_another(earlier, later):
        return False
    of, now = (set(native_stems(text, language)) for text in (earlier, later))
    return any(len(stem) >= MIN_STEM and stem.isalpha() and stem not in _UNITS for stem in of & now)


def _of_another(earlier: str, later: str) -> bool:
    """Whether two statements are of two persons: only one names a relative, or each another one."""
    before, after = (_words(text) for text in (earlier, later))
    of, now = ({cues.KIN_CALLED.get(word, word) for word in words} & cues.KIN for words in (before, after))
    if of and not now:
        return not (cues.SELF | {"me", "mir"}).isdisjoint(after)  # else "her ramipril" goes on with her
    return of != now


def _words(text: str) -> set[str]:
    return set(map(str.lower, _WORD.findall(text)))
