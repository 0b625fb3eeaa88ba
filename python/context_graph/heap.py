"""The heap of the C allocator: freed memory that the process keeps. On other systems than glibc nothing is done."""

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["HeapUse", "heap_use", "limit_arenas", "trim"]

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


class HeapUse(NamedTuple):
    """Bytes that the allocator has from the system, and those of them that are in use."""

    total: int
    used: int


class _Mallinfo(ctypes.Structure):
    """`struct mallinfo2` of <malloc.h>."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    ]  # fmt: skip


def heap_use() -> HeapUse | None:
    """How large the heap is; None where the C library does not tell."""
    mallinfo: Any = _of_libc("mallinfo2")
    if mallinfo is None:
        return None
    mallinfo.restype = _Mallinfo
    info = mallinfo()
    return HeapUse(info.arena + info.hblkhd, info.uordblks + info.hblkhd)


def _of_libc(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None)
