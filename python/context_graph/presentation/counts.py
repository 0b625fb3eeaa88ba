"""How many memories there are, in words."""

from collections.abc import Mapping

__all__ = ["memories_in_words"]


def memories_in_words(counts: Mapping[str, int]) -> str:
    """The memories of `counts()` of a store: those that are not forgotten, and beside them those that are.

    Examples
    --------
    >>> memories_in_words({"memories": 9, "quarantined": 1, "forgotten": 3})
    '9 memories (1 of them in quarantine; besides 3 forgotten)'
    """
    beside = [f"{counts['quarantined']} of them in quarantine"] if counts["quarantined"] else []
    beside += [f"besides {counts['forgotten']} forgotten"] if counts["forgotten"] else []
    return f"{counts['memories']} memories" + (f" ({'; '.join(beside)})" if beside else "")
