"""What the memory says about itself and its sources."""

from context_graph.tools.metacognition.critique_context import critique_context
from context_graph.tools.metacognition.get_node_lineage import get_node_lineage
from context_graph.tools.metacognition.get_system_instructions import get_system_instructions
from context_graph.tools.metacognition.get_system_logs import get_system_logs
from context_graph.tools.metacognition.hydrate_citation import hydrate_citation
from context_graph.tools.metacognition.temporary_scratchpad import temporary_scratchpad

__all__ = [
    "critique_context",
    "get_node_lineage",
    "get_system_instructions",
    "get_system_logs",
    "hydrate_citation",
    "temporary_scratchpad",
]
