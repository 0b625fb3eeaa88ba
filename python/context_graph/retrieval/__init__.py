"""From a question to ranked memories: the corpus in RAM and the stages over it."""

from context_graph.index.corpus import Corpus
from context_graph.retrieval.pipeline import search
from context_graph.retrieval.types import CandidatePool, Query

__all__ = ["CandidatePool", "Corpus", "Query", "search"]
