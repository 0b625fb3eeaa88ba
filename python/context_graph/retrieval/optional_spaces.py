"""Scores of the optional spaces, such as causes and code."""

import numpy as np

from context_graph.embed import QueryVectors
from context_graph.index.corpus import Corpus
from context_graph.retrieval.view import View

__all__ = ["scores"]


def scores(corpus: Corpus, query: QueryVectors, view: View, space: str) -> dict[str, np.ndarray]:
    """The score of one space over the rows of a view, where the question and some of the rows have a vector in it."""
    part, vector = corpus.optional[space], query.optional.get(space)
    found = None if vector is None else part.scores(vector, view.place)
    return {} if found is None or part.encoder.score_name is None else {part.encoder.score_name: found}
