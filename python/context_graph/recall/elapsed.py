"""How much time lies between two events, or between one and now, counted from the dates that memories give of them."""

import math
import re
from collections.abc import Sequence, Set
from datetime import date
from typing import NamedTuple

from context_graph.citations import tag_of
from context_graph.embed.chunks import sentences
from context_graph.embed.stems import stem_of, stems
from context_graph.instants import DAY_US
from context_graph.models import Node
from context_graph.reading.asked_length import NOW, AskedLength, asked_length
from context_graph.reading.calendar_spans import day_of
from context_graph.reading.tense import lean_of
from context_graph.reading.time_expressions import Expression, expressions
from context_graph.reading.utterance import ASSISTANTS
from context_graph.recall.answer import Hit
from context_graph.regex import regex

__all__ = ["Elapsed", "elapsed"]

COVERED, BEYOND = 0.6, 0.2
"""Share of an event's words, by their rarity, from which on a sentence tells of it; and by how much this is more than
that of any sentence with another date: where two days may be meant, nothing is counted."""

STATEMENT = 200
"""Characters up to which what is told without a date is of the day on which it was told."""

DAY, MONTH, YEAR = 1, 31, 366
"""How exactly a memory gives a date: the days of the longest span that counts as one."""

_WORD = regex(r"[^\W_]+")
_BEGUN = regex(
    r"\b(?:since|start(?:s|ed|ing)?|beg[au]n|began|join(?:s|ed)|mov(?:e|ed|ing)|bought|got|born|birth\w*|opened|founded"
    r"|adopted|married|engaged|quit|stopped|gave up|met|launched|hired|installed|enrolled|became|switched)\b",
    re.I,
)
"""Says that something begins which goes on."""

_BORN = regex(r"\b(?:born|birthday|birth)\b", re.I)
_OWN_BIRTH = regex(r"\bI was born\b|\bmy (?:own )?(?:birthday|birth ?date|date of birth) (?:is|was)\b", re.I)
_WITH_YEAR = regex(r"\b(?:19|20)\d\d\b")
_GENERAL = frozenset(
    stems("day week month year time date start begin finish complete plan get go make do deadline still already long")
)
"""Words of events that by themselves tell none."""

_STATES = frozenset(stems("live work own stay"))
"""Verbs of what begins by another: who lives there has moved there."""


class _Dated(NamedTuple):
    """A day that a memory gives an event."""

    node: Node
    day: date
    exact: int
    share: float
    """Of the event's words that the sentence has."""


class Elapsed(NamedTuple):
    """Two days, which memory gives each (None for now), how exactly, and what lies between."""

    first: tuple[date, Node | None]
    second: tuple[date, Node | None]
    exact: int
    age: bool = False

    @property
    def nodes(self) -> list[Node]:
        return [node for _, node in (self.first, self.second) if node is not None]

    def told(self, *, tags: bool = True) -> str:
        """As a line: "Counted: from 10 March 2024 till 12 March 2024: 2 days."."""
        ends = [
            "now" if node is None else f"{_date_words(day, self.exact)}{' ' + tag_of(node.id) if tags else ''}"
            for day, node in (self.first, self.second)
        ]
        return f"Counted: from {ends[0]} till {ends[1]}: {self.length}."

    @property
    def length(self) -> str:
        """In words: "52 days (1 month, 22 days)"; "about 5 years" where only the years are known."""
        (first, _), (second, _) = self.first, self.second
        months = 12 * (second.year - first.year) + second.month - first.month
        if self.exact == YEAR:
            return f"about {_number(second.year - first.year, 'year')}"
        if self.exact == MONTH:
            return f"about {_joined((months // 12, 'year'), (months % 12, 'month'))}"
        months -= second.day < first.day
        years = months // 12
        if self.age and years:
            return _number(years, "year")
        whole = _number((second - first).days, "day")
        left = (second - _months_after(first, months)).days
        return f"{whole} ({_joined((years, 'year'), (months % 12, 'month'), (left, 'day'))})" if months else whole


def elapsed(question: str, hits: Sequence[Hit], now: int) -> Elapsed | None:
    """What a question asks the length of, counted; None where it asks for none, or a date is missing or not sure.

    Parameters
    ----------
    hits : sequence of Hit
        The results, the best first.
    now : int
        Microseconds: when it is asked.
    """
    lengths = asked_length(question)
    if not lengths:
        return None
    stating = [hit for hit in hits if hit.node.modality == "text" and not _by_assistant(hit.node)]
    counted = [one for length in lengths if (one := _counted(length, stating, now)) is not None]
    return max(counted, key=lambda one: one[0])[1] if counted else None


def _by_assistant(node: Node) -> bool:
    return (node.speaker or "").lower() in ASSISTANTS


