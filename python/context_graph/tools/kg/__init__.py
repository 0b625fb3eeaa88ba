"""The document graph of a project: what its Markdown says and links to, and what runs over it."""

from context_graph.tools.kg.kg_agent_list import kg_agent_list
from context_graph.tools.kg.kg_agent_spawn import kg_agent_spawn
from context_graph.tools.kg.kg_audit_checkpoint import kg_audit_checkpoint
from context_graph.tools.kg.kg_audit_query import kg_audit_query
from context_graph.tools.kg.kg_cache_stats import kg_cache_stats
from context_graph.tools.kg.kg_get_node import kg_get_node
from context_graph.tools.kg.kg_graph_generate import kg_graph_generate
from context_graph.tools.kg.kg_graph_query import kg_graph_query
from context_graph.tools.kg.kg_graph_stats import kg_graph_stats
from context_graph.tools.kg.kg_health import kg_health
from context_graph.tools.kg.kg_health_check import kg_health_check
from context_graph.tools.kg.kg_list_tags import kg_list_tags
from context_graph.tools.kg.kg_query import kg_query
from context_graph.tools.kg.kg_search_nodes import kg_search_nodes
from context_graph.tools.kg.kg_search_tags import kg_search_tags
from context_graph.tools.kg.kg_stats import kg_stats
from context_graph.tools.kg.kg_sync_status import kg_sync_status
from context_graph.tools.kg.kg_trajectory_list import kg_trajectory_list
from context_graph.tools.kg.kg_vector_search import kg_vector_search
from context_graph.tools.kg.kg_vector_upsert import kg_vector_upsert
from context_graph.tools.kg.kg_workflow_list import kg_workflow_list
from context_graph.tools.kg.kg_workflow_start import kg_workflow_start
from context_graph.tools.kg.kg_workflow_status import kg_workflow_status

__all__ = [
    "kg_agent_list",
    "kg_agent_spawn",
    "kg_audit_checkpoint",
    "kg_audit_query",
    "kg_cache_stats",
    "kg_get_node",
    "kg_graph_generate",
    "kg_graph_query",
    "kg_graph_stats",
    "kg_health",
    "kg_health_check",
    "kg_list_tags",
    "kg_query",
    "kg_search_nodes",
    "kg_search_tags",
    "kg_stats",
    "kg_sync_status",
    "kg_trajectory_list",
    "kg_vector_search",
    "kg_vector_upsert",
    "kg_workflow_list",
    "kg_workflow_start",
    "kg_workflow_status",
]
