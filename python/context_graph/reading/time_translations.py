"""Phrases of time in five other languages, rewritten as the English ones that the grammar of time reads."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from context_graph.embed.languages import ENGLISH, in_english, language_of, small_words
from context_graph.embed.other_languages import folded
from context_graph.embed.stems import STOP_WORDS
from context_graph.reading.tense import lean_of
from context_graph.reading.time_phrases import PHRASES, TimePhrases
from context_graph.reading.time_words import (
    DAYS,
    FESTIVALS,
    MONTHS,
    PARTS,
    SEASONS,
    UNITS,
    WEEKDAYS,
    alternatives,
)
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["Translation", "in_english_with_times", "translated"]

TRANSLATED_CHARS = 4_000
"""Characters of a text whose phrases are translated."""

MAX_UNTOLD_CHARS = 160
"""Characters of a text that may be too short to tell its language by itself."""

PREPOSITION_CHARS = 24
"""Characters before a phrase in which its preposition is looked for."""

_BLANK = r"\s{1,4}"
_NEVER = "(?!)"
_AMBIGUOUS = frozenset(
    "marco ete hier morgen begin half fine fin final due dag ora ore anni anno mese mesi dit laatst".split()
)
"""Words without their accents, or of another language or a name, by which no language is told."""

_FREQUENT = frozenset("begin half fine fin final fins medio ten sera viene marca quart sexta est meta um".split())
"""Words that texts in English, German and Spanish have often: a text in another language has some word more."""

_LETTERS = regex("[àãçèêìòôõùłąęśżźćńœ]")
"""Letters that English, German and Spanish do not have."""

_OWN_LETTERS = {"pl": frozenset("ąęłśżźćń"), "pt": frozenset("ãõ")}

_DAY = r"(?:(?P<day>\d{1,2})(?:er|ère|re|e|º|ª|°|ste|de|\.)?|(?P<ordinal>@))"
_UNTIL_DAY = r"(?P<last_day>\d{1,2})(?:er|e|º|ª|°|ste|de|\.)?"
_YEAR = r"(?:\s{1,4}(?:<of>)?(?P<year>(?:19|20)\d\d))?"
_NAMED = "(?:<weekday>|<short>|<season>|<unit>|<month>|<festival>)"
_COMMON = (
    (rf"(?:<no_weekday>,? )?{_DAY} ?(?:<to>) ?(?:<no_weekday>,? )?{_UNTIL_DAY} (?:<of>)?<month>{_YEAR}",
     "{day} to {last_day} {month}{year}"),
    (rf"(?:<no_weekday>,? )?(?:<article>)?{_DAY} (?:<of>)?<month>\b(?:\.(?= (?:19|20)\d\d))?{_YEAR}",
     "{day} {month}{year}"),
    (rf"<edge>(?: |-)(?:<edge_of>)?(?:<before> )?<month>{_YEAR}", "{edge} {month}{year}"),
    ("(?!fine settimana|fi[mn](?:al)? de semana)<edge> (?:<edge_of>)?(?:<before> )?<unit>(?: <after>)?",
     "{edge} {which} {unit}"),
    (rf"<before>(?:(?<=['’])| ){_NAMED}(?:-ci)?", "{which} {named}"),
    ("<before> <part>", "{which} {part}"),
    (rf"{_NAMED} <after>", "{which} {named}"),
    (r"<month>\b\.? (?:<of>)?(?P<year>(?:19|20)\d\d)", "{month}{year}"),
    (r"<season> (?:<of>)?(?P<year>(?:19|20)\d\d)", "{season}{year}"),
    (rf"<festival>{_YEAR}", "{festival}{year}"),
    (r"<weekday>,? (?P<day>\d{1,2})(?=\W{0,4}$|[.,;:!?)]| (?:à|alle|dalle|às|om|o) )", "{weekday} the {day}th"),
    ("<days>", "{days}"),
)  # fmt: skip
"""Phrases of all languages, the first that fits: the slots are filled with the words of one."""

_BEFORE_MONTH = frozenset("until since from before after for by".split())
"""Prepositions that make a time of any month."""

_DAY_SLOTS = ("weekday", "short", "days", "day", "ordinal")
"""Of a phrase with one of these a part may be named: "yesterday evening"."""

_FREE = "<weekday>"
_SHORT = "<short>(?!<unless>)"
_PLACED = ("<month>", "<season>")


class _Replacement(NamedTuple):
    begin: int
    end: int
    english: str


class _Preposition(NamedTuple):
    length: int
    english: str


class _Rule(NamedTuple):
    """A pattern, the English of what it finds, and what must stand before that."""

    pattern: re.Pattern[str]
    english: str
    needs: str = ""
    """"inside": a preposition of place in time; "preposition": any; "free": no word for a habit."""


class _Grammar(NamedTuple):
    """What the tables of one language come to."""

    tables: Mapping[str, Mapping[str, str]]
    rules: tuple[_Rule, ...]
    preposition: re.Pattern[str]
    inside: re.Pattern[str]
    habit: re.Pattern[str]
    part: re.Pattern[str]


class Translation(NamedTuple):
    """A text with the phrases of time in English, and where these stand in it.

    Attributes
    ----------
    text : str
    language : str
        Of the original.
    places : tuple of (int, int, int, int)
        Of each phrase: beginning and end in this text, beginning and end in the original.
    """

    text: str
    language: str
    places: tuple[tuple[int, int, int, int], ...]

    def original(self, begin: int, end: int) -> tuple[int, int]:
        """Where something stands in the original; of a part of a phrase, where that stands."""
        return self._place(begin, 2), self._place(end - 1, 3) if end > begin else self._place(begin, 2)

    def _place(self, place: int, side: int) -> int:
        index = bisect_right(self.places, (place, len(self.text) + 1)) - 1
        last = side == 3
        if index < 0:
            return place + last
        _, end, _, original_end = phrase = self.places[index]
        return phrase[side] if place < end else original_end + place - end + last


@kept_for_texts(maxsize=1_024)
def translated(text: str) -> Translation | None:
    """A text with its phrases of time in English; None where it is in a language without such a table.

    Examples
    --------
    >>> translation = translated("Vendredi dernier on a mangé une raclette.")
    >>> translation.text, translation.original(0, 11)
    ('last Friday on a mangé une raclette.', (0, 16))
    >>> translated("Am Freitag kamen die Maler.") is None
    True
    """
    if len(text) > MAX_UNTOLD_CHARS and language_of(text) not in PHRASES:
        return None
    head = text[:TRANSLATED_CHARS]
    lower = head.lower()
    words = set(_WORD.findall(lower))
    if _telling_words().isdisjoint(words) and not _LETTERS.search(lower):
        return None
    language = language_of(text)
    if language in (ENGLISH, "es"):  # as which Portuguese is read most easily
        language = _told_by_words(words) or language
    if language not in PHRASES:
        return None
    pieces, places, at, length = [], [], 0, 0
    for begin, end, english in sorted(_replacements(head, language)):
        pieces += [text[at:begin], english]
        length += begin - at
        places.append((length, length + len(english), begin, end))
        length, at = length + len(english), end
    return Translation("".join([*pieces, text[at:]]), language, tuple(places))


def in_english_with_times(text: str, language: str | None = None) -> str:
    """As `in_english`, but phrases of time are read as a whole, not word by word.

    Examples
    --------
    >>> in_english_with_times("Qu'est-ce que j'ai fait avant-hier ?")
    'what I have do the day before yesterday ?'
    """
    translation = translated(text)
    if translation is None or _PLACEHOLDER in text:
        return in_english(text, language)
    pieces, at = [], 0
    for _, _, begin, end in translation.places:
        pieces.append(text[at:begin])
        at = end
    rest = in_english(_PLACEHOLDER.join([*pieces, text[at:]]), translation.language).split(_PLACEHOLDER)
    phrases = [translation.text[begin:end] for begin, end, _, _ in translation.places]
    return rest[0] + "".join(phrase + part for phrase, part in zip(phrases, rest[1:], strict=True))


_PLACEHOLDER = "\ue000"
"""Stands for a phrase of time while the words beside it are read: a character for private use, no letter."""

_WORD = regex(r"[^\W\d_]+")


@lru_cache(maxsize=1)
def _telling_words() -> frozenset[str]:
    """Words that one of the languages has for a time, and small ones of it; none that English, German or Spanish has
    for a time.
    """
    familiar = {
        word for table in (WEEKDAYS, MONTHS, SEASONS, DAYS, FESTIVALS, PARTS, UNITS) for words in table
        for word in _WORD.findall(words)
    }  # fmt: skip
    telling: set[str] = set()
    for language in PHRASES.values():
        tables = (
            language.weekdays, language.months, language.units, language.days, language.parts, language.seasons,
            language.festivals, language.lengths, language.phrases, language.short_weekdays, language.before,
            language.after, language.edges,
        )  # fmt: skip
        telling |= {max(_WORD.findall(form), key=len) for table in tables for form in _with_folded(table)}
        telling |= set(language.hints.split())
    familiar |= {*STOP_WORDS, *small_words("de"), *small_words("es"), *_FREQUENT} - {"hier"}
    return frozenset(word for word in telling - familiar if len(word) > 1)


@lru_cache(maxsize=1)
def _own_words() -> Mapping[str, str]:
    """Words for days and lengths of time that one language alone has -> that language."""
    languages: dict[str, set[str]] = {}
    for code, phrases in PHRASES.items():
        tables = (phrases.days, phrases.phrases, phrases.units, phrases.before, phrases.after, phrases.edges)
        for form in (form for table in tables for form in _with_folded(table)):
            languages.setdefault(form, set()).add(code)
    telling = _telling_words() - _AMBIGUOUS
    return {
        form: code for form, (code, *others) in languages.items() if not others and form in telling and len(form) > 2
    }


def _told_by_words(words: set[str]) -> str:
    """The language of a text that is too short to tell it: it has words for a time, or letters, that this alone has,
    and no small words that only English, German or Spanish has. Empty where there is none.
    """
    languages = {_own_words()[word] for word in words & _own_words().keys()}
    languages |= {code for code, letters in _OWN_LETTERS.items() if not letters.isdisjoint("".join(words))}
    if len(languages) != 1 or len(words) < 2:
        return ""
    [language] = languages
    small = {word for word in words if len(word) > 1} - small_words(language) - set(PHRASES[language].hints.split())
    return "" if small & (STOP_WORDS | small_words("de") | small_words("es")) else language


def _replacements(text: str, language: str) -> Iterator[_Replacement]:
    grammar, occupied = _grammar(language), bytearray(len(text) + 1)
    for rule in grammar.rules:
        for match in rule.pattern.finditer(text):
            if any(occupied[match.start() : match.end()]):
                continue
            begin, end, groups = match.start(), match.end(), match.groupdict()
            before = text[max(0, begin - PREPOSITION_CHARS) : begin]
            preposition = _preposition(before, grammar, rule.needs)
            if (rule.needs in ("inside", "preposition") and not preposition) or (
                rule.needs == "free" and grammar.habit.search(before)
            ):
                continue
            english = _english(rule.english, groups, grammar)
            if "/" in english:
                present, past = english.split("/")
                english = past if lean_of(_sentence(text, begin, end), language) < 0 else present
            occupied[begin:end] = b"\1" * (end - begin)
            yield _Replacement(begin, end, english)
            if preposition and not any(occupied[begin - preposition.length : begin]):
                occupied[begin - preposition.length : begin] = b"\1" * preposition.length
                yield _Replacement(begin - preposition.length, begin, f"{preposition.english} ")
            part = grammar.part.match(text, end) if any(map(groups.get, _DAY_SLOTS)) else None
            if part and not any(occupied[end : part.end()]):
                occupied[end : part.end()] = b"\1" * (part.end() - end)
                yield _Replacement(end, part.end(), f" {grammar.tables['part'][_form(part['part'])]}")


def _preposition(before: str, grammar: _Grammar, needs: str) -> _Preposition | None:
    """What stands directly before a phrase; before a month or a season alone what says that it is a time."""
    match = grammar.preposition.search(before)
    english = grammar.tables["prepositions"][_form(match[1])] if match else ""
    if needs != "inside":
        return _Preposition(len(match[0]), english) if match else None
    inside = grammar.inside.search(before) or (match if english in _BEFORE_MONTH else None)
    return _Preposition(len(inside[0]), english if english in _BEFORE_MONTH else "in") if inside else None


def _sentence(text: str, begin: int, end: int) -> str:
    first = max(text.rfind(mark, 0, begin) for mark in ".!?\n") + 1
    last = min((place for mark in ".!?\n" if (place := text.find(mark, end)) >= 0), default=len(text))
    return text[first:last]


def _english(template: str, groups: Mapping[str, str | None], grammar: _Grammar) -> str:
    """The English of a match: each slot by its table."""
    values = {slot: said for slot, word in groups.items() if word and (said := _value(slot, word, grammar))}
    number = values.get("number", "")
    if groups.get("counted"):
        values["length"] = f"{number} {values['unit']}{'' if number in ('1', 'a') else 's'}"
    named = ("weekday", "short", "season", "unit", "month", "festival")
    values["named"] = next((values[slot] for slot in named if slot in values), "")
    values["which"] = values.get("before") or values.get("after") or "the"
    values["day"] = values.get("day") or values.get("ordinal", "")
    values["year"] = f" {values['year']}" if "year" in values else ""
    return template.format_map(values)


def _value(slot: str, word: str, grammar: _Grammar) -> str:
    return grammar.tables.get(slot, {}).get(_form(word), word)


def _form(word: str) -> str:
    return " ".join(word.lower().replace("’", "'").split())


def _with_folded(table: Mapping[str, str]) -> dict[str, str]:
    """With the forms as they are typed without accents."""
    plain = {folded(form): english for form, english in table.items() if form.isascii() is False}
    return {form: english for form, english in plain.items() if form not in _AMBIGUOUS} | dict(table)


@lru_cache(maxsize=len(PHRASES))
def _grammar(language: str) -> _Grammar:
    phrases = PHRASES[language]
    numerals = {word: figure for word, figure in phrases.numbers.items() if figure.isdigit() and " " not in word}
    tables = {
        "weekday": phrases.weekdays, "short": phrases.short_weekdays, "month": phrases.months, "unit": phrases.units,
        "number": phrases.numbers, "part": phrases.parts, "season": phrases.seasons, "festival": phrases.festivals,
        "length": phrases.lengths, "days": phrases.days, "phrase": phrases.phrases, "before": phrases.before,
        "after": phrases.after, "edge": phrases.edges, "ordinal": numerals | dict(phrases.ordinals),
        "prepositions": phrases.prepositions,
    }  # fmt: skip
    tables = {name: _with_folded(table) for name, table in tables.items()}
    own = [(pattern, english) for pattern, english in phrases.patterns.items()]
    own = [(re.sub(r"\{(\w+)\}", r"<\1>", pattern), english) for pattern, english in own]
    patterns = [("<phrase>", "{phrase}"), *own, *_COMMON]
    rules = [_Rule(_compiled(pattern, phrases, tables), english) for pattern, english in patterns]
    rules.append(_Rule(_compiled(_FREE, phrases, tables), "{weekday}", "free"))
    rules.append(_Rule(_compiled(_SHORT, phrases, tables), "{short}", "preposition"))
    rules += [_Rule(_compiled(slot, phrases, tables), f"{{{slot[1:-1]}}}", "inside") for slot in _PLACED]
    return _Grammar(
        tables,
        tuple(rules),
        _ending(_any(phrases.prepositions)),
        _ending(_blanks(phrases.inside)),
        _ending(_blanks(phrases.habit)),
        regex(rf",?{_blanks(phrases.with_part)}\s{{0,4}}(?P<part>{_any(tables['part'])})(?![\w-])", re.I),
    )  # fmt: skip


def _ending(words: str) -> re.Pattern[str]:
    """An expression for some words at the end of a text, with a blank or an apostrophe behind them."""
    return regex(rf"(?<![\w'’-])({words})(?:(?<=['’])|\s{{1,4}})$", re.I)


def _compiled(pattern: str, phrases: TimePhrases, tables: Mapping[str, Mapping[str, str]]) -> re.Pattern[str]:
    """A pattern with its slots filled; what begins and ends it is a whole word."""
    unit, number = _any(tables["unit"]), rf"\d{{1,3}}|{_any(tables['number'])}"
    slots = {name: f"(?P<{name}>{_any(table)})" for name, table in tables.items()} | {
        "number": f"(?P<number>{number})",
        "length": rf"(?P<length>{_any(tables['length'])}|(?P<counted>(?P<number>{number}) (?P<unit>{unit})))",
        "no_weekday": _any({**tables["weekday"], **tables["short"]}),
        "of": phrases.of or _NEVER, "to": phrases.to, "article": phrases.article, "edge_of": phrases.edge_of,
        "unless": phrases.unless,
    }  # fmt: skip
    filled = re.sub(r"(?<!\?P)<(\w+)>", lambda slot: slots[slot[1]], pattern).replace("@", _any(tables["ordinal"]))
    return regex(rf"(?<![\w-])(?<!\d[.,:/])(?:{_blanks(filled)})(?![\w-])", re.I)


def _any(words: Iterable[str]) -> str:
    """A pattern of any of these words; of none where there are none."""
    escaped = [word.replace("'", "['’]").replace(".", r"\.") for word in words]
    return alternatives(escaped).replace(r"\s+", _BLANK) if escaped else _NEVER


def _blanks(pattern: str) -> str:
    """A pattern with its blanks as any few of a text; those of a look behind it are one character, and stay."""
    return "".join(
        part if part.startswith("(?<") else part.replace(" ?", r"\s{0,4}").replace(" ", _BLANK)
        for part in re.split(r"(\(\?<[!=][^()]*\))", pattern)
    )
