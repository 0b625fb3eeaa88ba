"""A progress bar on a terminal, and silence elsewhere."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["progress"]

T = TypeVar("T")


def progress(items: Iterable[T], text: str, *, total: int | None = None) -> Iterator[T]:
    """Pass items through; on a terminal, a bar on standard error shows how far they are."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, f"{text:<18}", total=total, console=Console(stderr=True), transient=True)
