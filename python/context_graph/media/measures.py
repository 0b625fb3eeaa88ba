"""What the header of a file says of its size, parts within parts, and how a damaged file is refused."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from context_graph.errors import InvalidInput

__all__ = ["Measures", "cut", "find"]


class Measures(NamedTuple):
    """Pixels and seconds; None where a file has none or does not say."""

    width: int | None = None
    height: int | None = None
    duration_s: float | None = None


def cut(name: str, why: str) -> InvalidInput:
    """The error for a file that is not whole."""
    return InvalidInput(f"the {name} file is cut or damaged: {why}; send it whole")


def find(
    walk: Callable[[bytes, int, int], Iterator[tuple[bytes | int, int, int]]],
    data: bytes,
    path: tuple[bytes | int, ...],
    start: int = 0,
    end: int | None = None,
) -> Iterator[tuple[int, int]]:
    """The contents of the parts at a path: first and last byte of each.

    No part reaches past the one it is in, or many would share what follows and it would be read anew for each.

    Parameters
    ----------
    walk : callable
        File, start and end -> name, first and last byte of the content of each part between.
    """
    end = len(data) if end is None else end
    for name, first, last in walk(data, start, end):
        if name == path[0]:
            last = min(last, end)
            if len(path) == 1:
                yield first, last
            else:
                yield from find(walk, data, path[1:], first, last)
