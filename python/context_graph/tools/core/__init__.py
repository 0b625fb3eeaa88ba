"""The tools of every day."""

from context_graph.tools.core.get_graph_manifest import get_graph_manifest
from context_graph.tools.core.get_memetic_status import get_memetic_status
from context_graph.tools.core.inject_context import inject_context
from context_graph.tools.core.search_graph import search_graph
from context_graph.tools.core.store_memory import store_memory
from context_graph.tools.core.use_tool import use_tool

__all__ = ["get_graph_manifest", "get_memetic_status", "inject_context", "search_graph", "store_memory", "use_tool"]
