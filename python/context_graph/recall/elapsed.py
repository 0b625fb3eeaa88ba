"""How much time lies between two events, or between one and now, counted from the dates that memories give of them."""

import math
import re
from collections.abc import Sequence, Set
from datetime import date, timedelta
from typing import NamedTuple

from context_graph.citations import tag_of
from context_graph.embed.chunks import sentences
from context_graph.embed.stems import stem_of, stems
from context_graph.instants import DAY_US
from context_graph.models import Node
from context_graph.reading.ages import Age, age_of, is_dead, just_born
from context_graph.reading.asked_length import NOW, AskedLength, asked_length
from context_graph.reading.beginnings import State, Turn, state_of, turn_of
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
_BORN = regex(r"\b(?:born|birthday|birth)\b", re.I)
_OWN_BIRTH = regex(r"\bI was born\b|\bmy (?:own )?(?:birthday|birth ?date|date of birth) (?:is|was)\b", re.I)
_WITH_YEAR = regex(r"\b(?:19|20)\d\d\b")
_GENERAL = frozenset(
    stems("day week month year time date start begin finish complete plan get go make do deadline still already long")
)
"""Words of events that by themselves tell none."""

NEAR_BIRTHDAY = timedelta(31)
"""How long before it is told a birthday may have been that is told without its day, or how far from it the party."""

_LEADING = regex(r"(?:^|[,;:(–—-]|\band\b)\s*(?:(?:on|in|at|from|since|as of|back in)\s+)?(?:the )?$", re.I)
"""Stands before a date that opens a clause, or is one by itself: "In June we bought it", "bought it, on 3 May"."""

_BREAK = regex(r"[,;:(–—]\s|\b(?:and|but|then)\b")
_LONG_AGO = regex(
    r"\b(?:as an? (?:child|kid|teen\w*|student|boy|girl|baby|apprentice)|in my (?:teens|\w+ties|youth|childhood)|when"
    r"|(?:years|decades|ages|long|months|weeks) ago|back then|once|at (?:school|uni\w*|college)|originally|had"
    r"|used to|remember\w*|for (?:\w+ )?(?:\w+ )?(?:years|months|weeks|decades))\b",
    re.I,
)
"""Of some past time that is not named: the day on which it is told is not meant."""

_NEW_JOB = regex(
    r"\b(?:first day (?:at|with)|new job (?:at|with)|start(?:s|ed)? (?:work(?:ing)? )?(?:at|as|with))\b", re.I
)
_NEW_HOME = regex(r"(?:^\W*|\b(?:i|we)(?:['’]ve| have)? )moved (?:in)?to\b", re.I)
"""The next of which there is commonly one at a time: who starts there has left the last one."""


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
    years_then: int | None = None
    """How old somebody was on the first day, where that is what a memory gives."""

    years_now: tuple[int, int] = (0, 0)
    """How old they are on the second by that, at least and at most."""

    @property
    def nodes(self) -> list[Node]:
        return [node for _, node in (self.first, self.second) if node is not None]

    def told(self, *, tags: bool = True) -> str:
        """As a line: "Counted: from 10 March 2024 till 12 March 2024: 2 days."; of an age that was told "Counted:
        3 years old on 10 March 2024, now: 4 or 5 years."."""
        ends = [
            "now" if node is None else f"{_date_words(day, self.exact)}{' ' + tag_of(node.id) if tags else ''}"
            for day, node in (self.first, self.second)
        ]
        if self.years_then is not None:
            return f"Counted: {_number(self.years_then, 'year')} old on {ends[0]}, {ends[1]}: {self.length}."
        return f"Counted: from {ends[0]} till {ends[1]}: {self.length}."

    @property
    def length(self) -> str:
        """In words: "52 days (1 month, 22 days)"; "about 5 years" where only the years are known."""
        (first, _), (second, _) = self.first, self.second
        if self.years_then is not None:
            youngest, oldest = self.years_now
            return _number(youngest, "year") if youngest == oldest else f"{youngest} or {oldest} years"
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
            end = _begun_day(event, hits) if length.since else _told_day(event, hits, length)
            if end is None:
                return _age_now(event, hits, day_of(now)) if length.age else None
            ends.append(end)
    if length.age and _is_dead(length.first, hits):
        return None
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


