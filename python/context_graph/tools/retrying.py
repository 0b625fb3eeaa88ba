"""A doubtful context, asked for once more where the session calls a tool that its warning suggested."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_graph.models import Caller
from context_graph.tools.base import Id, WireModel

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.recall.compression import Mode
    from context_graph.recall.question import Question

__all__ = ["RetriedContext", "Retry", "retried_context"]

MAX_RETRY_TOKENS = 2_048
"""Of a context that comes with another tool's answer."""


@dataclass(frozen=True, slots=True)
class Retry:
    """What a session asked inject_context and got a doubtful answer to."""

    question: "Question"
    max_tokens: int
    mode: "Mode"
    verbosity: int


class RetriedContext(WireModel):
    """What inject_context answers to the question whose context was doubtful, asked again with priority critical."""

    query: str
    context: str
    """Also of memories that may not answer it; empty where none has anything of it."""

    nodes_retrieved: list[Id]
    citation_tags: list[str]


def retried_context(memory: "Memory", caller: Caller) -> RetriedContext | None:
    """The context that this session's last inject_context left for the next suggested tool; None where it left none.

    It is left once: after it was told, or after another inject_context, nothing waits any more.
    """
    state = memory.session(caller.session_id)
    retry, state.retry = state.retry, None
    if not isinstance(retry, Retry):
        return None
    from context_graph.recall.inject import inject

    injected = inject(
        memory, retry.question, caller=caller, max_tokens=retry.max_tokens, mode=retry.mode, verbosity=retry.verbosity,
        priority="critical",
    )  # fmt: skip
    return RetriedContext(
        query=retry.question.text,
        context=injected.text,
        nodes_retrieved=[hit.node.id for hit in injected.hits],
        citation_tags=list(injected.tags),
    )
