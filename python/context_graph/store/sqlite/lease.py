"""A lease: work that one process at a time does, whichever it is."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from context_graph.errors import StoreBusy
from context_graph.store.sqlite.connection import translated

__all__ = ["lease"]

FOLDER = "leases"


@contextmanager
def lease(home: Path, name: str) -> Iterator[bool]:
    """Whether this is the only holder of a lease, for as long as the block lasts; never waits for another.

    The lease is the write lock of an empty database of its own, so a process that dies loses it at once.
    """
    folder = home / FOLDER
    path = folder / f"{name}.sqlite3"
    with translated(path):
        folder.mkdir(mode=0o700, exist_ok=True)
        connection = apsw.Connection(str(path))
    with closing(connection):
        try:
            with translated(path):
                connection.execute("BEGIN EXCLUSIVE")
            held = True
        except StoreBusy:
            held = False
        yield held
