"""What the memory says about itself and its sources."""

from context_graph.tools.metacognition.get_node_lineage import get_node_lineage
from context_graph.tools.metacognition.get_system_instructions import get_system_instructions
from context_graph.tools.metacognition.hydrate_citation import hydrate_citation

__all__ = ["get_node_lineage", "get_system_instructions", "hydrate_citation"]
