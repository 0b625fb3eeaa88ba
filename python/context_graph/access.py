"""Which node an argument names, to a caller who may see it: what every id and citation tag passes."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from context_graph.citations import is_tag, node_of
from context_graph.errors import NodeNotFound
from context_graph.models import Caller, Node, NodeKind, NodeState
from context_graph.visibility import Viewer, answers, may_see

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Reader

__all__ = ["shown", "visible_nodes"]

CONCEPT_BATCH = 2
"""Memories of each concept that are read first; then twice as many."""


def visible_nodes(
    memory: "Runtime", nodes: Iterable[Node], caller: Caller, *, reader: "Reader | None" = None
) -> list[Node]:
    """Those a caller may see; a concept counts as seen where a memory that the caller may see leads to it.

    Parameters
    ----------
    reader : Reader, optional
        What is read beside them: the store, or a transaction with what it has written so far.
    """
    nodes, viewer = list(nodes), memory.viewer(caller)
    asked = [node.id for node in nodes if node.kind == NodeKind.CONCEPT]
    concepts = _seen_concepts(reader or memory.store, asked, viewer) if asked else set()
    return [node for node in nodes if (node.id in concepts if node.kind == NodeKind.CONCEPT else may_see(node, viewer))]


def _seen_concepts(read: "Reader", concepts: list[str], viewer: Viewer) -> set[str]:
    """The concepts that a visible memory leads to; a few memories of each are read at a time, mostly one is enough."""
    around: dict[str, list[str]] = {concept: [] for concept in concepts}
    for source, target, _ in read.reached(concepts):
        for near, far in ((source, target), (target, source)):
            if near in around and far not in around:
                around[near].append(far)
    visible_concepts: set[str] = set()
    most = CONCEPT_BATCH
    while open_ones := {concept: ends for concept, ends in around.items() if ends and concept not in visible_concepts}:
        batch = {end for ends in open_ones.values() for end in ends[:most]}
        nodes = read.nodes(batch)
        may = {node.id for node in nodes if node.kind == NodeKind.MEMORY and answers(node, viewer)}
        for concept, ends in open_ones.items():
            if may.intersection(ends[:most]):
                visible_concepts.add(concept)
            around[concept] = ends[most:]
        most *= 2
    return visible_concepts


def shown(
    memory: "Runtime",
    reference: str,
    caller: Caller,
    *,
    field: str = "node_id",
    reader: "Reader | None" = None,
    forgotten: bool = False,
) -> Node:
    """The node of an id or a citation tag, to a caller who may see it; another's is unknown.

    Parameters
    ----------
    field : str
        The argument, as an error names it.
    reader : Reader, optional
        Where it is looked up: the store, or a transaction with what it has written so far.
    forgotten : bool
        Also one in the trash.
    """
    read = reader or memory.store
    if is_tag(reference):
        return node_of(
            read,
            reference,
            visible=lambda nodes: visible_nodes(memory, nodes, caller, reader=read),
            field=field,
            forgotten=forgotten,
        )
    found = read.nodes([reference])
    if found and not visible_nodes(memory, found, caller, reader=read):
        raise NodeNotFound(f"no node has the id {reference!r}; search_graph finds nodes by their content")
    if found and (forgotten or found[0].state != NodeState.FORGOTTEN):
        return found[0]
    return read.node(reference, forgotten=forgotten)  # of one that is gone it says what became of it