class _Cover:
    """What share of an event's words a text has, by their rarity among some results."""

    def __init__(self, words: Set[str], hits: Sequence[Hit]) -> None:
        contents = [{*stems(hit.node.content)} for hit in hits]
        counts = {stem: sum(stem in has for has in contents) for stem in words}
        self.words = words
        self._rarity = {stem: math.log((len(hits) + 1) / (max(count, 1) + 0.5)) + 1 for stem, count in counts.items()}
        self._whole = sum(self._rarity.values())

    def __call__(self, text: str) -> float:
        if not self.words:
            return 0.0
        return sum(self._rarity[stem] for stem in {*stems(text)} & self.words) / self._whole


def _told_day(event: str, hits: Sequence[Hit], length: AskedLength) -> _Dated | None:
    """The one day that a sentence gives an event, where it has more of the event's words than any with another day,
    but for those that it takes the place of."""
    words = {stem for stem in stems(event) if stem not in _GENERAL} or {*stems(event)}
    cover = _Cover(words, hits)

    def covered(text: str) -> float:
        """The share of the event's words in a text; who asks for their own age names none."""
        return cover(text) if words else float(length.age and event.lower() == "i" and bool(_OWN_BIRTH.search(text)))

    days: dict[date, _Dated] = {}
    for hit in hits:
        if covered(hit.node.content) < COVERED - BEYOND:
            continue
        for sentence in sentences(hit.node.content):
            share = covered(sentence)
            if share < COVERED - BEYOND or (length.age and not _BORN.search(sentence)):
                continue
            if (dated := _day(sentence, words, hit.node, length.age)) is not None:
                day, exact = dated
                if day not in days or share > days[day].share:
                    days[day] = _Dated(hit.node, day, exact, share)
    return _clear_best(list(days.values()), hits)


def _clear_best(days: Sequence[_Dated], hits: Sequence[Hit]) -> _Dated | None:
    """The one that covers an event best by far, of those that no other takes the place of."""
    replaced_by = {hit.node.id: hit.replaced_by for hit in hits}
    tellers = {one.node.id for one in days if one.share >= COVERED}
    left = [one for one in days if replaced_by[one.node.id] not in tellers]
    best, *others = sorted(left, key=lambda one: -one.share) if left else (None,)
    if best is None or best.share < COVERED or (others and best.share - others[0].share < BEYOND):
        return None
    return best


class _DatedTurn(NamedTuple):
    """What a sentence says of a state, and on which day that was."""

    role: str
    dated: _Dated
    is_sure: bool

    @property
    def order(self) -> tuple[date, int]:
        """By the day, and on one day by when it is told."""
        return self.dated.day, self.dated.node.occurred_at


def _begun_day(event: str, hits: Sequence[Hit]) -> _Dated | None:
    """The day on which what is so began, the last time after it ended; None where that is not told, or not clear."""
    state = state_of(event)
    cover = _Cover(state.words, hits)
    turns = [turn for hit in hits for turn in _turns(hit.node, state, cover)]
    last_end = max((turn.order for turn in turns if turn.role == "ends"), default=None)
    begun = [turn for turn in turns if turn.role != "ends" and (last_end is None or turn.order > last_end)]
    resumed = max((turn.order for turn in begun if turn.role == "resumes"), default=None)
    if resumed is not None:
        begun = [turn for turn in begun if turn.order >= resumed]
    if any(turn.dated.exact == 0 for turn in begun):
        return None  # it began on a day that is not told, which may be an earlier or a later one
    if last_end is None and not all(turn.is_sure for turn in begun):
        return None  # whether it had ended is not told
    if state.kind == "know" and _is_spoken_of_before(begun, hits, cover):
        return None  # they met, and not for the first time
    days: dict[date, _Dated] = {}
    for turn in begun:
        day = turn.dated.day
        if day not in days or turn.dated.share > days[day].share:
            days[day] = turn.dated
    best = _clear_best(_exactly(list(days.values())), hits)
    return best if best is not None and not _is_over(best, state, hits, cover) else None


