"""What two texts differ in that may make them two facts: numbers, times, units, names, negation, and the like.

By form and by lists, in English, German and Spanish; texts in other languages are compared as a whole. It would rather
find a difference too many: who merges is asked once more then.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from context_graph.embed.languages import language_of, small_words
from context_graph.embed.stems import stems
from context_graph.graph.entities import NO_NAMES
from context_graph.reading import cues
from context_graph.reading.contradiction import contradiction
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["DAY_OF", "MONTH_OF", "UNIT_OF", "Difference", "covers", "differences", "marks_of"]

_TOKEN = regex(r"(?<![\w.])[-−+]?\d[\d.,:/]*(?<=\d)|[^\W\d_](?:[\w'’.:/@+#-]*[\w'’+#])?|\d\w*|\S")
"""Numbers with their sign, words with what joins them (don't, src/app.py, C++), and every other character."""

_SPLIT = regex(r"([-−+]?\d[\d.,:/]*)([^\W\d_]+|[%°€$£]+)$")
"""A number with its unit behind it: 40km, 5%."""

_NEXT_TO = regex(r"\bnext to\b", re.I)
"""A place, where "next" alone is a time."""

SHOWN = 60
"""Characters of a text in a difference that is one of all of it."""

_ENDS = frozenset(".!?:;\n")
_SIGNS = frozenset("+-−<>=≤≥≠±*/&|~^")
_NUMBERS = {
    word: str(number)
    for number, words in enumerate(
        "zero/null/cero one/eins/uno two/zwei/dos three/drei/tres four/vier/cuatro five/fünf/cinco six/sechs/seis "
        "seven/sieben/siete eight/acht/ocho nine/neun/nueve ten/zehn/diez eleven/elf/once twelve/zwölf/doce".split()
    )
    for word in words.split("/")
} | {
    word: number
    for number, words in {
        "15": "fifteen fünfzehn quince", "20": "twenty zwanzig veinte", "30": "thirty dreißig treinta",
        "40": "forty vierzig cuarenta", "50": "fifty fünfzig cincuenta", "60": "sixty sechzig sesenta",
        "90": "ninety neunzig noventa", "100": "hundred hundert cien", "1000": "thousand tausend mil",
        "1/2": "half halb halbe medio media", "1.": "first erste ersten primero primera",
        "2.": "second zweite zweiten segundo segunda", "3.": "third dritte dritten tercero tercera",
    }.items()
    for word in words.split()
}  # fmt: skip
_MONTHS = (
    "january/jan/januar/enero february/feb/februar/febrero march/mar/märz/marzo april/apr/abril may/mai/mayo "
    "june/jun/juni/junio july/jul/juli/julio august/aug/agosto september/sep/sept/septiembre "
    "october/oct/oktober/octubre november/nov/noviembre december/dec/dezember/diciembre"
)
_DAYS = (
    "monday/mondays/montag/lunes tuesday/tuesdays/dienstag/martes wednesday/wednesdays/mittwoch/miércoles "
    "thursday/thursdays/donnerstag/jueves friday/fridays/freitag/viernes saturday/saturdays/samstag/sábado "
    "sunday/sundays/sonntag/domingo"
)
_RELATIVE = (
    "today/heute/hoy yesterday/gestern/ayer tomorrow/morgen/mañana tonight spring/frühling/primavera "
    "summer/sommer/verano autumn/fall/herbst/otoño winter/invierno morning/morgens noon/mittag/mediodía "
    "afternoon/nachmittag evening/abend night/nacht/noche midnight/mitternacht weekend/wochenende next/nächste/próximo "
    "last/letzte/último am pm now/jetzt/ahora"
)
_UNITS = (
    "%/percent/prozent €/euro/euros/eur $/dollar/dollars/usd £/pound/pounds/gbp cent/cents "
    "km/kilometre/kilometres/kilometer/kilometers/kilómetros mile/miles/meilen m/metre/metres/meter/meters "
    "cm/centimetre/centimetres/centimeter/centimeters mm ft/foot/feet inch/inches "
    "kg/kilo/kilos/kilogram/kilograms/kilogramm g/gram/grams/gramm mg lb/lbs t/ton/tons/tonne/tonnes "
    "l/litre/litres/liter/liters/litros ml s/sec/second/seconds/sekunde/sekunden "
    "min/minute/minutes/minuten/minutos h/hour/hours/stunde/stunden/horas day/days/tag/tage/días "
    "week/weeks/woche/wochen/semanas month/months/monat/monate/meses year/years/jahr/jahre/años "
    "°/degree/degrees/grad celsius fahrenheit kb mb gb tb ms hz khz mhz ghz w kw kwh v a"
)
_UNIT_WORDS = frozenset("m g l s h t v a w".split())
"""Letters that are units only behind a number."""

_NEGATIONS = frozenset(
    "not no never none nobody nothing nowhere neither nor without cannot nicht nie niemals kein keine keinen keinem "
    "keiner nichts niemand ohne nunca nada nadie sin ningún ninguna".split()
)
_MODALS = frozenset(
    "must should shall may might can could would will muss müssen soll sollen darf dürfen kann können wird werden debe "
    "deben puede pueden optional required mandatory forbidden allowed possibly probably maybe perhaps".split()
)
_QUANTITIES = frozenset(
    "all every each some any only most few many several both always sometimes usually often rarely seldom least "
    "exactly alle jeder jede einige nur meist wenige viele beide immer manchmal oft selten todos cada algunos solo "
    "pocos muchos ambos siempre".split()
)
_DIRECTIONS = frozenset(
    "before after above below under over left right up down more less higher lower faster slower larger smaller "
    "increase increases increased decrease decreases decreased rise rises rose fell vor nach unter links rechts "
    "mehr weniger höher niedriger antes después encima debajo izquierda derecha más menos".split()
)


_TENSES = frozenset(
    "was were had did used formerly previously once war waren hatte hatten früher fue era eran tenía antes".split()
)
_PERSONS = frozenset("i we you he she they ich wir du er ihr yo nosotros tú él ella ellos ellas".split())


def _by_first(*lines: str) -> dict[str, str]:
    return {word: words.split("/")[0] for line in lines for words in line.split() for word in words.split("/")}


_LISTED = (
    ("modality", _MODALS), ("quantity", _QUANTITIES), ("direction", _DIRECTIONS), ("tense", _TENSES),
    ("person", _PERSONS),
)  # fmt: skip
_TIMES = _by_first(_MONTHS, _DAYS, _RELATIVE)
UNIT_OF = _by_first(_UNITS)
"""The first spelling of each unit, by every spelling."""

MONTH_OF = {word: i for i, words in enumerate(_MONTHS.split(), start=1) for word in words.split("/")}
DAY_OF = _by_first(_DAYS) | {
    day[:length]: day for day in (words.split("/")[0] for words in _DAYS.split()) for length in (3, 4)
}
"""The English name of each weekday, by its names and their short forms."""


class Difference(NamedTuple):
    """One kind of thing that two texts differ in, as each says it; empty where one says nothing of it.

    Attributes
    ----------
    kind : str
        number, time, unit, name, negation, modality, quantity, direction, tense, person, sign, contradiction or
        language.
    """

    kind: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.first or 'nothing'!r} against {self.second or 'nothing'!r}"


