"""Keyword search over documents: BM25 over title, tags, headings and text, and the passage that shows why."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from context_graph.knowledge.document import Document
from context_graph.regex import regex

__all__ = ["KeywordIndex", "Match", "counted", "snippet"]

K1, B = 1.2, 0.75
TITLE_WEIGHT = 3
"""How often a word of the title, a tag or a heading counts."""

SNIPPET_CHARS = 240
_WORD = regex(r"\w+")
_UNSPACED = regex("([々\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+)")
"""Ideographs, kana and Hangul: words of them stand without blanks between, or with particles attached."""


class WordCounts(NamedTuple):
    """How often a document has each word, and how many words it has."""

    by_word: Mapping[str, int]
    total: int


class Match(NamedTuple):
    """A document by its place, and its score."""

    place: int
    score: float


def stems(text: str, *, of_query: bool = False) -> list[str]:
    """The words of a text by their stems, whether accents are composed or not.

    Of Chinese, Japanese and Korean, the characters and every two that stand together; of a query the pairs alone, but
    for a character by itself.

    Examples
    --------
    >>> stems("Two 検索"), stems("検索", of_query=True)
    (['two', '検', '索', '検索'], ['検索'])
    """
    import Stemmer

    words = _WORD.findall(normalize("NFC", text).casefold())
    if not text.isascii() and _UNSPACED.search(text):
        words = list(chain.from_iterable(_parts(word, of_query) for word in words))
    stemmed: list[str] = Stemmer.Stemmer("english").stemWords(words)
    return stemmed


def _parts(word: str, of_query: bool) -> Iterator[str]:
    """A word, of which each run of characters that has no blanks is cut into characters and pairs of them."""
    for place, part in enumerate(_UNSPACED.split(word)):
        if not place % 2:
            yield from [part] if part else ()
            continue
        if not of_query or len(part) == 1:
            yield from part
        yield from map("".join, pairwise(part))


def counted(document: Document) -> WordCounts:
    """The words of a document."""
    counts = Counter(stems(document.text))
    for part in (document.title, document.path, *document.tags, *document.headings):
        for stem in stems(part):
            counts[stem] += TITLE_WEIGHT
    return WordCounts(counts, counts.total())


class KeywordIndex:
    """Documents by their words.

    Which documents have a word is looked up when it is asked for first: an index is made anew after every change of a
    document, and few words are asked for.

    Parameters
    ----------
    counts : sequence of WordCounts
        By place.
    """

    def __init__(self, counts: Sequence[WordCounts]) -> None:
        self._size = len(counts)
        self._counts = [words.by_word for words in counts]
        self._postings: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        lengths = np.array([words.total for words in counts], float)
        self._norm = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean()) if len(lengths) else 1.0))

    def matches(self, query: str) -> list[Match]:
        """The documents that have a word of the query, the best first; by place where they are equal."""
        scores = np.zeros(self._size)
        for stem in dict.fromkeys(stems(query, of_query=True)):
            places, counts = self._posted(stem)
            if len(places):
                idf = np.log(1 + (self._size - len(places) + 0.5) / (len(places) + 0.5))
                scores[places] += idf * counts * (K1 + 1) / (counts + self._norm[places])
        found = np.flatnonzero(scores)
        order = found[np.lexsort((found, -scores[found]))]
        return [Match(int(place), float(scores[place])) for place in order]

    def _posted(self, word: str) -> tuple[np.ndarray, np.ndarray]:
        """The places of the documents that have a word, and how often each has it."""
        if word not in self._postings:
            has = [(place, words[word]) for place, words in enumerate(self._counts) if word in words]
            places, counts = np.array(has, np.int64).reshape(-1, 2).T
            self._postings[word] = places, counts
        return self._postings[word]


def snippet(text: str, query: str) -> str:
    """The passage of a text that has the most words of a query, on one line."""
    text = normalize("NFC", text)
    spans = _spans(text, set(stems(query, of_query=True)))
    start = max(_windows(spans), default=(0, 0))[1]
    begin = text.rfind("\n", 0, start) + 1
    begin = begin if start - begin < SNIPPET_CHARS // 2 else text.rfind(" ", 0, start - SNIPPET_CHARS // 4) + 1
    cut = " ".join(text[begin : begin + SNIPPET_CHARS].split())
    return ("…" if begin else "") + cut + ("…" if begin + SNIPPET_CHARS < len(text) else "")


def _spans(text: str, wanted: Collection[str]) -> list[tuple[int, str]]:
    """Where the words of a text stand that have a wanted stem, each with it.

    A stem begins as its word does: words with another first letter are passed over, but for those beyond ASCII, of
    which some fold to letters of it.
    """
    import Stemmer

    letters = {stem[0] for stem in wanted if stem[0].isascii()}
    first = "".join(sorted(letters | {letter.upper() for letter in letters}))
    may = [(found.start(), found[0]) for found in re.finditer(rf"[{first}\x80-\U0010ffff](?<=\w)(?<!\w\w)\w*", text)]
    words = list({word for _, word in may})  # to make a stemmer for each word is slow
    stemmed = Stemmer.Stemmer("english").stemWords([word.casefold() for word in words])
    stem_by_word = {word: stem for word, stem in zip(words, stemmed, strict=True) if stem in wanted}
    spans = [(start, stem_by_word[word]) for start, word in may if word in stem_by_word]
    if unspaced := [stem for stem in wanted if _UNSPACED.search(stem)]:
        pairs = re.finditer("|".join(map(re.escape, unspaced)), text)
        spans = sorted({*spans, *((pair.start(), pair[0]) for pair in pairs)})
    return spans


def _windows(spans: Sequence[tuple[int, str]]) -> Iterable[tuple[int, int]]:
    """How many different words begin within a passage of each hit, and where; the earliest of the best."""
    best: dict[int, int] = {}
    for place, (start, _) in enumerate(spans):
        within = {stem for at, stem in spans[place : place + 40] if at < start + SNIPPET_CHARS}
        if len(within) not in best:
            best[len(within)] = start
    return list(best.items())
