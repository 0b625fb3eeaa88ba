"""low_coherence: the way back from confusion."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from context_graph.presentation.visitor import Visitor
from context_graph.prompts.registry import Message, prompt

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["low_coherence"]

TEXT = """\
What your memory holds does not seem to fit together. Entropy is {entropy:.2f} and coherence {coherence:.2f} now;
below {low:.1f} coherence is low and above {high:.1f} entropy is high in this stage ({stage}).

1. `get_memetic_status()`: are the numbers still so? Is there a suggested action or a curation task?
2. Both bad (high entropy, low coherence): `critique_context(reasoning_summary=...)` with what you believe now, in a
   few sentences; it names the memories that contradict it. At a break, `trigger_dream(phase="full_cycle")`.
3. Low coherence alone: `get_neighborhood(max_hops=2)` and read what is linked to what;
   `hydrate_citation(citation_tags=[...])` for what you do not understand.
4. High entropy alone: `epistemic_action()` and put the question that it returns to the user.
5. Work through duplicates and conflicts among curation_tasks; they are the usual cause.
6. `get_memetic_status()` again. Not better: tell the user what does not fit, with both tags, and ask.

Do not store conclusions before it is better, and do not answer from what is disputed."""


@prompt(title="I am confused")
def low_coherence(memory: "Runtime", arguments: Mapping[str, str], visitor: Visitor) -> list[Message]:
    """Recover from low coherence."""
    pulse, stage = memory.session(visitor.caller.session_id).pulse, memory.stage()
    values = {"entropy": pulse.entropy, "coherence": pulse.coherence, "low": stage.coherence, "high": stage.entropy}
    return [Message(TEXT.format(**values, stage=stage.stage))]