def _counted(length: AskedLength, hits: Sequence[Hit], now: int) -> tuple[float, Elapsed] | None:
    """How much of the events' words was found, and the time between them."""
    ends = []
    for event in (length.first, length.second):
        if event != NOW:
            end = _told_day(event, hits, length)
            if end is None:
                return None
            ends.append(end)
    share, exact = sum(end.share for end in ends), max(end.exact for end in ends)
    days = [(end.day, end.node) for end in ends]
    if len(days) == 1:
        today = (day_of(now), None)
        first, second = (days[0], today) if length.second == NOW else (today, days[0])
    else:
        first, second = sorted(days, key=lambda end: end[0])
    counted = Elapsed(first, second, exact, length.age)
    return (share, counted) if first[0] <= second[0] and _apart(counted) else None


def _apart(counted: Elapsed) -> bool:
    """Whether two days are apart as exactly as they are known; what is to come may come today."""
    (first, _), (second, _) = counted.first, counted.second
    if counted.exact == YEAR:
        return first.year != second.year
    if counted.exact == MONTH:
        return (first.year, first.month) != (second.year, second.month)
    return first != second or counted.first[1] is None


def _told_day(event: str, hits: Sequence[Hit], length: AskedLength) -> _Dated | None:
    """The one day that a sentence gives an event, where it has more of the event's words than any with another day,
    but for those that it takes the place of."""
    words = {stem for stem in stems(event) if stem not in _GENERAL and not (length.since and stem in _STATES)}
    words = words or {*stems(event)}
    contents = [{*stems(hit.node.content)} for hit in hits]
    counts = {stem: sum(stem in has for has in contents) for stem in words}
    rarity = {stem: math.log((len(hits) + 1) / (max(count, 1) + 0.5)) + 1 for stem, count in counts.items()}
    whole = sum(rarity.values())

    def covered(text: str) -> float:
        """The share of the event's words in a text; who asks for their own age names none."""
        if not words:
            return float(length.age and bool(_OWN_BIRTH.search(text)))
        return sum(rarity[stem] for stem in words.intersection(stems(text))) / whole

    days: dict[date, _Dated] = {}
    for hit in hits:
        if covered(hit.node.content) < COVERED - BEYOND:
            continue
        for sentence in sentences(hit.node.content):
            share = covered(sentence)
            if share < COVERED - BEYOND or not _fits(sentence, length):
                continue
            if (dated := _day(sentence, words, hit.node, length.age)) is not None:
                day, exact = dated
                if day not in days or share > days[day].share:
                    days[day] = _Dated(hit.node, day, exact, share)
    replaced_by = {hit.node.id: hit.replaced_by for hit in hits}
    tellers = {one.node.id for one in days.values() if one.share >= COVERED}
    left = [one for one in days.values() if replaced_by[one.node.id] not in tellers]
    best, *others = sorted(left, key=lambda one: -one.share) if left else (None,)
    if best is None or best.share < COVERED or (others and best.share - others[0].share < BEYOND):
        return None
    return best


def _fits(sentence: str, length: AskedLength) -> bool:
    """Whether a sentence may tell who was born, or what began, where that is asked for."""
    if length.age:
        return bool(_BORN.search(sentence))
    return not length.since or bool(_BEGUN.search(sentence))


def _day(sentence: str, words: Set[str], node: Node, age: bool) -> tuple[date, int] | None:
    """The date nearest the words of an event, and how exact it is; of a short statement without one, the day on which
    it was told. A birthday says how old somebody is only with its year.
    """
    times = [
        one
        for one in expressions(sentence, node.occurred_at)
        if not age or _WITH_YEAR.search(sentence[one.begin : one.end])
    ]
    if not times:
        told_then = not age and len(node.content) <= STATEMENT and lean_of(sentence) < 0
        return (day_of(node.occurred_at), DAY) if told_then else None
    dates = [(one, exact) for one in times if (exact := _exact(one))]
    if not dates:
        return None
    places = [match.start() for match in _WORD.finditer(sentence) if stem_of(match[0].lower()) in words]
    nearest, exact = max(dates, key=lambda each: sum(1 / (1 + abs(place - each[0].begin)) for place in places))
    return day_of(nearest.spans[0].start), exact


def _exact(one: Expression) -> int:
    """How exactly an expression gives a date; 0 for a span that is none."""
    length = (one.spans[0].end - one.spans[0].start) / DAY_US
    return next((exact for exact in (DAY, MONTH, YEAR) if exact - 3.5 < length <= exact), 0)


def _date_words(day: date, exact: int) -> str:
    return {DAY: f"{day.day} {day:%B} {day.year}", MONTH: f"{day:%B} {day.year}", YEAR: f"{day.year}"}[exact]


def _months_after(day: date, months: int) -> date:
    """The same day of the month, or the last where it has no such day."""
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    first_of_next = date(year + month // 11, (month + 1) % 12 + 1, 1)
    last = (first_of_next - date.resolution).day
    return date(year, month + 1, min(day.day, last))


def _joined(*counts: tuple[int, str]) -> str:
    return ", ".join(_number(count, unit) for count, unit in counts if count)


def _number(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"
