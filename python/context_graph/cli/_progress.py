"""A progress bar on a terminal, and silence elsewhere."""

import math
import sys
import time
from collections.abc import Iterable, Iterator
from operator import length_hint
from typing import TypeVar

__all__ = ["progress"]

T = TypeVar("T")

REFRESH_S = 0.1
BAR = 30
ERASE_LINE = "\r\x1b[K"


def progress(items: Iterable[T], text: str, *, total: int | None = None) -> Iterator[T]:
    """Pass items through; on a terminal, a bar on standard error shows how far they are."""
    terminal = sys.stderr
    if terminal is None or not terminal.isatty():
        yield from items
        return
    total = total or length_hint(items)
    shown = -math.inf
    try:
        for done, item in enumerate(items):
            if time.monotonic() - shown >= REFRESH_S:
                print(f"{ERASE_LINE}{_line(text, done, total)}", end="", file=terminal, flush=True)
                shown = time.monotonic()
            yield item
    finally:
        print(ERASE_LINE, end="", file=terminal, flush=True)


def _line(text: str, done: int, total: int) -> str:
    """A line of less than 80 columns.

    Examples
    --------
    >>> _line("counting", 50, 200)
    'counting           #######-----------------------  50 of 200'
    >>> _line("counting", 50, 0)
    'counting           50'
    """
    if not total:
        return f"{text:<18} {done}"
    full = min(BAR, BAR * done // total)
    return f"{text:<18} {'#' * full:-<{BAR}}  {done} of {total}"
