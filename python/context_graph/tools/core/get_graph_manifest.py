"""get_graph_manifest: how the memory works, and which tools there are."""

from typing import TYPE_CHECKING

from context_graph.models import Caller
from context_graph.presentation.counts import memories_in_words
from context_graph.tools.base import ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import all_tools, listed, tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["get_graph_manifest"]


class GetGraphManifestInput(ToolInput):
    pass


class LayerGuidance(WireModel):
    """Which tools for which state."""

    high_entropy_tools: list[str]
    low_coherence_tools: list[str]
    fast_recall_tools: list[str]


class Troubleshooting(WireModel):
    """What to do when results seem wrong."""

    irrelevant_results: str
    low_recall: str
    conflicting_memories: str
    slow_performance: str


class GetGraphManifestOutput(ToolOutput):
    prompt_fragment: str
    """How I work; keep it in your context."""

    layer_guidance: LayerGuidance
    current_state_summary: str
    troubleshooting: Troubleshooting
    more_tools: dict[str, str]
    """Tools that are not in your list, with their arguments; call them through use_tool."""


@tool(family="core", title="Get graph manifest", tier=1, read_only=True)
def get_graph_manifest(memory: "Memory", args: GetGraphManifestInput, caller: Caller) -> GetGraphManifestOutput:
    """How this memory is organised, which tool fits which situation, and the tools beyond your list. Call once at first
    contact.
    """
    from context_graph.tools import texts

    seen = listed(memory.settings.tools)
    hidden = [tool for tool in all_tools() if tool not in seen]
    return GetGraphManifestOutput(
        prompt_fragment=texts.prompt_fragment(),
        layer_guidance=LayerGuidance(**texts.layer_guidance()),
        current_state_summary=_state(memory, caller),
        troubleshooting=Troubleshooting(**texts.troubleshooting()),
        more_tools={tool.signature: tool.description for tool in hidden},
    )


def _state(memory: "Memory", caller: Caller) -> str:
    counts, pulse, stage = memory.store.counts(), memory.session(caller.session_id).pulse, memory.stage()
    return (
        f"{memories_in_words(counts)}, {counts['concepts']} concepts and {counts['edges']} links; "
        f"stage {stage.stage} after {memory.interactions} interactions; "
        f"entropy {pulse.entropy:.2f}, coherence {pulse.coherence:.2f}."
    )
