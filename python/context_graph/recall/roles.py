"""Who has a role that a question asks for: "who is my dentist?", told as "I have my teeth checked by Dr. Sommer"."""

from typing import TYPE_CHECKING

from context_graph.index.batch import ASKS
from context_graph.models import Caller, Node
from context_graph.reading.roles import RoleAsked, is_in_role, role_stems
from context_graph.recall.holding import holding_any

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["holders_of_role"]

LOOKED_AT = 500
"""Memories with a word of the role that are read, the last."""


def holders_of_role(memory: "Runtime", caller: Caller, role: RoleAsked) -> list[Node]:
    """Memories that name somebody in the role, the latest first."""
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        rows = holding_any(corpus, role_stems(role))
        rows = rows[rows < len(visible)]
        rows = rows[visible[rows]]
        ids = [corpus.ids[row] for row in rows[corpus.has(ASKS, rows) == 0][-LOOKED_AT:]]
    nodes = [node for node in memory.store.nodes(ids) if is_in_role(node.content, role)]
    return sorted(nodes, key=lambda node: (-node.occurred_at, node.id))
