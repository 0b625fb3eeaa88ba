"""Concepts that are one name, spelt in several ways: found, and joined by one write that can be taken back."""

from itertools import groupby
from typing import TYPE_CHECKING

from context_graph.ingest.linking import WIDTH
from context_graph.models import Edge, EdgeType, Node
from context_graph.names import name_key

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Transaction

ALL = 2**31

__all__ = ["absorb", "join_spellings", "spelt_apart"]


def spelt_apart(memory: "Runtime") -> list[list[Node]]:
    """Groups of concepts whose names have one key, the oldest of each first."""
    found = sorted(memory.store.concepts(ALL), key=lambda node: (_key(node), node.created_at, node.id))
    groups = [list(group) for _, group in groupby(found, key=_key)]
    return [group for group in groups if len(group) > 1]


def join_spellings(memory: "Runtime") -> tuple[int, str]:
    """Let the oldest concept of each name stand for all of them.

    Returns
    -------
    int, str
        How many concepts went, and the hash that brings them back; empty where there was nothing to join.
    """
    groups = spelt_apart(memory)
    if not groups:
        return 0, ""
    with memory.writing, memory.store.write("merged", memory.author(memory.caller)) as tx:
        for kept, *others in groups:
            for other in others:
                absorb(tx, kept, other)
            widest = max((kept, *others), key=lambda node: WIDTH[node.scope]).scope
            tx.update(kept.id, scope=widest)
        joined = sum(len(group) - 1 for group in groups)
        tx.note.update(operation="merged", nodes=[group[0].id for group in groups], concepts=joined)
    memory.committed(tx.committed)
    assert tx.committed is not None
    return joined, tx.committed.hash


def absorb(tx: "Transaction", kept: Node, other: Node) -> int:
    """Edges of the one lead to the other, each once; then it goes. Returns how many lead there now."""
    edge_keys, redirected = {_ends(edge) for edge in tx.edges(kept.id)}, 0
    for edge in tx.edges(other.id):
        source, target = (kept.id if end == other.id else end for end in (edge.source, edge.target))
        ends = (source, target, edge.edge_type, edge.origin)
        if source == target or ends in edge_keys:
            continue  # it goes with its node
        edge_keys.add(ends)
        tx.update_edge(edge.id, source=source, target=target)
        redirected += 1
    tx.remove_node(other.id)
    return redirected


def _ends(edge: Edge) -> tuple[str, str, EdgeType, str]:
    return edge.source, edge.target, edge.edge_type, edge.origin


def _key(node: Node) -> str:
    named = node.metadata.get("name_key")
    return name_key(named if isinstance(named, str) else node.name)
