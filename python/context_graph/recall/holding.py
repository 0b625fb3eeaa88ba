"""Which memories have all of some words, or one of them."""

from collections.abc import Iterable

import numpy as np

from context_graph.embed.stems import term_id
from context_graph.index.corpus import Corpus

__all__ = ["holding_all", "holding_any"]


def holding_all(corpus: Corpus, stems: Iterable[str]) -> np.ndarray:
    """Rows that have every one of these words; none for no word."""
    rows: np.ndarray | None = None
    for stem in stems:
        holders = corpus.terms.postings(term_id(stem))[0]
        rows = holders if rows is None else np.intersect1d(rows, holders, assume_unique=True)
    return np.zeros(0, np.int64) if rows is None else np.sort(rows)


def holding_any(corpus: Corpus, stems: Iterable[str]) -> np.ndarray:
    """Rows that have one of these words."""
    holders = [corpus.terms.postings(term_id(stem))[0] for stem in stems]
    return np.unique(np.concatenate(holders)) if holders else np.zeros(0, np.int64)
