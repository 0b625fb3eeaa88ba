"""What a cross-encoder of the user's own thinks of the first results, added to their totals; off by default."""

import time
from collections.abc import Sequence

import numpy as np

from context_graph.embed.own.cross_encoder import CrossEncoder
from context_graph.retrieval.types import CandidatePool

__all__ = ["RERANKED", "reranked"]

RERANKED = 50
"""Results that it reads."""

WEIGHT = 1.0
"""Of its scores, standardised over what it reads, beside a total; docs/memory/models.md has what others do."""


def reranked(model: CrossEncoder, question: str, pool: CandidatePool, texts: Sequence[str | None], top_k: int) -> None:
    """Add the scores of a cross-encoder to the totals of the first results, and keep the best `top_k`, in place.

    Scores are standardised, since models differ in their scale, and added, since a text alone does not show what the
    memory knows of it: who spoke, when, what leads to it. In the order of the model alone fewer answers are found.

    Parameters
    ----------
    texts : sequence of str or None
        Of each row; None, where there is none now, counts as the mean.
    """
    started = time.perf_counter()
    read = [(place, text) for place, text in enumerate(texts[:RERANKED]) if text is not None]
    scores = model.scores(question, [text for _, text in read])
    if spread := float(scores.std()) if len(read) else 0.0:
        totals = pool.total.copy()
        totals[[place for place, _ in read]] += WEIGHT * (scores - scores.mean()) / spread
        order = np.argsort(-totals, kind="stable")
        pool.keep(order)
        pool.total = totals[order]
    pool.keep(np.arange(min(top_k, len(pool.rows))))
    ms = round(1000 * (time.perf_counter() - started), 3)
    pool.trace.append({"stage": "rerank", "in": len(read), "out": len(pool.rows), "ms": ms})
