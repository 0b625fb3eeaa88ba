"""Keyword search over documents: BM25 over title, tags, headings and text, and the passage that shows why."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from context_graph.knowledge.document import Document
from context_graph.regex import regex

__all__ = ["KeywordIndex", "Match", "counted", "snippet"]

K1, B = 1.2, 0.75
TITLE_WEIGHT = 3
"""How often a word of the title, a tag or a heading counts."""

SNIPPET_CHARS = 240
_WORD = regex(r"\w+")


class Match(NamedTuple):
    """A document by its place, and its score."""

    place: int
    score: float


def stems(text: str) -> list[str]:
    """The words of a text by their stems."""
    import Stemmer

    words = _WORD.findall(text.casefold())
    stemmed: list[str] = Stemmer.Stemmer("english").stemWords(words)
    return stemmed


def counted(document: Document) -> Mapping[str, int]:
    """How often a document has each word."""
    counts = Counter(stems(document.text))
    for part in (document.title, document.path, *document.tags, *document.headings):
        for stem in stems(part):
            counts[stem] += TITLE_WEIGHT
    return counts


class KeywordIndex:
    """Documents by their words.

    Parameters
    ----------
    counts : sequence of mapping
        By place, how often the document has each word.
    """

    def __init__(self, counts: Sequence[Mapping[str, int]]) -> None:
        by_word: dict[str, tuple[list[int], list[int]]] = {}
        for place, words in enumerate(counts):
            for word, count in words.items():
                places, times = by_word.setdefault(word, ([], []))
                places.append(place)
                times.append(count)
        self._size = len(counts)
        self._postings = by_word
        lengths = np.array([sum(words.values()) for words in counts], float)
        self._norm = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean()) if len(lengths) else 1.0))

    def matches(self, query: str) -> list[Match]:
        """The documents that have a word of the query, the best first; by place where they are equal."""
        scores = np.zeros(self._size)
        for stem in dict.fromkeys(stems(query)):
            if stem in self._postings:
                places, counts = (np.array(part) for part in self._postings[stem])
                idf = np.log(1 + (self._size - len(places) + 0.5) / (len(places) + 0.5))
                scores[places] += idf * counts * (K1 + 1) / (counts + self._norm[places])
        found = np.flatnonzero(scores)
        order = found[np.lexsort((found, -scores[found]))]
        return [Match(int(place), float(scores[place])) for place in order]


def snippet(text: str, query: str) -> str:
    """The passage of a text that has the most words of a query, on one line."""
    meant = _stems_of(text, set(stems(query)))
    spans = [(found.start(), meant[found[0]]) for found in _WORD.finditer(text) if found[0] in meant]
    start = max(_windows(spans), default=(0, 0))[1]
    begin = text.rfind("\n", 0, start) + 1
    begin = begin if start - begin < SNIPPET_CHARS // 2 else text.rfind(" ", 0, start - SNIPPET_CHARS // 4) + 1
    cut = " ".join(text[begin : begin + SNIPPET_CHARS].split())
    return ("…" if begin else "") + cut + ("…" if begin + SNIPPET_CHARS < len(text) else "")


def _stems_of(text: str, wanted: Collection[str]) -> dict[str, str]:
    """The words of a text that have a wanted stem, each with it; to make a stemmer for each word is slow."""
    import Stemmer

    words = list(set(_WORD.findall(text)))
    stemmed = Stemmer.Stemmer("english").stemWords([word.casefold() for word in words])
    return {word: stem for word, stem in zip(words, stemmed, strict=True) if stem in wanted}


def _windows(spans: Sequence[tuple[int, str]]) -> Iterable[tuple[int, int]]:
    """How many different words begin within a passage of each hit, and where; the earliest of the best."""
    best: dict[int, int] = {}
    for place, (start, _) in enumerate(spans):
        within = {stem for at, stem in spans[place : place + 40] if at < start + SNIPPET_CHARS}
        if len(within) not in best:
            best[len(within)] = start
    return list(best.items())
