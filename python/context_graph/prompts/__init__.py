"""What a person may pick to have an agent do: one file a prompt, each a text that the agent follows with our tools."""

from context_graph.prompts import (
    agent_handbook,
    curate,
    explain_amnesia,
    fact_check,
    first_contact,
    low_coherence,
    memory_map,
    search_failed,
    should_i_store,
)
from context_graph.prompts.registry import Argument, Message, Prompt, all_prompts, described, find

__all__ = [
    "Argument",
    "Message",
    "Prompt",
    "agent_handbook",
    "all_prompts",
    "curate",
    "described",
    "explain_amnesia",
    "fact_check",
    "find",
    "first_contact",
    "low_coherence",
    "memory_map",
    "search_failed",
    "should_i_store",
]
