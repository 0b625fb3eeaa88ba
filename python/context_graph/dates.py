"""Dates as people write them, where they name a day without doubt."""

import re
from datetime import UTC, datetime, timedelta, timezone

from context_graph.errors import InvalidInput
from context_graph.models import Microseconds, from_iso
from context_graph.regex import regex

__all__ = ["FORMATS", "MONTHS", "read_date"]

FORMATS = "2026-11-21, 2026-11-21T09:30:00Z, 21 November 2026, November 21, 2026, 21.11.2026, each with a time if known"
"""What `read_date` reads, in the words of an error."""

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar enero", "february feb februar febrero", "march mar märz marzo", "april apr abril",
            "may mai mayo", "june jun juni junio", "july jul juli julio", "august aug agosto",
            "september sep sept septiembre", "october oct oktober okt octubre", "november nov noviembre",
            "december dec dezember dez diciembre",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip

_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.|º)?"
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_YEAR = r"(?P<year>\d{4})"
_CALENDAR = [
    regex(form, re.I)
    for form in (
        rf"{_DAY}[ -](?:of |de )?{_MONTH},?[ -](?:of |de )?{_YEAR}",  # 8 May 2023, 8. Mai 2023, 8 de mayo de 2023
        rf"{_MONTH}[ -]{_DAY},?[ -]{_YEAR}",  # May 8, 2023
        r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})",  # with full stops the day comes first
        r"(?P<day>\d{1,2})(?P<either>[/-])(?P<month>\d{1,2})(?P=either)(?P<year>\d{4})",
    )
]
_WEEKDAY = regex(
    r"(?:^|\()(?:(?:mon|tues?|wed|wednes|thu|thurs?|fri|sat|satur|sun)(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag"
    r"|samstag|sonntag|lunes|martes|miércoles|jueves|viernes|sábado|domingo)(?:\)|\.?,?) ",
    re.I,
)
_CLOCK = regex(
    r"(?:^|[ ,]+(?:at |um )?)(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2})(?::(?P<second>\d{2}))?)?"
    r"(?:\s?(?P<half>[ap])\.?m\.?)?(?:\s?(?:Uhr|h))?(?:\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}))?(?: on|,)?$",
    re.I,
)


def read_date(text: str, *, field: str = "date") -> Microseconds:
    """The instant that a date names; without a time midnight, without a zone UTC.

    A date that could be read in two ways (4/5/2026), names no day ("spring 2026") or is relative ("yesterday") is
    refused: a wrong date is worse than none.

    Raises
    ------
    InvalidInput
        Naming the formats.

    Examples
    --------
    >>> read_date("1:56 pm on 8 May, 2023") == read_date("2023-05-08T13:56:00Z")
    True
    """
    plain = _WEEKDAY.sub("", " ".join(text.split()))
    try:
        return from_iso(plain, field=field)
    except InvalidInput:
        try:
            moment = _calendar(plain)
        except _Ambiguous as ambiguous:
            raise InvalidInput(f"{field} {ambiguous}", field=field) from None
    if moment is None:
        raise InvalidInput(f"{field} must be a date such as {FORMATS}; got {text[:40]!r}", field=field)
    return round(moment.timestamp() * 1_000_000)


class _Ambiguous(ValueError):
    """A date that can be read in two ways."""


def _calendar(text: str) -> datetime | None:
    for form in _CALENDAR:
        match = form.search(text)
        if match is None:
            continue
        day, month = int(match["day"]), MONTHS.get(match["month"].lower().rstrip(".")) or int(match["month"])
        if "either" in form.groupindex:
            if max(day, month) <= 12 and day != month:
                one, other = (f"{match['year']}-{m:02}-{d:02}" for d, m in ((day, month), (month, day)))
                raise _Ambiguous(f"{match[0]} may be {one} or {other}; write the one that is meant")
            day, month = (month, day) if month > 12 else (day, month)
        before, after = text[: match.start()], text[match.end() :]
        clocks = [part for part in (before, after) if part.strip(" ,")]
        if len(clocks) > 1:
            return None
        clock = _clock(clocks[0]) if clocks else (0, 0, 0, UTC)
        try:
            return datetime(int(match["year"]), month, day, *clock[:3], tzinfo=clock[3]) if clock else None
        except ValueError:
            return None
    return None


def _clock(text: str) -> tuple[int, int, int, timezone] | None:
    match = _CLOCK.search(text.rstrip(" ,"))
    if match is None or match.start() > 0 or not (match["minute"] or match["half"]):
        return None
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (match["half"].lower() == "p")
    zone = UTC
    if match["zone"] and match["zone"][0] in "+-":
        sign, hours, minutes = match["zone"][0], match["zone"][1:3], match["zone"][-2:]
        zone = timezone(timedelta(hours=int(hours), minutes=int(minutes)) * (1 if sign == "+" else -1))
    return hour, int(match["minute"] or 0), int(match["second"] or 0), zone
