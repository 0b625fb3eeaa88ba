"""Scores of the spaces that only some memories have: causes, code."""

import numpy as np

from context_graph.embed import QueryVectors
from context_graph.index.corpus import Corpus
from context_graph.retrieval.view import View

__all__ = ["SCORE_OF", "scores"]

SCORE_OF = {"E5": "cause", "E7": "code"}
"""The score that each space gives."""


def scores(corpus: Corpus, query: QueryVectors, view: View, space: str) -> dict[str, np.ndarray]:
    """Cosines in one space over the rows of a view, where the question and some of the rows have a vector in it."""
    vector = query.occasional.get(space)
    found = None if vector is None else corpus.occasional[space].cosines(vector, view.place)
    return {} if found is None else {SCORE_OF[space]: found}
