"""From a question to ranked memories: the corpus in RAM and the stages over it."""

from context_graph.retrieval.corpus import Corpus, Viewer
from context_graph.retrieval.pipeline import Found, Query, search

__all__ = ["Corpus", "Found", "Query", "Viewer", "search"]
