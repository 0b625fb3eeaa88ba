"""Who may see which node: the one rule that every id in an argument passes."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from context_graph.citations import is_tag, node_of
from context_graph.errors import NodeNotFound
from context_graph.models import Node, NodeKind, NodeState, Scope

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Reader

__all__ = ["shown", "visible", "visible_nodes"]

READ_AT_ONCE = 16


def visible(memory: "Runtime", node: Node, session: str | None) -> bool:
    """Whether a caller may see a node: its own session's and conversation's, and what is for all."""
    if node.scope == Scope.USER:
        return True
    mine = node.session_id == memory.written_name(session or memory.session_id)
    return mine and (node.scope == Scope.SESSION or node.context_id == memory.context_id)


def visible_nodes(
    memory: "Runtime", nodes: Iterable[Node], session: str | None, *, seen: "Reader | None" = None
) -> list[Node]:
    """Those a caller may see; a concept counts as seen where a memory that the caller may see leads to it.

    Parameters
    ----------
    seen : Reader, optional
        What is read beside them: the store, or a transaction with what it has written so far.
    """
    nodes = list(nodes)
    asked = [node.id for node in nodes if node.kind == NodeKind.CONCEPT]
    concepts = _seen_concepts(memory, seen or memory.store, asked, session) if asked else set()
    return [
        node
        for node in nodes
        if (node.id in concepts if node.kind == NodeKind.CONCEPT else visible(memory, node, session))
    ]


def _seen_concepts(memory: "Runtime", read: "Reader", concepts: list[str], session: str | None) -> set[str]:
    """The concepts that a visible memory leads to; a few memories of each are read at a time, mostly one is enough."""
    around: dict[str, list[str]] = {concept: [] for concept in concepts}
    for edge in read.edges(concepts):
        for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
            if near in around and far not in around:
                around[near].append(far)
    seen: set[str] = set()
    while open_ones := {concept: ends for concept, ends in around.items() if ends and concept not in seen}:
        batch = {end for ends in open_ones.values() for end in ends[:READ_AT_ONCE]}
        nodes = read.nodes(batch)
        may = {node.id for node in nodes if _live_memory(node) and visible(memory, node, session)}
        for concept, ends in open_ones.items():
            if may.intersection(ends[:READ_AT_ONCE]):
                seen.add(concept)
            around[concept] = ends[READ_AT_ONCE:]
    return seen


def shown(
    memory: "Runtime", named: str, session: str | None, *, field: str = "node_id", seen: "Reader | None" = None
) -> Node:
    """The node of an id or a citation tag, to a caller who may see it; another's is unknown.

    Parameters
    ----------
    field : str
        The argument, as an error names it.
    seen : Reader, optional
        Where it is looked up: the store, or a transaction with what it has written so far.
    """
    read = seen or memory.store
    if is_tag(named):
        return node_of(read, named, seen=lambda nodes: visible_nodes(memory, nodes, session, seen=read), field=field)
    found = read.nodes([named])
    if found and not visible_nodes(memory, found, session, seen=read):
        raise NodeNotFound(f"no node has the id {named!r}; search_graph finds nodes by their content")
    return read.node(named)  # of one that is gone it says what became of it


def _live_memory(node: Node) -> bool:
    return node.kind == NodeKind.MEMORY and node.state == NodeState.LIVE
