"""What a memory as a whole says by its words of what is open and of how to answer, beside what metadata mark so."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from context_graph.models import Caller, Node
from context_graph.recall.briefing import brief
from context_graph.recall.profile import profile

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["open_matters", "standing_instructions"]

OPEN, STANDING = "what is open", "what are my standing instructions"
"""Questions whose answers are what is told here."""

MAX_INSTRUCTIONS = 12
"""Standing instructions and preferences that are told, the latest."""

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
    return _tellable(memory, OPEN, scopes, user, project, caller)


def standing_instructions(
    memory: "Runtime",
    *,
    scopes: Sequence[str] | None = None,
    user: str | None = None,
    project: str | None = None,
    caller: Caller | None = None,
) -> list[Node]:
    """What the question for standing instructions is answered with, as far as a briefing may tell it; the latest first.

    A briefing has the preferences that metadata mark as such; these are some by their words: "prefer short answers".
    """
    return _tellable(memory, STANDING, scopes, user, project, caller)[:MAX_INSTRUCTIONS]


def _tellable(
    memory: "Runtime",
    question: str,
    scopes: Sequence[str] | None,
    user: str | None,
    project: str | None,
    caller: Caller | None,
) -> list[Node]:
    """What a question for all of a kind is answered with, as far as a briefing may tell it."""
    caller = caller or memory.caller
    nodes = profile(memory, question, caller).nodes
    briefing = brief(
        memory, scopes=scopes, user=user, project=project, caller=caller, budget=MAX_CONSIDERED,
        relevance={node.id: 1.0 for node in nodes},
    )  # fmt: skip
    may = {node.id for node in briefing.relevant}  # what is pinned or preferred is told as such
    return [node for node in nodes if node.id in may]
