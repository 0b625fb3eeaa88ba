"""Pauses of Python's garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from context_graph.locks import Rank, lock

__all__ = ["switching", "uncollected"]

switching = lock(Rank.LEAF, "the garbage collector")
"""Held by whoever lets the collector run again, and by who needs that it does not."""


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
