"""Letting a memory out of quarantine, which nobody but a person does: no tool of an agent reaches it."""

from typing import TYPE_CHECKING

from context_graph.errors import Refused
from context_graph.models import NodeState

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["release"]


def release(memory: "Runtime", node_id: str) -> str:
    """Let a memory be found and told though it reads like an order to an agent; returns the hash that takes it back.

    Raises
    ------
    NodeNotFound
        No memory has this id, or it is in the trash.
    Refused
        It is not in quarantine.
    """
    with memory.writing:
        with memory.store.write("released", memory.author(memory.caller)) as tx:
            node = tx.node(node_id)
            if node.state != NodeState.QUARANTINED:
                raise Refused(f"{node.name!r} is not in quarantine", hint="it is found and told as it is")
            tx.update(node.id, state=NodeState.LIVE, state_reason=None, state_at=memory.clock(), state_by="user")
            tx.note.update(operation="released", nodes=[node.id])
        memory.committed()
    assert tx.committed is not None
    return tx.committed.hash
