"""How many memories there are, in words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from context_graph.models import NodeState

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["counts_with_past", "memories_in_words"]


def counts_with_past(memory: "Runtime") -> dict[str, int]:
    """`counts()` of the store, and `past_memories`: the live ones that another took the place of, or that ended."""
    now = memory.present()
    columns = memory.store.columns(("state", "valid_to"))
    past = sum(state == NodeState.LIVE and end is not None and end <= now for state, end in columns)
    return {**memory.store.counts(), "past_memories": past}


def memories_in_words(counts: Mapping[str, int]) -> str:
    """The memories of `counts()` of a store: those that are not forgotten, and beside them those that are.

    Parameters
    ----------
    counts : mapping
        As a store counts, or with `past_memories`, which are told where they were counted.

    Examples
    --------
    >>> memories_in_words({"memories": 9, "quarantined": 1, "forgotten": 3})
    '9 memories (1 of them in quarantine; besides 3 forgotten)'
    >>> memories_in_words({"memories": 9, "quarantined": 0, "forgotten": 0, "past_memories": 2})
    '9 memories (2 of them past)'
    """
    beside = [f"{counts['past_memories']} of them past"] if counts.get("past_memories") else []
    beside += [f"{counts['quarantined']} of them in quarantine"] if counts["quarantined"] else []
    beside += [f"besides {counts['forgotten']} forgotten"] if counts["forgotten"] else []
    what = "memory" if counts["memories"] == 1 else "memories"
    return f"{counts['memories']} {what}" + (f" ({'; '.join(beside)})" if beside else "")
