"""Expressions of time in a text, each resolved against the moment at which it was written."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from context_graph.embed.informal import weekdays_in_full
from context_graph.instants import DAY_US, HOUR_US
from context_graph.reading.calendar_spans import Span
from context_graph.reading.time_grammar import RULES, Reader, part_of
from context_graph.reading.time_translations import Translation, translated
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

__all__ = ["Expression", "expressions"]

READ = 4_000  # characters of a text that are looked at


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression of time.

    Attributes
    ----------
    begin, end : int
        Where it stands, in characters.
    spans : tuple of Span
        What it may mean, the likeliest first. Some say how likely less: "in October" names no year.
    relative : bool
        Whether it depends on the moment: "yesterday", not "8 May 2023".
    """

    begin: int
    end: int
    spans: tuple[Span, ...]
    relative: bool


_BOUND = regex(r"\b(?:for|until|till|by|für|bis|para|hasta)\s+(?:the\s+|zum\s+|el\s+)?$", re.I)
"""Before what is to come: "booked Rome for March"."""

_PART_AFTER = regex(
    rf"(?:\s*,)?\s*(?:(?:in\s+the|at|on\s+the|am|in\s+der|por\s+la|a\s+la|en\s+la|de\s+la|al)\s+)?"
    rf"(?P<part>{alternatives(PARTS)})(?![\w-])",
    re.I,
)
_PART_BEFORE = regex(
    rf"(?:\b(?:the|der|die|la)\s+)?(?:(?P<part>{alternatives(PARTS)})\s+(?:of|on|zum|auf|des|vom|del?)\s+(?:the\s+|el\s+)?"
    r"|(?P<noon>noon|midday|lunchtime|mittag|mediodía)\s+)$",
    re.I,
)
_NIGHT_OVER = regex(r"(?:night|nacht|noche)\s+(?:from|between|of|von|vom|zwischen|auf|del?)\s+(?:the\s+|el\s+)?$", re.I)
_BETWEEN = regex(
    r"\s*(?:and|to|till|until|through|-|–|und|bis(?:\s+zum)?|auf|y|al?|hasta)\s+(?:the\s+|den\s+|el\s+)?$", re.I
)
_COMPOUND = regex(
    rf"(?<!\w)({alternatives(WEEKDAYS)})(abend|nachmittag|vormittag|morgen|mittag|nacht|früh)(?!\w)", re.I
)
_TABLES: dict[str, Iterable[str]] = {
    "weekday": WEEKDAYS, "month": MONTHS, "season": SEASONS, "day": DAYS, "festival": FESTIVALS, "part": PARTS,
    "unit": UNITS,
}  # fmt: skip
_KIND_OF: dict[str, set[str]] = {}
"""The kinds of expression that a word may belong to, so that most patterns need not be tried on most texts; of a phrase
its longest word: "the day before yesterday" has "yesterday"."""
for _kind, _table in _TABLES.items():
    for _words in _table:
        _KIND_OF.setdefault(max(re.findall(r"\w+", _words), key=len), set()).add(_kind)
for _kind, _words in {
    "part": "tonight anoche", "unit": "q1 q2 q3 q4",
    "lately": "lately recently other these neulich kürzlich letzter últimamente recientemente otro",
}.items():  # fmt: skip
    for _one in _words.split():
        _KIND_OF.setdefault(_one, set()).add(_kind)
_WORD = regex(r"[^\W\d_]+\d?")
_NUMBERS = {"number": regex(r"(?<!\w)\d{1,2}(?!\d)"), "year": regex(r"(?:19|20)\d\d")}


def _kinds(text: str) -> set[str]:
    kinds = {kind for kind, number in _NUMBERS.items() if number.search(text)}
    for word in _KIND_OF.keys() & set(map(str.lower, _WORD.findall(text))):
        kinds |= _KIND_OF[word]
    return kinds


