"""What kind of answer a question in German or Spanish asks for, and whether a statement may hold one, by rules.

As `answer_types` does for English; what a question cannot be told apart by has no kind, and every statement may answer.
"""

import itertools
import re

from context_graph.embed.languages import in_english, language_of, meanings
from context_graph.embed.stems import STOP_WORDS, stem_of, stems
from context_graph.reading import cues
from context_graph.reading.ages import ages
from context_graph.reading.time_expressions import expressions
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["asked_kind", "may_answer", "names_somebody"]

READ = 600
"""Characters of a statement that are looked at."""

_ASKED = (
    ("hour", r"um wie ?viel uhr|wie spät|a qué hora"),
    ("length", r"wie lange|cuánto tiempo"),
    ("age", r"wie alt|cuántos años|qué edad"),
    ("surname", r"nachname[n]?|familienname[n]?|apellidos?"),
    ("name", r"wie hei(?:ß|ss)(?:e|t|en)|wie ist der name|cómo se llaman?|cuál es el nombre"),
    ("number", r"wie ?viele|wie (?:weit|groß|schwer|breit)|cuánt[oa]s|cuánto (?:mide|pesa)"),
    ("amount", r"wie ?viel|wie hoch|wie teuer|was (?:kostet|kosten|zahl\w+|verdien\w+)|cuánt[oa]|qué precio"),
    ("time", r"wann|(?:an )?welche[mnrs]? (?:tag|datum|monat|jahr)|cuándo|(?:en )?qué (?:día|fecha|mes|año)"),
    ("place", r"wo|wohin|woher|d[oó]nde|ad[oó]nde"),
)
_KINDS = tuple((kind, regex(rf"(?:^|(?<=[\s¿]))(?:{form})(?=[\s?])", re.I)) for kind, form in _ASKED)

_FEW = (
    r"(?:kein[en]?e?|null|beide|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dutzend|paar|hundert|tausend"
    r"|ningún|ninguna?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|docena|cien|mil|ambos|ambas|zwillinge"
    r"|gemel[oa]s|halb\w*|medi[oa]|doppelt\w*|einzige[rsn]?|únic[oa])"
)
_HOLDING = {
    "hour": regex(
        r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:uhr|h)\b|\b(?:halb|viertel|mittags?|mitternacht|mediodía|medianoche)\b"
        rf"|\ba las? (?:\d|{_FEW}|una)|\bum (?:\d|{_FEW})",
        re.I,
    ),
    "length": regex(rf"\d|\b(?:{_FEW}|seit|bis|desde|hasta|hace|jahrelang|ein(?:en?)? \w+ lang)\b", re.I),
    "amount": regex(rf"\d|\b(?:{_FEW}|kostenlos|umsonst|nichts|gratis|nada)\b", re.I),
    "number": regex(rf"\d|\b{_FEW}\b|\b(?:eine?n?|una?) (?:sohn|tochter|kind|baby|hij[oa]|beb[eé])\b", re.I),
    "age": regex(
        r"\b\d{1,3} ?(?:jahre?|años?|monate?|meses)\b|\b(?:geboren|nació|jahrgang|19\d\d|20\d\d)\b"
        r"|\b(?:ist|wird|wurde|bin|werde|tiene|tengo|cumple|cumplió|cumplí) (?:\w+ )?\d{1,3}\b|[,(] ?\d{1,2}[,.)]",
        re.I,
    ),
    "place": regex(
        r"\b(?:in|im|ins|am|an|auf|bei|beim|nach|aus|neben|unter|über|hinter|vor|zu|zum|zur|drüben|oben|unten|daheim|en|a"
        r"|al|cerca|junto|sobre|debajo|detrás|desde|aquí|allí|casa|hier|dort|weg)\b",
        re.I,
    ),
}
_DAILY = regex(r"\b(?:\w+tags|\w+abends|täglich|wöchentlich|monatlich|diario|semanal|cada|jede[nrs]?)\b", re.I)
_GOES_ON = regex(
    r"\b(?:er|sie|ihm|ihr|ihre[nrms]?|sein|seine[nrms]?|él|ella|su|sus|le|mi|mein|meine|unser|unsere|nuestr[oa])\b",
    re.I,
)
_NAMING = frozenset(map(stem_of, "called name surname number old year age many much long big".split()))
_SURNAME = regex(r"\b(?:nachname|familienname|apellidos?|heißt mit)\b", re.I)
_CAPITAL = regex(r"\b[A-ZÀ-Þ][a-zà-ÿ’'-]+")


