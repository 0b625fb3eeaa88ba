"""The memory: remember, recall, forget; where the parts below meet."""

from context_graph.memory.memory import Memory

__all__ = ["Memory"]
