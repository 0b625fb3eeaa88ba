"""E6: the words of a memory, its date and its speaker, for exact matching by BM25."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import numpy as np

from context_graph.embed.languages import in_english, native_stems, written_stems
from context_graph.embed.spaces import space
from context_graph.embed.stems import counted, stems, term_id
from context_graph.instants import to_datetime

__all__ = [
    "MAKER",
    "cues",
    "date_words",
    "every_reading",
    "field_text",
    "name_term",
    "names",
    "native",
    "phrase_terms",
    "terms",
    "title_term",
    "titled",
    "word_ids",
    "written",
]

MULTIPLIER = 0x9E3779B97F4A7C15  # odd, so that multiplying by it modulo 2^64 loses nothing

MAKER = "porter-21"
"""Names how a text is read: since the second, names and documentation of code count again; since the third, a model
reads code as it stands; since the fourth, other languages than English are read in English (`languages`); since the
fifth, the form says whether a text has a wish that stands, goes on with what was said, or is of somebody else; since
the sixth, what one owns is of nobody else; since the seventh, whether it instructs, prefers, decides or leaves open;
since the eighth, things are nobody else; since the ninth, whether it is an article; since the tenth, irregular forms
are read as their base (`word_forms`), and what has a digit is nobody; since the eleventh, "died" and abbreviations are,
since the twelfth "weight", and since the thirteenth the form says whether a text is code that begins with a function
or a type;
since the eighteenth the form says whether a text promises something, and "Ravi: dentist at 9" is no entry about Ravi;
since the nineteenth languages without a table have their own stems beside (`other_languages`);
since the twenty-first the form knows open boxes, labels of bugs and what "the user" wants.
"""


@space(id="E6", name="lexical", dim=0, kind="sparse", metric="bm25")
def terms(text: str) -> dict[int, int]:
    """Counts of stop-listed Porter stems by term id; the vocabulary is open, so the space has no fixed width."""
    return counted(text)


def native(text: str, language: str | None = None) -> dict[int, int]:
    """Counts of the stems of a text in its own language; nothing of an English text."""
    return Counter(map(term_id, native_stems(text, language)))


def written(text: str) -> dict[int, int]:
    """Counts of the stems of a text in another language as if it were English."""
    return Counter(map(term_id, written_stems(text)))


def every_reading(word: str, language: str) -> set[int]:
    """The terms of a word as it stands, in its own language and in English."""
    return terms(word).keys() | native(word, language).keys() | terms(in_english(word, language)).keys()


def cues(text: str) -> dict[int, int]:
    """Counts of the stems of a rationale, as terms apart from those of the text.

    Reasons repeat ("for the project"); among the words of the text they would make those words common.
    """
    return Counter(term_id(f"why {stem}") for stem in stems(text))


def names(keys: Iterable[str], titles: Iterable[str] = ()) -> dict[int, int]:
    """The names in a memory, and those it is an entry about, as terms that weigh nothing: they link, never score.

    Parameters
    ----------
    keys, titles : iterable of str
        Names by the key under which their spellings meet.
    """
    found = dict.fromkeys((name_term(key) for key in keys), 0)
    for title in titles:
        found |= {name_term(title): 0, title_term(title): 0}
    return found


def name_term(key: str) -> int:
    """The term under which the memories that mention a name are found."""
    return _phrase_term("name", key)


def title_term(key: str) -> int:
    """The term under which the memories about a name are found."""
    return _phrase_term("title", key)


def _phrase_term(kind: Literal["name", "title"], key: str) -> int:
    """What `phrase_terms` makes of one whole run of words: a few numbers are quicker without arrays."""
    hashed = term_id(kind)
    for word in key.split():
        hashed = (hashed * MULTIPLIER + term_id(word.rstrip("."))) % 2**64
    return hashed >> 1


def word_ids(words: Iterable[str]) -> np.ndarray:
    """Numbers of words, to make terms of phrases from: uint64 (w,). A full stop at the end of one does not count."""
    return np.array([term_id(word.rstrip(".")) for word in words], np.uint64)


def phrase_terms(kind: Literal["name", "title"], words: np.ndarray, longest: int) -> np.ndarray:
    """Terms of every run of 1 to `longest` words: int64 (longest, w), runs that start at word i in column i.

    Runs that would go on past the end have -1. All runs are hashed together, one multiplication a word.
    """
    w, multiplier = len(words), np.uint64(MULTIPLIER)
    found, hashed = np.full((longest, w), -1, np.int64), np.full(w, term_id(kind), np.uint64)
    for length in range(1, min(longest, w) + 1):
        hashed = hashed[: w - length + 1] * multiplier + words[length - 1 :]
        found[length - 1, : w - length + 1] = hashed >> np.uint64(1)
    return found


def titled(text: str, name: str | None) -> str:
    """A text as it is embedded: after the name it was given, where it does not begin with that already."""
    return text if not name or name.lower() in text[:200].lower() else f"{name}. {text}"


def date_words(occurred_at: int) -> str:
    """A moment as people write it, "7 May 2023": microseconds since 1970 -> words."""
    moment = to_datetime(occurred_at)
    return f"{moment.day} {moment:%B} {moment.year}"


def field_text(text: str, *, speaker: str | None, occurred_at: int | None) -> str:
    """What is indexed with a memory: the date where it was given, the speaker, the text."""
    head = [] if occurred_at is None else [date_words(occurred_at) + "."]
    if speaker:
        head.append(f"{speaker}:")
    return " ".join([*head, text])
