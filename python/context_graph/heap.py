"""The heap of the C allocator: freed memory that the process keeps. On other systems than glibc nothing is done."""

import ctypes
from collections.abc import Callable

__all__ = ["limit_arenas", "trim"]

ARENAS = 2
M_ARENA_MAX = -8
"""Of <malloc.h>."""


def limit_arenas() -> None:
    """Let all threads share two arenas; call it before threads start.

    Each arena keeps what its busiest moment took, and glibc makes up to eight for each processor. Threads of Python
    hardly ever allocate at the same time.
    """
    if mallopt := _of_libc("mallopt"):
        mallopt(M_ARENA_MAX, ARENAS)


def trim() -> None:
    """Give free pages back to the system, which takes a millisecond."""
    if malloc_trim := _of_libc("malloc_trim"):
        malloc_trim(0)


def _of_libc(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None)
