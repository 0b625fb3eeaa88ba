"""The words of texts that grow in number, and how much of them a text shares with each."""

import math
from collections import Counter

import numpy as np

from context_graph.cases.dynamic_array import DynamicArray
from context_graph.embed.stems import stem_of, words
from context_graph.kernels import sparse

__all__ = ["WordIndex"]


class WordIndex:
    """Cosine of tf-idf over stems: 1 + ln tf, times ln((1 + n) / (1 + df)) + 1.

    Stop words count too: how a request differs from a refusal is in them, and their rarity weighs them.
    Source: Manning, Raghavan and Schütze, Introduction to information retrieval, 2008, chapter 6.
    """

    def __init__(self) -> None:
        self._index = sparse.Index()
        self._places: dict[str, int] = {}
        """Of each stem, its number."""

        self._terms, self._values, self._texts = DynamicArray("i4"), DynamicArray("f4"), DynamicArray("i4")
        """Of each word of a text: its stem, 1 + ln tf, and the text."""

        self._idf, self._norms = np.zeros(0), np.zeros(0)

    def append(self, text: str) -> None:
        counts = _counts(text)
        terms = [self._places.setdefault(stem, len(self._places)) for stem in counts]
        values = [1.0 + math.log(count) for count in counts.values()]
        for term, value in zip(terms, values, strict=True):
            self._terms.append(term)
            self._values.append(value)
            self._texts.append(len(self._index))
        self._index.append(np.array(terms, np.int64), np.array(values, np.float32), np.array([len(terms)]))

    def cosines(self, text: str) -> np.ndarray | None:
        """How much of its words a text shares with each: float64 (n,) in [0, 1]; None where it has no words."""
        counts = _counts(text)
        if not counts:
            return None
        self._settle()
        unseen = math.log(1 + len(self._index)) + 1
        terms, weights, squares = [], [], 0.0
        for stem, count in counts.items():
            term = self._places.get(stem)
            idf = unseen if term is None else float(self._idf[term])
            weight = (1.0 + math.log(count)) * idf
            squares += weight**2
            if term is not None:
                terms.append(term)
                weights.append(weight * idf)
        dots = self._index.dot(np.array(terms, np.int64), np.array(weights, np.float32)).astype(np.float64)
        cosines: np.ndarray = np.minimum(dots / np.maximum(math.sqrt(squares) * self._norms, 1e-12), 1.0)
        return cosines

    def _settle(self) -> None:
        """The rarity of each stem and the length of each text, where texts have come."""
        count = len(self._index)
        if len(self._norms) == count:
            return
        terms, values, texts = self._terms.array, self._values.array, self._texts.array
        self._idf = np.log((1 + count) / (1 + np.bincount(terms, minlength=len(self._places)))) + 1
        self._norms = np.sqrt(np.bincount(texts, (self._idf[terms] * values) ** 2, minlength=count))


def _counts(text: str) -> Counter[str]:
    return Counter(stem_of(word) or word for word in words(text))
