"""Feedback: what the best hits say together is asked for once more (RM3; Abdul-Jaleel et al. 2004).

A question about a subject has few of its words; the first hits have more of them. Where the question names something,
the first hits are about other things that share the name, so nothing is asked again there.
"""

import numpy as np

from context_graph.index.corpus import Corpus
from context_graph.retrieval.scores import bm25_terms, idf_of

__all__ = ["HITS", "MIN_HITS", "TERMS", "scores"]

HITS, MIN_HITS = 10, 3
"""Best hits with a word of the question that are read, and how many there must be: what fewer say is not their subject,
and what has no word of the question was found by likeness alone."""

TERMS = 20


def scores(corpus: Corpus, hits: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """BM25 of each row by the words of the hits: int64 (h,), int64 (m,) -> float32 (m,).

    A word weighs its share of each hit, summed over the hits, times how many of them have it, times its rarity; the
    `TERMS` heaviest are asked for. What hits share is their subject; what one says alone leads astray.
    """
    columns, index = corpus.columns, corpus.terms
    terms = np.unique(index.terms_of(hits)[0])
    if len(terms) == 0:
        return np.zeros(len(rows), np.float32)
    idf = idf_of(index.df(terms), corpus.documents)
    counts = index.table(terms, hits)
    share = (counts / np.maximum(columns.length[hits], 1.0)[:, None]).sum(axis=0)
    weight = share * (counts > 0).mean(axis=0) * idf
    heaviest = np.sort(np.argsort(-weight, kind="stable")[:TERMS])
    asked, weight = terms[heaviest], weight[heaviest] / weight[heaviest].max()
    found = bm25_terms(index.table(asked, rows).T, columns.length[rows], idf[heaviest] * weight, index.average_length)
    total: np.ndarray = found.sum(axis=0)
    return total
