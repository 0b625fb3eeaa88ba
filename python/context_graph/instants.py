"""Instants: microseconds where they are kept and compared, datetimes and RFC 3339 text where somebody reads them."""

from datetime import UTC, date, datetime, timedelta

from context_graph.errors import InvalidInput

__all__ = [
    "DAY_US", "EARLIEST", "HOUR_US", "LATEST", "MINUTE_US", "SECOND_US", "Microseconds", "from_datetime", "from_iso",
    "to_datetime", "to_iso",
]  # fmt: skip

Microseconds = int
"""Time since 1970-01-01 UTC. Integers, so that a row restored is the row that was."""

SECOND_US: Microseconds = 1_000_000
MINUTE_US: Microseconds = 60 * SECOND_US
HOUR_US: Microseconds = 60 * MINUTE_US
DAY_US: Microseconds = 24 * HOUR_US

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
EARLIEST: Microseconds = (datetime(1, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
LATEST: Microseconds = (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - _EPOCH) // _MICROSECOND
"""Of the years 1 to 9999, which RFC 3339 can name."""


def to_datetime(microseconds: Microseconds) -> datetime:
    """The instant as a datetime in UTC.

    Examples
    --------
    >>> to_datetime(1_767_225_600_000_000)
    datetime.datetime(2026, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)
    """
    # What is beyond the years 1 to 9999 is shown as their end: one bad row must not silence all answers.
    return _EPOCH + timedelta(microseconds=min(max(microseconds, EARLIEST), LATEST))


def to_iso(microseconds: Microseconds) -> str:
    """RFC 3339 text in UTC, as the wire wants it."""
    return to_datetime(microseconds).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def from_datetime(moment: date, *, field: str = "time") -> Microseconds:
    """The instant that a datetime names; without a zone it is taken as UTC, and a date alone as its midnight.

    Examples
    --------
    >>> from_datetime(datetime(2026, 1, 1)) == from_datetime(date(2026, 1, 1)) == 1_767_225_600_000_000
    True
    """
    if not isinstance(moment, date):
        kind = type(moment).__name__
        advice = "datetime.fromisoformat reads a text" if isinstance(moment, str) else "to_datetime reads microseconds"
        raise InvalidInput(f"{field} must be a datetime, got {kind} {str(moment)[:40]!r}; {advice}", field=field)
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    microseconds = ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH) // _MICROSECOND
    if not EARLIEST <= microseconds <= LATEST:
        raise InvalidInput(f"{field} must lie in the years 1 to 9999 in UTC, got {moment}", field=field)
    return microseconds


def from_iso(text: str, *, field: str = "time") -> Microseconds:
    """The instant that an ISO 8601 text names; without an offset it is taken as UTC."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return round(moment.astimezone(UTC).timestamp() * 1_000_000)  # also in UTC a year from 1 to 9999
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"{field} must be an ISO 8601 date-time such as 2026-11-21T09:30:00Z, got {text[:40]!r}", field=field
        ) from error
