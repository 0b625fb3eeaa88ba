"""A backup in the place of a store that does not open; what was there is kept beside it."""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from context_graph.errors import StoreError
from context_graph.models import Author
from context_graph.store import last
from context_graph.store.files import make_folder, synchronise
from context_graph.store.records import Restored
from context_graph.store.sqlite.backup import DAMAGED
from context_graph.store.sqlite.prepare import NAME
from context_graph.store.sqlite.store import Store

__all__ = ["recover"]

BESIDE = ("", "-wal", "-shm", "-journal")
"""What the names of a store and of the files that SQLite keeps beside it end in."""


def recover(
    home: Path, source: Path, author: Author, *, clock: Callable[[], int], new_id: Callable[[], str]
) -> Restored:
    """Put a backup in the place of a store that is damaged or lost, without opening that.

    The backup is checked and made a store of its own first, so that one that is not sound changes nothing. Processes
    that have the former file open write nothing more to it and must be started anew.

    Returns
    -------
    Restored
        `kept` is where the damaged file lies now; None where there was none.

    Raises
    ------
    StoreCorrupt
        The backup is not sound.
    StoreError
        The home cannot be written.
    """
    try:
        make_folder(home)
        with TemporaryDirectory(prefix=".restoring-", dir=home) as folder:
            with Store.open(Path(folder), clock=clock, new_id=new_id, flush_seconds=None) as store:
                restored = store.restore(source, author)
            damaged = _set_aside(home, clock())
            os.replace(Path(folder) / NAME, home / NAME)
            synchronise(home)
    except OSError as error:
        raise StoreError(f"no backup was put back into {home}: {error.strerror or error}; make it writable") from error
    last.note(home, restored.event.seq, restored.event.hash)
    return replace(restored, kept=damaged)


def _set_aside(home: Path, now: int) -> Path | None:
    """Rename a store, and what SQLite keeps beside it, so that together they can still be looked into."""
    stamp = datetime.fromtimestamp(now / 1_000_000, UTC).strftime("%Y%m%dT%H%M%SZ")
    name, number = f"{NAME}{DAMAGED}{stamp}", 1
    while any((home / f"{name}{end}").exists() for end in BESIDE):
        number += 1
        name = f"{NAME}{DAMAGED}{stamp}-{number}"
    there = os.path.lexists(home / NAME)
    for end in reversed(BESIDE):  # the store last: until then what it lacks would be found missing
        if os.path.lexists(home / f"{NAME}{end}"):
            os.rename(home / f"{NAME}{end}", home / f"{name}{end}")
    return home / name if there else None
