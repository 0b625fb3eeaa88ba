"""Memories that were superseded, reopened where what took their place goes."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from context_graph.models import Caller, Node, NodeState
from context_graph.reading.annotations import annotations_of
from context_graph.store import change_of

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Reader, Transaction

__all__ = ["Reopened", "reopen", "reopen_without", "standing_successor"]

ENDING = "obsolete"
"""Reason of a removal that reopens nothing: what is obsolete did take the place of what it replaced."""

MAX_SUCCESSION_LINEAGE = 100
"""Of a memory that are looked through for what superseded it, the latest."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """What became of the memories that one had taken the place of.

    Attributes
    ----------
    node_ids : tuple of str
        Those that nothing else had closed: they hold again.
    closed : tuple of str
        Those that stay closed; restore_concept reopens one.
    """

    node_ids: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()


def reopen_without(tx: "Transaction", node: Node, reason: str) -> Reopened:
    """Reopen what a memory that goes had closed, by the write that removes it.

    Where another has taken its own place since, nothing is reopened: what that says holds.
    """
    if node.state == NodeState.FORGOTTEN or standing_successor(tx, node) is not None:
        return Reopened()
    opened, closed = [], []
    for one in _replaced_by(tx, node, {node.id}):
        if reason == ENDING or _deprecated_for(one, node):
            closed.append(one.id)
        elif _put_back(tx, one):
            opened.append(one.id)
    return Reopened(tuple(opened), tuple(closed))


def reopen(memory: "Runtime", node_id: str, caller: Caller) -> str | None:
    """Let a memory hold again whose successor is gone; returns the hash of the write, None where nothing was done."""
    with memory.writing:
        with memory.store.write("reopened", memory.author(caller)) as tx:
            node = tx.node(node_id)
            if node.valid_to is not None and _without_the_gone(tx, node).valid_to is None:
                tx.update(node_id, valid_to=None, superseded_by=None)
                tx.note.update(operation="reopened", nodes=[node_id])
        memory.committed(tx.committed)
    return None if tx.committed is None else tx.committed.hash[:16]


def _without_the_gone(reader: "Reader", node: Node) -> Node:
    """A memory as it would be without those of its successors that are gone, the last one first."""
    visited: set[str] = set()
    while node.superseded_by is not None and node.superseded_by not in visited:
        if standing_successor(reader, node) is not None:
            break
        visited.add(node.superseded_by)
        node = replace(node, **_validity_before(reader, node))
    return node


def standing_successor(reader: "Reader", node: Node) -> Node | None:
    """The first live memory among those that took the place of this one, one after the other."""
    visited = {node.id}
    while node.superseded_by is not None and node.superseded_by not in visited:
        visited.add(node.superseded_by)
        successors = reader.nodes([node.superseded_by])
        if not successors or successors[0].state == NodeState.LIVE:
            return successors[0] if successors else None
        node = successors[0]
    return None


def _replaced_by(reader: "Reader", node: Node, visited: set[str]) -> list[Node]:
    """What a memory took the place of; in the place of what is in the trash, what that had replaced.

    The sources of a merge are left out: they say what it says.
    """
    replaced: list[Node] = []
    for one in reader.superseded(node.id):
        if one.id in visited or one.id in node.derived_from:
            continue
        visited.add(one.id)
        replaced += _replaced_by(reader, one, visited) if one.state == NodeState.FORGOTTEN else [one]
    return replaced


def _deprecated_for(node: Node, other: Node) -> bool:
    """Whether a note on a memory itself ends it in favour of another."""
    return any(note.type == "deprecation" and note.reference == other.id for note in annotations_of(node))


def _put_back(tx: "Transaction", node: Node) -> bool:
    """Give a memory the validity that it had before it was superseded; whether it holds with that."""
    before = _validity_before(tx, node)
    tx.update(node.id, **before)
    return before["valid_to"] is None


def _validity_before(reader: "Reader", node: Node) -> dict[str, Any]:
    """When a memory ended and what had taken its place, before its successor did."""
    for event in reversed(reader.lineage(node.id, MAX_SUCCESSION_LINEAGE)):
        own = change_of(event, "nodes", node.id)
        if own is not None and own.before and (own.after or {}).get("superseded_by") == node.superseded_by:
            return {
                "valid_to": own.before.get("valid_to", node.valid_to), "superseded_by": own.before["superseded_by"],
            }  # fmt: skip
    return {"valid_to": None, "superseded_by": None}
