"""Recall of a question set, and differences with their uncertainty."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from context_graph.evaluation.stores import Asked
from context_graph.recall.query import query_for
from context_graph.recall.reranking import RERANKED, reranked
from context_graph.recall.sources import retrieve
from context_graph.retrieval.config import RankingConfig

__all__ = ["DEPTH", "MEASURES", "change", "of_ranks", "ranks", "recalls"]

DEPTH = 20
MEASURES = ("R@5", "R@10", "R@20", "all@5", "MRR")


def ranks(
    judged_query: Asked, *, method: Literal["zscore", "rrf"] = "zscore", config: RankingConfig | None = None
) -> list[int]:
    """Ranks, from 1, of the memories that answer a question, among the best 20; those beyond are left out.

    Parameters
    ----------
    config : RankingConfig, optional
        By default that of the memory.
    """
    memory, corpus = judged_query.memory, judged_query.memory.corpus
    mask = corpus.columns.live.copy()
    depth = DEPTH if memory.reranker is None else RERANKED
    with corpus.lock:
        query = query_for(memory, corpus, judged_query.vectors, mask, depth, method=method, config=config)
        found = retrieve(memory, corpus, query)
    if memory.reranker is not None:
        contents = {node.id: node.content for node in memory.store.nodes(corpus.ids[row] for row in found.rows)}
        texts = [contents[corpus.ids[row]] for row in found.rows]
        reranked(memory.reranker, judged_query.vectors.original, found, texts, DEPTH)
    place = {row: i + 1 for i, row in enumerate(found.rows.tolist())}
    return sorted(place[row] for row in judged_query.gold if row in place)


def of_ranks(ranks: Sequence[int], gold: int) -> tuple[float, ...]:
    """`MEASURES` of one question, from the ranks of what was found of so many that answer it."""
    shares = [sum(rank <= k for rank in ranks) / gold for k in (5, 10, 20)]
    return (*shares, float(shares[0] == 1.0), 1.0 / ranks[0] if ranks else 0.0)


def recalls(
    queries: Sequence[Asked], *, method: Literal["zscore", "rrf"] = "zscore", config: RankingConfig | None = None
) -> np.ndarray:
    """`MEASURES` of every question, in [0, 1]: float64 (n, 5)."""
    found = ((ranks(question, method=method, config=config), len(question.gold)) for question in queries)
    return np.array([of_ranks(*each) for each in found])


def change(variant: np.ndarray, whole: np.ndarray) -> tuple[float, float, float]:
    """Mean difference of one measure over questions, with its paired bootstrap 95 % interval, in points."""
    difference = 100 * (variant - whole)
    picks = np.random.default_rng(0).integers(0, len(whole), (2_000, len(whole)))
    low, high = np.percentile(difference[picks].mean(axis=1), [2.5, 97.5])
    return float(difference.mean()), float(low), float(high)
