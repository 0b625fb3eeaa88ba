"""The first results put in order by a cross-encoder of the user's own; off unless a setting names one."""

import time
from collections.abc import Mapping

import numpy as np

from context_graph.embed.own.cross_encoder import CrossEncoder
from context_graph.retrieval.types import CandidatePool

__all__ = ["RERANKED", "reranked"]

RERANKED = 50
"""Results that it reads."""


def reranked(model: CrossEncoder, question: str, pool: CandidatePool, texts: Mapping[int, str], top_k: int) -> None:
    """Put the first results in the order of a cross-encoder, and keep the best `top_k`, in place.

    Totals are handed out anew in that order, the highest to the first, since what is told depends on how far each is
    from the best.

    Parameters
    ----------
    texts : mapping
        The text of each row; what has none keeps its place behind those that have.
    """
    started, count = time.perf_counter(), min(RERANKED, len(pool.rows))
    read = [place for place in range(count) if int(pool.rows[place]) in texts]
    scores = model.scores(question, [texts[int(pool.rows[place])] for place in read])
    order = [read[i] for i in np.argsort(-scores, kind="stable").tolist()]
    order += [place for place in range(len(pool.rows)) if place not in set(read)]
    totals = np.sort(pool.total)[::-1]
    pool.keep(np.array(order, np.int64))
    pool.total = totals.copy()
    pool.keep(np.arange(min(top_k, len(pool.rows))))
    ms = round(1000 * (time.perf_counter() - started), 3)
    pool.trace.append({"stage": "rerank", "in": len(read), "out": len(pool.rows), "ms": ms})
