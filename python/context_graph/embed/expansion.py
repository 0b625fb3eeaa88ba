"""E13: the words of a text and, weighed by how near they are in meaning, the words that it might have used instead."""

from functools import lru_cache

import numpy as np

from context_graph.embed import static_table
from context_graph.embed.spaces import space
from context_graph.embed.stems import stem_of, term_id, words
from context_graph.embed.wordpiece import pieces, vocabulary
from context_graph.texts import kept_for_texts

__all__ = ["LEAST", "NEIGHBOURS", "terms"]

NEIGHBOURS = 8
LEAST = 0.5
"""Cosine from which a word may stand for another."""

MOST_WORDS = 64
"""Words of a question that are expanded."""


@space(id="E13", name="expanded", dim=0, kind="sparse", metric="bm25")
def terms(text: str) -> dict[int, float]:
    """The stems of a text with weight 1, and those of their nearest words with the cosine: term id -> weight.

    Neighbours come from the shipped static table, among the words that it holds whole.

    Examples
    --------
    >>> from context_graph.embed.stems import term_id
    >>> 0.5 <= terms("doctor")[term_id("physician")] < terms("doctor")[term_id("doctor")] == 1.0
    True
    """
    found: dict[int, float] = {}
    asked = [word for word in dict.fromkeys(words(text)) if stem_of(word)][:MOST_WORDS]
    for word in asked:
        for term, cosine in _neighbours(word):
            found[term] = max(found.get(term, 0.0), cosine)
    return found | {term_id(stem_of(word)): 1.0 for word in asked}


@kept_for_texts(maxsize=65_536)
def _neighbours(word: str) -> tuple[tuple[int, float], ...]:
    """Terms of the words nearest to one, each with its cosine, its own stem left out."""
    rows = np.array(pieces(word), np.int64)
    if len(rows) == 0:
        return ()
    known, vectors = _whole_words()
    asked = static_table.weighted_sum(rows, np.ones(len(rows), np.float32))
    asked /= max(float(np.linalg.norm(asked)), 1e-9)
    cosines = vectors @ asked
    best = np.argpartition(-cosines, 3 * NEIGHBOURS)[: 3 * NEIGHBOURS]  # inflections of a word share a stem
    found: dict[str, float] = {}
    for row in best[np.lexsort((best, -cosines[best]))].tolist():
        stem = stem_of(known[row])
        if cosines[row] >= LEAST and stem and stem != stem_of(word):
            found.setdefault(stem, float(cosines[row]))
    return tuple((term_id(stem), cosine) for stem, cosine in list(found.items())[:NEIGHBOURS])


@lru_cache(maxsize=1)
def _whole_words() -> tuple[list[str], np.ndarray]:
    """The words of the vocabulary that are no parts of words, and their unit vectors: float32 (w, 256)."""
    known = [
        (piece, row) for piece, row in vocabulary().items() if piece.isalpha() and len(piece) > 2 and piece.isascii()
    ]
    vectors = static_table.rows(np.array([row for _, row in known]))
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return [piece for piece, _ in known], vectors
