"""Looking around without a question, and planning what to ask."""

from context_graph.tools.navigation.generate_search_plan import generate_search_plan
from context_graph.tools.navigation.get_neighborhood import get_neighborhood
from context_graph.tools.navigation.get_recent_context import get_recent_context

__all__ = ["generate_search_plan", "get_neighborhood", "get_recent_context"]