@kept_for_texts(maxsize=256)
def asked_kind(question: str) -> str:
    """What a question in German or Spanish asks for: "age", "number", "surname", ...; empty where it asks for anything,
    or is of another language.

    Examples
    --------
    >>> [asked_kind(question) for question in ("Wie viele Kinder hat Anke?", "¿Cuál es el apellido de Rubén?")]
    ['number', 'surname']
    """
    if language_of(question) not in ("de", "es"):
        return ""
    return next((kind for kind, form in _KINDS if form.search(question)), "")


def may_answer(text: str, question: str, kind: str) -> bool:
    """Whether a statement may hold the kind of answer that a question asks for, of whom it names.

    Examples
    --------
    >>> may_answer("Anke hat zwei Töchter.", "Wie viele Kinder hat Anke?", "number")
    True
    >>> may_answer("Meine Schwester Anke wohnt in Bremen.", "Wie viele Kinder hat Anke?", "number")
    False
    """
    text = text[:READ]
    if language_of(text) not in ("de", "es"):
        return True
    names = _names(question)
    if names and names.isdisjoint(_capitals(text)) and not _GOES_ON.search(text):
        return False
    if kind == "surname":
        return _has_surname(text, names)
    if kind == "name":
        return _names_the_thing(text, question)
    if kind == "time":
        return bool(expressions(text, 0) or cues.TIMED.search(text) or _DAILY.search(text))
    return bool(_HOLDING[kind].search(text)) or (kind == "age" and bool(ages(text)))


def names_somebody(question: str) -> bool:
    """Whether a question names somebody or something: then of which statements it may be answered is known.

    Examples
    --------
    >>> names_somebody("Wie alt ist Anke?"), names_somebody("Wie alt ist mein Bruder?")
    (True, False)
    """
    return bool(_names(question))


def _names(question: str) -> set[str]:
    """Capitalised words of a question that are no words of its language: names, most of them."""
    language = language_of(question)
    known = {_bare(word) for word, meaning in meanings(question, language) if meaning is not None}
    first = _bare(next(iter(question.strip(" ¿").split()), ""))
    return _capitals(question) - known - {first}


def _capitals(text: str) -> set[str]:
    """The capitalised words of a text without the ending of a genitive: "Ankes" is "anke"."""
    return {_bare(word) for word in _CAPITAL.findall(text)}


def _bare(name: str) -> str:
    return name.lower().removesuffix("'s").removesuffix("’s").removesuffix("s")


def _has_surname(text: str, names: set[str]) -> bool:
    """Whether a name of the question is followed by another one, or a word for a surname stands there."""
    if _SURNAME.search(text):
        return True
    words = text.replace(",", " ,").split()
    pairs = itertools.pairwise(words)
    return any(_bare(one) in names and bool(_CAPITAL.match(two)) for one, two in pairs)


def _names_the_thing(text: str, question: str) -> bool:
    """Whether a statement has a word for what a name is asked of: "Kater" of "wie heißt unser Kater?"."""
    asked_names = _names(question)
    things = {stem for stem in stems(in_english(question)) if stem not in _NAMING and stem not in asked_names}
    things -= {stem_of(name) for name in asked_names} | set(map(stem_of, STOP_WORDS))
    return not things or not things.isdisjoint(stems(in_english(text)))
