"""Memory that work has freed goes back to the system."""

import ctypes
from typing import TYPE_CHECKING

from context_graph.runtime.tasks import Every, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["trim"]

TRIMMED_EVERY_S = 60.0


@task("trim", trigger=Every(TRIMMED_EVERY_S), slow=True)
def trim(memory: "Runtime", round: Round) -> None:
    """Let the C allocator return its free pages, which takes it a millisecond.

    glibc keeps what was freed, for each thread that asked for it: after a day of permanent deletions by several threads
    that is as much as the memory itself. Where the allocator is another one, nothing is done.
    """
    release = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if release is not None:
        release(0)
