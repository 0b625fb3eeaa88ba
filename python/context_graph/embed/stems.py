"""Words of a text as stop-listed Porter stems: the terms of the lexical space."""

from hashlib import blake2b
from itertools import chain

import Stemmer

from context_graph.embed.word_forms import base_form
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = [
    "STOP_WORDS", "counted", "distinct_stems", "split_identifier", "stem_of", "stems", "term_id", "words",
]  # fmt: skip

STOP_WORDS = frozenset(
    """a about an and any are as at be been but by can could did do does doing for from had has have having he her
    here hers him his how i if in into is it its itself just me might more most my myself no nor not of off on
    once only or other our ours out over own s same she should so some such t than that the their theirs them then
    there these they this those through to too under until up very was we were what when where which while who
    whom why will with would you your yours d ll m o re ve am""".split()
)

_WORDS = regex(r"[^\W_]+(?:['’][^\W_]+)?")
_CAPITAL = regex("[A-Z]")
"""Behind the first letter of every identifier of several parts, and of few words."""

_CAMEL = regex(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_stemmer = Stemmer.Stemmer("porter", 0)  # its own cache is not safe across threads; ours is


@kept_for_texts(maxsize=256)  # one memory is read for words, letters, names and reasons
def words(text: str) -> tuple[str, ...]:
    """Lower-cased words; an identifier also gives its parts, so `parseHTMLPage` is found by "html"."""
    return tuple(chain.from_iterable(map(_forms, _WORDS.findall(text))))


@kept_for_texts(maxsize=65_536)
def _forms(word: str) -> tuple[str, ...]:
    """A word in lower case, and the parts of an identifier."""
    plain = word.lower().replace("’", "'").removesuffix("'s")
    parts = split_identifier(word) if _CAPITAL.search(word, 1) else ()
    return (plain, *parts) if len(parts) > 1 else (plain,)


@kept_for_texts(maxsize=65_536)
def split_identifier(word: str) -> tuple[str, ...]:
    return tuple(part.lower() for part in _CAMEL.split(word) if part)


@kept_for_texts(maxsize=65_536)
def stem_of(word: str) -> str:
    """The stem of a lower-cased word; empty for a stop word."""
    return "" if word in STOP_WORDS else _stemmer.stemWord(base_form(word))


@kept_for_texts(maxsize=256)
def stems(text: str) -> tuple[str, ...]:
    """Stems in reading order, stop words left out."""
    return tuple(filter(None, map(stem_of, words(text))))


@kept_for_texts(maxsize=16_384)
def _stems_of_word(word: str) -> frozenset[str]:
    """The stems of a word as it is written, and of its parts."""
    return frozenset(filter(None, map(stem_of, _forms(word))))


def distinct_stems(text: str) -> frozenset[str]:
    """`stems(text)`, each once; from words each once, which of a long text takes half the time."""
    return frozenset().union(*map(_stems_of_word, frozenset(_WORDS.findall(text))))


def counted(text: str) -> dict[int, int]:
    """How often each term occurs, by term id."""
    counts: dict[int, int] = {}
    for term in map(term_id, stems(text)):
        counts[term] = counts.get(term, 0) + 1
    return counts


@kept_for_texts(maxsize=262_144)
def term_id(stem: str) -> int:
    """A stable 63-bit id: the vocabulary is open, and no table has to be shared between processes."""
    return int.from_bytes(blake2b(stem.encode("utf-8", "replace"), digest_size=8).digest(), "little") >> 1
