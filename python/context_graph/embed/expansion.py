"""E13: the words of a text and, weighed by how near they are in meaning, the words that it might have used instead."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from context_graph.embed import static_table
from context_graph.embed.spaces import space
from context_graph.embed.stems import stem_of, term_id, words
from context_graph.embed.wordpiece import pieces, vocabulary
from context_graph.texts import kept_for_texts

__all__ = ["MIN_NEIGHBOUR_COSINE", "NEIGHBOURS", "terms"]

NEIGHBOURS = 8
MIN_NEIGHBOUR_COSINE = 0.5
"""Cosine from which a word may stand for another."""

MAX_EXPANDED_WORDS = 64
"""Words of a question that are expanded."""

_Neighbours = tuple[tuple[int, float], ...]
"""Terms with their cosines."""


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
    asked = [word for word in dict.fromkeys(words(text)) if stem_of(word)][:MAX_EXPANDED_WORDS]
    for neighbours in _neighbours(asked):
        for term, cosine in neighbours:
            found[term] = max(found.get(term, 0.0), cosine)
    return found | {term_id(stem_of(word)): 1.0 for word in asked}


def _neighbours(targets: Sequence[str]) -> list[_Neighbours]:
    """Terms of the words nearest to each word, with their cosines, its own stem left out."""
    cells = [_cell(word) for word in targets]
    fresh = {word: cell for word, cell in zip(targets, cells, strict=True) if not cell}
    if fresh:
        for cell, nearest in zip(fresh.values(), _nearest([*fresh]), strict=True):
            cell.append(nearest)
    return [cell[0] for cell in cells]


@kept_for_texts(maxsize=65_536)
def _cell(word: str) -> list[_Neighbours]:
    """Where the neighbours of a word are kept: those of all new words of a text are looked for at once, since each look
    reads the whole table.
    """
    return []


def _nearest(targets: Sequence[str]) -> list[_Neighbours]:
    vectors = np.zeros((len(targets), static_table.DIMENSIONS), np.float32)
    for vector, word in zip(vectors, targets, strict=True):
        rows = np.array(pieces(word), np.int64)
        if len(rows):
            vector[:] = static_table.weighted_sum(rows, np.ones(len(rows), np.float32))
            vector /= max(float(np.linalg.norm(vector)), 1e-9)
    word_of, whole = _whole_words()
    table = static_table.nearest(vectors, 3 * NEIGHBOURS, whole)  # inflections of a word share a stem
    neighbours = []
    for word, cosines, best in zip(targets, *(part.tolist() for part in table), strict=True):
        found: dict[str, float] = {}
        for piece, cosine in zip(best, cosines, strict=True):
            stem = stem_of(word_of[piece])
            if cosine >= MIN_NEIGHBOUR_COSINE and stem and stem != stem_of(word):
                found.setdefault(stem, cosine)
        neighbours.append(tuple((term_id(stem), cosine) for stem, cosine in list(found.items())[:NEIGHBOURS]))
    return neighbours


@lru_cache(maxsize=1)
def _whole_words() -> tuple[dict[int, str], np.ndarray]:
    """The word pieces that are no parts of words, and which those are: bool (30522,)."""
    known = vocabulary()
    word_of = {piece: word for word, piece in known.items() if word.isalpha() and len(word) > 2 and word.isascii()}
    whole = np.zeros(len(known), bool)
    whole[[*word_of]] = True
    return word_of, whole
