"""Of what kind a thing is that has a name of its own: "which database?" is answered by "moved to Postgres"."""

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from context_graph.embed.stems import stem_of
from context_graph.regex import regex
from context_graph.texts import caseless, kept_for_texts

__all__ = ["kinds_asked", "kinds_of", "names_another", "one_at_a_time", "things_in", "things_of"]

READ = 600
"""Characters of a text that are looked at."""


_WORD = regex(r"[^\W_]+(?:['’.-][^\W_]+)*")

_CHANGE_TO_ANOTHER = regex(
    r"\b(?:moved|moving|migrated?|migrating|switch(?:ed|ing)?|chang(?:ed|ing)|replac(?:ed|es|ing)|rewr(?:ote|itten)"
    r"|ported|dropp?(?:ed|ing)|ditch(?:ed|ing)|left|leaving|swapped|traded|goes? to|going to|went (?:with|for|to)"
    r"|go for|going for|go with|going with|instead|rather than|in place of|no longer|any ?more|not .{1,20} any longer"
    r"|from now on|as of|these days|now|since|new|off the table|out of the question"
    r"|too (?:dear|expensive|slow|small|weak|heavy|costly|complicated|unreliable)|fed up with|tired of|gave up|given up"
    r"|put in|decided|settled (?:on|for)|after all|ends? up|turned out|died|broke)\b",
    re.I,
)
_HAD_BESIDE = regex(
    r"\b(?:as well|also|besides|in addition|additionally|another|second|both|still|stays?|remains?|keeps?|kept"
    r"|add(?:ed|ing)?|tr(?:y|ied|ying)|trial|test(?:ed|ing)?|suggest(?:ed|s)?|consider(?:ing|ed)?|maybe|might|could"
    r"|would like|wants?|thinks?|thought|should|says|proposes?|recommends?|argues?|thinking|if|sister|brother"
    r"|neighbou?rs?|their|his|her|for the (?:staging|tests?|demo))\b|\btoo[.!]?$|\?\s*$",
    re.I,
)
"""Names a thing that is had beside, tried, wished for, or somebody else's."""

_Words = tuple[str, ...]


class _Kind(NamedTuple):
    asking: tuple[_Words, ...]
    names: tuple[_Words, ...]
    one: bool
    """One has one at a time."""


@cache
def _kinds() -> tuple[_Kind, ...]:
    lines = (files("context_graph") / "data" / "kinds.txt").read_text("utf-8").splitlines()
    parts = (re.split(r" (:?=) ", line) for line in lines if line and not line.startswith("#"))
    return tuple(_Kind(_all(asking.split(", ")), _all(names.split(" | ")), one == ":=") for asking, one, names in parts)


def _all(phrases: list[str]) -> tuple[_Words, ...]:
    return tuple(dict.fromkeys(_words(phrase) for phrase in phrases))


def _words(text: str) -> _Words:
    """The words of a text as stems; a stop word as it is, for "puts us up" needs it."""
    return tuple(stem_of(word) or word for word in _WORD.findall(caseless(text)))


@cache
def _asking() -> dict[str, list[tuple[_Words, int]]]:
    return _by_first([kind.asking for kind in _kinds()])


@cache
def _named() -> dict[str, list[tuple[_Words, int]]]:
    return _by_first([kind.names for kind in _kinds()])


def _by_first(lists: list[tuple[_Words, ...]]) -> dict[str, list[tuple[_Words, int]]]:
    """Phrases by their first word, with the kind of each."""
    firsts: dict[str, list[tuple[_Words, int]]] = {}
    for kind, phrases in enumerate(lists):
        for phrase in phrases:
            firsts.setdefault(phrase[0], []).append((phrase, kind))
    return firsts


@kept_for_texts(maxsize=64)
def kinds_asked(question: str) -> frozenset[int]:
    """The kinds that a question has a word for, by their places in the list.

    Examples
    --------
    >>> kinds_asked("Which database do we use?") <= kinds_of("Moved everything to Postgres 16.")
    True
    >>> kinds_asked("Where do I live?")
    frozenset()
    """
    return frozenset(kind for kind, _ in _within(_words(question), _asking()))


def kinds_of(text: str) -> frozenset[int]:
    """The kinds of which a text names a thing."""
    return frozenset(kind for kind, _ in things_in(text))


@kept_for_texts(maxsize=1_024)
def things_in(text: str) -> frozenset[tuple[int, _Words]]:
    """The things that a text names, each behind its kind."""
    return frozenset(_within(_words(text[:READ]), _named()))


def things_of(kind: int) -> tuple[_Words, ...]:
    """The names of the things of a kind, word by word."""
    return _kinds()[kind].names


def one_at_a_time(text: str) -> frozenset[int]:
    """The kinds of which a text names a thing, and of which one has one at a time."""
    return frozenset(kind for kind in kinds_of(text) if _kinds()[kind].one)


def names_another(earlier: str, later: str) -> bool:
    """Whether a later statement tells of a change to another thing of a kind of which one has one at a time.

    Examples
    --------
    >>> names_another("Data is kept in MySQL.", "Moved everything to Postgres, the old one was too slow.")
    True
    >>> names_another("Data is kept in MySQL.", "The sister project stays on Postgres.")
    False
    """
    kinds = one_at_a_time(earlier) & one_at_a_time(later)
    if not kinds or _HAD_BESIDE.search(later) or not _CHANGE_TO_ANOTHER.search(later):
        return False
    before, now = ({thing for thing in things_in(text) if thing[0] in kinds} for text in (earlier, later))
    return any(kind in {new for new, _ in now - before} for kind, _ in before)


def _within(words: _Words, phrases: dict[str, list[tuple[_Words, int]]]) -> list[tuple[int, _Words]]:
    return [
        (kind, phrase)
        for at, word in enumerate(words)
        for phrase, kind in phrases.get(word, ())
        if words[at : at + len(phrase)] == phrase
    ]
