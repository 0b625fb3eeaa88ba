"""One question through several ways to rank, on the same indexes and among the same memories.

The caller holds the lock of the indexes.
"""

import numpy as np

from context_graph.embed import QueryVectors
from context_graph.index.corpus import Corpus
from context_graph.memory import Memory
from context_graph.recall.query import query_for
from context_graph.recall.sources import retrieve
from context_graph.retrieval.scores import QueryTerms
from context_graph.retrieval.types import CandidatePool

__all__ = ["by_meaning", "by_rank", "by_words", "whole"]


def by_words(corpus: Corpus, vectors: QueryVectors, mask: np.ndarray, k: int) -> np.ndarray:
    """BM25 alone: rows, best first; only those that share a word."""
    terms = QueryTerms.of(vectors)
    scores, rows = corpus.terms.search(terms.ids, terms.weights(corpus), k, mask=_whole(corpus, mask), bm25=True)
    return rows[(rows >= 0) & (scores > 0)]


def by_meaning(corpus: Corpus, vectors: QueryVectors, mask: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Cosine of E1 alone: rows, best first, and their cosines."""
    rows = np.flatnonzero(mask)
    cosines = corpus.semantic.scores(vectors.semantic[None], ids=rows)[0]
    best = np.lexsort((rows, -cosines))[:k]
    return rows[best], cosines[best]


def whole(memory: Memory, corpus: Corpus, vectors: QueryVectors, mask: np.ndarray, k: int) -> CandidatePool:
    """The whole pipeline, as search_graph runs it."""
    return retrieve(memory, corpus, query_for(memory, corpus, vectors, _whole(corpus, mask), k))


def by_rank(memory: Memory, corpus: Corpus, vectors: QueryVectors, mask: np.ndarray, k: int) -> np.ndarray:
    """The scores of the pipeline joined by reciprocal rank: rows, best first."""
    query = query_for(memory, corpus, vectors, _whole(corpus, mask), k, method="rrf")
    return retrieve(memory, corpus, query).rows


def _whole(corpus: Corpus, mask: np.ndarray) -> np.ndarray:
    """A mask for all memories of today: those that were stored since it was made are left out."""
    return np.pad(mask, (0, len(corpus) - len(mask)))
