"""Whether it works, how well it finds, and what it let go."""

from context_graph.tools.diagnostics.check_adversarial import check_adversarial
from context_graph.tools.diagnostics.debug_compare_retrieval import debug_compare_retrieval
from context_graph.tools.diagnostics.get_health import get_health
from context_graph.tools.diagnostics.search_tombstones import search_tombstones
from context_graph.tools.diagnostics.test_recall_accuracy import test_recall_accuracy

__all__ = ["check_adversarial", "debug_compare_retrieval", "get_health", "search_tombstones", "test_recall_accuracy"]