def _exactly(days: Sequence[_Dated]) -> list[_Dated]:
    """Some days without a month or a year within which another of them lies."""

    def is_within(day: _Dated, other: _Dated) -> bool:
        same_year = day.day.year == other.day.year
        return day.exact < other.exact and same_year and (other.exact == YEAR or day.day.month == other.day.month)

    return [one for one in days if not any(is_within(other, one) for other in days)]


def _is_spoken_of_before(begun: Sequence[_DatedTurn], hits: Sequence[Hit], cover: _Cover) -> bool:
    """Whether a memory tells of something before the first of its beginnings is told."""
    first = min((turn.dated.node.occurred_at for turn in begun), default=0)
    return any(hit.node.occurred_at < first and cover(hit.node.content) >= COVERED for hit in hits)


def _turns(node: Node, state: State, cover: _Cover) -> list[_DatedTurn]:
    """What a memory says of when something began or ended; a beginning of no certain day has the exactness 0."""
    turns: list[_DatedTurn] = []
    if cover(node.content) < COVERED - BEYOND:
        return turns
    for sentence in sentences(node.content):
        share = cover(sentence)
        if share < COVERED - BEYOND or (turn := turn_of(sentence, state)) is None:
            continue
        if turn.role != "ends" and share < COVERED:
            continue
        day, exact = _day_of_turn(sentence, turn, node) or (day_of(node.occurred_at), 0)
        turns.append(_DatedTurn(turn.role, _Dated(node, day, exact, share), turn.is_sure))
    return turns


def _day_of_turn(sentence: str, turn: Turn, node: Node) -> tuple[date, int] | None:
    """The date in the clause that says that something began; of a short statement without one, the day on which it was
    told."""
    times = expressions(sentence, node.occurred_at)
    breaks = [match.start() for match in _BREAK.finditer(sentence)]
    begin = max((place for place in breaks if place <= turn.place), default=0)
    end = min((place for place in breaks if place > turn.place), default=len(sentence))
    near = [one for one in times if begin <= one.begin < end or _LEADING.search(sentence[: one.begin])]
    dates = [(one, exact) for one in near if (exact := _exact(one))]
    if dates:
        nearest, exact = min(dates, key=lambda each: abs(each[0].begin - turn.place))
        return day_of(_start(nearest, sentence, node)), exact
    is_news = not times and len(node.content) <= STATEMENT and lean_of(sentence) <= 0
    return (day_of(node.occurred_at), DAY) if is_news and not _LONG_AGO.search(sentence) else None


def _start(one: Expression, sentence: str, node: Node) -> int:
    """When what an expression means begins: of several Thursdays the last one, where it is told of the past."""
    gone = [span.start for span in one.spans if span.start <= node.occurred_at]
    return gone[0] if gone and lean_of(sentence) < 0 else one.spans[0].start


def _is_over(begun: _Dated, state: State, hits: Sequence[Hit], cover: _Cover) -> bool:
    """Whether what began may be over by what is told of something else: "Moved to Bonn" ends living in Ulm."""
    by_id = {hit.node.id: hit for hit in hits}
    hit = by_id[begun.node.id]
    later = by_id.get(hit.replaced_by or "")
    if hit.node.valid_to is not None or (
        hit.until is not None and not hit.partly and (later is None or cover(later.node.content) < COVERED - BEYOND)
    ):
        return True
    follows = {"live": _NEW_HOME, "work": _NEW_JOB, "be": _NEW_JOB if _NEW_JOB.search(begun.node.content) else None}
    form = follows.get(state.kind)
    return form is not None and any(
        other.node.occurred_at > begun.node.occurred_at
        and cover(other.node.content) < COVERED - BEYOND
        and form.search(other.node.content)
        for other in hits
    )


