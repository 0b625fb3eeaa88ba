"""The question as the memory would say it: modern Hopfield retrieval moves it to the mixture of memories it resembles.

Its weight is 0. With one, an answer depends on the session's dopamine too (`RankingConfig.uses_modulators`).
"""

import numpy as np

from context_graph.embed.semantic import unit
from context_graph.index.corpus import Corpus
from context_graph.kernels import hopfield
from context_graph.retrieval.types import Query

__all__ = ["SHORTLIST", "STEPS", "completed", "inverse_temperature", "scores"]

SHORTLIST = 4_096  # design 7
STEPS = 2


def inverse_temperature(dopamine: float, dimensions: int) -> float:
    """Dopamine, 1 to 5, on unit vectors: raw, no memory among thousands would stand out, so times sqrt(d) / 2."""
    return dopamine * float(np.sqrt(dimensions)) / 2.0


def completed(corpus: Corpus, query: Query) -> np.ndarray:
    """E1 of the question after `STEPS` updates over the memories nearest to it: float32 (1024,), unit length."""
    query_vector = query.vectors.semantic[None]
    rows = np.flatnonzero(query.mask)
    if len(rows) > SHORTLIST:
        rows = corpus.semantic.search(query_vector, SHORTLIST, mask=query.mask)[1][0]
    if len(rows) == 0:
        return query.vectors.semantic
    beta = inverse_temperature(query.dopamine, query_vector.shape[1])
    return unit(hopfield.retrieve(query_vector, corpus.semantic.rows(rows), beta=beta, steps=STEPS).output[0])


def scores(corpus: Corpus, query: Query, rows: np.ndarray) -> np.ndarray:
    """Cosine with the completed question: float32 (m,)."""
    cosines: np.ndarray = corpus.semantic.scores(completed(corpus, query)[None], ids=rows)[0]
    return cosines
