"""The opened parts of a memory: store, indexes, models, sessions, and what follows from them."""

from context_graph.runtime.answer_cache import AnswerCache
from context_graph.runtime.runtime import Runtime

__all__ = ["AnswerCache", "Runtime"]
