"""A progress bar on a terminal; elsewhere a line now and then, where it takes long."""

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from operator import length_hint
from typing import TypeVar

from context_graph.cli._output import complain
from context_graph.safety.display import printable

__all__ = ["progress"]

T = TypeVar("T")

REFRESH_S = 0.1
LINE_EVERY_S = 10.0
BAR, SHORT_BAR = 30, 10
NAME_CHARS = 28
ERASE_LINE = "\r\x1b[K"
MAX_COLUMNS = 79 + len(ERASE_LINE)


def progress(
    items: Iterable[T], text: str, *, total: int | None = None, name: Callable[[T], str] | None = None
) -> Iterator[T]:
    """Pass items through; on a terminal, a bar on standard error shows how far they are, elsewhere a line every ten
    seconds.

    Parameters
    ----------
    name : callable, optional
        What the last item is called; it is shown with the rate of items a second.
    """
    terminal = sys.stderr
    total = total or length_hint(items)
    if terminal is None:
        yield from items
        return
    if not terminal.isatty():
        yield from _by_lines(items, text, total)
        return
    shown, started = -math.inf, time.monotonic()
    try:
        for done, item in enumerate(items):
            if time.monotonic() - shown >= REFRESH_S:
                rate = done / max(time.monotonic() - started, 1e-9)
                more = f"  {rate:,.0f}/s  {printable(name(item))[-NAME_CHARS:]}" if name is not None else ""
                print(
                    f"{ERASE_LINE}{_line(text, done, total, BAR if name is None else SHORT_BAR)}{more}"[:MAX_COLUMNS],
                    end="",
                    file=terminal,
                    flush=True,
                )
                shown = time.monotonic()
            yield item
    finally:
        print(ERASE_LINE, end="", file=terminal, flush=True)


def _by_lines(items: Iterable[T], text: str, total: int) -> Iterator[T]:
    """Pass items through, and say every few seconds how far they are: in the log of a job that is no longer watched."""
    last_line = time.monotonic()
    for done, item in enumerate(items):
        if time.monotonic() - last_line >= LINE_EVERY_S:
            complain(f"{text}: {done:,}{f' of {total:,}' if total else ''}")
            last_line = time.monotonic()
        yield item


def _line(text: str, done: int, total: int, width: int = BAR) -> str:
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
    full = min(width, width * done // total)
    return f"{text:<18} {'#' * full:-<{width}}  {done} of {total}"
