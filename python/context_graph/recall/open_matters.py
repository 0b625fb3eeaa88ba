"""What is open in a memory as a whole: what nobody has decided, answered or done yet."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from context_graph.models import Caller, Node
from context_graph.recall.briefing import brief
from context_graph.recall.profile import profile

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["open_matters"]

QUESTION = "what is open"
"""Its answer is what is told here."""


MAX_CONSIDERED = 10_000
"""Memories of the briefing that says what may be told: more than are pinned and open together."""


def open_matters(
    memory: "Runtime",
    *,
    scopes: Sequence[str] | None = None,
    user: str | None = None,
    project: str | None = None,
    caller: Caller | None = None,
) -> list[Node]:
    """What the question for what is open is answered with, as far as a briefing may tell it; the latest first.

    A briefing has the open questions that metadata mark as such; these are open by their words, such as a TODO.
    """
    caller = caller or memory.caller
    left_open = profile(memory, QUESTION, caller).nodes
    briefing = brief(
        memory, scopes=scopes, user=user, project=project, caller=caller, budget=MAX_CONSIDERED,
        relevance={node.id: 1.0 for node in left_open},
    )  # fmt: skip
    may = {node.id for node in briefing.relevant}  # what is pinned or preferred is told as such
    return [node for node in left_open if node.id in may]
