"""One process at a time brings a home up to date: two would write over each other's files in a shared folder."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from context_graph.errors import ContextGraphError, StoreError

__all__ = ["LOCK", "WAIT_S", "alone"]

LOCK = ".sync.lock"
"""In the home; held by whoever synchronises it, and let go by the system where that is killed."""

WAIT_S = 10.0
"""How long the next one waits."""

RETRY_S = 0.05


@contextmanager
def alone(home: Path, wait_s: float | None = None) -> Iterator[None]:
    """Let no other process synchronise a home meanwhile.

    Parameters
    ----------
    wait_s : float, optional
        Seconds until it gives up; `WAIT_S` by default.

    Raises
    ------
    ContextGraphError
        Another process is still at it.
    StoreError
        The home cannot be written.
    """
    until = time.monotonic() + (WAIT_S if wait_s is None else wait_s)
    try:
        file = os.open(home / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StoreError(f"{home} cannot be written ({error.strerror}): it is not synchronised") from error
    try:
        while not _locked(file):
            if time.monotonic() >= until:
                raise ContextGraphError("another process is synchronising this home; try again when it is done")
            time.sleep(RETRY_S)
        yield
    finally:
        os.close(file)


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
