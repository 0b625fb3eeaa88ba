"""A change of one entry of a list ends nothing of another: the new port of the API is none of the documentation."""

import re

from context_graph.embed.stems import stem_of
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["entry_apart"]

MAX_ENTRY_LIST_CHARS, MAX_ENTRIES_READ, MAX_ENTRY_WORDS = 1_200, 24, 8
"""Characters of a list and entries of it that are read, and words of an entry of a list in one line."""

_ITEM = regex(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+(\S.*)$|^[ \t]*\|(.*)\|[ \t]*$", re.M)
_LABELLED_LINE = regex(r"^[ \t]*[^\s:][^:\n]{0,40}:[ \t].+$", re.M)
_IN_LINE = regex(r"^[^:\n]{1,40}:[ \t]+([^\n]+)$")
_TOKEN = regex(r"[^\W_]+")


def entry_apart(question: str, earlier: str, later: str) -> bool:
    """Whether the earlier of two statements is a list, the question is for one of its entries, and the later one is
    about others alone: by words that one entry has and no other.

    Examples
    --------
    >>> ports = "Ports:\\n- api 8000\\n- docs 8001"
    >>> entry_apart("Which port do the docs use?", ports, "api port: 8000 -> 8080")
    True
    >>> entry_apart("Which port does the api use?", ports, "api port: 8000 -> 8080")
    False
    >>> levels = "Log level: staging DEBUG, production INFO"
    >>> entry_apart("Which log level does staging have?", levels, "Production log level set to WARNING.")
    True
    """
    own = _own_words(earlier)
    if len(own) < 2:
        return False
    of_question, changed = (_entries_of(text, own) for text in (question, later))
    return bool(of_question and changed) and of_question.isdisjoint(changed)


def _entries_of(text: str, own: tuple[frozenset[str], ...]) -> set[int]:
    words = _words(text[:MAX_ENTRY_LIST_CHARS])
    return {place for place, entry in enumerate(own) if not words.isdisjoint(entry)}


@kept_for_texts(maxsize=512)
def _own_words(text: str) -> tuple[frozenset[str], ...]:
    """Of each entry of a list the words that no other has; empty for what is no list."""
    entries = [_words(entry) for entry in _entries(text[:MAX_ENTRY_LIST_CHARS])]
    return tuple(
        entry.difference(*(other for place, other in enumerate(entries) if place != number))
        for number, entry in enumerate(entries)
    )


def _entries(text: str) -> list[str]:
    items = [match[1] or match[2] for match in _ITEM.finditer(text)]
    if len(items) < 2:
        items = _LABELLED_LINE.findall(text)
    if len(items) < 2 and (match := _IN_LINE.match(text.strip())):
        items = re.split(r"[,;] ", match[1])
        if max(len(item.split()) for item in items) > MAX_ENTRY_WORDS:
            return []
    return items[:MAX_ENTRIES_READ] if len(items) > 1 else []


def _words(text: str) -> frozenset[str]:
    """Stems of the words of a text, also of those of which a name in code is made; no numbers."""
    return frozenset(stem_of(word.lower()) for word in _TOKEN.findall(text) if len(word) > 2 and not word.isdigit())
