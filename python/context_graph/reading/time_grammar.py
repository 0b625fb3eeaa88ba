"""The grammar of expressions of time: patterns, and what each means at the moment at which it is read."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from context_graph.instants import DAY_US, HOUR_US
from context_graph.reading.calendar_spans import (
    Span,
    counted,
    day_of,
    days,
    festival_of,
    month_of,
    season_of,
    share_of,
    unit_of,
    year_of,
)
from context_graph.reading.tense import lean_of
from context_graph.reading.time_words import (
    DAYS,
    FESTIVALS,
    MONTHS,
    NUMBERS,
    PARTS,
    SEASONS,
    UNITS,
    WEEKDAYS,
    alternatives,
)
from context_graph.regex import regex

__all__ = ["RULES", "Reader", "part_of"]

SEVERAL = 4  # "the last days"
MONTHS_BESIDE = 6  # in which a day with its weekday is looked for
YEARS_BACK = 12  # of a day or month without a year, how many years are considered


@dataclass(frozen=True)
class Reader:
    """From where, and in which direction, a text is read.

    Attributes
    ----------
    firm : int
        How many times as far a meaning against the lean seems.
    sentence : str
        What is read.
    lean : int, optional
        Which way it points; by default what the verbs of the sentence say, which most expressions do not ask.
    language : str
        Of these verbs, as `lean_of` takes it.
    """

    moment: int
    firm: int
    sentence: str = ""
    lean: int | None = None
    language: str = ""

    @cached_property
    def _own_lean(self) -> int:
        return lean_of(self.sentence, self.language) if self.lean is None else self.lean

    @property
    def _weekly(self) -> int:
        """As `firm`, for what returns sooner than in a year: verbs say more of a Friday than of a March."""
        return 2 * self.firm if self._own_lean else self.firm

    @property
    def today(self) -> date:
        return day_of(self.moment)

    def likeliest(self, spans: list[Span], firm: int | None = None) -> tuple[Span, ...]:
        """Those spans, the nearest first; what lies against the lean seems farther away."""
        if len(spans) < 2:
            return tuple(spans)
        firm = self._weekly if firm is None else firm
        ahead = (self._own_lean or 1) > 0

        def distance(span: Span) -> int:
            if span.start > self.moment:
                return (span.start - self.moment) * (1 if ahead else firm)
            return max(0, self.moment - span.end) * (firm if ahead else 1)

        return tuple(sorted(spans, key=distance))

    def yearly(self, make: Callable[[int], Span]) -> tuple[Span, ...]:
        """What comes every year."""
        candidates = []
        for year in range(self.today.year - YEARS_BACK, self.today.year + 2):
            try:
                candidates.append(make(year))
            except ValueError:  # 29 February
                continue
        return self.likeliest(candidates, self.firm)


_LAST = r"(?:last|past|previous|letzte[nrsm]?|vergangene[nrsm]?|vorige[nrsm]?)"
_THIS = r"(?:this|the\s+current|diese[nrsm]?|est[ea])"
_NEXT = r"(?:(?:this\s+)?coming|upcoming|next|nächste[nrsm]?|kommende[nrsm]?|próxim[oa])"
_MOD = rf"(?:(?P<last>{_LAST})|(?P<next>{_NEXT})|(?P<this>{_THIS}))\s+"
_MOD_AFTER = r"\s+(?:(?P<last2>pasad[oa]|últim[oa])|(?P<next2>que\s+viene|próxim[oa]|siguiente))"
_NUMBER = rf"(?P<number>\d{{1,3}}|{alternatives(NUMBERS)})"
_UNIT = rf"(?P<unit>{alternatives(UNITS)})"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|º|\.)?"
_SEVERAL_UNITS = r"(?P<unit>days|weeks|months|years|tagen?|wochen|monaten?|jahren?|días|semanas|meses|años)"
_THIRD = (
    r"(?P<third>(?:early|mid|late|(?:the\s+)?(?:beginning|start|middle|end)(?:\s+of)?|anfang|mitte|ende"
    r"|(?:a\s+)?(?:principios|mediados|finales|fines)\s+de))"
)
_MONTH = rf"(?P<month>{alternatives(MONTHS)})\.?"
_OF_YEAR = rf"(?:(?:,?\s+(?:of\s+|del?\s+)?){_YEAR})?\b"


def _behind(*words: str) -> str:
    """Behind one of some words, which are no part of what follows them."""
    return "(?:" + "|".join(rf"(?<=\b{word} )" for word in words) + ")"


_BEFORE_A_DAY = ("on", "by", "until", "till", "since", "before", "after", "from", "between")
_DOUBTFUL = {"may", "march", "mar", "jan", "june", "april", "august", "mai"} | {
    word for word in MONTHS if len(word) < 4 or word == "sept"
}
"""Words that mean something else, too: they are a time only behind a preposition or beside a number."""

_PLACED = regex(
    r"\b(?:in|of|over|for|für|since|until|till|by|before|after|from|during|through|early|late|mid|last|next|this|every|im|seit|bis|ab|vor|nach"
    r"|während|anfang|mitte|ende|en|de|del|durante|desde|hasta|para)\s+(?:the\s+|des\s+|el\s+)?$",
    re.I,
)
_ORDINALS = {
    "first": 0, "1st": 0, "erste": 0, "ersten": 0, "primer": 0, "primera": 0,
    "second": 1, "2nd": 1, "zweite": 1, "zweiten": 1, "segundo": 1, "segunda": 1,
    "third": 2, "3rd": 2, "dritte": 2, "dritten": 2, "tercer": 2, "tercera": 2,
    "fourth": 3, "4th": 3, "vierte": 3, "vierten": 3, "cuarto": 3, "cuarta": 3,
    "last": -1, "letzte": -1, "letzten": -1, "último": -1, "última": -1,
}  # fmt: skip

Resolve = Callable[[re.Match[str], Reader], tuple[Span, ...] | None]


def _steps(match: re.Match[str]) -> int:
    """What a modifier says: last -1, this 0, next 1."""
    groups = match.groupdict()
    return bool(groups.get("next") or groups.get("next2")) - bool(groups.get("last") or groups.get("last2"))


def _number(match: re.Match[str]) -> int:
    said = " ".join(match["number"].lower().split())
    return int(said) if said.isdigit() else NUMBERS[said]


def _word(text: str) -> str:
    return " ".join(text.lower().rstrip(".").split())


def _iso(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    return (days(date(int(match["year"]), int(match["m"]), int(match["day"]))),)


def _dated(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    month, day = MONTHS[_word(match["month"])], int(match["day"])
    if match["year"]:
        return (days(date(int(match["year"]), month, day)),)
    return reader.yearly(lambda year: days(date(year, month, day)))


def _day_range(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    month, first, last = MONTHS[_word(match["month"])], int(match["first"]), int(match["day"])
    if not first < last:
        return ()

    def of(year: int) -> Span:
        return Span(days(date(year, month, first)).start, days(date(year, month, last)).end)

    return (of(int(match["year"])),) if match["year"] else reader.yearly(of)


def _dotted(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    day, month = int(match["day"]), int(match["m"])
    if match["year"]:
        return (days(date(int(match["year"]), month, day)),)
    return reader.yearly(lambda year: days(date(year, month, day)))


def _of_month(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    """ "the second weekend in October", "the last week of May"."""
    month, nth, unit = MONTHS[_word(match["month"])], _ORDINALS[match["nth"].lower()], match["part"].lower()

    def of(year: int) -> Span:
        whole = month_of(year, month)
        first = day_of(whole.start)
        if UNITS.get(_word(unit)) == "week":
            if nth < 0:
                return Span(whole.end - 7 * DAY_US, whole.end)
            return Span(whole.start + 7 * nth * DAY_US, min(whole.end, whole.start + 7 * (nth + 1) * DAY_US))
        wanted, length = (5, 2) if UNITS.get(_word(unit)) == "weekend" else (WEEKDAYS[_word(unit)], 1)
        day = first + timedelta(days=(wanted - first.weekday()) % 7)
        if nth < 0:
            end = day_of(whole.end - 1)
            return days(end - timedelta(days=(end.weekday() - wanted) % 7), length)
        return days(day + timedelta(weeks=nth), length)

    return (of(int(match["year"])),) if match["year"] else reader.yearly(of)


def _thirds(word: str) -> tuple[float, float]:
    word = word.lower().removeprefix("the ").removeprefix("a ").split()[0]
    if word in ("end", "late", "ende", "finales", "fines"):
        return 0.66, 1.0
    return (0.25, 0.75) if word in ("mid", "middle", "mitte", "mediados") else (0.0, 0.34)


def _named_month(match: re.Match[str], reader: Reader) -> tuple[Span, ...] | None:
    groups, word = match.groupdict(), _word(match["month"])
    placed = any(groups.get(name) for name in ("last", "next", "this", "last2", "next2", "year", "third"))
    if word in _DOUBTFUL and not placed and not _PLACED.search(match.string[: match.start()][-24:]):
        return None
    month = MONTHS[word]
    if groups.get("year"):
        spans: tuple[Span, ...] = (month_of(int(match["year"]), month),)
    elif placed and not groups.get("third"):
        spans = _neighbour([month_of(year, month) for year in _near_years(reader)], reader, _steps(match))
    else:
        spans = reader.yearly(lambda year: month_of(year, month))
    if groups.get("third"):
        spans = tuple(share_of(span, _thirds(match["third"])) for span in spans)
    return spans


def _near_years(reader: Reader) -> range:
    return range(reader.today.year - 2, reader.today.year + 3)


def _neighbour(spans: list[Span], reader: Reader, steps: int) -> tuple[Span, ...]:
    """Of spans that return: the last one that has ended, the next one that has not begun, or this one."""
    now = reader.moment
    if steps < 0:
        return tuple(span for span in reversed(spans) if span.end <= now)[:1]
    if steps > 0:
        return tuple(span for span in spans if span.start > now)[:1]
    inside = [span for span in spans if span.start <= now < span.end]
    this_year = [span for span in spans if day_of(span.start).year == reader.today.year]
    return tuple(inside or this_year)[:1]


def _named_season(match: re.Match[str], reader: Reader) -> tuple[Span, ...] | None:
    groups, word = match.groupdict(), _word(match["season"])
    placed = any(groups.get(name) for name in ("last", "next", "this", "last2", "next2", "year"))
    if not placed and not _PLACED.search(match.string[: match.start()][-24:]):
        return None  # winter coats, a spring of water
    season = SEASONS[word]
    if groups.get("year"):
        year = int(match["year"])
        return (season_of(year, season), season_of(year - 1, season)) if season == 3 else (season_of(year, season),)
    if placed:
        return _neighbour([season_of(year, season) for year in _near_years(reader)], reader, _steps(match))
    return reader.yearly(lambda year: season_of(year, season))


def _named_festival(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    name = _word(match["festival"]).replace("’", "'")
    if match["year"]:
        return (festival_of(name, int(match["year"])),)
    if any(match.groupdict().get(group) for group in ("last", "next", "this")):
        return _neighbour([festival_of(name, year) for year in _near_years(reader)], reader, _steps(match))
    return reader.yearly(lambda year: festival_of(name, year))


def _named_weekday(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    weekday, groups = WEEKDAYS[_word(match["weekday"])], match.groupdict()
    today, steps = reader.today, _steps(match)
    behind = today - timedelta(days=(today.weekday() - weekday) % 7 or 7)
    ahead = today + timedelta(days=(weekday - today.weekday()) % 7 or 7)
    if steps < 0:
        return (days(behind),)
    if steps > 0:
        following = today - timedelta(days=today.weekday()) + timedelta(days=7 + weekday)
        said = [ahead] if ahead == following or "coming" in (groups.get("next") or "").lower() else [ahead, following]
        if len(said) == 2 and (ahead - today).days == 1:  # who means the day after says "tomorrow"
            said.reverse()
        return tuple(days(day) for day in said)
    if groups.get("this"):
        return (days(today - timedelta(days=today.weekday()) + timedelta(days=weekday)),)
    now = [days(today)] if today.weekday() == weekday else []
    near = [behind, ahead, behind - timedelta(weeks=1), ahead + timedelta(weeks=1)]
    return reader.likeliest([*now, *map(days, near)])


def _named_day(match: re.Match[str], reader: Reader) -> tuple[Span, ...] | None:
    word = _word(match["days"])
    if word in ("mañana", "morgen") and re.search(
        r"\b(?:la|esta|am|jeden|guten|a|por\s+la|de\s+la)\s+$", match.string[: match.start()][-12:], re.I
    ):
        return None  # the morning
    return (days(reader.today + timedelta(days=DAYS[word])),)


def _tonight(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    start = days(reader.today).start
    return (Span(start + 17 * HOUR_US, start + 30 * HOUR_US),)


def _last_night(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    start = days(reader.today).start
    return (Span(start - 6 * HOUR_US, start + 8 * HOUR_US),)


def _this_part(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    return (part_of(days(reader.today), match["part"]),)


def part_of(day: Span, part: str) -> Span:
    first, last = PARTS[_word(part)]
    return Span(day.start + first * HOUR_US, day.start + last * HOUR_US)


def _named_unit(match: re.Match[str], reader: Reader) -> tuple[Span, ...] | None:
    unit, steps = UNITS[_word(match["unit"])], _steps(match)
    if unit in ("minute", "hour", "day"):
        return None if unit != "day" or steps else (days(reader.today),)
    span = unit_of(unit, reader.today, steps)
    if match.groupdict().get("later"):
        early = re.match(r"earlier|früher|antes|so\s+far", match["later"], re.I)
        span = Span(span.start, reader.moment) if early else Span(reader.moment, span.end)
    elif unit == "weekend" and steps == 1 and reader.today.weekday() < 5:
        return (unit_of(unit, reader.today, 0), span)  # the coming one, though some mean the one after
    return (span,)


def _weeks_on_weekday(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    """ "a week on Monday": as many weeks after the Monday that comes first, which may be today."""
    ahead = (WEEKDAYS[_word(match["weekday"])] - reader.today.weekday()) % 7
    return (days(reader.today + timedelta(days=ahead, weeks=2 if match["two"] else 1)),)


def _beyond(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    """ "the week before last", "the month after next"."""
    unit = UNITS[_word(match["unit"])]
    steps = -2 if re.search(r"before|vor|ante", match[0], re.I) else 2
    if unit == "day":
        night = days(reader.today + timedelta(days=steps))
        return (Span(night.start + 17 * HOUR_US, night.end + 8 * HOUR_US),)
    return (unit_of(unit, reader.today, steps),)


def _part_of_unit(match: re.Match[str], reader: Reader) -> tuple[Span, ...] | None:
    """ "the end of last month", "Anfang der Woche"."""
    unit = UNITS[_word(match["unit"])]
    if unit in ("minute", "hour", "day", "weekend", "fortnight"):
        return None
    return (share_of(unit_of(unit, reader.today, _steps(match)), _thirds(match["third"])),)


def _lately(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    return (Span(reader.moment - 14 * DAY_US, reader.moment),)


def _later_today(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    return (Span(reader.moment, days(reader.today).end),)


def _this_time(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    now = reader.today
    then = date(now.year - 1, now.month, min(now.day, 28))
    return (days(then).around(10 * DAY_US, 10 * DAY_US),)


def _named_quarter(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    nth = int(match["q"]) if match["q"] else _ORDINALS[match["nth"].lower()] + 1

    def of(year: int) -> Span:
        return Span(month_of(year, 3 * nth - 2).start, month_of(year, 3 * nth).end)

    if not 1 <= nth <= 4:
        return ()
    return (of(int(match["year"])),) if match["year"] else reader.yearly(of)


def _slashed(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    """3/4/2026 may be in April or in March."""
    a, b = int(match["a"]), int(match["b"])
    return reader.likeliest(
        [days(date(int(match["year"]), month, day)) for day, month in {(a, b), (b, a)} if month <= 12]
    )


def _slashed_range(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    """5/3-9/3 is in March, or from May to September: rather the few days than the months."""
    a, b, c, d = (int(match[group]) for group in "abcd")

    def of(year: int) -> Span:
        spans = []
        for first, last in (((a, b), (c, d)), ((b, a), (d, c))):
            if max(first[1], last[1]) <= 12:
                spans.append(Span(days(date(year, *first[::-1])).start, days(date(year, *last[::-1])).end))
        return min((span for span in spans if span.start < span.end), key=lambda span: span.end - span.start)

    return reader.yearly(of)


def _week_of(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    return tuple(unit_of("week", day_of(day.start), 0) for day in _dated(match, reader))


def _the_weekend(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    return reader.likeliest([unit_of("weekend", reader.today, steps) for steps in (-1, 0, 1)])


def _counted_ago(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    unit = UNITS[_word(match["unit"])]
    span = counted(unit, _number(match), reader.moment, -1)
    if match.groupdict().get("today"):
        span = span.around(-2 * DAY_US, -2 * DAY_US) if unit == "week" else span
    return (span,)


def _counted_ahead(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    return (counted(UNITS[_word(match["unit"])], _number(match), reader.moment, 1),)


def _counted_until_now(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    number = _number(match) if "number" in match.re.groupindex else SEVERAL
    span = counted(UNITS[_word(match["unit"])], number, reader.moment, -1)
    return (Span(span.start, reader.moment),)


def _counted_from_now(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    number = _number(match) if "number" in match.re.groupindex else SEVERAL
    span = counted(UNITS[_word(match["unit"])], number, reader.moment, 1)
    return (Span(reader.moment, span.end),)


def _nth_day(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    groups, today = match.groupdict(), reader.today
    day = int(groups["day"] or groups.get("day2") or 0)
    found_days = []
    for step in (-2, -1, 0, 1, 2):
        month = month_of(today.year, today.month + step)
        span = Span(month.start + (day - 1) * DAY_US, month.start + day * DAY_US)
        if day >= 1 and span.end <= month.end:
            found_days.append(span)
    return reader.likeliest(found_days)


def _moved_to(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    """A day to which something was put off: one to come, whatever the verb says of the moving."""
    return _nth_day(match, Reader(reader.moment, reader.firm, lean=1))


def _weekday_and_day(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    """ "Saturday the 4th": the nearest 4th that is a Saturday, or the nearest 4th where none is."""
    day, weekday = int(match["day"] or match["day2"]), WEEKDAYS[_word(match["weekday"])]
    months = (
        month_of(reader.today.year, reader.today.month + step) for step in range(-MONTHS_BESIDE, MONTHS_BESIDE + 1)
    )
    spans = [Span(month.start + (day - 1) * DAY_US, month.start + day * DAY_US) for month in months]
    on_weekday = [span for span in spans if day_of(span.start).weekday() == weekday]
    return reader.likeliest(on_weekday) if 1 <= day <= 28 or on_weekday else ()


def _whole_year(match: re.Match[str], reader: Reader) -> tuple[Span, ...]:
    return (year_of(int(match["year"])),)


def _compile(pattern: str) -> re.Pattern[str]:
    return regex(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.I)


_NTH = alternatives(_ORDINALS)
RULES: tuple[tuple[re.Pattern[str], Resolve, bool, str], ...] = tuple(
    (_compile(pattern), resolve, relative, kind)
    for pattern, resolve, relative, kind in (
        (r"(?P<year>\d{4})[-/](?P<m>\d{2})[-/](?P<day>\d{2})", _iso, False, "number"),
        (
            rf"(?P<first>\d{{1,2}})(?:st|nd|rd|th|\.)?\s*(?:to|until|till|and|-|–|bis(?:\s+zum)?|und|al?|y(?:\s+el)?)"
            rf"\s*(?:the\s+)?{_DAY}\s*(?:of\s+|de\s+)?{_MONTH}{_OF_YEAR}",
            _day_range,
            False, "month"),
        (rf"(?P<month>{alternatives(MONTHS)})\.?\s+(?P<first>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:to|until|till|through|-|–)"
         rf"\s*(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:){_OF_YEAR}", _day_range, False, "month"),
        (r"(?P<a>\d{1,2})/(?P<b>\d{1,2})\s*(?:-|–|to|bis|al?)\s*(?P<c>\d{1,2})/(?P<d>\d{1,2})(?!/)", _slashed_range,
         False, "number"),
        (rf"(?:week\s+of|woche\s+(?:vom|ab)|semana\s+del?)\s+(?:the\s+)?{_DAY}\s*(?:of\s+|de\s+)?{_MONTH}{_OF_YEAR}",
         _week_of, False, "month"),
        (rf"{_DAY}[\s-]*(?:of\s+|de\s+)?{_MONTH}{_OF_YEAR}", _dated, False, "month"),
        (r"(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<year>(?:19|20)\d\d)", _slashed, False, "number"),
        (rf"(?:q(?P<q>[1-4])|(?:the\s+)?(?P<nth>{_NTH})\s+(?:quarter|quartal|trimestre)){_OF_YEAR}", _named_quarter,
         False, "unit"),
        (rf"(?<!\d\s){_MONTH}\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:|\s?(?:am|pm|%))"
         rf"(?:,?\s+{_YEAR})?", _dated, False, "month"),
        (r"(?P<day>\d{1,2})\.(?P<m>1[0-2]|0?[1-9])\.(?P<year>(?:19|20)\d\d)?", _dotted, False, "number"),
        (rf"(?:the\s+)?(?P<nth>{_NTH})\s+(?P<part>week|weekend|woche|wochenende|semana|fin\s+de\s+semana"
         rf"|{alternatives(WEEKDAYS)})\s+(?:in|of|im|de)\s+{_MONTH}{_OF_YEAR}", _of_month, False, "month"),
        (rf"(?P<number>\d{{1,3}}|{alternatives(NUMBERS)})\s+{_UNIT}\s+ago(?P<today>\s+today)?",
         _counted_ago, True, "unit"),
        (rf"(?P<today>heute\s+)?vor\s+{_NUMBER}\s+{_UNIT}", _counted_ago, True, "unit"),
        (rf"(?P<today>hoy\s+)?hace\s+{_NUMBER}\s+{_UNIT}", _counted_ago, True, "unit"),
        (rf"(?:in|within|dentro\s+de|en)\s+(?:the\s+next\s+)?{_NUMBER}\s+{_UNIT}(?:['’]s?\s+time)?", _counted_ahead,
         True, "unit"),
        (rf"(?:(?:in|over|during|within|for)\s+)?(?:the\s+|den\s+|die\s+|los\s+|las\s+)?"
         rf"(?:last|past|letzten|vergangenen|últimos|últimas)\s+{_NUMBER}\s+{_UNIT}", _counted_until_now, True, "unit"),
        (rf"(?:(?:in|over|during|within)\s+)?(?:the\s+|den\s+|die\s+|los\s+|las\s+)?"
         rf"(?:next|coming|nächsten|kommenden|próximos|próximas)\s+{_NUMBER}\s+{_UNIT}",
         _counted_from_now, True, "unit"),
        (rf"(?:(?:in|over|during|within|for|an|en)\s+)?(?:the\s+|den\s+|die\s+|los\s+|las\s+|these\s+)?"
         rf"(?:last|past|recent|letzten|vergangenen|últimos|últimas)\s+{_SEVERAL_UNITS}",
         _counted_until_now, True, "unit"),
        (rf"(?:(?:in|over|during|within|for|an|en)\s+)?(?:the\s+|den\s+|die\s+|los\s+|las\s+)?"
         rf"(?:next|coming|nächsten|kommenden|próximos|próximas)\s+{_SEVERAL_UNITS}", _counted_from_now, True, "unit"),
        (rf"(?:the\s+)?(?P<unit>{alternatives(UNITS)})\s+(?:before\s+last|after\s+next)", _beyond, True, "unit"),
        (rf"(?:vorletzte|übernächste)[nrsm]?\s+{_UNIT}", _beyond, True, "unit"),
        (rf"{_UNIT}\s+antepasad[oa]", _beyond, True, "unit"),
        (rf"{_THIRD}\s+(?:{_MOD}|the\s+|des\s+|der\s+|el\s+|la\s+)?{_UNIT}", _part_of_unit, True, "unit"),
        (r"(?:this\s+time\s+last\s+year|(?:um\s+)?diese\s+zeit\s+letztes\s+jahr"
         r"|por\s+estas\s+fechas\s+el\s+año\s+pasado)", _this_time, True, "unit"),
        (r"lately|(?<!most\s)recently|the\s+other\s+day|these\s+days|neulich|kürzlich|in\s+letzter\s+zeit|últimamente"
         r"|recientemente|el\s+otro\s+día", _lately, True, "lately"),
        (rf"(?:a\s+week|(?P<two>two\s+weeks))\s+on\s+(?P<weekday>{alternatives(WEEKDAYS)})", _weeks_on_weekday, True,
         "weekday"),
        (r"later\s+today|heute\s+noch|später\s+heute|más\s+tarde\s+hoy|hoy\s+más\s+tarde", _later_today, True, "day"),
        (r"last\s+night|anoche|letzte\s+nacht|gestern\s+nacht", _last_night, True, "part"),
        (r"tonight|heute\s+(?:abend|nacht)|esta\s+noche", _tonight, True, "part"),
        (rf"(?:this|esta|este|heute)\s+(?P<part>{alternatives(PARTS)})", _this_part, True, "part"),
        (rf"(?P<days>{alternatives(DAYS)})", _named_day, True, "day"),
        (rf"(?P<weekday>{alternatives(WEEKDAYS)})(?:\s*,)?\s+(?:(?:the|den|dem|der|el)\s+)?"
         r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|\.(?!\d))|(?:día\s+)?(?P<day2>\d{1,2})(?=\W*$|[?,;!]))",
         _weekday_and_day, True, "weekday"),
        (rf"{_MOD}(?P<weekday>{alternatives(WEEKDAYS)})", _named_weekday, True, "weekday"),
        (rf"(?P<weekday>{alternatives(WEEKDAYS)}){_MOD_AFTER}", _named_weekday, True, "weekday"),
        (rf"{_MOD}(?P<month>{alternatives(MONTHS)})", _named_month, True, "month"),
        (rf"(?P<month>{alternatives(MONTHS)}){_MOD_AFTER}", _named_month, True, "month"),
        (rf"{_MOD}(?P<season>{alternatives(SEASONS)})", _named_season, True, "season"),
        (rf"(?P<season>{alternatives(SEASONS)}){_MOD_AFTER}", _named_season, True, "season"),
        (rf"(?:(?P<later>later|earlier|so\s+far|rest\s+of|später|früher)\s+)?{_MOD}{_UNIT}", _named_unit, True, "unit"),
        (rf"(?P<unit>{alternatives(UNITS)}){_MOD_AFTER}", _named_unit, True, "unit"),
        (r"(?:on|at|over|during)\s+the\s+weekend|am\s+wochenende|(?:en\s+)?el\s+fin\s+de\s+semana",
         _the_weekend, True, "unit"),
        (rf"(?:{_MOD})?(?P<festival>{alternatives(FESTIVALS)}){_OF_YEAR}", _named_festival, False, "festival"),
        (rf"{_THIRD}[\s-]+{_MONTH}{_OF_YEAR}", _named_month, False, "month"),
        (rf"(?P<month>{alternatives(MONTHS)})(?:,?\s+(?:of\s+|del?\s+)?{_YEAR})", _named_month, False, "month"),
        (rf"(?P<season>{alternatives(SEASONS)})(?:,?\s+(?:of\s+|del?\s+)?{_YEAR})", _named_season, False, "season"),
        (rf"(?P<weekday>{alternatives(WEEKDAYS)})", _named_weekday, True, "weekday"),
        (rf"(?P<month>{alternatives(MONTHS)})", _named_month, False, "month"),
        (rf"(?P<season>{alternatives(SEASONS)})", _named_season, False, "season"),
        (rf"{_behind(*_BEFORE_A_DAY)}the\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)"
         rf"|(?<=(?:st|nd|rd|th)\sand\s)(?:the\s+)?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)", _nth_day, True, "number"),
        (rf"{_behind('seit dem', 'ab dem', 'nach dem', 'vor dem')}(?P<day>\d{{1,2}})\.(?!\d)",
         _nth_day, True, "number"),
        (r"(?:(?:moved|pushed|changed|shifted|postponed|rescheduled|delayed|forward|back|off|out|over)\s+(?:[\w'’]+\s+){0,4}?to"
         r"|(?:now|is|it['’]s)(?:\s+now)?(?:\s+on)?)\s+the\s+(?P<day>\d{1,2})(?:st|nd|rd|th)"
         r"(?=\W*$|[,.;:!?()]|\s+(?:at|same|instead|now|not|because|from|in|and)\b)", _moved_to, True, "number"),
        (r"(?<=(?:st|nd|rd|th)\s)to\s+the\s+(?P<day>\d{1,2})(?:st|nd|rd|th)", _moved_to, True, "number"),
        (r"(?:auf|für)\s+den\s+(?P<day>\d{1,2})\.(?!\d)", _moved_to, True, "number"),
        (r"(?:al|para\s+el)\s+(?:día\s+)?(?P<day>\d{1,2})(?=\W*$|[?.,;!])", _moved_to, True, "number"),
        (r"(?:am|zum|bis\s+zum|vom)\s+(?P<day>\d{1,2})\.(?!\d)|(?<!\bi\s)am\s+(?P<day2>\d{1,2})(?=$|\?)", _nth_day,
         True, "number"),
        (r"el\s+(?:día\s+)?(?P<day>\d{1,2})(?=$|[?.,;!]|\s+(?:a|por|viene|vienen|tengo|tenemos|hay))",
         _nth_day, True, "number"),
        (_YEAR, _whole_year, False, "year"),
    )
)  # fmt: skip
"""Pattern, what it means, whether that depends on the moment, the kind of word that it needs; what stands above wins
where two overlap."""