def differences(first: str, second: str) -> list[Difference]:
    """What two texts differ in that may make them two facts; empty where both may be one.

    Examples
    --------
    >>> [str(one) for one in differences("The rent is 900 euros.", "Our rent is 950 € now.")]
    ["number: '900' against '950'", "time: 'nothing' against 'now'"]
    >>> differences("The keys hang by the door.", "Our keys are hanging next to the door.")
    []
    >>> [one.kind for one in differences("Anna likes Ben.", "Ben likes Anna.")]
    ['name']
    """
    if " ".join(first.split()) == " ".join(second.split()):
        return []
    if not {language_of(first), language_of(second)} <= set(cues.LANGUAGES):
        return [Difference("language", first[:SHOWN], second[:SHOWN])]
    one, other = marks_of(first, second), marks_of(second, first)
    apart = [
        Difference(kind, " ".join(one.get(kind, ())), " ".join(other.get(kind, ())))
        for kind in KINDS
        if one.get(kind, ()) != other.get(kind, ())
    ]
    if not apart and (against := contradiction(first, second)):
        apart.append(Difference("contradiction", first[:SHOWN], f"{second[:SHOWN]} (of {against.topic})"))
    return apart


def covers(text: str, part: str) -> bool:
    """Whether a text says all that another one does: every content word of it, and every mark of a fact in its order.

    Examples
    --------
    >>> covers("The retro of the platform team is on Tuesday at 10:00.", "The retro is on Tuesday.")
    True
    >>> covers("The retro is not on Tuesday.", "The retro is on Tuesday.")
    False
    """
    if not set(stems(part)) <= set(stems(text)):
        return False
    if not {language_of(text), language_of(part)} <= set(cues.LANGUAGES):
        return " ".join(part.split()) in " ".join(text.split())
    whole, needed = marks_of(text, part), marks_of(part, text)
    bound = ("negation", "modality", "quantity", "sign")  # more of these is something else
    return all(whole.get(kind, ()) == needed.get(kind, ()) for kind in bound) and all(
        _in_order(needed.get(kind, ()), whole.get(kind, ())) for kind in KINDS
    )


