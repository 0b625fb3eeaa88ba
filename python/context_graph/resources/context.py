"""context://{scope}: what is remembered in a scope, where nothing is target."""

from typing import TYPE_CHECKING

from context_graph.models import Caller, Node, NodeState, Scope
from context_graph.presentation.addresses import is_of_file
from context_graph.presentation.visitor import Visitor
from context_graph.resources.registry import Content, Target, resource
from context_graph.visibility import answers

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["context"]

MAX_CONTEXT_TOKENS = 2_048
MAX_LISTED = 60
MAX_RECENT_NODES = 1_000
EMPTY = "Nothing is remembered in the scope {scope} yet; store_memory with this scope keeps something in it.\n"


@resource(
    "context://{scope}",
    name="context",
    title="Context of a scope",
    mime_type="text/markdown",
    changes="store",
    choices={"scope": tuple(map(str, Scope))},
    listed=tuple(f"context://{scope}" for scope in Scope),
)
def context(memory: "Runtime", target: Target, visitor: Visitor) -> Content:
    """What is remembered for a scope, with citation tags: what is pinned, preferred and open first, then the latest.
    Scopes: user (all clients of the user), session (the current session), context (this conversation).
    """
    from context_graph.recall.inject import listing

    scope = Scope(target.parameters["scope"])
    nodes = {
        node.id: node for node in (*_first(memory, scope, visitor.caller), *_latest(memory, scope, visitor.caller))
    }
    text = listing(list(nodes.values())[:MAX_LISTED], max_tokens=MAX_CONTEXT_TOKENS).text
    return Content(f"{text}\n" if text else EMPTY.format(scope=scope))


def _first(memory: "Runtime", scope: Scope, caller: Caller) -> list[Node]:
    """Preferences, what is pinned, and what is open."""
    from context_graph.recall.briefing import brief
    from context_graph.recall.open_matters import open_matters, standing_instructions

    briefing = brief(memory, caller=caller)
    first = (
        *briefing.prelude, *standing_instructions(memory, caller=caller), *briefing.pinned, *briefing.open_questions,
        *open_matters(memory, caller=caller),
    )  # fmt: skip
    return [node for node in first if node.scope == scope]


def _latest(memory: "Runtime", scope: Scope, caller: Caller) -> list[Node]:
    """The latest memories of a scope: a few first, more where too many of those are of others; passages of seeded files
    only where nothing else is there.
    """
    viewer, moment = memory.viewer(caller), memory.present()
    for size in (2 * MAX_LISTED, MAX_RECENT_NODES):
        recent = memory.store.recent(0, size, viewer=viewer, moment=moment)
        wanted = [node for node in recent if node.scope == scope and answers(node, viewer, moment)]
        statements = [node for node in wanted if not is_of_file(node)]
        if len(statements) >= MAX_LISTED or len(recent) < size:
            break
    return [node for node in statements or wanted if node.state == NodeState.LIVE]
