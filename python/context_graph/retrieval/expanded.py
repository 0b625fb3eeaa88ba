"""The score of E13: BM25 over the words of a question and the words near them in meaning."""

import numpy as np

from context_graph.embed import expansion
from context_graph.index.corpus import Corpus
from context_graph.retrieval.scores import QueryTerms
from context_graph.retrieval.view import View

__all__ = ["scores"]


def scores(corpus: Corpus, question: str, view: View) -> np.ndarray:
    """BM25 of each row of a view, every term times its weight: float32 (m,). The index is that of E6."""
    asked = expansion.terms(question)
    ids = np.array(sorted(asked), np.int64)
    terms = QueryTerms(ids, np.array([asked[term] for term in ids.tolist()], np.float32))
    return corpus.terms.bm25(ids, terms.weights(corpus), ids=view.rows)
