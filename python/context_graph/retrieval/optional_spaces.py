"""Scores of the spaces that only some memories have: causes, code."""

import numpy as np

from context_graph.embed import QueryVectors
from context_graph.index.corpus import Corpus
from context_graph.retrieval.view import View

__all__ = ["SCORE_OF", "scores"]

SCORE_OF = {"E5": "cause", "E7": "code"}
"""The score that each space gives."""


def scores(corpus: Corpus, query: QueryVectors, view: View) -> dict[str, np.ndarray]:
    """Raw scores over the rows of a view, of those spaces that the question and some of the rows have."""
    found = {}
    for id, vector in query.occasional.items():
        cosines = corpus.occasional[id].cosines(vector, view.place)
        if cosines is not None:
            found[SCORE_OF[id]] = cosines
    return found
