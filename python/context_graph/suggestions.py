"""Which of several names somebody meant who wrote another one."""

import re
from collections.abc import Collection, Mapping

__all__ = ["nearest", "synonyms"]

MISSPELT = 0.8
"""Likeness of two names, as difflib measures it, from which on one is the other with a slip of the fingers."""

LIKE = 0.6
"""The same from which on one may be meant by the other where nothing else is known."""

MAX_COMPARED_CHARS = 80


def synonyms(words_by_name: Mapping[str, str]) -> dict[str, str]:
    """By other word the name that it means, from the other words of each name, parted by spaces."""
    return {word: name for name, words in words_by_name.items() for word in words.split()}


def nearest(
    written: str, names: Collection[str], meant_by: Mapping[str, str] | None = None, *, cutoff: float = LIKE
) -> str | None:
    """The name that is meant by what was written; None where nothing is near.

    In this order: a synonym; the same with a slip of the fingers; what has a synonym among its words; the likest.

    Parameters
    ----------
    meant_by : mapping, optional
        `synonyms`.
    cutoff : float
        Least likeness of the likest, in [0, 1].

    Examples
    --------
    >>> nearest("serch", ["search", "store"]), nearest("xyz", ["search", "store"])
    ('search', None)
    >>> nearest("addMemory", ["search", "store"], synonyms({"store": "add keep"}))
    'store'
    """
    from difflib import get_close_matches  # needed by mistakes alone

    written, by_synonym = written[:MAX_COMPARED_CHARS], meant_by or {}
    if written.lower() in by_synonym:
        return by_synonym[written.lower()]
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", written).lower())
    candidates = [
        *get_close_matches(written, names, n=1, cutoff=MISSPELT),
        *(by_synonym[word] for word in words if word in by_synonym),
        *get_close_matches(written, names, n=1, cutoff=cutoff),
    ]
    return candidates[0] if candidates else None
