"""Drawing conclusions from what is stored, and saying what each rests on."""

from context_graph.tools.reasoning.entailment_query import entailment_query
from context_graph.tools.reasoning.epistemic_action import epistemic_action
from context_graph.tools.reasoning.expand_causal_path import expand_causal_path
from context_graph.tools.reasoning.find_causal_path import find_causal_path
from context_graph.tools.reasoning.omni_infer import omni_infer
from context_graph.tools.reasoning.query_causal import query_causal
from context_graph.tools.reasoning.reflect_on_memory import reflect_on_memory
from context_graph.tools.reasoning.verify_code_node import verify_code_node

__all__ = [
    "entailment_query",
    "epistemic_action",
    "expand_causal_path",
    "find_causal_path",
    "omni_infer",
    "query_causal",
    "reflect_on_memory",
    "verify_code_node",
]