KINDS = (
    "number", "time", "unit", "name", "negation", "modality", "quantity", "direction", "tense", "person", "sign",
)  # fmt: skip


def _in_order(part: Sequence[str], whole: Sequence[str]) -> bool:
    left = iter(whole)
    return all(word in left for word in part)


def marks_of(text: str, beside: str) -> dict[str, tuple[str, ...]]:
    """By kind the marks of facts in a text, each once, in the order in which they first stand there.

    Parameters
    ----------
    beside : str
        The text that it is compared with: a capital at the beginning that this one has as a small word names nothing.
    """
    plain = _lower_words(beside)
    small = small_words(language_of(text)) | NO_NAMES
    kinds: dict[str, dict[str, None]] = {}
    opens = True
    before = ""
    for token in _tokens(text):
        kind, value = _kind(token, before, opens=opens, plain=plain, small=small)
        if kind:
            kinds.setdefault(kind, {})[value] = None
        opens = token in _ENDS or (opens and not any(letter.isalnum() for letter in token))
        before = kind
    return {kind: tuple(values) for kind, values in kinds.items()}


def _kind(token: str, before: str, *, opens: bool, plain: frozenset[str], small: frozenset[str]) -> tuple[str, str]:
    """The kind of a token and how it is compared; an empty kind where it marks nothing."""
    low = token.lower().replace("’", "'")
    if token[:1].isdigit() or token[1:2].isdigit():
        return "number", low.replace("−", "-").lstrip("+").rstrip(".,:/")
    if low in _SIGNS:
        return "sign", low
    if low.endswith("n't") or low in _NEGATIONS:
        return "negation", "not"
    if low in UNIT_OF and (low not in _UNIT_WORDS or before == "number"):
        return "unit", UNIT_OF[low]
    for kind, words in (("number", _NUMBERS), ("time", _TIMES)):
        if low in words and not (low == "may" and token == "may"):
            return kind, words[low]
    for kind, among in _LISTED:
        if low in among:
            return kind, low
    return ("name", _bare(token)) if _names(token, opens=opens, plain=plain, small=small) else ("", "")


def _names(token: str, *, opens: bool, plain: frozenset[str], small: frozenset[str]) -> bool:
    """Whether a word names something: a capital that no beginning asks for, or the form of an identifier."""
    inner = token[1:].removesuffix("'s").removesuffix("’s")
    if any(letter.isdigit() or letter in "_/.@#+" for letter in inner) or any(letter.isupper() for letter in inner):
        return True
    low = _bare(token).lower()
    return token[:1].isupper() and low not in small and not (opens and low in plain)


def _bare(word: str) -> str:
    return re.sub(r"['’]s$", "", word)


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for line in _NEXT_TO.sub("beside", text).splitlines():
        for token in _TOKEN.findall(line):
            parts = _SPLIT.match(token)
            tokens += parts.groups() if parts else (token,)
        tokens.append("\n")
    return tokens


@kept_for_texts(maxsize=64)
def _lower_words(text: str) -> frozenset[str]:
    """The words that stand in a text in lower case, or open a sentence of it."""
    words, opens = set(), True
    for token in _tokens(text):
        if opens or token.islower():
            words.add(_bare(token).lower())
        opens = token in _ENDS
    return frozenset(words)