@kept_for_texts(maxsize=8_192)
def expressions(text: str, moment: int, *, lean: int | None = None, firm: int = 2) -> tuple[Expression, ...]:
    """Every expression of time in a text, in the order in which they stand.

    Parameters
    ----------
    moment : int
        Microseconds: when it was written or asked; weeks begin on Monday, days are those of UTC.
    lean : int, optional
        Which way "on Friday" points: 1 ahead, -1 back, 0 to the nearer. By default what the verbs of the sentence say,
        and ahead where they say nothing.
    firm : int
        How many times as far a meaning against the lean seems, so that it is the second choice.

    Examples
    --------
    >>> monday = 1_773_619_200_000_000  # 2026-03-16
    >>> [found] = expressions("The boiler is checked next Thursday.", monday)
    >>> found.spans[0].start - monday == 3 * 86_400_000_000
    True
    """
    text, translation = text[:READ], translated(text[:READ])
    if translation is not None:
        text = translation.text
    else:
        text = weekdays_in_full(_COMPOUND.sub(lambda match: f"{match[1]} {match[2]}", text))
    if not _kinds(text):
        return ()
    reader = Reader(moment, firm, lean=lean, language="" if translation is None else translation.language)
    occurrences: list[Expression] = []
    for sentence in _SENTENCE.finditer(text):
        occurrences += _in_sentence(text, sentence.start(), sentence.end(), reader)
    if translation is None:
        return tuple(occurrences)
    return tuple(_in_original(one, translation) for one in occurrences)


def _in_original(one: Expression, translation: Translation) -> Expression:
    begin, end = translation.original(one.begin, one.end)
    return replace(one, begin=begin, end=end)


_SENTENCE = regex(r"(?:[^.!?\n]|(?<=\d)\.|\.(?=\w)|(?<=\b[A-Za-z])\.|(?<=\b[A-Za-z]{3})\.(?=\s\d))+[.!?\n]*")


def _in_sentence(text: str, begin: int, end: int, reader: Reader) -> list[Expression]:
    kinds = _kinds(text[begin:end])
    accepted: list[Expression] = []
    lean, ahead = reader.lean, Reader(reader.moment, reader.firm, lean=1)
    reader = replace(reader, sentence=text[begin:end])
    for pattern, resolve, relative, kind in RULES if kinds else ():
        if kind not in kinds:
            continue
        for match in pattern.finditer(text, begin, end):
            if any(match.start() < other.end and other.begin < match.end() for other in accepted):
                continue
            bound = lean is None and _BOUND.search(text, max(begin, match.start() - 16), match.start())
            try:
                spans = resolve(match, ahead if bound else reader)
            except (ValueError, OverflowError):  # 31 February, the year 9999
                continue
            if spans:
                accepted.append(Expression(match.start(), match.end(), tuple(spans), relative))
    accepted.sort(key=lambda one: one.begin)
    return _joined(text, [_with_part(text, one) for one in accepted])


def _with_part(text: str, one: Expression) -> Expression:
    """A day with the part of it that is named beside it: "yesterday evening", "on the morning of 5 May"."""
    if one.spans[0].end - one.spans[0].start != DAY_US:
        return one
    if after := _PART_AFTER.match(text, one.end):
        return Expression(one.begin, after.end(), tuple(part_of(day, after["part"]) for day in one.spans), one.relative)
    if before := _PART_BEFORE.search(text[max(0, one.begin - 40) : one.begin]):
        begin = one.begin - len(before[0])
        to_its_day = re.search(r"(?:zum|auf)\s+(?:den\s+)?$", before[0], re.I)
        spans = (
            part_of(Span(day.start - DAY_US, day.start) if to_its_day else day, before["part"] or before["noon"])
            for day in one.spans
        )
        return Expression(begin, one.end, tuple(spans), one.relative)
    return one


def _joined(text: str, expressions: list[Expression]) -> list[Expression]:
    """Two expressions with "and" or "to" between, where the second comes later: all that lies between them."""
    joined: list[Expression] = []
    for one in expressions:
        if joined and _BETWEEN.fullmatch(text, joined[-1].end, one.begin):
            first = joined[-1]
            following = [span for span in one.spans if span.start > first.spans[0].start]
            if following:
                span = Span(first.spans[0].start, min(following).end)
                night = _NIGHT_OVER.search(text[max(0, first.begin - 30) : first.begin])
                if night:
                    span = Span(span.start + 18 * HOUR_US, span.end - 16 * HOUR_US)
                begin = first.begin - (len(night[0]) if night else 0)
                joined[-1] = Expression(begin, one.end, (span,), first.relative or one.relative)
                continue
        joined.append(one)
    return joined
