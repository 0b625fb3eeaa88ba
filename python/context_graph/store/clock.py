"""Hybrid logical clock: wall time that never runs backwards, so that events order like their causes."""

__all__ = ["MAX_STAMP", "first_stamp", "logical_of", "tick", "time_of"]

COUNTER_BITS = 16
MAX_STAMP = 2**63 - 1


def tick(last: int, now: int) -> int:
    """The stamp after `last` at wall time `now` (microseconds): 48 bits of milliseconds, 16 of counter.

    When the clock stands still or jumps back, the counter runs on; full, it borrows the next millisecond.

    Examples
    --------
    >>> tick(0, 5_000) == 5 << 16
    True
    >>> tick(5 << 16, 1_000) == (5 << 16) + 1
    True
    """
    return max((now // 1_000) << COUNTER_BITS, last + 1)


def time_of(stamp: int) -> int:
    """Wall time of a stamp, in microseconds."""
    return (stamp >> COUNTER_BITS) * 1_000


def logical_of(stamp: int) -> int:
    """The counter of a stamp: which of those of one millisecond it is."""
    return stamp & ((1 << COUNTER_BITS) - 1)


def first_stamp(moment: int) -> int:
    """The lowest stamp whose wall time is at or after a moment (microseconds), as far as the store holds stamps.

    Examples
    --------
    >>> first_stamp(5_000) == 5 << 16 and first_stamp(5_001) == 6 << 16
    True
    """
    return min(-(-moment // 1_000) << COUNTER_BITS, MAX_STAMP)
