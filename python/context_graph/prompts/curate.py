"""curate: the inbox of curation tasks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from context_graph.errors import InvalidInput
from context_graph.presentation.visitor import CURRENT, Visitor, shortened
from context_graph.presentation.wire_model import UUID
from context_graph.prompts.registry import Argument, Message, prompt

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["curate"]

EXAMPLE = "0193a4b2-c1d2-4e3f-8a5b-6c7d8e9f0a1b"

TEXT = """\
Work through the curation tasks of your long-term memory, safely. One task at a time; each change can be taken back.

1. `get_memetic_status({session})`: read curation_tasks. None: say so and stop.
2. For each task, the most urgent first, read its nodes before you touch them:
   `hydrate_citation(citation_tags=[...], include_neighbors=true)`.
   - Duplicate: do both say the same, with the same numbers, dates, names and negations? Then
     `merge_concepts(source_node_ids=[...], target_name=..., merge_strategy="summarize", rationale=...)`;
     keep_highest for what does not matter. If they differ in any of these, do not merge, and never set force_merge
     by yourself.
   - Conflict: `critique_context(reasoning_summary=..., focal_nodes=[...])`, then show both sides with their tags to
     the user and ask which holds. Then `annotate_node(node_id=..., annotation=..., annotation_type="correction")`,
     or `forget_concept(node_id=..., reason="obsolete")` for what the user calls wrong.
   - Orphan: is it still of use? Store what links it, or `forget_concept(node_id=..., reason="obsolete")`.
   - Anything else: follow its own suggestion, if it is about a node that you have read.
3. Note each reversal_hash. `restore_from_hash(reversal_hash=..., preview=true)` shows what would come back.
4. Nothing is deleted for good: leave soft_delete as it is.

At the end list for the user what was done, task by task, with the reversal_hash, and what waits for an answer."""


@prompt(
    title="Curate the inbox",
    arguments=(Argument("session_id", "Session", names="session", max_chars=128),),
)
def curate(memory: "Runtime", arguments: Mapping[str, str], visitor: Visitor) -> list[Message]:
    """Work through the curation tasks, safely."""
    session = arguments.get("session_id", "")
    if session == CURRENT:
        session = visitor.caller.session_id
    elif session and not UUID.fullmatch(session):
        told = f"session_id must be {CURRENT} or a UUID such as {EXAMPLE}, got {shortened(session)}"
        raise InvalidInput(told, field="session_id")
    return [Message(TEXT.format(session=f'session_id="{session}"' if session else ""))]
