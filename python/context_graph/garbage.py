"""Pauses of Python's garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from context_graph.locks import Rank, lock

__all__ = ["look_briefly", "look_seldom", "switching", "uncollected"]

switching = lock(Rank.LEAF, "the garbage collector")
"""Held by whoever lets the collector run again, and by who needs that it does not."""

LOADING, SERVING = (50_000, 10, 10), (5_000, 3, 300)
"""Objects between two looks for garbage, and looks at the young between two at the older ones and at all.

Loading modules makes many objects and leaves no garbage: looking every 700 costs 6 %. What calls make is mostly kept in
caches: one look at 50,000 objects takes 25 ms of one call, ten at 5,000 take 2 ms each of ten. All are looked at after
six million in both.
"""


def look_seldom() -> None:
    """The collector of a process that loads: for a server before its first call."""
    gc.set_threshold(*LOADING)


def look_briefly() -> None:
    """The collector of a server that has loaded: more looks, each shorter. One that was not told to `look_seldom` stays
    as it is."""
    if gc.get_threshold() == LOADING:
        gc.set_threshold(*SERVING)


@contextmanager
def uncollected() -> Iterator[None]:
    """The collector waits until the block ends, unless it is off anyway: for work that makes many objects and keeps
    them until its end, through which it would look again and again.

    It belongs to the process. Where two threads pause it, the first that ends may let it run in the other's block.

    Examples
    --------
    >>> with uncollected():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            with switching:
                gc.enable()
