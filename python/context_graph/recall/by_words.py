"""Answering a question by its words alone: the lexical space E6, without reading the question in any other."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed import QueryVectors, lexical
from context_graph.embed.languages import in_english
from context_graph.embed.static_table import DIMENSIONS
from context_graph.index.corpus import Corpus
from context_graph.recall.query import as_spelled
from context_graph.retrieval.scores import QueryTerms
from context_graph.retrieval.types import CandidatePool, Query

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["MIN_SHARE", "best_by_words", "words_of"]

MAX_BY_WORDS = 10
"""Results: what each of them became is judged by comparing it with the others, which costs more than finding it."""

MIN_SHARE = 0.5
"""Share of a question's words, by their rarity, that a memory holds from which it is told. Set by hand."""


def words_of(
    memory: "Runtime", corpus: Corpus, text: str, visible: Callable[[], np.ndarray] | None = None
) -> QueryVectors:
    """A question in the lexical space, spelled as the memories spell it; its vectors are empty, no model reads it."""
    text = as_spelled(memory, corpus, text, visible)
    native, nothing = lexical.native(text), np.zeros(0, np.float32)
    english = in_english(text)
    return QueryVectors(
        english, nothing, nothing, np.zeros((0, DIMENSIONS), np.float32), nothing, lexical.terms(english),
        lexical.cues(english), original=text, readings=(native,) if native else (),
    )  # fmt: skip


def best_by_words(corpus: Corpus, query: Query) -> CandidatePool:
    """The best memories by BM25, best first; the caller holds the lock of the corpus."""
    started = time.perf_counter()
    terms, count = QueryTerms.of(query.vectors), min(query.top_k, MAX_BY_WORDS)
    rows, scores = np.zeros(0, np.int64), np.zeros(0, np.float32)
    if len(terms.ids) and len(corpus):
        scores, rows = corpus.terms.search(terms.ids, terms.weights(corpus), count, mask=query.mask, bm25=True)
        matching = (rows >= 0) & (scores > 0)
        rows, scores = rows[matching], scores[matching]
    pool = CandidatePool(rows, scores, {"words": scores}, {"words": scores})
    ms = round(1000 * (time.perf_counter() - started), 3)
    pool.trace.append({"stage": "by_words", "in": int(np.count_nonzero(query.mask)), "out": len(rows), "ms": ms})
    return pool
