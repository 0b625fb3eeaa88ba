"""expand_causal_path: the other name of find_causal_path."""

from typing import TYPE_CHECKING

from context_graph.models import Caller
from context_graph.tools.reasoning.find_causal_path import FindCausalPathInput, FindCausalPathOutput, find_causal_path
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["expand_causal_path"]


@tool(family="reasoning", title="Expand causal path", tier=3, read_only=True)
def expand_causal_path(memory: "Memory", args: FindCausalPathInput, caller: Caller) -> FindCausalPathOutput:
    """The same as find_causal_path, under the name that a tool-gating warning uses."""
    return find_causal_path(memory, args, caller)  # type: ignore[return-value]
