"""get_system_instructions: the mental model an agent keeps."""

from typing import TYPE_CHECKING

from context_graph import __version__
from context_graph.models import Caller
from context_graph.tools.base import ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["get_system_instructions"]


class GetSystemInstructionsInput(ToolInput):
    pass


class GetSystemInstructionsOutput(ToolOutput):
    instructions: str
    """Keep it in your context window."""

    token_count: int
    version: str


@tool(family="metacognition", title="Get system instructions", tier=2, read_only=True)
def get_system_instructions(
    memory: "Memory", args: GetSystemInstructionsInput, caller: Caller
) -> GetSystemInstructionsOutput:
    """A compact mental model of this memory for your context window: when to ask, when to store, how to read the Pulse.
    Keep it.
    """
    from context_graph.embed.wordpiece import token_count
    from context_graph.tools import texts

    text = texts.instructions()
    return GetSystemInstructionsOutput(instructions=text, token_count=token_count(text), version=__version__)