def _is_dead(event: str, hits: Sequence[Hit]) -> bool:
    """Whether it is told that somebody has died."""
    words = {*stems(event)}
    return bool(words) and any(
        words <= {*stems(sentence)} and is_dead(sentence) for hit in hits for sentence in sentences(hit.node.content)
    )


class _Birth(NamedTuple):
    """Between which days somebody was born, by a memory: how old they were on a day."""

    node: Node
    first: date
    last: date
    day: date
    years: int
    name: str = ""
    """What it calls them, where that begins with a capital letter."""


def _age_now(who: str, hits: Sequence[Hit], today: date) -> tuple[float, Elapsed] | None:
    """How old somebody is whose age, or birth as news, was told on some day; None where statements do not agree."""
    if _is_dead(who, hits):
        return None
    births = [birth for hit in hits for birth in _births(who, hit.node) if birth.day <= today]
    if not births:
        return None
    first, last = max(birth.first for birth in births), min(birth.last for birth in births)
    if first > last:
        return None
    if any(_is_dead(birth.name, hits) for birth in births):
        return None
    best = min(births, key=lambda birth: (birth.last - birth.first, -birth.node.occurred_at))
    if not best.years:
        counted = Elapsed((best.day, best.node), (today, None), DAY, True)
        return (1.0, counted) if _apart(counted) else None
    youngest, oldest = _years_between(last, today), _years_between(first, today)
    if best.day == today:
        return None  # nothing is to be counted
    return 1.0, Elapsed((best.day, best.node), (today, None), DAY, True, best.years, (youngest, oldest))


def _births(who: str, node: Node) -> list[_Birth]:
    """Between which days somebody was born by each sentence of a memory that says so."""
    births = []
    parts = sentences(node.content)
    for sentence in parts:
        if (age := age_of(sentence, who)) is not None:
            births += _birth_by_age(sentence, age, node)
        elif (time := just_born(sentence, who)) is not None and len(node.content) <= STATEMENT:
            dates = [one for one in expressions(sentence, node.occurred_at) if _exact(one) == DAY]
            if dates or (len(parts) == 1 and not time) or time:
                day = day_of(_start(dates[0], sentence, node)) if dates else day_of(node.occurred_at)
                births.append(_Birth(node, day, day, day, 0))
    return births


def _birth_by_age(sentence: str, age: Age, node: Node) -> list[_Birth]:
    """Between which days somebody was born who had an age when it was told, or a birthday on a day that it names."""
    told_on = day_of(node.occurred_at)
    birthdays = (told_on - timedelta(364), told_on)
    if age.at_birthday:
        times = expressions(sentence, node.occurred_at)
        dates = [one for one in times if _exact(one) == DAY]
        if dates:
            day = day_of(_start(dates[0], sentence, node) if age.is_past else dates[0].spans[0].start)
            birthdays = (day, day)
        elif times or not age.is_past or lean_of(sentence) > 0:
            return []
        else:
            birthdays = (told_on - NEAR_BIRTHDAY, told_on if age.is_sharp else told_on + NEAR_BIRTHDAY)
    first, last = (_months_after(day, -12 * age.years) for day in birthdays)
    return [_Birth(node, first, last, birthdays[0] if birthdays[0] == birthdays[1] else told_on, age.years, age.name)]


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


def _years_between(first: date, second: date) -> int:
    """Whole years from one day to another."""
    return second.year - first.year - ((second.month, second.day) < (first.month, first.day))


def _joined(*counts: tuple[int, str]) -> str:
    return ", ".join(_number(count, unit) for count, unit in counts if count)


def _number(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"
