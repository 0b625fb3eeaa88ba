"""What reads like an order to an agent waits for the user, or is left out, whatever a peer says of it."""

from dataclasses import replace

from context_graph.models import Node, NodeKind, NodeState
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion
from context_graph.store import GROUPS
from context_graph.sync.batch import Entry

__all__ = ["inspected", "suspicion_of"]

REASON = "it came from another home and reads like an instruction to an agent"
TEXTS = ("name", "content", "rationale", "text")
"""Columns of concepts, goals and records that an agent reads."""


def inspected(node: Node, before: Node | None, moment: int) -> tuple[Node, bool]:
    """A node as it may be kept here, and whether it goes into quarantine; out of it only this home lets one.

    Parameters
    ----------
    before : Node or None
        As it is here.
    """
    if before is not None and before.state == NodeState.QUARANTINED:
        return replace(node, **{column: getattr(before, column) for column in GROUPS["nodes"]["state"]}), False
    same = before is not None and (before.state, *_texts(before)) == (node.state, *_texts(node))
    if node.kind != NodeKind.MEMORY or same:
        return node, False
    found = max(suspicion(text) for text in _texts(node))
    node = replace(node, taint=max(found, node.taint))
    if found < QUARANTINE_FROM or node.state != NodeState.LIVE:
        return node, False
    quarantined = replace(
        node, state=NodeState.QUARANTINED, state_at=moment, state_by="system", state_reason=REASON
    )  # fmt: skip
    return quarantined, True


def suspicion_of(entry: Entry) -> float:
    """How much a concept, goal or record reads like such an order, in [0, 1]; a memory is asked by `inspected`."""
    columns = entry.columns
    if columns.get("kind") == NodeKind.MEMORY:
        return 0.0
    texts = [value for name in TEXTS if isinstance(value := columns.get(name), str)]
    return max((suspicion(text) for text in texts), default=0.0)


def _texts(node: Node) -> tuple[str, ...]:
    return node.content, node.rationale, node.name, node.speaker or ""
