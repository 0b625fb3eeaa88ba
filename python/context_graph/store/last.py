"""The last write, kept beside the store: a log that has lost its tail is sound in itself, and only this tells."""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from context_graph.regex import regex

__all__ = ["Last", "note", "noted"]

NAME = "last-write"
_RECORD = regex(rb"(\d{20}) ([0-9a-f]{64})\n")


class Last(NamedTuple):
    """Sequence number and hash of an event."""

    seq: int
    hash: str


def note(home: Path, seq: int, hash: str) -> None:
    """Keep what was committed last; a disk that takes no more leaves the note as it was.

    It is not synced: after a power cut it may name an older event, never one that the log has not, since the log is on
    the disk before. Of two processes the later may be overtaken, and then an older event is named too.
    """
    with suppress(OSError):
        file = os.open(home / NAME, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            size = os.pwrite(file, b"%020d %s\n" % (seq, hash.encode()), 0)
            if os.fstat(file).st_size != size:  # a change of size is a write to the file system's own log
                os.ftruncate(file, size)
        finally:
            os.close(file)


def noted(home: Path) -> Last | None:
    """What was committed last, as far as it is known."""
    try:
        found = _RECORD.fullmatch((home / NAME).read_bytes())
    except OSError:
        return None
    return Last(int(found[1]), found[2].decode()) if found else None
