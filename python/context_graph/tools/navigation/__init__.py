"""Looking around without a question."""

from context_graph.tools.navigation.get_neighborhood import get_neighborhood
from context_graph.tools.navigation.get_recent_context import get_recent_context

__all__ = ["get_neighborhood", "get_recent_context"]
