"""first_contact: an agent that meets the memory for the first time."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from context_graph.presentation.visitor import Visitor
from context_graph.prompts.registry import Message, prompt

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["first_contact"]

TEXT = """\
You meet your long-term memory for the first time. Do this now, in this order, and nothing else before it:

1. `get_system_instructions()`: a mental model of about 300 tokens. Keep it in your context.
2. `get_graph_manifest()`: how the memory is built, which tool fits which situation, and the tools beyond your list,
   which `use_tool(name=..., arguments=...)` calls.
3. `get_memetic_status()`: entropy, coherence and curation_tasks.

Then say to the user in three sentences: how much is remembered, in which stage of its life the memory is, and
whether curation_tasks wait. It holds {memories} memories and {concepts} concepts now; stage {stage}. If it is empty,
ask the user what should be remembered first; `store_memory(content=..., rationale=...)` keeps it. If tasks wait,
propose to work through them, most urgent first.

From now on: `inject_context(query=...)` at the start of each task, and read the Pulse of every answer before you
act."""


@prompt(title="First contact")
def first_contact(memory: "Runtime", arguments: Mapping[str, str], visitor: Visitor) -> list[Message]:
    """Onboard an agent: instructions, manifest, status, in this order."""
    counts = memory.store.counts()
    return [Message(TEXT.format(memories=counts["memories"], concepts=counts["concepts"], stage=memory.stage().stage))]
