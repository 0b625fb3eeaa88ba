"""What was forgotten, in pages: the trash as the page and REST show it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from context_graph import arguments
from context_graph.models import Caller
from context_graph.presentation.answer_budget import shared
from context_graph.presentation.tombstones import Tombstone, tombstone_of
from context_graph.presentation.wire_model import WireModel
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["MAX_TRASH_PAGE", "Trash", "trash"]

MAX_TRASH_PAGE = 50
MAX_TRASH = 1_000_000
"""Of forgotten memories that are counted."""


class Trash(WireModel):
    """A page of the trash, the latest first."""

    total: int
    """Of all pages."""

    offset: int
    tombstones: list[Tombstone]
    recovery_instructions: str


def trash(memory: "Memory", caller: Caller, parameters: Mapping[str, Any]) -> Trash:
    """A page of what was forgotten and the caller may see; `top_k` is an older name of `limit`."""
    named = "limit" if "limit" in parameters else "top_k"
    limit = arguments.number(parameters.get(named, MAX_TRASH_PAGE), named, 1, MAX_TRASH_PAGE)
    offset, viewer = parameters.get("offset", 0), memory.viewer(caller)
    gone = [node for node in memory.store.tombstones(limit=MAX_TRASH) if may_see(node, viewer)]
    nodes = gone[offset : offset + limit]
    pieces = shared([node.content for node in nodes])
    return Trash(
        total=len(gone),
        offset=offset,
        tombstones=[tombstone_of(memory, node, one.text, caller) for node, one in zip(nodes, pieces, strict=True)],
        recovery_instructions="POST /api/v1/undo with a reversal_hash of these, and preview false, brings one back.",
    )
