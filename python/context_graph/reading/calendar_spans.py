"""Days, weeks, months, seasons and feasts as spans of time."""

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from context_graph.instants import DAY_US, HOUR_US, to_datetime
from context_graph.reading.time_words import FESTIVALS

__all__ = [
    "EVER", "Span", "counted", "day_of", "days", "festival_of", "month_of", "season_of",
    "share_of", "unit_of", "year_of",
]  # fmt: skip

EVER = 1 << 62
"""An open end."""


class Span(NamedTuple):
    """From a moment on up to another, in microseconds; the end is outside."""

    start: int
    end: int

    def around(self, before: int, after: int) -> "Span":
        return Span(self.start - before, self.end + after)


def day_of(moment: int) -> date:
    """The day of a moment, in UTC as all dates of this memory are."""
    return to_datetime(moment).date()


def start_of(day: date) -> int:
    return round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1_000_000


def days(first: date, count: int = 1) -> Span:
    return Span(start_of(first), start_of(first) + count * DAY_US)


def month_of(year: int, month: int) -> Span:
    """Of any month number: 13 is the January after, 0 the December before."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return Span(start_of(date(year, month, 1)), start_of(date(year + month // 12, month % 12 + 1, 1)))


def year_of(year: int) -> Span:
    return Span(start_of(date(year, 1, 1)), start_of(date(year + 1, 1, 1)))


def season_of(year: int, season: int) -> Span:
    first = month_of(year, 3 * season + 3)
    return Span(first.start, month_of(year, 3 * season + 5).end)


def unit_of(unit: str, today: date, steps: int) -> Span:
    """The day, week, weekend, month, quarter or year that lies so many from that of today."""
    monday = today - timedelta(days=today.weekday())
    if unit == "week":
        return days(monday + timedelta(weeks=steps), 7)
    if unit == "weekend":
        return days(monday + timedelta(days=5, weeks=steps), 2)
    if unit == "month":
        return month_of(today.year, today.month + steps)
    if unit == "quarter":
        first = 3 * ((today.month - 1) // 3 + steps) + 1
        return Span(month_of(today.year, first).start, month_of(today.year, first + 2).end)
    if unit == "year":
        return year_of(today.year + steps)
    return days(today + timedelta(days=steps))


def _easter(year: int) -> date:
    """Sunday of Easter, by the anonymous Gregorian algorithm (Meeus 1991)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


def festival_of(name: str, year: int) -> Span:
    found = FESTIVALS[name]
    return days(_easter(year) - timedelta(days=2), 4) if found is None else days(date(year, *found[:2]), found[2])


def counted(unit: str, number: int, moment: int, sign: int) -> Span:
    """So many units before (-1) or after (1) a moment, as exact as people are who count in these units."""
    today = day_of(moment)
    if unit == "fortnight":
        unit, number = "week", 2 * number
    if unit in ("minute", "hour"):
        step = HOUR_US if unit == "hour" else HOUR_US // 60
        at = moment + sign * number * step
        return Span(at - step * max(1, number // 4), at + step * max(1, number // 4))
    if unit == "day":
        return days(today + timedelta(days=sign * number))
    if unit == "week":
        return days(today + timedelta(weeks=sign * number)).around(2 * DAY_US, 2 * DAY_US)
    if unit == "weekend":
        return unit_of("weekend", today, sign * number)
    if unit in ("month", "quarter"):
        months = sign * number * (3 if unit == "quarter" else 1)
        month = month_of(today.year, today.month + months)
        middle = month.start + (today.day - 1) * DAY_US
        return Span(middle - 10 * DAY_US, middle + 10 * DAY_US)
    return year_of(today.year + sign * number)


def share_of(span: Span, share: tuple[float, float]) -> Span:
    length = span.end - span.start
    return Span(span.start + round(share[0] * length), span.start + round(share[1] * length))
