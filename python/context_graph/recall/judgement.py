"""How likely each result of a search matters, and whether anything here is about the question."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from context_graph.embed import QueryVectors, lexical
from context_graph.embed.languages import language_of
from context_graph.index.corpus import Corpus
from context_graph.recall.query import query_for
from context_graph.recall.sources import retrieve
from context_graph.retrieval.relevance import answered, probability, signals
from context_graph.retrieval.types import CandidatePool, Query

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Judgement", "judge", "judge_by_words", "signals_of"]


class Judgement(NamedTuple):
    """How the results of a search, k of them, are judged.

    Attributes
    ----------
    alone : float32 (k,)
        Calibrated relevance of each by itself.
    answered : float
        Probability that anything in this memory is about the question.
    agreement : float, optional
        Mean pairwise cosine of the first ten; None for fewer than two.
    """

    alone: np.ndarray
    answered: float
    agreement: float | None


def judge(corpus: Corpus, query: Query, pool: CandidatePool) -> Judgement:
    """Judge what a search has left; the caller holds the lock of the corpus."""
    features, tier = _signals(corpus, query, pool), corpus.embedder.tier
    return Judgement(probability(features, tier), answered(features, tier), _agreement(corpus, pool.rows))


def judge_by_words(corpus: Corpus, query: Query, pool: CandidatePool) -> Judgement:
    """Judge what words alone have found by the share of the question's words, by their rarity, that each holds."""
    shares = np.clip(_coverage(corpus, query, pool.rows)[0], 0.0, 1.0).astype(np.float32)
    return Judgement(shares, float(shares.max(initial=0.0)), _agreement(corpus, pool.rows))


def signals_of(
    memory: "Runtime", vectors: QueryVectors, top_k: int, among: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the best results and the signals their relevance is judged by: for fitting the calibration.

    Parameters
    ----------
    among : int64, optional
        The rows to answer from; all by default.
    """
    corpus = memory.corpus
    mask = corpus.columns.live.copy()
    if among is not None:
        mask[:] = False
        mask[among] = True
    query = query_for(memory, corpus, vectors, mask, top_k)
    pool = retrieve(memory, corpus, query)
    return pool.rows, _signals(corpus, query, pool)


def _signals(corpus: Corpus, query: Query, pool: CandidatePool) -> np.ndarray:
    return signals(pool, *_coverage(corpus, query, pool.rows), scale=corpus.embedder.scale)


def _coverage(corpus: Corpus, query: Query, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Idf-weighted share of the question that each memory holds, in the reading that suits it best, the share that
    is its time alone, and the share that it and the ones above it hold together: float32 (k,) each.

    A time counts as a word that the memories within it hold.
    """
    times, shares, together = query.times, [], []
    fit = np.zeros(len(rows), np.float32) if times is None else np.clip(times.fit[rows], 0.0, 1.0)
    worth = 0.0 if times is None else times.idf
    timed = np.zeros(len(rows), np.float32)
    language = language_of(query.vectors.original)
    light = set() if times is None else set().union(*(lexical.every_reading(word, language) for word in times.light))
    for reading in (query.vectors.terms, *query.vectors.readings, *query.vectors.renamed):
        terms = sorted(reading.keys() - light or reading)
        idf = np.log1p(corpus.documents / (corpus.terms.df(terms) + 0.5)).astype(np.float32)
        held = corpus.terms.table(terms, rows) > 0
        whole = max(float(idf.sum()) + worth, 1e-9)
        shares.append((held @ idf + worth * fit) / whole)
        all_held, all_fit = np.logical_or.accumulate(held), np.maximum.accumulate(fit)
        together.append((all_held @ idf + worth * all_fit) / whole)
        timed = np.maximum(timed, np.float32(worth / whole) * fit)
    return np.maximum.reduce(shares), timed, np.maximum.reduce(together)


def _agreement(corpus: Corpus, rows: np.ndarray) -> float | None:
    """Mean pairwise cosine of the results."""
    if len(rows) < 2:
        return None
    vectors = corpus.semantic.rows(rows[:10])
    k = len(vectors)
    return float(((vectors @ vectors.T).sum() - (vectors * vectors).sum()) / (k * (k - 1)))
