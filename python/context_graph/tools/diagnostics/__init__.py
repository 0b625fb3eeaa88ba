"""Whether it works, and what it let go."""

from context_graph.tools.diagnostics.get_health import get_health
from context_graph.tools.diagnostics.search_tombstones import search_tombstones

__all__ = ["get_health", "search_tombstones"]
